// Schedules by name, and the rules of frameworks.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/builders.hpp>

#include "../check.hpp"

namespace shardlab {
namespace {

/// Which of a request's parameters a schedule takes, and how it is built.
struct Named {
    std::string_view name;
    int chunks;           ///< V when left out
    bool takes_chunks;    ///< other numbers of them as well
    double memory_limit;  ///< in P micro-batches when left out; 0 where it takes none
    PipelineSchedule (*build)(const PipelineRequest& settled);
};

PipelineSchedule searched(const PipelineRequest& settled) {
    return pipeline_schedule_zero_bubble(settled.stages, settled.micro_batches, settled.times, settled.communication,
                                         {*settled.memory_limit, *settled.weight_gradient_share});
}

template <PipelineSchedule (*builder)(int, int)>
PipelineSchedule plain(const PipelineRequest& settled) {
    return builder(settled.stages, settled.micro_batches);
}

PipelineSchedule interleaved(const PipelineRequest& settled) {
    return pipeline_schedule_interleaved(settled.stages, settled.micro_batches, *settled.chunks, *settled.group_size);
}

PipelineSchedule looped_bfs(const PipelineRequest& settled) {
    return pipeline_schedule_looped_bfs(settled.stages, settled.micro_batches, *settled.chunks);
}

constexpr std::array<Named, 11> schedules{{
    {"gpipe", 1, false, 0, plain<pipeline_schedule_gpipe>},
    {"1f1b", 1, false, 0, plain<pipeline_schedule_1f1b>},
    {"interleaved", 2, true, 0, interleaved},
    {"looped-bfs", 2, true, 0, looped_bfs},
    {"zb-h1", 1, false, 0, plain<pipeline_schedule_zb_h1>},
    {"zb-h2", 1, false, 0, plain<pipeline_schedule_zb_h2>},
    {"zb-1p", 1, false, 1, searched},
    {"zb-2p", 1, false, 2, searched},
    {"zb-v", 2, false, 0, plain<pipeline_schedule_zb_v>},
    {"dualpipe", 2, false, 0, plain<pipeline_schedule_dualpipe>},
    {"dualpipe-v", 2, false, 0, plain<pipeline_schedule_dualpipe_v>},
}};

const Named& named(std::string_view name) {
    for (const Named& schedule : schedules) {
        if (schedule.name == name) {
            return schedule;
        }
    }
    pipeline::refuse(std::string(name),
                     "be gpipe, 1f1b, interleaved, looped-bfs, zb-h1, zb-h2, zb-1p, zb-2p, zb-v, "
                     "dualpipe or dualpipe-v");
}

int chunks_of(const Named& schedule, const PipelineRequest& request) {
    const int chunks = request.chunks.value_or(schedule.chunks);
    require_int("chunks", chunks, 1);
    if (chunks != schedule.chunks && !schedule.takes_chunks) {
        throw invalid_argument("chunks", std::to_string(chunks),
                               "be " + std::to_string(schedule.chunks) + " or left out: " + std::string(schedule.name) +
                                   " has " + std::to_string(schedule.chunks) + " a device");
    }
    return chunks;
}

void require_taken(const Named& schedule, const PipelineRequest& request) {
    const bool groups = schedule.name == "interleaved";
    if (request.group_size && !groups) {
        throw invalid_argument("group_size", std::to_string(*request.group_size),
                               "be left out: only interleaved has groups of micro-batches");
    }
    const std::string unlimited = "be left out: only zb-1p and zb-2p are made for a limit of memory";
    if (request.memory_limit && schedule.memory_limit == 0) {
        throw invalid_argument("memory_limit", number_text(*request.memory_limit), unlimited);
    }
    if (request.weight_gradient_share && schedule.memory_limit == 0) {
        throw invalid_argument("weight_gradient_share", number_text(*request.weight_gradient_share), unlimited);
    }
}

/// In PyTorch, micro-batches are dealt to rounds of equal size.
int pytorch_rounds(const PipelineRequest& request) {
    return std::max(1, request.micro_batches / request.stages);
}

int group_size_of(const PipelineRequest& request) {
    const bool dealt = request.rules == FrameworkRules::pytorch;
    return request.group_size.value_or(dealt ? request.micro_batches / pytorch_rounds(request) : request.stages);
}

[[noreturn]] void refuse_micro_batches(const PipelineRequest& request, const std::string& rule) {
    throw invalid_argument("micro_batches", std::to_string(request.micro_batches), rule);
}

void require_within(const char* parameter, int value, int least, int most, const std::string& where) {
    if (value < least || value > most) {
        throw invalid_argument(parameter, std::to_string(value),
                               "be from " + std::to_string(least) + " to " + std::to_string(most) + ' ' + where);
    }
}

void require_megatron(const PipelineRequest& settled) {
    if (settled.schedule == "1f1b") {
        return;
    }
    if (settled.schedule != "interleaved") {
        pipeline::refuse(settled.schedule, "be 1f1b or interleaved under Megatron-LM's rules");
    }
    require_within("stages", settled.stages, 2, most_stages, "for interleaved, under Megatron-LM's rules");
    require_within("chunks", *settled.chunks, 2, most_stages, "for interleaved, under Megatron-LM's rules");
    if (settled.micro_batches < settled.stages) {
        refuse_micro_batches(settled, "be at least stages, " + std::to_string(settled.stages) +
                                          " for interleaved, under Megatron-LM's rules");
    }
    require_within("group_size", *settled.group_size, settled.stages, settled.micro_batches,
                   "(stages to micro_batches), under Megatron-LM's rules");
    const int left = settled.micro_batches % *settled.group_size;
    if (left != 0 && left < settled.stages) {
        refuse_micro_batches(settled, "fill groups of " + std::to_string(*settled.group_size) +
                                          ", or leave at least stages (" + std::to_string(settled.stages) +
                                          ") for the last, under Megatron-LM's rules");
    }
}

bool has_pytorch(std::string_view schedule) {
    constexpr std::array<std::string_view, 6> known{"gpipe", "1f1b", "interleaved", "looped-bfs", "zb-v", "dualpipe-v"};
    return std::find(known.begin(), known.end(), schedule) != known.end();
}

void require_pytorch(const PipelineRequest& settled) {
    const std::string under = ", under PyTorch's rules";
    if (!has_pytorch(settled.schedule)) {
        pipeline::refuse(settled.schedule, "be gpipe, 1f1b, interleaved, looped-bfs, zb-v or dualpipe-v" + under);
    }
    if (settled.schedule == "1f1b" && settled.micro_batches < settled.stages) {
        refuse_micro_batches(settled, "be at least stages, " + std::to_string(settled.stages) + under);
    }
    if (settled.schedule != "interleaved") {
        return;
    }
    const int rounds = pytorch_rounds(settled);
    if (settled.micro_batches % rounds != 0) {
        refuse_micro_batches(settled, "be a multiple of the number of rounds, " + std::to_string(rounds) + under);
    }
    const int group = settled.micro_batches / rounds;
    require_int("group_size", *settled.group_size, group, group);
}

void require_rules(const PipelineRequest& settled) {
    if (settled.rules == FrameworkRules::megatron) {
        require_megatron(settled);
    } else if (settled.rules == FrameworkRules::pytorch) {
        require_pytorch(settled);
    }
}

}  // namespace

FrameworkRules framework_rules_from_name(std::string_view name) {
    if (name == "none") {
        return FrameworkRules::none;
    }
    if (name == "megatron") {
        return FrameworkRules::megatron;
    }
    if (name == "pytorch") {
        return FrameworkRules::pytorch;
    }
    throw invalid_argument("rules", std::string(name), "be none, megatron or pytorch");
}

PipelineRequest settled_request(const PipelineRequest& request) {
    const Named& schedule = named(request.schedule);
    require_int("stages", request.stages, 1, most_stages);
    require_int("micro_batches", request.micro_batches, 1);
    require_taken(schedule, request);
    PipelineRequest settled = request;
    settled.chunks = chunks_of(schedule, request);
    if (schedule.name == "interleaved") {
        settled.group_size = group_size_of(request);
    }
    if (schedule.memory_limit > 0) {
        settled.memory_limit = request.memory_limit.value_or(schedule.memory_limit * request.stages);
        settled.weight_gradient_share = request.weight_gradient_share.value_or(MemoryLimit{}.weight_gradient_share);
    }
    require_rules(settled);
    return settled;
}

PipelineSchedule pipeline_schedule(const PipelineRequest& request) {
    const PipelineRequest settled = settled_request(request);
    return named(settled.schedule).build(settled);
}

}  // namespace shardlab
