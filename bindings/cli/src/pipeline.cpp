#include <cstdio>
#include <optional>
#include <string>

#include <shardlab/pipeline.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "pipeline/answers.hpp"
#include "pipeline/exports.hpp"
#include "pipeline/schedule.hpp"
#include "pipeline/times.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    declare_schedule(options);
    declare_costs(options);
    declare_listings(options);
    declare_exports(options);
}

std::string title_of(const std::string& name, const Simulated& simulated) {
    constexpr double percent = 100;
    char bubble[16];
    std::snprintf(bubble, sizeof bubble, "%.1f", percent * simulated.timeline.bubble_of_total);
    return name + ": " + std::to_string(simulated.schedule.stages) + " devices, " +
           std::to_string(simulated.schedule.micro_batches) + " micro-batches; makespan " +
           number_text(simulated.timeline.makespan) + ", bubble " + bubble + " % of the total";
}

void write_answer(const Options& options, const AskedSchedule& asked, const Simulated& simulated,
                  const std::optional<PipelineClosedForm>& form, std::ostream& out) {
    Answer answer(out);
    add_timeline(answer, simulated);
    add_closed_form(answer, form, simulated.timeline.makespan);
    if (asked.imported) {
        add_import(answer, *asked.imported);
    }
    add_listings(options, answer, simulated);
    answer.close();
}

void answer_pipeline(const Options& options, const std::string& name, const AskedTimes& times,
                     const AskedSchedule& asked, std::ostream& out) {
    const PipelineSchedule schedule = asked.request ? pipeline_schedule(*asked.request) : asked.imported->schedule;
    require_listings(options, schedule);
    const PipelineCosts costs = costs_asked_for(options, times, schedule);
    const Simulated simulated{schedule, costs, simulate(schedule, costs)};
    const std::optional<PipelineClosedForm> form =
        asked.request ? pipeline_closed_form(*asked.request, costs) : std::nullopt;
    write_exports(options, simulated, title_of(asked.request ? name : "imported", simulated));
    write_answer(options, asked, simulated, form, out);
}

void run(const Options& options, std::ostream& out) {
    require_exports(options);
    const std::string name = options.text("schedule");
    const AskedTimes times = times_asked_for(options);
    const AskedSchedule asked = schedule_asked_for(options, name, times.times);
    try {
        answer_pipeline(options, name, times, asked, out);
    } catch (const invalid_argument& error) {
        throw in_options(options, error);
    }
}

}  // namespace

const Command pipeline_command = {
    .name = "pipeline",
    .summary = "Simulate a pipeline schedule: makespan, bubble, activations; import and export schedules",
    .example = "shardlab pipeline --schedule interleaved --stages 4 --micro-batches 8 --chunks 2",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
