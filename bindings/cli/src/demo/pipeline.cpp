#include <algorithm>
#include <string>
#include <vector>

#include <shardlab/bubble.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/pipeline.hpp>

#include "sections.hpp"
#include "text.hpp"

namespace shardlab::cli {
namespace {

constexpr int stages = 4;
constexpr int micro_batches = 8;
constexpr OperationTimes times;
constexpr std::size_t columns_per_unit = 2;
constexpr std::size_t label_width = 10;
constexpr std::size_t name_width = 34;
constexpr std::size_t value_width = 12;

std::size_t columns(double time) {
    return static_cast<std::size_t>(time) * columns_per_unit;
}

/// One stage's time from left to right: F3 is a forward, B3== a backward, a dot is idle time.
std::string bar(const std::vector<Operation>& operations, const std::vector<Span>& spans, double makespan) {
    std::string line(columns(makespan), '.');
    for (std::size_t index = 0; index < operations.size(); ++index) {
        const bool is_forward = operations[index].kind == OperationKind::forward;
        const std::size_t width = columns(spans[index].end) - columns(spans[index].start);
        const std::string name = (is_forward ? "F" : "B") + std::to_string(operations[index].micro_batch);
        line.replace(columns(spans[index].start), width, name + std::string(width - name.size(), '='));
    }
    return line;
}

std::string ruler(double makespan) {
    constexpr int labelled = 5;
    std::string line;
    for (int time = 0; time < makespan; time += labelled) {
        line += left(std::to_string(time), labelled * columns_per_unit);
    }
    return line;
}

void write_gantt(std::ostream& out, const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    out << "  " << left("time", label_width) << left(ruler(timeline.makespan), columns(timeline.makespan))
        << "   in flight\n";
    for (std::size_t stage = 0; stage < schedule.operations.size(); ++stage) {
        out << "  " << left("stage " + std::to_string(stage), label_width)
            << bar(schedule.operations[stage], timeline.spans[stage], timeline.makespan)
            << right(timeline.peak_in_flight[stage], label_width) << '\n';
    }
    out << '\n';
}

std::vector<double> numbers(const std::vector<int>& integers) {
    return {integers.begin(), integers.end()};
}

std::vector<double> in_flight_by_formula() {
    std::vector<double> counts;
    counts.reserve(stages);
    for (int stage = 0; stage < stages; ++stage) {
        counts.push_back(std::min(stages - stage, micro_batches));
    }
    return counts;
}

void write_line(std::ostream& out, const std::string& name, const std::string& simulated, const std::string& formula,
                const std::string& symbols) {
    out << "  " << left(name, name_width) << right(simulated, value_width) << right(formula, value_width) << "   "
        << symbols << '\n';
}

void write_comparison(std::ostream& out, const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    constexpr int decimals = 6;
    const double of_total = pipeline_bubble_fraction(stages, micro_batches);
    const double makespan = (micro_batches + stages - 1) * (times.forward + times.backward);
    const std::string idle = std::to_string(stages - 1);
    out << "  " << right("simulated", name_width + value_width) << right("formula", value_width) << '\n';
    write_line(out, "makespan", number_text(timeline.makespan), number_text(makespan), "(M+P-1)(F+B)");
    write_line(out, "unit steps", std::to_string(unit_steps(schedule)),
               std::to_string(2 * (micro_batches + stages - 1)), "2(M+P-1)");
    write_line(out, "bubble of total: idle / all time", fixed(timeline.bubble_of_total, decimals),
               fixed(of_total, decimals), "(P-1)/(M+P-1) = " + idle + "/" + std::to_string(micro_batches + stages - 1));
    write_line(out, "bubble of ideal: idle / work", fixed(timeline.bubble_of_ideal, decimals),
               fixed(of_total / (1 - of_total), decimals), "(P-1)/M = " + idle + "/" + std::to_string(micro_batches));
    write_line(out, "most in flight, stage by stage", spaced(numbers(timeline.peak_in_flight)),
               spaced(in_flight_by_formula()), "min(P-s, M)");
    out << '\n';
}

}  // namespace

void demonstrate_pipeline(std::ostream& out) {
    const PipelineSchedule schedule = pipeline_schedule_1f1b(stages, micro_batches);
    const PipelineTimeline timeline = simulate(schedule, uniform_costs(times.forward, times.backward));
    const PipelineTimeline gpipe =
        simulate(pipeline_schedule_gpipe(stages, micro_batches), uniform_costs(times.forward, times.backward));

    write_heading(out, "4. Pipeline parallel: the layers split into " + std::to_string(stages) + " stages");
    write_paragraph(out, "The batch is cut into M = " + std::to_string(micro_batches) +
                             " micro-batches, so that P = " + std::to_string(stages) +
                             " stages can work at the same time. In the 1F1B schedule a stage alternates one forward "
                             "(F, takes " +
                             number_text(times.forward) + ") and one backward (B, takes " +
                             number_text(times.backward) + "). A dot is idle time: the bubble.");
    write_gantt(out, schedule, timeline);
    write_paragraph(out, "\"In flight\" is the most micro-batches whose activations a stage has to keep at a time.");
    write_comparison(out, schedule, timeline);
    write_paragraph(out,
                    "Two numbers are called the bubble, and both are right: one divides the idle time by all time, "
                    "the other by the time of work. GPipe, which runs all forwards first, takes " +
                        number_text(gpipe.makespan) + " as well; but its stages keep " +
                        listed(numbers(gpipe.peak_in_flight)) +
                        " micro-batches in flight. 1F1B saves memory, not "
                        "time.");
}

}  // namespace shardlab::cli
