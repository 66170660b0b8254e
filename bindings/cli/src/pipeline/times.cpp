#include "times.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "stage_times.hpp"

namespace shardlab::cli {
namespace {

void require_left_out(const Options& options, const std::string& parameter, const std::string& other) {
    if (options.given(parameter)) {
        throw invalid_argument(parameter, options.text(parameter), "be left out where " + dashed(other) + " is given");
    }
}

bool is_split(const Options& options) {
    return options.given("input_grad") || options.given("weight_grad");
}

OperationTimes times_in_file(const std::vector<OperationTimes>& rows) {
    OperationTimes mean{.forward = 0, .backward = 0, .input_gradient = 0, .weight_gradient = 0, .overlapped = {}};
    const double share = 1 / static_cast<double>(rows.size());
    for (const OperationTimes& row : rows) {
        mean.forward += share * row.forward;
        mean.backward += share * row.backward;
        mean.input_gradient += share * row.input_gradient;
        mean.weight_gradient += share * row.weight_gradient;
    }
    return mean;
}

AskedTimes from_file(const Options& options) {
    for (const char* const parameter : {"forward", "backward", "input_grad", "weight_grad", "overlapped"}) {
        require_left_out(options, parameter, "stage_times");
    }
    AskedTimes asked;
    asked.rows = stage_times(options);
    asked.times = times_in_file(asked.rows);
    return asked;
}

OperationTimes split_or_whole(const Options& options) {
    if (!is_split(options)) {
        return whole_times(options.number("forward"), options.number("backward"));
    }
    require_left_out(options, "backward", options.given("input_grad") ? "input_grad" : "weight_grad");
    // Each before their sum, which the core checks first.
    return split_times(options.number("forward"),
                       require_between("input_grad", options.number("input_grad"), shortest_time, longest_time),
                       require_between("weight_grad", options.number("weight_grad"), shortest_time, longest_time));
}

std::vector<OperationTimes> times_of_parts(const std::vector<OperationTimes>& rows, const PipelineSchedule& schedule) {
    const auto parts = static_cast<std::size_t>(schedule.parts());
    if (rows.empty() || rows.size() == parts) {
        return rows;
    }
    if (rows.size() != static_cast<std::size_t>(schedule.stages)) {
        throw invalid_argument("stage_times", std::to_string(rows.size()) + " rows",
                               "have a row for each of the " + std::to_string(parts) + " model parts, or of the " +
                                   std::to_string(schedule.stages) + " devices");
    }
    std::vector<OperationTimes> times;
    times.reserve(parts);
    for (std::size_t part = 0; part < parts; ++part) {
        times.push_back(rows[static_cast<std::size_t>(schedule.placement[part])]);
    }
    return times;
}

bool has_pairs(const PipelineSchedule& schedule) {
    return std::any_of(schedule.operations.begin(), schedule.operations.end(),
                       [](const std::vector<Operation>& operations) {
                           return std::any_of(operations.begin(), operations.end(),
                                              [](const Operation& one) { return one.overlaps_next; });
                       });
}

bool is_time(std::string_view parameter) {
    constexpr std::array<std::string_view, 5> times{"forward", "backward", "input_gradient", "weight_gradient",
                                                    "overlapped"};
    for (const std::string_view time : times) {
        if (parameter == time) {
            return true;
        }
    }
    return false;
}

/// A time that the core found wanting, which it may have been given as a sum or a half.
invalid_argument time_in_options(const Options& options, const invalid_argument& error) {
    const std::string& parameter = error.parameter();
    if (options.given("stage_times")) {
        return {"stage_times", "a time " + parameter + " of " + error.value(), error.rule()};
    }
    if (parameter == "backward" && is_split(options)) {
        return {"input_grad", error.value() + " with the weight gradient", error.rule()};
    }
    if (parameter == "input_gradient" || parameter == "weight_gradient") {
        return {"backward", error.value() + " for each half", error.rule()};
    }
    return error;
}

}  // namespace

void declare_costs(Options& options) {
    options.add_with_default("forward", "TIME", "1", "time of one forward");
    options.add_with_default("backward", "TIME", "2", "time of one backward; half of it each of its gradients");
    options.add("input_grad", "TIME", "time of the input gradient in place of --backward, together with --weight-grad");
    options.add("weight_grad", "TIME", "time of the weight gradient, together with --input-grad");
    options.add("overlapped", "TIME", "time of a forward and a backward that overlap; their sum by default");
    options.add("stage_times", "FILE", "a CSV with the columns forward, and backward or input_grad and weight_grad");
    options.add_with_default("communication", "TIME", "0", "time from a device to another");
    options.add_flag("blocking_sends", "a device waits until what it sends has arrived");
    options.add_flag("recompute", "every backward begins with the forward once more");
    options.add_with_default("gradient_sync", "TIME", "0", "time of a device after its last operation");
    options.add_flag("relaxed_wrap",
                     "micro-batches that are no multiple of P do not wait for the loop from last to first");
}

AskedTimes times_asked_for(const Options& options) {
    if (options.given("blocking_sends") && !options.given("communication")) {
        throw invalid_argument("blocking_sends", "given", "be given together with --communication");
    }
    if (options.given("stage_times")) {
        return from_file(options);
    }
    AskedTimes asked;
    asked.times = split_or_whole(options);
    if (options.given("overlapped")) {
        asked.times.overlapped = options.number("overlapped");
    }
    return asked;
}

PipelineCosts costs_asked_for(const Options& options, const AskedTimes& times, const PipelineSchedule& schedule) {
    if (options.given("overlapped") && !has_pairs(schedule)) {
        throw invalid_argument("overlapped", options.text("overlapped"),
                               "be left out: no operations of this schedule overlap");
    }
    PipelineCosts costs;
    costs.times = times.times;
    costs.part_times = times_of_parts(times.rows, schedule);
    costs.communication = options.number("communication");
    costs.blocking_sends = options.given("blocking_sends");
    costs.recompute = options.given("recompute");
    costs.gradient_sync = options.number("gradient_sync");
    costs.relaxed_wrap = options.given("relaxed_wrap");
    return costs;
}

invalid_argument in_options(const Options& options, const invalid_argument& error) {
    using Pair = std::pair<std::string_view, const char*>;
    constexpr std::array<Pair, 4> spelled{{{"weight_gradient_share", "weight_grad_share"},
                                           {"part_times", "stage_times"},
                                           {"whole", "activation_bytes"},
                                           {"after_input_gradient", "weight_grad_bytes"}}};
    if (is_time(error.parameter())) {
        return time_in_options(options, error);
    }
    if (error.parameter() == "schedule" && options.given("import")) {
        return {"import", error.value(), error.rule()};
    }
    for (const auto& [parameter, option] : spelled) {
        if (error.parameter() == parameter) {
            return {option, error.value(), error.rule()};
        }
    }
    return error;
}

}  // namespace shardlab::cli
