#include "answers.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/pipeline/analysis.hpp>

#include "../numbers.hpp"

namespace shardlab::cli {
namespace {

using Json = nlohmann::ordered_json;

double operations_of(const PipelineSchedule& schedule) {
    double count = 0;
    for (const std::vector<Operation>& operations : schedule.operations) {
        count += static_cast<double>(operations.size());
    }
    return count;
}

/// Device after device, each in the order of execution.
std::vector<OperationPlace> all_places(const PipelineSchedule& schedule) {
    std::vector<OperationPlace> places;
    for (std::size_t device = 0; device < schedule.operations.size(); ++device) {
        for (std::size_t position = 0; position < schedule.operations[device].size(); ++position) {
            places.push_back({static_cast<int>(device), position});
        }
    }
    return places;
}

void add_places(Answer& answer, const char* key, const Simulated& simulated,
                const std::vector<OperationPlace>& places) {
    static constexpr std::array<const char*, 4> kinds{"forward", "backward", "input_gradient", "weight_gradient"};
    answer.add_records(key, places.size(), [&](std::size_t index) {
        const OperationPlace& place = places[index];
        const auto device = static_cast<std::size_t>(place.device);
        const Operation& operation = simulated.schedule.operations[device].at(place.position);
        const Span& span = simulated.timeline.spans[device].at(place.position);
        return Json{{"stage", place.device},
                    {"kind", kinds.at(static_cast<std::size_t>(operation.kind))},
                    {"model_part", operation.model_part},
                    {"micro_batch", operation.micro_batch},
                    {"start", json_number(span.start)},
                    {"end", json_number(span.end)}};
    });
}

/// One number a device.
void add_idle(Answer& answer, const char* key, const PipelineTimeline& timeline, double (*number)(const IdleTime&)) {
    std::vector<double> numbers;
    numbers.reserve(timeline.idle_per_device.size());
    for (const IdleTime& idle : timeline.idle_per_device) {
        numbers.push_back(number(idle));
    }
    answer.add_list(key, numbers);
}

ActivationSize activation_size(const Options& options) {
    ActivationSize size;
    if (options.given("activation_bytes")) {
        size.whole = options.number("activation_bytes");
    }
    if (options.given("weight_grad_bytes")) {
        size.after_input_gradient = options.number("weight_grad_bytes");
    }
    return size;
}

void add_activations(const Options& options, Answer& answer, const Simulated& simulated) {
    const ActivationSize size = activation_size(options);
    answer.add_records("activations_over_time", simulated.schedule.operations.size(), [&](std::size_t device) {
        Json times = Json::array();
        Json held = Json::array();
        for (const HeldActivations& step :
             activations_over_time(simulated.schedule, simulated.timeline, static_cast<int>(device), size)) {
            times.push_back(json_number(step.time));
            held.push_back(json_number(step.held));
        }
        return Json{{"stage", device}, {"times", std::move(times)}, {"held", std::move(held)}};
    });
}

void require_beside(const Options& options, const char* parameter, const char* other) {
    if (options.given(parameter) && !options.given(other)) {
        throw invalid_argument(parameter, options.text(parameter), "be given together with " + dashed(other));
    }
}

/// Before anything is written: the sizes are checked where they are used, in the middle of the answer.
void require_size(const Options& options) {
    const ActivationSize size = activation_size(options);
    require_between("activation_bytes", size.whole, 0, largest_count);
    require_between("weight_grad_bytes", size.after_input_gradient, 0, size.whole);
}

}  // namespace

void declare_listings(Options& options) {
    options.add_flag("critical_path", "list the operations that decide the makespan");
    options.add_flag("activations", "list what each device holds over time, in model parts in flight");
    options.add("activation_bytes", "BYTES", "of a micro-batch and model part: --activations is then in bytes");
    options.add("weight_grad_bytes", "BYTES", "what stays of them from the input gradient to the weight gradient");
    options.add_flag("operations", "list every operation with its start and end");
}

void require_listings(const Options& options, const PipelineSchedule& schedule) {
    require_beside(options, "activation_bytes", "activations");
    require_beside(options, "weight_grad_bytes", "activation_bytes");
    require_size(options);
    for (const char* const listing : {"critical_path", "activations", "operations"}) {
        if (options.given(listing)) {
            require_listable(listing, operations_of(schedule));
        }
    }
}

void add_timeline(Answer& answer, const Simulated& simulated) {
    const PipelineTimeline& timeline = simulated.timeline;
    answer.add("steps", unit_steps(simulated.schedule));
    answer.add("makespan", timeline.makespan);
    answer.add("bubble_of_total", timeline.bubble_of_total);
    answer.add("bubble_of_ideal", timeline.bubble_of_ideal);
    answer.add("bubble_rate", timeline.bubble_rate);
    add_idle(answer, "idle_per_device", timeline, [](const IdleTime& idle) { return idle.total(); });
    add_idle(answer, "idle_warm_up", timeline, [](const IdleTime& idle) { return idle.warm_up; });
    add_idle(answer, "idle_steady", timeline, [](const IdleTime& idle) { return idle.steady; });
    add_idle(answer, "idle_drain", timeline, [](const IdleTime& idle) { return idle.drain; });
    answer.add_list("peak_in_flight", timeline.peak_in_flight);
    answer.add("messages", timeline.messages);
    answer.add("lower_bound", makespan_lower_bound(simulated.schedule, simulated.costs));
}

void add_closed_form(Answer& answer, const std::optional<PipelineClosedForm>& form, double makespan) {
    answer.add_json("closed_form", form ? json_number(form->makespan) : Json());
    answer.add_json("closed_form_applies", form ? Json(form->applies) : Json());
    answer.add_json("closed_form_formula", form ? Json(form->formula) : Json());
    answer.add_json("closed_form_condition", form ? Json(form->condition) : Json());
    answer.add_json("closed_form_difference", form ? json_number(makespan - form->makespan) : Json());
}

void add_import(Answer& answer, const ReadSchedule& imported) {
    answer.add("stages", imported.schedule.stages);
    answer.add("micro_batches", imported.schedule.micro_batches);
    answer.add_list("placement", imported.schedule.placement);
    answer.add_text("notation", imported.letters == BackwardLetters::pytorch ? "pytorch" : "zero-bubble");
    answer.add_json("notation_found", imported.letters_found);
    answer.add("communication_actions", imported.communication_actions);
    answer.add("sharding_actions", imported.sharding_actions);
}

void add_listings(const Options& options, Answer& answer, const Simulated& simulated) {
    if (options.given("critical_path")) {
        add_places(answer, "critical_path", simulated,
                   critical_path(simulated.schedule, simulated.timeline, simulated.costs));
    }
    if (options.given("activations")) {
        add_activations(options, answer, simulated);
    }
    if (options.given("operations")) {
        add_places(answer, "operations", simulated, all_places(simulated.schedule));
    }
}

}  // namespace shardlab::cli
