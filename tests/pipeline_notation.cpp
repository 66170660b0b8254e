#include <string>
#include <string_view>
#include <vector>

#include <shardlab/pipeline.hpp>
#include <shardlab/verify.hpp>

#include "catch.hpp"
#include "refusal.hpp"

using namespace shardlab;

namespace {

bool same(const PipelineSchedule& a, const PipelineSchedule& b) {
    return a.stages == b.stages && a.micro_batches == b.micro_batches && a.placement == b.placement &&
           a.operations == b.operations && a.replicas == b.replicas;
}

/// The rule is a sentence of the refusal; the value says where.
void require_unreadable(const std::string& csv, const std::string& value) {
    INFO(csv);
    const Refusal refusal = refusal_of([&] { read_schedule_csv(csv); });
    CHECK(refusal.parameter == "schedule");
    CHECK(refusal.value == value);
    CHECK_FALSE(refusal.rule.empty());
}

std::vector<PipelineRequest> requests(int stages, int micro_batches) {
    std::vector<PipelineRequest> list;
    for (const std::string_view name :
         {"gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-1p", "zb-2p", "zb-v", "dualpipe-v"}) {
        PipelineRequest request;
        request.schedule = name;
        request.stages = stages;
        request.micro_batches = micro_batches;
        list.push_back(request);
    }
    return list;
}

}  // namespace

TEST_CASE("PyTorch's DualPipeV schedule of 4 ranks is the builder's", "[pipeline][notation]") {
    const ReadSchedule read = read_schedule_csv(published_csv("dualpipev_4rank_10mb"));
    CHECK(read.letters == BackwardLetters::pytorch);
    CHECK(read.letters_found);
    CHECK(read.communication_actions == 0);
    CHECK(read.sharding_actions == 0);
    CHECK(same(read.schedule, pipeline_schedule_dualpipe_v(4, 10)));
    CHECK(schedule_csv(read.schedule) == published_csv("dualpipev_4rank_10mb"));
}

TEST_CASE("PyTorch's zero-bubble schedule of 2 ranks takes as long as it has slots", "[pipeline][notation]") {
    const ReadSchedule read = read_schedule_csv(published_csv("zb1p_2rank_2stagep_compute"));
    CHECK(read.letters == BackwardLetters::zero_bubble);
    CHECK(read.letters_found);
    CHECK(read.schedule.placement == std::vector<int>{0, 1, 0, 1});
    CHECK(read.schedule.micro_batches == 8);
    std::string_view line = published_csv("zb1p_2rank_2stagep_compute");
    line.remove_prefix(line.find('\n') + 1);
    int slots = 1;
    for (const char character : line) {
        slots += character == ',' ? 1 : 0;
    }
    PipelineCosts costs;
    costs.times = split_times(1, 1, 1);
    CHECK(simulate(read.schedule, costs).makespan == slots);
    CHECK(same(read_schedule_csv(schedule_csv(read.schedule)).schedule, read.schedule));
}

TEST_CASE("every builder's schedule with one replica is read as it was written", "[pipeline][notation]") {
    for (int stages = 1; stages <= 5; ++stages) {
        for (const int micro_batches : {2 * stages, 2 * stages + 1, 3 * stages + 2}) {
            for (const PipelineRequest& request : requests(stages, micro_batches)) {
                INFO(request.schedule << " " << stages << " " << micro_batches);
                const PipelineSchedule schedule = pipeline_schedule(request);
                const ReadSchedule found = read_schedule_csv(schedule_csv(schedule));
                REQUIRE(same(found.schedule, schedule));
                REQUIRE(found.letters == BackwardLetters::pytorch);
                REQUIRE(same(read_schedule_csv(schedule_csv(schedule), BackwardLetters::pytorch).schedule, schedule));
            }
        }
    }
}

TEST_CASE("the letters of the backward are told apart by what is there", "[pipeline][notation]") {
    const auto kinds = [](const std::string& csv) {
        std::string letters;
        const ReadSchedule read = read_schedule_csv(csv);
        for (const Operation& operation : read.schedule.operations[0]) {
            letters += cell(operation) + " ";
        }
        return letters;
    };
    CHECK(kinds("0F0,0B0") == "0F0 0B0 ");
    CHECK(kinds("0F0,0B0,0W0") == "0F0 0I0 0W0 ");
    CHECK(kinds("0F0,0BW0") == "0F0 0B0 ");
    CHECK(kinds("0F0,0F1,0BW0,0B1,0W1") == "0F0 0F1 0B0 0I1 0W1 ");
    CHECK(kinds("0F0,0F1,0B0,0I1,0W1") == "0F0 0F1 0B0 0I1 0W1 ");
    CHECK(kinds("0F0,(0F1;0B0)OVERLAP_F_B,0B1") == "0F0 0F1 0B0 0B1 ");
    CHECK(kinds("0F0,(0F1;0B0)OVERLAP_F_B,0B1,0W0,0W1") == "0F0 0F1 0I0 0I1 0W0 0W1 ");
    CHECK_FALSE(read_schedule_csv("0F0,0B0,0W0", BackwardLetters::zero_bubble).letters_found);
    CHECK(backward_letters_from_name("b-w") == BackwardLetters::zero_bubble);
    CHECK(backward_letters_from_name("zero-bubble") == BackwardLetters::zero_bubble);
    CHECK(backward_letters_from_name("i-w") == BackwardLetters::pytorch);
    CHECK(backward_letters_from_name("pytorch") == BackwardLetters::pytorch);
    require_refused("notation", "bw", [] { backward_letters_from_name("bw"); });
}

