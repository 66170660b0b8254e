#pragma once

/// @file
/// The schedules of the field. Each builder names its source; stages are pipeline devices P, micro-batches M.
///
/// All take any number of stages and micro-batches from 1 on, unless they say otherwise, up to most_stages devices and
/// most_operations operations.

#include <optional>
#include <string>
#include <string_view>

#include <shardlab/pipeline/schedule.hpp>
#include <shardlab/pipeline/simulate.hpp>

namespace shardlab {

/// GPipe: every stage runs all forwards, then all backwards in reverse order of the micro-batches.
///
/// Source: Huang et al., arXiv:1811.06965, section 2.3, figure 2c.
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_gpipe(int stages, int micro_batches);

/// One-forward-one-backward: stage s runs min(P - s, M) forwards less one, then alternates a forward and a backward,
/// then drains its backwards. (The flush schedule, "PipeDream-flush".)
///
/// Its makespan is GPipe's; its activations are not: stage s never holds more than min(P - s, M).
/// Source: Narayanan et al., arXiv:2104.04473, section 2.2.1, figure 4 (top).
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches);

/// Interleaved 1F1B: V chunks a device, looped (device 0 has model parts 0, P, 2P, ...), worked on in groups of N
/// micro-batches: chunk after chunk for a group, then the next group; the last may be smaller.
///
/// Device d runs 2(P - d - 1) + (V - 1)·N forwards before it alternates. Where groups of fewer than P would make the
/// devices wait for each other for ever, all run as many forwards more as it takes.
/// Source: Narayanan et al., arXiv:2104.04473, section 2.2.2; the group size is Megatron-LM's
/// microbatch_group_size_per_vp_stage.
/// @param chunks V, at least 1; 1 is 1F1B
/// @param group_size N, at least 1
/// @throws invalid_argument naming stages, micro_batches, chunks or group_size
PipelineSchedule pipeline_schedule_interleaved(int stages, int micro_batches, int chunks, int group_size);

/// Looped breadth-first: for chunk after chunk all forwards, then in reverse all backwards.
///
/// Source: Lamy-Poirier, arXiv:2211.05953, section 4.1; the order of PyTorch's ScheduleLoopedBFS.
/// @throws invalid_argument naming stages, micro_batches or chunks
PipelineSchedule pipeline_schedule_looped_bfs(int stages, int micro_batches, int chunks);

/// ZB-H1: 1F1B's warm-up and memory; stage s does each weight gradient s micro-batches after its input gradient.
///
/// Source: Qi et al., arXiv:2401.10241, section 2.1, figure 2.
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_zb_h1(int stages, int micro_batches);

/// ZB-H2: stage s starts with 2(P - s) - 1 forwards and does weight gradients 2s micro-batches late. No bubble where
/// F = B = W and M is at least 2P - 1; twice the activations of 1F1B.
///
/// Source: Qi et al., arXiv:2401.10241, section 2.2, figure 3.
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_zb_h2(int stages, int micro_batches);

/// What the automatic schedule may hold on each device.
struct MemoryLimit {
    double chunks = 1;  ///< activations of this many micro-batches, from 1

    /// What of a micro-batch's activations stays from its input gradient to its weight gradient, 0 to 1. The default
    /// is 32/(34 + 5as/h) with as/h = 8, that of three of the four models of Qi et al., table 3.
    double weight_gradient_share = 16.0 / 37;
};

/// The automatic schedule of Zero Bubble: greedy with real times, within a memory limit. ZB-1P is a limit of P
/// micro-batches, ZB-2P one of 2P.
///
/// Forwards fill the time until the first backward can be there; then forwards and input gradients alternate, and
/// weight gradients fill gaps and make room. What counts as a gap and how late a first backward may be are tried in
/// some combinations, as are ZB-H1 and ZB-H2 where they fit the limit; the one with the lowest bubble rate is taken,
/// and of equal ones the one with the smallest makespan.
/// Source: Qi et al., arXiv:2401.10241, section 3.1.
/// @throws invalid_argument naming stages, micro_batches, memory_limit, weight_gradient_share or a time
PipelineSchedule pipeline_schedule_zero_bubble(int stages, int micro_batches, const OperationTimes& times,
                                               double communication, const MemoryLimit& limit);

/// ZB-V: two chunks a device, down and up again, so that the first device has the last part as well. No bubble where
/// F = B = W, in the activations of 1F1B (2P chunks).
///
/// Source: Qi et al., arXiv:2401.10241v2, section 6; the order of PyTorch's ScheduleZBVZeroBubble.
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_zb_v(int stages, int micro_batches);

/// DualPipe: micro-batches enter from both ends, half of them each, into two replicas of the model; forwards and
/// backwards of opposite directions overlap.
///
/// Source: DeepSeek-AI, arXiv:2412.19437, section 3.2.1, figure 5; deepseek-ai/DualPipe at 3da1bbea.
/// @param stages an even number
/// @param micro_batches an even number of at least 2P
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_dualpipe(int stages, int micro_batches);

/// DualPipeV: DualPipe cut in half: two chunks a device in a V, and one replica of the model.
///
/// Source: deepseek-ai/DualPipe at 3da1bbea, README; the order of PyTorch's ScheduleDualPipeV.
/// @param micro_batches at least 2P
/// @throws invalid_argument naming stages or micro_batches
PipelineSchedule pipeline_schedule_dualpipe_v(int stages, int micro_batches);

/// Whose conditions a schedule has to keep beside its own.
enum class FrameworkRules {
    none,      ///< whatever can be simulated
    megatron,  ///< Megatron-LM: 1F1B, and interleaved with P and V of at least 2, N from P to M, and M mod N zero or at
               ///< least P
    pytorch,   ///< torch.distributed.pipelining
};

/// The rules of that name: none, megatron, pytorch.
/// @throws invalid_argument naming rules
FrameworkRules framework_rules_from_name(std::string_view name);

/// A schedule by name, and what the builders take.
struct PipelineRequest {
    std::string schedule =
        "1f1b";      ///< gpipe, 1f1b, interleaved, looped-bfs, zb-h1, zb-h2, zb-1p, zb-2p, zb-v, dualpipe, dualpipe-v
    int stages = 0;  ///< P
    int micro_batches = 0;                        ///< M
    std::optional<int> chunks;                    ///< V; the schedule's own when left out: 1, or 2 where it has more
    std::optional<int> group_size;                ///< N of interleaved; P when left out
    OperationTimes times;                         ///< what zb-1p and zb-2p are made for
    double communication = 0;                     ///< the same
    std::optional<double> memory_limit;           ///< of zb-1p and zb-2p, in micro-batches; P and 2P when left out
    std::optional<double> weight_gradient_share;  ///< of zb-1p and zb-2p; MemoryLimit's own when left out
    FrameworkRules rules = FrameworkRules::none;  ///< checked before anything is built
};

/// A request with the schedule's own values for what it takes and was not given.
/// @throws invalid_argument naming schedule, stages, micro_batches or what rules refuse; chunks, group_size,
///         memory_limit and weight_gradient_share also where the schedule has no use for the value given
PipelineRequest settled_request(const PipelineRequest& request);

/// Builds the schedule that is asked for.
/// @throws invalid_argument as settled_request() and the schedule's builder do
PipelineSchedule pipeline_schedule(const PipelineRequest& request);

}  // namespace shardlab
