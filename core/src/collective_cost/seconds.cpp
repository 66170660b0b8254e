#include <algorithm>
#include <cmath>

#include "closed_forms.hpp"

namespace shardlab::closed_forms {
namespace {

/// Slices that pass the busiest port of a binomial tree, added up over all steps: the root's way in or out, whichever
/// has more. `both` is where it receives and sends at once, and the lesser of the two does not count.
double tree_slices(const Shape& shape) {
    const double levels = shape.levels();
    const double slices = shape.slices;
    const double both = slices <= 2 * levels ? std::floor(slices * slices / 4) : levels * (slices - levels);
    return 2 * levels * slices - both;
}

/// The same for the double tree, whose busiest port passes four slices of halves in most steps.
double double_tree_slices(const Shape& shape) {
    switch (shape.ranks) {
        case 1:
            return 0;
        case 2:
            return 2.0 * shape.slices;
        case 3:
            return 3.0 * shape.slices + 3;
        default:
            return 4.0 * shape.slices + 4 * shape.levels() - 6;
    }
}

/// Bytes that pass the busiest port, added up over all steps.
double port_bytes(Algorithm algorithm, const Shape& shape, const Sent& sent) {
    switch (algorithm) {
        case Algorithm::naive:
            return sent.steps * shape.bytes;
        case Algorithm::tree:
            return tree_slices(shape) * shape.bytes / shape.slices;
        case Algorithm::double_tree:
            return double_tree_slices(shape) * shape.bytes / (2.0 * shape.slices);
        case Algorithm::halving_doubling:
            // The partner of a fold gets a whole tensor before, and sends one after.
            return sent.bytes + (shape.folds() ? shape.bytes : 0);
        case Algorithm::ring:
        case Algorithm::hierarchical:
            break;
    }
    return sent.bytes;
}

/// The only kind of link that a group uses, if it is one. Two kinds of equal latency and rate are two: each rank has a
/// port for either.
std::optional<Link> only_link(const Links& links, int ranks) {
    if (ranks <= links.per_node) {
        return links.intra;
    }
    return links.per_node == 1 ? std::optional(links.inter) : std::nullopt;
}

double hierarchical_seconds(const Shape& shape, const Links& links) {
    const int nodes = shape.ranks / shape.per_node;
    return 2 * (shape.per_node - 1) * message_seconds(shape.bytes / shape.per_node, links.intra) +
           2 * (nodes - 1) * message_seconds(shape.chunk_bytes(), links.inter);
}

/// Time where some messages stay inside a node and some do not.
std::optional<double> two_link_seconds(Algorithm algorithm, const Shape& shape, const Links& links) {
    switch (algorithm) {
        case Algorithm::ring:
            return 2.0 * (shape.ranks - 1) *
                   std::max(message_seconds(shape.chunk_bytes(), links.intra),
                            message_seconds(shape.chunk_bytes(), links.inter));
        case Algorithm::naive:
            return 2.0 * (links.per_node - 1) * message_seconds(shape.bytes, links.intra) +
                   2.0 * (shape.ranks - links.per_node) * message_seconds(shape.bytes, links.inter);
        case Algorithm::hierarchical:
            return shape.per_node == links.per_node ? std::optional(hierarchical_seconds(shape, links)) : std::nullopt;
        case Algorithm::tree:
        case Algorithm::double_tree:
        case Algorithm::halving_doubling:
            break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<double> seconds(Algorithm algorithm, const Shape& shape, const Sent& sent, const Links& links) {
    if (const std::optional<Link> link = only_link(links, shape.ranks)) {
        return sent.steps * link->latency_seconds + port_bytes(algorithm, shape, sent) / link->bytes_per_second;
    }
    return two_link_seconds(algorithm, shape, links);
}

}  // namespace shardlab::closed_forms