TEST_CASE("letters that were told are kept to", "[pipeline][notation]") {
    require_refused("schedule", "0I0 in row 1, cell 2",
                    [] { read_schedule_csv("0F0,0I0,0W0", BackwardLetters::zero_bubble); });
    require_refused("schedule", "0BW0 in row 1, cell 2",
                    [] { read_schedule_csv("0F0,0BW0", BackwardLetters::pytorch); });
    require_refused("schedule",
                    "the backward of micro-batch 0 on stage 0 in row 1, cell 2 and the weight gradient of micro-batch "
                    "0 on stage 0 in row 1, cell 3",
                    [] { read_schedule_csv("0F0,0B0,0W0", BackwardLetters::pytorch); });
    require_unreadable("0F0,0I0,0W0,0F1,0BW1", "0I0 in row 1, cell 2 and 0BW1 in row 1, cell 5");
}

TEST_CASE("blanks, case, line ends, idle slots and what ends a file do not matter", "[pipeline][notation]") {
    const PipelineSchedule expected = read_schedule_csv("0F0,0F1,0B0,0B1\n1F0,(1F1;1B0)OVERLAP_F_B,1B1\n").schedule;
    CHECK(same(read_schedule_csv("\xEF\xBB\xBF"
                                 " 0f0 ,\t0F1,,0B0,0B1,,,\r\n,1 F 0, ( 1F1 ; 1b0 ) overlap_f_b ,1B1\r\n,,\r\n\n")
                   .schedule,
               expected));
    CHECK(same(
        read_schedule({{"0F0", "", "0F1", "0B0", "0B1"}, {"1F0", "(1F1;1B0)OVERLAP_F_B", "1B1"}, {""}, {}}).schedule,
        expected));
}

TEST_CASE("a pair that overlaps is the same whichever is first", "[pipeline][notation]") {
    const ReadSchedule forward_first = read_schedule_csv("0F0,(0F1;0B0)OVERLAP_F_B,0B1");
    const ReadSchedule backward_first = read_schedule_csv("0F0,(0B0;0F1)OVERLAP_F_B,0B1");
    CHECK(same(forward_first.schedule, backward_first.schedule));
    PipelineCosts costs;
    costs.times.overlapped = 2.5;
    CHECK(simulate(backward_first.schedule, costs).makespan == 1 + 2.5 + 2);
    CHECK(same(read_schedule_csv("0F0,(0F1;0I0)OVERLAP_F_B,0W0,0B1").schedule,
               read_schedule_csv("0F0,(0I0;0F1)OVERLAP_F_B,0W0,0B1").schedule));
}

TEST_CASE("only a forward and a backward or an input gradient overlap", "[pipeline][notation]") {
    for (const char* pair : {"(0B0;0B1)OVERLAP_F_B", "(0F1;0F2)OVERLAP_F_B", "(0F1;0W0)OVERLAP_F_B",
                             "(0W0;0F1)OVERLAP_F_B", "(0I1;0W0)OVERLAP_F_B", "(0B1;0W0)OVERLAP_F_B"}) {
        INFO(pair);
        const Refusal refusal = refusal_of([&] { read_schedule_csv(std::string("0F0,") + pair); });
        CHECK(refusal.parameter == "schedule");
        CHECK(refusal.value == '"' + std::string(pair) + "\" in row 1, cell 2");
        CHECK(refusal.rule.find("one forward with one backward or input gradient") != std::string::npos);
    }
}

TEST_CASE("communication and sharding are counted and left out", "[pipeline][notation]") {
    const ReadSchedule read = read_schedule_csv(
        "0UNSHARD,0F0,0SEND_F0,0RECV_B0,0B0,0REDUCE_GRAD,0RESHARD\n1UNSHARD0,1RECV_F0,1F0,1B0,1SEND_B0\n");
    CHECK(read.communication_actions == 4);
    CHECK(read.sharding_actions == 4);
    CHECK(same(read.schedule, pipeline_schedule_1f1b(2, 1)));
}

