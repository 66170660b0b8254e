#include "check.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

std::string range_text(std::uint64_t offset, std::uint64_t count) {
    return "elements " + std::to_string(offset) + " to " + std::to_string(offset + count);
}

/// What a step does to a range of a buffer.
enum class Use { sent, added, replaced };

/// A range of one rank's buffer that a step touches.
struct Touched {
    int rank;
    std::uint64_t begin;
    std::uint64_t end;
    Use use;
};

std::vector<Touched> ranges_touched(const Step& step, Placement placement) {
    std::vector<Touched> ranges;
    for (const Transfer& transfer : step.transfers) {
        if (transfer.count == 0) {
            continue;
        }
        const std::uint64_t sent = transfer.source_offset;
        const std::uint64_t written = transfer.destination_offset;
        if (placement == Placement::in_place) {
            ranges.push_back({transfer.source, sent, sent + transfer.count, Use::sent});
        }
        ranges.push_back(
            {transfer.destination, written, written + transfer.count, transfer.reduce ? Use::added : Use::replaced});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Touched& a, const Touched& b) {
        return std::pair(a.rank, a.begin) < std::pair(b.rank, b.begin);
    });
    return ranges;
}

/// How far the ranges of one rank reach, by their use, in the order of their beginnings.
struct Reach {
    std::uint64_t sent = 0;
    std::uint64_t added = 0;
    std::uint64_t replaced = 0;

    /// Where a range may begin that does not get in the way of those before it.
    std::uint64_t free_from(Use use) const {
        switch (use) {
            case Use::sent:
                return std::max(added, replaced);
            case Use::added:
                return std::max(sent, replaced);
            case Use::replaced:
                break;
        }
        return std::max({sent, added, replaced});
    }

    void extend(const Touched& range) {
        std::uint64_t& until = range.use == Use::sent ? sent : range.use == Use::added ? added : replaced;
        until = std::max(until, range.end);
    }
};

void require_simultaneous(int index, const Step& step, Placement placement) {
    Reach reach;
    int rank = -1;
    for (const Touched& range : ranges_touched(step, placement)) {
        if (range.rank != rank) {
            rank = range.rank;
            reach = {};
        }
        if (range.begin < reach.free_from(range.use)) {
            throw invalid_argument("schedule",
                                   "step " + std::to_string(index) + " at rank " + std::to_string(rank) + ", " +
                                       range_text(range.begin, range.end - range.begin),
                                   "receive once into a range unless all is added, and not send from it in the same "
                                   "step");
        }
        reach.extend(range);
    }
}

bool joins_two_ranks(const Transfer& transfer, unsigned ranks) {
    // As unsigned numbers, negative ranks are large ones.
    return static_cast<unsigned>(transfer.source) < ranks && static_cast<unsigned>(transfer.destination) < ranks &&
           transfer.source != transfer.destination;
}

bool fits(const Transfer& transfer, std::uint64_t elements) {
    return transfer.count <= elements && transfer.source_offset <= elements - transfer.count &&
           transfer.destination_offset <= elements - transfer.count;
}

/// What is wrong with a transfer that does not pass both of the above.
invalid_argument complaint(const CollectiveSchedule& schedule, int step, const Transfer& transfer) {
    if (!joins_two_ranks(transfer, static_cast<unsigned>(schedule.ranks()))) {
        return {"schedule",
                "a transfer from rank " + std::to_string(transfer.source) + " to rank " +
                    std::to_string(transfer.destination) + " in step " + std::to_string(step),
                "join two different ranks from 0 to " + std::to_string(schedule.ranks() - 1)};
    }
    return {"schedule",
            "a transfer of rank " + std::to_string(transfer.source) + " in step " + std::to_string(step) + " with " +
                std::to_string(transfer.count) + " elements",
            "stay inside buffers of " + std::to_string(schedule.elements()) + " elements"};
}

}  // namespace

namespace collective {

void require_inside(const CollectiveSchedule& schedule, int index, const Step& step) {
    const auto ranks = static_cast<unsigned>(schedule.ranks());
    const std::uint64_t elements = schedule.elements();
    for (const Transfer& transfer : step.transfers) {
        if (!joins_two_ranks(transfer, ranks) || !fits(transfer, elements)) {
            throw complaint(schedule, index, transfer);
        }
    }
}

}  // namespace collective

void check(const CollectiveSchedule& schedule) {
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        collective::require_inside(schedule, index, step);
        require_simultaneous(index, step, schedule.placement());
    }
}

}  // namespace shardlab
