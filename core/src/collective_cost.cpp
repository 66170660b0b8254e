#include <bit>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

int levels_of_binomial_tree(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
}

double bus_factor(int ranks) {
    return 2.0 * (ranks - 1) / ranks;
}

AllReduceCost binomial_tree_cost(int ranks, double bytes) {
    require_int("ranks", ranks, 1, most_priced_ranks);
    require_count("bytes", bytes);
    const int levels = levels_of_binomial_tree(ranks);
    return {.steps = 2 * levels, .bytes_sent_per_rank = levels * bytes, .bus_factor = bus_factor(ranks), .seconds = {}};
}

}  // namespace

AllReduceCost all_reduce_cost(int ranks, double bytes) {
    require_int("ranks", ranks, 1, most_priced_ranks);
    require_count("bytes", bytes);
    return {.steps = 2 * (ranks - 1),
            .bytes_sent_per_rank = 2.0 * bytes * (ranks - 1) / ranks,
            .bus_factor = bus_factor(ranks),
            .seconds = {}};
}

AllReduceCost all_reduce_cost(int ranks, double bytes, const Link& link) {
    AllReduceCost cost = all_reduce_cost(ranks, bytes);
    require_link(link);
    cost.seconds = cost.steps * link.latency_seconds + cost.bytes_sent_per_rank / link.bytes_per_second;
    return cost;
}

Tree tree_from_name(std::string_view name) {
    if (name == "binomial") {
        return Tree::binomial;
    }
    throw invalid_argument("tree", std::string(name), "be binomial");
}

AllReduceCost tree_all_reduce_cost(int ranks, double bytes, const Link& link, Tree tree) {
    switch (tree) {
        case Tree::binomial: {
            AllReduceCost cost = binomial_tree_cost(ranks, bytes);
            require_link(link);
            cost.seconds = cost.steps * message_seconds(bytes, link);
            return cost;
        }
    }
    throw invalid_argument("tree", std::to_string(static_cast<int>(tree)), "be a Tree that has a name");
}

AllReduceCost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    constexpr double longest_seconds = 1e9;
    AllReduceCost cost = binomial_tree_cost(ranks, bytes);
    require_between("latency_per_step", latency_per_step, 0, longest_seconds);
    cost.seconds = cost.steps * latency_per_step;
    return cost;
}

}  // namespace shardlab
