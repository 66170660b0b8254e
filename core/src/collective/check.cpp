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

/// A range of one rank's buffer that a step touches.
struct Touched {
    int rank;
    std::uint64_t begin;
    std::uint64_t end;
    bool written;
};

std::vector<Touched> ranges_touched(const Step& step) {
    std::vector<Touched> ranges;
    for (const Transfer& transfer : step.transfers) {
        if (transfer.count == 0) {
            continue;
        }
        ranges.push_back({transfer.source, transfer.source_offset, transfer.source_offset + transfer.count, false});
        ranges.push_back(
            {transfer.destination, transfer.destination_offset, transfer.destination_offset + transfer.count, true});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Touched& a, const Touched& b) {
        return std::pair(a.rank, a.begin) < std::pair(b.rank, b.begin);
    });
    return ranges;
}

void require_simultaneous(int index, const Step& step) {
    std::uint64_t written_until = 0;
    std::uint64_t read_until = 0;
    int rank = -1;
    for (const Touched& range : ranges_touched(step)) {
        if (range.rank != rank) {
            rank = range.rank;
            written_until = 0;
            read_until = 0;
        }
        const std::uint64_t conflict_until = range.written ? std::max(written_until, read_until) : written_until;
        if (range.begin < conflict_until) {
            throw invalid_argument("schedule",
                                   "step " + std::to_string(index) + " at rank " + std::to_string(rank) + ", " +
                                       range_text(range.begin, range.end - range.begin),
                                   "receive once into a range, and not send from it in the same step");
        }
        std::uint64_t& until = range.written ? written_until : read_until;
        until = std::max(until, range.end);
    }
}

}  // namespace

namespace collective {

void require_inside(const CollectiveSchedule& schedule, int step, const Transfer& transfer) {
    const auto rank_is_valid = [&](int rank) { return rank >= 0 && rank < schedule.ranks(); };
    const auto range_is_valid = [&](std::uint64_t offset) {
        return offset <= schedule.elements() && transfer.count <= schedule.elements() - offset;
    };
    if (!rank_is_valid(transfer.source) || !rank_is_valid(transfer.destination) ||
        transfer.source == transfer.destination) {
        throw invalid_argument("schedule",
                               "a transfer from rank " + std::to_string(transfer.source) + " to rank " +
                                   std::to_string(transfer.destination) + " in step " + std::to_string(step),
                               "join two different ranks from 0 to " + std::to_string(schedule.ranks() - 1));
    }
    if (!range_is_valid(transfer.source_offset) || !range_is_valid(transfer.destination_offset)) {
        throw invalid_argument("schedule",
                               "a transfer of rank " + std::to_string(transfer.source) + " in step " +
                                   std::to_string(step) + " with " + std::to_string(transfer.count) + " elements",
                               "stay inside buffers of " + std::to_string(schedule.elements()) + " elements");
    }
}

}  // namespace collective

void check(const CollectiveSchedule& schedule) {
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        for (const Transfer& transfer : step.transfers) {
            collective::require_inside(schedule, index, transfer);
        }
        require_simultaneous(index, step);
    }
}

}  // namespace shardlab
