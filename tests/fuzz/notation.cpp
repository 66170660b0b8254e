// Any text as a pipeline schedule: one that is complete, that can be simulated and that is the same when it is written
// and read again, or an error that says where.

#include <initializer_list>
#include <optional>
#include <string>

#include <shardlab/pipeline.hpp>

#include "fuzz.hpp"

namespace {

using fuzz::require;
using shardlab::BackwardLetters;
using shardlab::PipelineCosts;
using shardlab::PipelineSchedule;
using shardlab::PipelineTimeline;
using shardlab::ReadSchedule;

std::optional<ReadSchedule> read(std::string_view text, std::optional<BackwardLetters> letters) {
    try {
        return shardlab::read_schedule_csv(text, letters);
    } catch (const shardlab::invalid_argument& error) {
        fuzz::require_explained(error, {"schedule"});
        fuzz::require_printable_line(error.what());
        return std::nullopt;
    }
}

bool same(const PipelineSchedule& a, const PipelineSchedule& b) {
    return a.stages == b.stages && a.micro_batches == b.micro_batches && a.placement == b.placement &&
           a.operations == b.operations && a.replicas == b.replicas;
}

void require_read_again(const PipelineSchedule& schedule) {
    const std::string text = shardlab::schedule_csv(schedule);
    for (const std::optional<BackwardLetters> letters :
         {std::optional<BackwardLetters>(), std::optional(BackwardLetters::pytorch)}) {
        const std::optional<ReadSchedule> again = read(text, letters);
        require(again.has_value(), "what is written can be read");
        require(again->letters == BackwardLetters::pytorch, "what is written is in the newer letters");
        require(same(again->schedule, schedule), "a schedule is the same when it is written and read");
    }
}

void require_simulated(const PipelineSchedule& schedule) {
    PipelineCosts costs;
    costs.times.overlapped = 2;
    costs.communication = 0.25;
    costs.relaxed_wrap = schedule.micro_batches % 2 == 0;
    const std::optional<PipelineTimeline> timeline =
        fuzz::attempt({"schedule"}, [&] { return shardlab::simulate(schedule, costs); });
    if (!timeline) {
        return;
    }
    fuzz::require_finite({timeline->makespan, timeline->bubble_of_total, timeline->bubble_of_ideal,
                          timeline->bubble_rate, timeline->messages});
    require(timeline->makespan > 0, "work takes time");
    const std::string trace = shardlab::chrome_trace(schedule, *timeline, costs);
    require(trace.find("nan") == std::string::npos && trace.find("inf") == std::string::npos, "a trace is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::optional<ReadSchedule> found = read(text, std::nullopt);
    bool told = false;
    for (const BackwardLetters letters : {BackwardLetters::pytorch, BackwardLetters::zero_bubble}) {
        const std::optional<ReadSchedule> other = read(text, letters);
        const bool as_found = other && found && found->letters == letters;
        require(!as_found || same(other->schedule, found->schedule), "letters that are told are those that are found");
        told = told || other.has_value();
    }
    require(told == found.has_value(), "a file that can be read in some notation is read without being told");
    if (found) {
        shardlab::require_complete(found->schedule);
        require_read_again(found->schedule);
        require_simulated(found->schedule);
    }
    return 0;
}
