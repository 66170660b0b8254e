#pragma once

// What the matrix product is measured against: Eigen's, natively. WebAssembly has no peer here, so that nothing but the
// benchmark of the native build needs Eigen.

#include <functional>

#include <shardlab/array.hpp>

/// Multiplies the same matrices once a call, by the peer; empty where there is none.
std::function<void()> peer_product(const shardlab::Matrix& a, const shardlab::Matrix& b);
std::function<void()> peer_product(const shardlab::Matrix32& a, const shardlab::Matrix32& b);
