#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "collective/names.hpp"
#include "collective_cost/closed_forms.hpp"

namespace shardlab {

using namespace closed_forms;

namespace {

// In the order of the enumeration.
constexpr const char* tree_names[] = {"binomial", "double-binary", "pipelined-bound"};

double bus_factor(int ranks) {
    return 2.0 * (ranks - 1) / ranks;
}

AllReduceCost cost_of(const Sent& sent, int ranks) {
    return {.steps = sent.steps, .bytes_sent_per_rank = sent.bytes, .bus_factor = bus_factor(ranks), .seconds = {}};
}

AllReduceCost pipelined_bound(int ranks, double bytes, const Link& link) {
    const Shape shape = require_shape(ranks, bytes, {});
    const double sent_bytes = ranks == 1 ? 0 : 2 * bytes;
    AllReduceCost cost = cost_of({.steps = 2 * shape.levels(), .bytes = sent_bytes}, ranks);
    require_link(link);
    cost.seconds = cost.steps * link.latency_seconds + sent_bytes / link.bytes_per_second;
    return cost;
}

}  // namespace

AllReduceBound all_reduce_lower_bound(int ranks, double bytes) {
    // What a ring sends, which attains the bound.
    const double busiest = all_reduce_cost(ranks, bytes).bytes_sent_per_rank;
    return {.total_bytes = 2.0 * bytes * (ranks - 1), .busiest_rank_bytes = busiest};
}

AllReduceCost all_reduce_cost(int ranks, double bytes) {
    return all_reduce_cost(Algorithm::ring, ranks, bytes);
}

AllReduceCost all_reduce_cost(int ranks, double bytes, const Link& link) {
    return all_reduce_cost(Algorithm::ring, ranks, bytes, {}, uniform_links(link));
}

AllReduceCost all_reduce_cost(Algorithm algorithm, int ranks, double bytes, const ScheduleOptions& options) {
    return cost_of(sent(algorithm, require_shape(ranks, bytes, options)), ranks);
}

AllReduceCost all_reduce_cost(Algorithm algorithm, int ranks, double bytes, const ScheduleOptions& options,
                              const Links& links) {
    const Shape shape = require_shape(ranks, bytes, options);
    const Sent what = sent(algorithm, shape);
    require_links(links);
    AllReduceCost cost = cost_of(what, ranks);
    cost.seconds = seconds(algorithm, shape, what, links);
    return cost;
}

const char* name(Tree tree) {
    return collective::name_of(tree, tree_names);
}

Tree tree_from_name(std::string_view name) {
    return collective::from_name<Tree>("tree", name, tree_names);
}

AllReduceCost tree_all_reduce_cost(int ranks, double bytes, const Link& link, Tree tree, int slices) {
    ScheduleOptions options;
    options.slices = slices;
    switch (tree) {
        case Tree::binomial:
            return all_reduce_cost(Algorithm::tree, ranks, bytes, options, uniform_links(link));
        case Tree::double_binary:
            return all_reduce_cost(Algorithm::double_tree, ranks, bytes, options, uniform_links(link));
        case Tree::pipelined_bound:
            return pipelined_bound(ranks, bytes, link);
    }
    throw invalid_argument("tree", std::to_string(static_cast<int>(tree)), "be a Tree that has a name");
}

AllReduceCost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    constexpr double longest_seconds = 1e9;
    AllReduceCost cost = all_reduce_cost(Algorithm::tree, ranks, bytes);
    require_between("latency_per_step", latency_per_step, 0, longest_seconds);
    cost.seconds = cost.steps * latency_per_step;
    return cost;
}

}  // namespace shardlab
