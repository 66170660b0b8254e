#include <string>

#include <shardlab/errors.hpp>

#include "../names.hpp"
#include "parts.hpp"

namespace shardlab {

using namespace collective;

namespace {

// Each in the order of its enumeration.
constexpr const char* algorithm_names[] = {"ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical"};
constexpr const char* kind_names[] = {"all-reduce", "reduce-scatter", "all-gather",
                                      "broadcast",  "reduce",         "all-to-all"};

invalid_argument nameless(const char* parameter, int number) {
    return {parameter, std::to_string(number), "be one that has a name"};
}

}  // namespace

const char* name(Algorithm algorithm) {
    return name_of(algorithm, algorithm_names);
}

Algorithm algorithm_from_name(std::string_view name) {
    return from_name<Algorithm>("algorithm", name, algorithm_names);
}

const char* name(Kind kind) {
    return name_of(kind, kind_names);
}

Kind kind_from_name(std::string_view name) {
    return from_name<Kind>("kind", name, kind_names);
}

bool reduces(Kind kind) {
    return kind == Kind::all_reduce || kind == Kind::reduce_scatter || kind == Kind::reduce;
}

Chunk result_of(Kind kind, int ranks, int rank, std::uint64_t elements) {
    require_int("ranks", ranks, 1, most_ranks);
    require_int("rank", rank, 0, ranks - 1);
    switch (kind) {
        case Kind::reduce:
            return {.offset = 0, .count = rank == 0 ? elements : 0};
        case Kind::reduce_scatter:
            return chunk(elements, ranks, rank);
        case Kind::all_reduce:
        case Kind::all_gather:
        case Kind::broadcast:
        case Kind::all_to_all:
            break;
    }
    return {.offset = 0, .count = elements};
}

CollectiveSchedule all_reduce_schedule(Algorithm algorithm, int ranks, double elements,
                                       const ScheduleOptions& options) {
    switch (algorithm) {
        case Algorithm::ring:
            return ring_all_reduce_schedule(ranks, elements);
        case Algorithm::naive:
            return naive_all_reduce_schedule(ranks, elements);
        case Algorithm::tree:
            return binomial_tree_all_reduce_schedule(ranks, elements, options.slices);
        case Algorithm::double_tree:
            return double_tree_all_reduce_schedule(ranks, elements, options.slices);
        case Algorithm::halving_doubling:
            return halving_doubling_all_reduce_schedule(ranks, elements);
        case Algorithm::hierarchical:
            return hierarchical_all_reduce_schedule(ranks, elements, options.per_node);
    }
    throw nameless("algorithm", static_cast<int>(algorithm));
}

CollectiveSchedule collective_schedule(Kind kind, int ranks, double elements, int slices) {
    switch (kind) {
        case Kind::all_reduce:
            return ring_all_reduce_schedule(ranks, elements);
        case Kind::reduce_scatter:
            return ring_reduce_scatter_schedule(ranks, elements);
        case Kind::all_gather:
            return ring_all_gather_schedule(ranks, elements);
        case Kind::broadcast:
            return binomial_tree_broadcast_schedule(ranks, elements, slices);
        case Kind::reduce:
            return binomial_tree_reduce_schedule(ranks, elements, slices);
        case Kind::all_to_all:
            return all_to_all_schedule(ranks, elements);
    }
    throw nameless("kind", static_cast<int>(kind));
}

double even_elements(Algorithm algorithm, int ranks, const ScheduleOptions& options) {
    require_ranks(ranks);
    switch (algorithm) {
        case Algorithm::ring:
        case Algorithm::hierarchical:
            return ranks;
        case Algorithm::naive:
            return 1;
        case Algorithm::tree:
            return require_slices(options.slices);
        case Algorithm::double_tree:
            return 2.0 * require_slices(options.slices);
        case Algorithm::halving_doubling:
            return std::bit_floor(static_cast<unsigned>(ranks));
    }
    throw nameless("algorithm", static_cast<int>(algorithm));
}

}  // namespace shardlab
