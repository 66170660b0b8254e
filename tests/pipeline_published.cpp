#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <shardlab/bubble.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/verify.hpp>

#include "catch.hpp"
#include "table.hpp"
#include "verified.hpp"

using namespace shardlab;

namespace {

/// A row of Qi et al., arXiv:2401.10241v1, tables 5 and 9. Times are in milliseconds.
struct Row {
    std::string schedule;
    int stages;
    int micro_batches;
    OperationTimes times;
    double communication;
    double rate;  ///< as printed
};

std::vector<Row> rows() {
    std::vector<Row> result;
    for (const auto& cells : table_rows(published_csv("zero_bubble_table5"), 10)) {
        result.push_back({cells[7], std::stoi(cells[1]), std::stoi(cells[2]),
                          split_times(std::stod(cells[3]), std::stod(cells[4]), std::stod(cells[5])),
                          std::stod(cells[6]), std::stod(cells[9])});
    }
    REQUIRE(result.size() == 36);
    return result;
}

/// The rows of one schedule.
std::vector<Row> rows_of(const std::string& schedule) {
    std::vector<Row> result = rows();
    result.erase(std::remove_if(result.begin(), result.end(), [&](const Row& row) { return row.schedule != schedule; }),
                 result.end());
    REQUIRE(result.size() == 6);
    return result;
}

PipelineRequest request(const Row& row, const char* schedule) {
    PipelineRequest result;
    result.schedule = schedule;
    result.stages = row.stages;
    result.micro_batches = row.micro_batches;
    result.times = row.times;
    result.communication = row.communication;
    return result;
}

PipelineCosts costs(const Row& row) {
    PipelineCosts result;
    result.times = row.times;
    result.communication = row.communication;
    return result;
}

/// How many published rates of a schedule agree.
std::size_t agreeing_rates(const std::string& schedule) {
    return agreeing_cells("zero_bubble_table5", [&](const std::string& row, const std::string& column) {
        return row.substr(row.rfind(' ') + 1) == schedule && column != "with every dependency";
    });
}

}  // namespace

TEST_CASE("Zero Bubble: 1F1B, ZB-H1 and ZB-H2 have the published bubble rates", "[pipeline][published]") {
    for (const char* const schedule : {"1F1B", "ZB-H1", "ZB-H2"}) {
        CHECK(agreeing_rates(schedule) == 6);
    }
}

TEST_CASE("Zero Bubble: the published rates of interleaved 1F1B need its relaxed dependency", "[pipeline][published]") {
    CHECK(agreeing_rates("1F1B-I") == 12);
    const VerifiedTable table = verify("zero_bubble_table5");
    for (const VerifiedCell& cell : table.cells) {
        if (table.columns[cell.column].name == "with every dependency") {
            CAPTURE(cell.id);
            CHECK(cell.verdict == Verdict::known_difference);
            CHECK(*cell.difference() > 0.0007);
            CHECK(*cell.difference() < 0.0035);
        }
    }
}

TEST_CASE("Zero Bubble: ZB-1P has ZB-H1's rate, and the published one", "[pipeline][published]") {
    CHECK(agreeing_rates("ZB-1p") == 6);
    for (const Row& row : rows_of("ZB-1p")) {
        CAPTURE(row.stages, row.micro_batches, row.times.forward);
        const PipelineTimeline timeline = simulate(pipeline_schedule(request(row, "zb-1p")), costs(row));
        CHECK(timeline.bubble_rate ==
              Approx(simulate(pipeline_schedule(request(row, "zb-h1")), costs(row)).bubble_rate).epsilon(1e-9));
        for (const int peak : timeline.peak_in_flight) {
            CHECK(peak <= row.stages);
        }
    }
}

TEST_CASE("Zero Bubble: ZB-2P comes within a hundredth of the published rate in 2P memory", "[pipeline][published]") {
    for (const Row& row : rows_of("ZB-2p")) {
        CAPTURE(row.stages, row.micro_batches, row.times.forward);
        const PipelineSchedule schedule = pipeline_schedule(request(row, "zb-2p"));
        const PipelineTimeline timeline = simulate(schedule, costs(row));
        CHECK(timeline.bubble_rate <= row.rate + 0.01);
        for (int device = 0; device < row.stages; ++device) {
            const ActivationSize size{.whole = 1, .after_input_gradient = MemoryLimit{}.weight_gradient_share};
            for (const HeldActivations& step : activations_over_time(schedule, timeline, device, size)) {
                REQUIRE(step.held <= 2 * row.stages + 1e-9);
            }
        }
    }
}

TEST_CASE("Zero Bubble: with equal times the bubble is a third with H1 and none with H2 and in a V",
          "[pipeline][published]") {
    for (const int stages : {4, 8}) {
        const int micro_batches = 2 * stages;
        const double plain = pipeline_bubble_fraction(stages, micro_batches) * 3 * (micro_batches + stages - 1);
        const auto idle = [&](const char* schedule) {
            PipelineRequest asked;
            asked.schedule = schedule;
            asked.stages = stages;
            asked.micro_batches = micro_batches;
            const PipelineTimeline timeline = simulate(pipeline_schedule(asked), PipelineCosts{});
            double longest = 0;
            for (const std::vector<Span>& spans : timeline.spans) {
                longest = std::max(longest, spans.back().end - spans.front().start);
            }
            return timeline.bubble_rate * longest;
        };
        CHECK(idle("1f1b") == Approx(plain));
        CHECK(idle("zb-1p") == Approx(plain / 3));
        CHECK(idle("zb-2p") == 0);
        CHECK(idle("zb-v") == 0);
    }
}

TEST_CASE("DualPipe: the largest idle time of a device is the published one where F = W and B = 2W",
          "[pipeline][published]") {
    for (const double weight_gradient : {1.0, 2.5}) {
        for (const double overlapped : {3 * weight_gradient, 2.5 * weight_gradient}) {
            PipelineCosts costs;
            costs.times = split_times(weight_gradient, weight_gradient, weight_gradient);
            costs.times.overlapped = overlapped;
            for (const int stages : {2, 4, 8, 16}) {
                const double published = (stages / 2.0 - 1) * (overlapped + 2 * weight_gradient - 3 * weight_gradient);
                for (const PipelineSchedule& schedule : {pipeline_schedule_dualpipe(stages, 2 * stages),
                                                         pipeline_schedule_dualpipe(stages, 4 * stages + 2),
                                                         pipeline_schedule_dualpipe_v(stages / 2, 3 * stages)}) {
                    double idle = 0;
                    for (const IdleTime& of_device : simulate(schedule, costs).idle_per_device) {
                        idle = std::max(idle, of_device.total());
                    }
                    CAPTURE(stages, overlapped, schedule.stages, schedule.micro_batches);
                    CHECK(idle == Approx(published).margin(1e-9));
                }
            }
        }
    }
}

TEST_CASE("DualPipe holds P + 1 activations on every device", "[pipeline][published]") {
    const PipelineTimeline timeline = simulate(pipeline_schedule_dualpipe(8, 20), PipelineCosts{});
    CHECK(timeline.peak_in_flight == std::vector<int>(8, 9));
}
