#include "peer.hpp"

std::function<void()> peer_product(const shardlab::Matrix& /*a*/, const shardlab::Matrix& /*b*/) {
    return {};
}

std::function<void()> peer_product(const shardlab::Matrix32& /*a*/, const shardlab::Matrix32& /*b*/) {
    return {};
}
