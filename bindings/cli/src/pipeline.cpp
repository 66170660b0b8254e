#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/pipeline.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    options.add_with_default("schedule", "1f1b|gpipe", "1f1b", "which schedule");
    options.add("stages", "P", "devices of the pipeline");
    options.add("micro_batches", "M", "micro-batches in one optimizer step");
    options.add_with_default("forward", "TIME", "1", "time of one forward");
    options.add_with_default("backward", "TIME", "2", "time of one backward");
    options.add_with_default("communication", "TIME", "0", "time from a stage to the next");
    options.add_flag("operations", "list every operation with its start and end");
}

/// Stage after stage, each in the order of execution.
void add_operations(Answer& answer, const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    const std::size_t per_stage = 2 * static_cast<std::size_t>(schedule.micro_batches);
    const std::size_t count = per_stage * static_cast<std::size_t>(schedule.stages);
    answer.add_records("operations", count, [&](std::size_t index) {
        const std::size_t stage = index / per_stage;
        const Operation& operation = schedule.operations[stage].at(index % per_stage);
        const Span& span = timeline.spans[stage].at(index % per_stage);
        return nlohmann::ordered_json{{"stage", stage},
                                      {"kind", operation.kind == OperationKind::forward ? "forward" : "backward"},
                                      {"micro_batch", operation.micro_batch},
                                      {"start", json_number(span.start)},
                                      {"end", json_number(span.end)}};
    });
}

void run(const Options& options, std::ostream& out) {
    const std::string name = options.text("schedule");
    const int stages = options.whole("stages", 1, most_stages);
    const int micro_batches = options.whole("micro_batches", 1);
    if (options.given("operations")) {
        require_listable("operations", 2.0 * stages * micro_batches);
    }
    const PipelineSchedule schedule = pipeline_schedule(name, stages, micro_batches);
    const PipelineTimeline timeline = simulate(schedule, {.forward = options.number("forward"),
                                                          .backward = options.number("backward"),
                                                          .communication = options.number("communication")});
    const int steps = unit_steps(schedule);

    Answer answer(out);
    answer.add("steps", steps);
    answer.add("makespan", timeline.makespan);
    answer.add("bubble_of_total", timeline.bubble_of_total);
    answer.add("bubble_of_ideal", timeline.bubble_of_ideal);
    answer.add_list("peak_in_flight", timeline.peak_in_flight);
    if (options.given("operations")) {
        add_operations(answer, schedule, timeline);
    }
    answer.close();
}

}  // namespace

const Command pipeline_command = {
    .name = "pipeline",
    .summary = "Simulate a pipeline schedule: makespan, bubble, micro-batches in flight",
    .example = "shardlab pipeline --stages 4 --micro-batches 8",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
