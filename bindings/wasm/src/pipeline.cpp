#include <optional>
#include <string>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

std::optional<int> optional_integer(const val& options, const char* key) {
    return optional_number(options, key) ? std::optional<int>(integer(options, key, 1)) : std::nullopt;
}

/// The two gradients come together, and are then the backward; a backward alone is halved.
OperationTimes times_of(const val& options) {
    const double forward = number(options, "forward");
    const std::optional<double> backward = optional_number(options, "backward");
    const std::optional<double> input_gradient = optional_number(options, "inputGradient");
    const std::optional<double> weight_gradient = optional_number(options, "weightGradient");
    if (input_gradient.has_value() != weight_gradient.has_value()) {
        throw invalid_argument(input_gradient ? "weight_gradient" : "input_gradient", "left out",
                               "be given where the other gradient is");
    }
    if (backward && input_gradient) {
        throw invalid_argument("backward", number_text(*backward),
                               "be left out where input_gradient and weight_gradient are given");
    }
    OperationTimes times = input_gradient ? split_times(forward, *input_gradient, *weight_gradient)
                                          : whole_times(forward, backward.value_or(OperationTimes{}.backward));
    times.overlapped = optional_number(options, "overlapped");
    return times;
}

/// Rows of forward, input and weight gradient.
std::vector<OperationTimes> part_times_of(const val& options) {
    std::vector<OperationTimes> result;
    if (options["partTimes"].isNull()) {
        return result;
    }
    const Matrix rows = matrix(options, "partTimes");
    if (rows.shape(1) != 3) {
        throw invalid_argument("part_times", std::to_string(rows.shape(1)) + " columns",
                               "have three: forward, input gradient and weight gradient of each model part");
    }
    for (std::size_t row = 0; row < rows.shape(0); ++row) {
        result.push_back(split_times(rows(row, 0), rows(row, 1), rows(row, 2)));
    }
    return result;
}

PipelineCosts costs_of(const val& options) {
    PipelineCosts costs;
    costs.times = times_of(options);
    costs.part_times = part_times_of(options);
    costs.communication = number(options, "communication");
    costs.blocking_sends = flag(options, "blockingSends");
    costs.recompute = flag(options, "recompute");
    costs.gradient_sync = number(options, "gradientSync");
    costs.relaxed_wrap = flag(options, "relaxedWrap");
    return costs;
}

PipelineRequest request_of(const val& options, const std::string& schedule, const PipelineCosts& costs) {
    PipelineRequest request;
    request.schedule = schedule;
    request.stages = integer(options, "stages", 1, most_stages);
    request.micro_batches = integer(options, "microBatches", 1);
    request.chunks = optional_integer(options, "chunks");
    request.group_size = optional_integer(options, "groupSize");
    request.times = costs.times;
    request.communication = costs.communication;
    request.memory_limit = optional_number(options, "memoryLimit");
    request.weight_gradient_share = optional_number(options, "weightGradientShare");
    request.rules = framework_rules_from_name(text(options, "rules"));
    return request;
}

/// A field of every operation, device after device: one column at a time stands in memory.
template <typename Element, typename Field>
val operation_column(const PipelineSchedule& schedule, Field field) {
    std::vector<Element> column;
    for (std::size_t stage = 0; stage < schedule.operations.size(); ++stage) {
        column.reserve(column.size() + schedule.operations[stage].size());
        for (std::size_t index = 0; index < schedule.operations[stage].size(); ++index) {
            column.push_back(static_cast<Element>(field(stage, index)));
        }
    }
    return copied(column);
}

val columns(const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    const auto& operations = schedule.operations;
    const auto& spans = timeline.spans;
    val object = val::object();
    object.set("stage", operation_column<std::int32_t>(schedule, [](auto stage, auto) { return stage; }));
    object.set("kind", operation_column<std::uint8_t>(
                           schedule, [&](auto stage, auto index) { return operations[stage][index].kind; }));
    object.set("modelPart", operation_column<std::int32_t>(
                                schedule, [&](auto stage, auto index) { return operations[stage][index].model_part; }));
    object.set("microBatch", operation_column<std::int32_t>(schedule, [&](auto stage, auto index) {
                   return operations[stage][index].micro_batch;
               }));
    object.set("overlapsNext", operation_column<std::uint8_t>(schedule, [&](auto stage, auto index) {
                   return operations[stage][index].overlaps_next;
               }));
    object.set("start",
               operation_column<double>(schedule, [&](auto stage, auto index) { return spans[stage][index].start; }));
    object.set("end",
               operation_column<double>(schedule, [&](auto stage, auto index) { return spans[stage][index].end; }));
    return object;
}

/// For each device one part of its idle time.
val idle_column(const PipelineTimeline& timeline, double IdleTime::*part) {
    std::vector<double> column;
    column.reserve(timeline.idle_per_device.size());
    for (const IdleTime& idle : timeline.idle_per_device) {
        column.push_back(idle.*part);
    }
    return copied(column);
}

