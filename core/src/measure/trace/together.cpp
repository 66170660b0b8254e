#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/measure/trace.hpp>

#include "tally.hpp"

namespace shardlab {
namespace {

void add_times(TraceTimes& sum, const TraceTimes& more) {
    sum.span_seconds += more.span_seconds;
    sum.compute_seconds += more.compute_seconds;
    sum.communication_seconds += more.communication_seconds;
    sum.overlap_seconds += more.overlap_seconds;
    sum.exposed_seconds += more.exposed_seconds;
    sum.other_seconds += more.other_seconds;
    sum.idle_seconds += more.idle_seconds;
}

/// The ranks of a job differ: two traces of one rank are of different runs, or one trace twice.
void require_different_ranks(const std::vector<Trace>& traces, std::string_view parameter) {
    std::map<int, std::size_t> known;
    for (std::size_t index = 0; index < traces.size(); ++index) {
        if (!traces[index].rank) {
            continue;
        }
        const auto [before, is_new] = known.try_emplace(*traces[index].rank, index);
        if (!is_new) {
            throw invalid_argument(std::string(parameter),
                                   "rank " + std::to_string(before->first) + " in number " +
                                       std::to_string(before->second + 1) + " and in number " +
                                       std::to_string(index + 1),
                                   "be of different ranks of one job");
        }
    }
}

/// What ranks tell each other's communications apart by.
using Sort = std::tuple<CommunicationKind, std::string, double>;

Sort sort_of(const Communication& communication) {
    constexpr double no_size = -1;
    return {communication.kind, communication.group, communication.bytes.value_or(no_size)};
}

using OfRank = std::vector<const Communication*>;

/// The communications of each sort, by rank.
std::map<Sort, std::vector<OfRank>> by_sort(const std::vector<Trace>& traces) {
    std::map<Sort, std::vector<OfRank>> sorts;
    for (const Trace& trace : traces) {
        std::map<Sort, OfRank> of_trace;
        for (const Communication& communication : trace.communications) {
            of_trace[sort_of(communication)].push_back(&communication);
        }
        for (auto& [sort, communications] : of_trace) {
            sorts[sort].push_back(std::move(communications));
        }
    }
    return sorts;
}

bool can_match(const std::vector<OfRank>& ranks) {
    return ranks.size() > 1 && std::all_of(ranks.begin(), ranks.end(), [&](const OfRank& communications) {
               return communications.size() == ranks.front().size();
           });
}

Communication shortest(const std::vector<OfRank>& ranks, std::size_t index, double& waited) {
    double least = ranks.front()[index]->seconds;
    double sum = 0;
    for (const OfRank& communications : ranks) {
        least = std::min(least, communications[index]->seconds);
        sum += communications[index]->seconds;
    }
    waited += sum - least * static_cast<double>(ranks.size());
    Communication communication = *ranks.front()[index];
    communication.seconds = least;
    return communication;
}

}  // namespace

Trace sum_of_traces(const std::vector<Trace>& traces, std::string_view parameter) {
    if (traces.empty()) {
        throw invalid_argument(std::string(parameter), "empty", "be at least one");
    }
    require_different_ranks(traces, parameter);
    Trace sum = traces.front();
    for (std::size_t index = 1; index < traces.size(); ++index) {
        const Trace& trace = traces[index];
        sum.rank = sum.rank == trace.rank ? sum.rank : std::nullopt;
        sum.world_size = sum.world_size == trace.world_size ? sum.world_size : std::nullopt;
        sum.backend = sum.backend == trace.backend ? sum.backend : "";
        sum.devices += trace.devices;
        sum.events += trace.events;
        sum.events_used += trace.events_used;
        sum.communications.insert(sum.communications.end(), trace.communications.begin(), trace.communications.end());
        sum.nccl_kernels += trace.nccl_kernels;
        sum.nccl_seconds += trace.nccl_seconds;
        add_times(sum.times, trace.times);
        measure::add_counts(sum.ignored, trace.ignored);
        measure::add_counts(sum.amended, trace.amended);
        sum.broken_at_byte.reset();
    }
    return sum;
}

MatchedCommunications matched_communications(const std::vector<Trace>& traces, std::string_view parameter) {
    require_different_ranks(traces, parameter);
    MatchedCommunications matched;
    for (const auto& [sort, ranks] : by_sort(traces)) {
        if (!can_match(ranks)) {
            for (const OfRank& communications : ranks) {
                matched.unmatched += static_cast<int>(communications.size());
            }
            continue;
        }
        for (std::size_t index = 0; index < ranks.front().size(); ++index) {
            matched.communications.push_back(shortest(ranks, index, matched.waited_seconds));
        }
    }
    std::stable_sort(matched.communications.begin(), matched.communications.end(),
                     [](const Communication& a, const Communication& b) { return a.start_seconds < b.start_seconds; });
    return matched;
}

}  // namespace shardlab
