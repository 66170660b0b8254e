#include "ports.hpp"

#include <algorithm>

namespace shardlab::collective {
namespace {

void raise(std::optional<double>& most, double elements) {
    most = std::max(most.value_or(0), elements);
}

}  // namespace

Ports::Ports(int ranks, int per_node) : elements_(4 * static_cast<std::size_t>(ranks), 0) {
    node_.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        node_.push_back(rank / per_node);
    }
}

StepLoad Ports::load(const Step& step, int watched) {
    StepLoad load;
    for (const Transfer& transfer : step.transfers) {
        const bool crosses =
            node_[static_cast<std::size_t>(transfer.source)] != node_[static_cast<std::size_t>(transfer.destination)];
        const auto count = static_cast<double>(transfer.count);
        const double sent = elements(transfer.source, crosses, out) += count;
        const double received = elements(transfer.destination, crosses, in) += count;
        raise(crosses ? load.busiest.inter : load.busiest.intra, std::max(sent, received));
        if (transfer.source == watched) {
            raise(crosses ? load.watched.inter : load.watched.intra, sent);
        }
        if (transfer.destination == watched) {
            raise(crosses ? load.watched.inter : load.watched.intra, received);
        }
    }
    for (const Transfer& transfer : step.transfers) {
        for (const bool crosses : {false, true}) {
            elements(transfer.source, crosses, out) = 0;
            elements(transfer.destination, crosses, in) = 0;
        }
    }
    return load;
}

}  // namespace shardlab::collective