val plain_idle(const PipelineTimeline& timeline) {
    val object = val::object();
    object.set("warmUp", idle_column(timeline, &IdleTime::warm_up));
    object.set("steady", idle_column(timeline, &IdleTime::steady));
    object.set("drain", idle_column(timeline, &IdleTime::drain));
    return object;
}

/// Indices into the columns of operations.
val plain_path(const PipelineSchedule& schedule, const std::vector<OperationPlace>& path) {
    std::vector<std::int32_t> first;
    std::int32_t count = 0;
    for (const std::vector<Operation>& list : schedule.operations) {
        first.push_back(count);
        count += static_cast<std::int32_t>(list.size());
    }
    std::vector<std::int32_t> indices;
    indices.reserve(path.size());
    for (const OperationPlace& place : path) {
        indices.push_back(first[static_cast<std::size_t>(place.device)] + static_cast<std::int32_t>(place.position));
    }
    return copied(indices);
}

val plain_form(const std::optional<PipelineClosedForm>& form) {
    if (!form) {
        return val::null();
    }
    val object = val::object();
    object.set("makespan", form->makespan);
    object.set("applies", form->applies);
    object.set("formula", form->formula);
    object.set("condition", form->condition);
    return object;
}

val plain_timeline(const PipelineSchedule& schedule, const PipelineCosts& costs,
                   const std::optional<PipelineClosedForm>& form) {
    const PipelineTimeline timeline = simulate(schedule, costs);
    val result = val::object();
    result.set("steps", unit_steps(schedule));
    result.set("makespan", timeline.makespan);
    result.set("bubbleOfTotal", timeline.bubble_of_total);
    result.set("bubbleOfIdeal", timeline.bubble_of_ideal);
    result.set("bubbleRate", timeline.bubble_rate);
    result.set("idle", plain_idle(timeline));
    result.set("peakInFlight", copied(timeline.peak_in_flight));
    result.set("messages", timeline.messages);
    result.set("lowerBound", makespan_lower_bound(schedule, costs));
    result.set("closedForm", plain_form(form));
    result.set("placement", copied(schedule.placement));
    result.set("replicas", schedule.replicas);
    result.set("criticalPath", plain_path(schedule, critical_path(schedule, timeline, costs)));
    result.set("operations", columns(schedule, timeline));
    return result;
}

val plain_import(const ReadSchedule& read, const PipelineCosts& costs) {
    val result = plain_timeline(read.schedule, costs, std::nullopt);
    result.set("stages", read.schedule.stages);
    result.set("microBatches", read.schedule.micro_batches);
    result.set("notation", read.letters == BackwardLetters::pytorch ? "pytorch" : "zero-bubble");
    result.set("notationFound", read.letters_found);
    result.set("communicationActions", read.communication_actions);
    result.set("shardingActions", read.sharding_actions);
    return result;
}

/// What is wrong with a schedule is wrong with the option that it was read from.
template <typename Reading>
val of_option(const char* option, Reading reading) {
    try {
        return reading();
    } catch (const invalid_argument& error) {
        if (error.parameter() != "schedule") {
            throw;
        }
        throw invalid_argument(option, error.value(), error.rule());
    }
}

std::optional<BackwardLetters> letters_of(const val& options) {
    const std::optional<std::string> notation = optional_text(options, "notation");
    return notation ? std::optional(backward_letters_from_name(*notation)) : std::nullopt;
}

val written(const PipelineSchedule& schedule, const PipelineCosts& costs, const std::string& format) {
    if (format == "csv") {
        return val(schedule_csv(schedule));
    }
    if (format == "trace") {
        return val(chrome_trace(schedule, simulate(schedule, costs), costs));
    }
    throw invalid_argument("format", format, "be csv or trace");
}

val simulated(const val& options, const std::string& schedule_name) {
    const PipelineCosts costs = costs_of(options);
    const PipelineRequest request = request_of(options, schedule_name, costs);
    return plain_timeline(shardlab::pipeline_schedule(request), costs, pipeline_closed_form(request, costs));
}

}  // namespace

val pipeline_schedule(const val& options) {
    return simulated(options, text(options, "schedule"));
}

val pipeline_schedule_1f1b(const val& options) {
    return simulated(options, "1f1b");
}

val pipeline_import(const val& options) {
    const PipelineCosts costs = costs_of(options);
    const std::string csv = text(options, "csv");
    const std::optional<BackwardLetters> letters = letters_of(options);
    return of_option("csv", [&] { return plain_import(read_schedule_csv(csv, letters), costs); });
}

val pipeline_export(const val& options) {
    const PipelineCosts costs = costs_of(options);
    const std::string format = text(options, "format");
    const std::optional<std::string> csv = optional_text(options, "csv");
    const std::optional<BackwardLetters> letters = letters_of(options);
    if (csv) {
        return of_option("csv", [&] { return written(read_schedule_csv(*csv, letters).schedule, costs, format); });
    }
    const PipelineRequest request = request_of(options, text(options, "schedule"), costs);
    return written(shardlab::pipeline_schedule(request), costs, format);
}

}  // namespace shardlab::wasm
