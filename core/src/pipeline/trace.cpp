#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include <shardlab/errors.hpp>
#include <shardlab/pipeline/trace.hpp>

#include "check.hpp"
#include "costs.hpp"

namespace shardlab {
namespace {

constexpr double per_microsecond = 1000;
constexpr std::array<std::string_view, 4> kinds{"forward", "backward", "input_gradient", "weight_gradient"};
constexpr std::array<char, 4> letters{'F', 'B', 'I', 'W'};

/// Nanoseconds as microseconds. Viewers cut off what is below a nanosecond, so that 1.001, which is a little less in
/// binary, would become 1 us and overlap with what ended there: the next double is taken then.
std::string microseconds(double nanoseconds) {
    double value = nanoseconds / per_microsecond;
    if (value * per_microsecond < nanoseconds) {
        value = std::nextafter(value, std::numeric_limits<double>::infinity());
    }
    return number_text(value);
}

class Trace {
public:
    Trace(const PipelineSchedule& schedule, const PipelineTimeline& timeline, const PipelineCosts& costs,
          double microseconds_per_unit)
        : schedule_(schedule), timeline_(timeline), costs_(costs), scale_(microseconds_per_unit * per_microsecond) {}

    /// Whether every slice is long enough for viewers to show it.
    bool is_fine() const {
        for (const std::vector<Span>& spans : timeline_.spans) {
            if (!std::all_of(spans.begin(), spans.end(), [&](const Span& span) { return is_shown(span); }) ||
                (costs_.gradient_sync > 0 && !spans.empty() && !is_shown(synchronisation(spans)))) {
                return false;
            }
        }
        return true;
    }

    /// The shortest slice, in the unit of the times. A span's ends, which are sums, would give it with their rounding.
    double shortest() const {
        const pipeline::Durations durations(schedule_, costs_);
        double length = costs_.gradient_sync > 0 ? costs_.gradient_sync : timeline_.makespan;
        for (const std::vector<Operation>& operations : schedule_.operations) {
            for (std::size_t position = 0; position < operations.size(); ++position) {
                const Operation& one = operations[position];
                const bool pair = one.overlaps_next;
                length = std::min(length, pair ? durations.of_pair(one, operations[++position]) : durations.of(one));
            }
        }
        return length;
    }

    std::string written() {
        // In a coarser unit Chrome's viewer would round ends and starts before it compares them.
        text_ = R"({"displayTimeUnit": "ns", "traceEvents": [)";
        add(R"({"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "pipeline"}})");
        for (std::size_t device = 0; device < schedule_.operations.size(); ++device) {
            add_device(device);
        }
        return text_ + "\n]}\n";
    }

private:
    struct Slice {
        std::size_t track;
        double start;  // ns
        double end;    // ns
    };

    void add(const std::string& event) {
        text_ += text_.back() == '[' ? "\n" : ",\n";
        text_ += event;
    }

    double nanoseconds(double time) const { return std::round(time * scale_); }

    bool is_shown(const Span& span) const { return nanoseconds(span.start) < nanoseconds(span.end); }

    Span synchronisation(const std::vector<Span>& spans) const {
        return {spans.back().end, spans.back().end + costs_.gradient_sync};
    }

    void add_device(std::size_t device) {
        const std::vector<Operation>& operations = schedule_.operations[device];
        const std::string name = "device " + std::to_string(device);
        name_track(2 * device, name);
        if (std::any_of(operations.begin(), operations.end(), [](const Operation& one) { return one.overlaps_next; })) {
            name_track(2 * device + 1, name + ", overlapped");
        }
        bool is_second = false;
        for (std::size_t position = 0; position < operations.size(); ++position) {
            const Span& span = timeline_.spans[device][position];
            const Slice slice{2 * device + (is_second ? 1 : 0), nanoseconds(span.start), nanoseconds(span.end)};
            add_operation(operations[position], slice);
            is_second = operations[position].overlaps_next;
        }
        if (costs_.gradient_sync > 0 && !operations.empty()) {
            const Span span = synchronisation(timeline_.spans[device]);
            add_slice("sync", "gradient_sync", R"("kind": "gradient_sync")",
                      {2 * device, nanoseconds(span.start), nanoseconds(span.end)});
        }
    }

