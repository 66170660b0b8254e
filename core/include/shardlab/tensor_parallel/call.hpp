#pragma once

/// @file
/// The collectives of a sharded layer, as they are called one after the other.

#include <cstdint>
#include <string>
#include <vector>

#include <shardlab/collective/builders.hpp>

namespace shardlab {

/// When a collective is called.
enum class Pass : std::uint8_t {
    forward,   ///< in the forward of every micro-batch
    backward,  ///< in the backward of every micro-batch
    step,      ///< once in an optimizer step, on gradients that are summed over its micro-batches
};

/// `forward`, `backward` or `step`.
const char* name(Pass pass);

/// A collective that was called, or would be.
struct CollectiveCall {
    Kind kind = Kind::all_reduce;    ///< all-reduce, all-gather or reduce-scatter
    Pass pass = Pass::forward;       ///< when
    std::string tensor;              ///< what is reduced or gathered: `attention output`
    int ranks = 1;                   ///< of the group that calls it
    double bytes = 0;                ///< of the whole tensor
    double bytes_sent_per_rank = 0;  ///< by the busiest rank of the ring
    bool operator==(const CollectiveCall&) const = default;
};

/// Bytes that the busiest rank sends in all calls of a pass.
double bytes_sent_per_rank(const std::vector<CollectiveCall>& calls, Pass pass);

}  // namespace shardlab
