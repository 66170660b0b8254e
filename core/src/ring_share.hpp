#pragma once

namespace shardlab {

/// Part of a buffer that each rank sends in a ring's reduce-scatter or all-gather.
inline double ring_share(double ranks) {
    return (ranks - 1) / ranks;
}

}  // namespace shardlab