TEST_CASE("what a file lacks, or has twice, is refused with its place", "[pipeline][notation]") {
    require_unreadable("", "empty");
    require_unreadable(",,\n\n", "empty");
    require_unreadable("0SEND_F0", "empty");
    require_unreadable("0F0,0X0", "\"0X0\" in row 1, cell 2");
    require_unreadable("F0", "\"F0\" in row 1, cell 1");
    require_unreadable("0F", "\"0F\" in row 1, cell 1");
    require_unreadable("0SEND_F", "\"0SEND_F\" in row 1, cell 1");
    require_unreadable("0F0x", "\"0F0x\" in row 1, cell 1");
    require_unreadable("-1F0", "\"-1F0\" in row 1, cell 1");
    require_unreadable("0F0,0B0\n(1F0;1B0)OVERLAP", "\"(1F0;1B0)OVERLAP\" in row 2, cell 1");
    require_unreadable("(0F0)", "\"(0F0)\" in row 1, cell 1");
    require_unreadable("((0F0;0B0)OVERLAP_F_B;0F1)OVERLAP_F_B",
                       "\"((0F0;0B0)OVERLAP_F_B;0F1)OVERLAP_F_B\" in row 1, cell 1");
    require_unreadable("0F0,0B0\n1F0,1B0,0F0", "stage 0 in row 1, cell 1 and in row 2, cell 3");
    require_unreadable("0F0,0B0,0F0",
                       "the forward of micro-batch 0 on stage 0 in row 1, cell 1 and the forward of "
                       "micro-batch 0 on stage 0 in row 1, cell 3");
    require_unreadable("0F0,0B0\n2F0,2B0", "without stage 1, but with stage 2 in row 2, cell 1");
    require_unreadable("1F0,1B0", "without stage 0, but with stage 1 in row 1, cell 1");
    require_unreadable("0F0,0B0,0F2,0B2",
                       "without the forward of micro-batch 1 on stage 0 in row 1 (micro-batch 2 is in row 1, cell 3)");
    require_unreadable("0F0,0F1,0B0,0B1\n1F0,1B0",
                       "without the forward of micro-batch 1 on stage 1 in row 2 (micro-batch 1 is in row 1, cell 2)");
    require_unreadable("0F0",
                       "without the backward of micro-batch 0 on stage 0 in row 1 (micro-batch 0 is in row 1, cell 1)");
    require_unreadable(
        "0F0,0I0",
        "without the weight gradient of micro-batch 0 on stage 0 in row 1 (micro-batch 0 is in row 1, cell 1)");
    require_unreadable("0F0,0B0\n\n1F0,1B0", "nothing to compute in row 2");
    require_unreadable("0F0,0B0\n1UNSHARD\n1F0,1B0", "nothing to compute in row 2");
}

TEST_CASE("absurd numbers cost nothing", "[pipeline][notation]") {
    require_unreadable("0F16777216", "\"0F16777216\" in row 1, cell 1");
    require_unreadable("99999999999999999999999F0", "\"99999999999999999999999F0\" in row 1, cell 1");
    require_unreadable(
        "0F16777215,0B0",
        "without the forward of micro-batch 0 on stage 0 in row 1 (micro-batch 16777215 is in row 1, cell 1)");
    require_unreadable("0F0,0B0,16777215F0,16777215B0", "without stage 1, but with stage 16777215 in row 1, cell 3");
    std::string many_rows(70000, '\n');
    many_rows += "0F0";
    require_unreadable(many_rows, "65537 rows");
}

TEST_CASE("only what the text can tell is written", "[pipeline][notation]") {
    CHECK(refusal_of([] { schedule_csv(pipeline_schedule_dualpipe(4, 8)); }).value == "2 replicas of the model");
    PipelineSchedule idle = pipeline_schedule_1f1b(1, 1);
    idle.stages = 2;
    idle.operations.emplace_back();
    CHECK(refusal_of([&] { schedule_csv(idle); }).value == "nothing to compute in row 2");
    CHECK(refusal_of([] { schedule_csv(PipelineSchedule{}); }).parameter == "stages");
}

TEST_CASE("lists that wait for each other are read, and explained where they are simulated", "[pipeline][notation]") {
    const PipelineSchedule schedule = read_schedule_csv("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n").schedule;
    const Refusal refusal = refusal_of([&] { simulate(schedule, {}); });
    CHECK(refusal.parameter == "schedule");
    CHECK(
        refusal.value ==
        "a deadlock: device 0 waits in its backward of micro-batch 0 on model part 0 for the backward of micro-batch 0 "
        "on model part 1 of device 1; device 1 waits in its forward of micro-batch 1 on model part 1 for the forward "
        "of micro-batch 1 on model part 0 of device 0");
}