    void name_track(std::size_t track, const std::string& name) {
        const std::string where = R"("pid": 0, "tid": )" + std::to_string(track);
        add(R"({"ph": "M", "name": "thread_name", )" + where + R"(, "args": {"name": ")" + name + "\"}}");
        add(R"({"ph": "M", "name": "thread_sort_index", )" + where + R"(, "args": {"sort_index": )" +
            std::to_string(track) + "}}");
    }

    void add_slice(const std::string& name, std::string_view category, const std::string& args, const Slice& slice) {
        add(R"({"ph": "X", "name": ")" + name + R"(", "cat": ")" + std::string(category) + R"(", "pid": 0, "tid": )" +
            std::to_string(slice.track) + R"(, "ts": )" + microseconds(slice.start) + R"(, "dur": )" +
            microseconds(slice.end - slice.start) + R"(, "args": {)" + args + "}}");
    }

    void add_operation(const Operation& operation, const Slice& slice) {
        const auto kind = static_cast<std::size_t>(operation.kind);
        add_slice(letters.at(kind) + std::to_string(operation.micro_batch), kinds.at(kind),
                  R"("kind": ")" + std::string(kinds.at(kind)) + R"(", "model_part": )" +
                      std::to_string(operation.model_part) + R"(, "micro_batch": )" +
                      std::to_string(operation.micro_batch),
                  slice);
        if (operation.kind == OperationKind::weight_gradient) {
            return;
        }
        const int onwards = operation.kind == OperationKind::forward ? 1 : -1;
        if (is_message(operation, operation.model_part - onwards)) {
            add_flow("f", operation, operation.model_part - onwards, slice);
        }
        if (is_message(operation, operation.model_part + onwards)) {
            add_flow("s", operation, operation.model_part, slice);
        }
    }

    /// Whether an operation of another device waits for this one, or this one for that, by a message.
    bool is_message(const Operation& operation, int neighbour) const {
        if (neighbour < 0 || neighbour >= schedule_.parts()) {
            return false;
        }
        const int batch = operation.micro_batch;
        return schedule_.device(neighbour, batch) != schedule_.device(operation.model_part, batch) &&
               !pipeline::is_relaxed(schedule_, costs_, std::max(neighbour, operation.model_part), batch);
    }

    /// @param phase s where the message starts, f where it ends
    /// @param sender model part of the operation whose result is sent, which gives the flow its number
    void add_flow(const std::string& phase, const Operation& operation, int sender, const Slice& slice) {
        const bool is_forward = operation.kind == OperationKind::forward;
        const auto parts = static_cast<std::size_t>(schedule_.parts());
        const std::size_t id = (2 * static_cast<std::size_t>(operation.micro_batch) + (is_forward ? 0 : 1)) * parts +
                               static_cast<std::size_t>(sender);
        // A flow belongs to the slice around its time, and no slice is around its own end.
        const double time = phase == "s" ? std::max(slice.start, slice.end - 1) : slice.start;
        add(R"({"ph": ")" + phase + R"(", "name": ")" + (is_forward ? "activation" : "gradient") +
            R"(", "cat": "message", "id": )" + std::to_string(id) + R"(, "pid": 0, "tid": )" +
            std::to_string(slice.track) + R"(, "ts": )" + microseconds(time) +
            (phase == "f" ? R"(, "bp": "e"})" : "}"));
    }

    const PipelineSchedule& schedule_;
    const PipelineTimeline& timeline_;
    const PipelineCosts& costs_;
    double scale_;  // ns in a unit of the times
    std::string text_;
};

double operations_of(const PipelineSchedule& schedule) {
    double count = 0;
    for (const std::vector<Operation>& operations : schedule.operations) {
        count += static_cast<double>(operations.size());
    }
    return count;
}

}  // namespace

std::string chrome_trace(const PipelineSchedule& schedule, const PipelineTimeline& timeline, const PipelineCosts& costs,
                         double microseconds_per_unit) {
    constexpr double finest = 1e-9;
    constexpr double coarsest = 1e9;
    const double operations = operations_of(schedule);
    if (operations > most_traced_operations) {
        pipeline::refuse(number_text(operations) + " operations",
                         "have at most " + number_text(most_traced_operations) + " for a trace");
    }
    require_between("microseconds_per_unit", microseconds_per_unit, finest, coarsest);
    if (timeline.makespan * microseconds_per_unit * per_microsecond > largest_count) {
        throw invalid_argument("microseconds_per_unit", number_text(microseconds_per_unit),
                               "give a makespan of at most " + number_text(largest_count / per_microsecond) +
                                   " microseconds; it is " + number_text(timeline.makespan) + " units");
    }
    Trace trace(schedule, timeline, costs, microseconds_per_unit);
    if (!trace.is_fine()) {
        throw invalid_argument("microseconds_per_unit", number_text(microseconds_per_unit),
                               "make every slice at least 0.001 microseconds long; the shortest is " +
                                   number_text(trace.shortest()) + " units");
    }
    return trace.written();
}

}  // namespace shardlab
