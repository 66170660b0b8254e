#include "ports.hpp"

#include <algorithm>

namespace shardlab::collective {

Ports::Ports(int ranks, int per_node) : elements_(static_cast<std::size_t>(ranks)) {
    node_.reserve(elements_.size());
    for (int rank = 0; rank < ranks; ++rank) {
        node_.push_back(rank / per_node);
    }
}

PortLoad Ports::busiest(const Step& step) {
    std::array<double, 2> most = {-1, -1};
    for (const Transfer& transfer : step.transfers) {
        const std::size_t kind = crosses(transfer) ? 1 : 0;
        const auto count = static_cast<double>(transfer.count);
        const double sent = elements_[static_cast<std::size_t>(transfer.source)].out[kind] += count;
        const double received = elements_[static_cast<std::size_t>(transfer.destination)].in[kind] += count;
        most[kind] = std::max({most[kind], sent, received});
    }
    clear(step);
    return {.intra = most[0], .inter = most[1]};
}

void Ports::clear(const Step& step) {
    if (step.transfers.size() >= elements_.size() / 2) {
        std::fill(elements_.begin(), elements_.end(), Elements());
        return;
    }
    for (const Transfer& transfer : step.transfers) {
        elements_[static_cast<std::size_t>(transfer.source)] = Elements();
        elements_[static_cast<std::size_t>(transfer.destination)] = Elements();
    }
}

PortLoad Ports::of_rank(const Step& step, int rank) const {
    Elements elements;
    std::array<double, 2> most = {-1, -1};
    for (const Transfer& transfer : step.transfers) {
        if (transfer.source != rank && transfer.destination != rank) {
            continue;
        }
        const std::size_t kind = crosses(transfer) ? 1 : 0;
        double& passed = transfer.source == rank ? elements.out[kind] : elements.in[kind];
        passed += static_cast<double>(transfer.count);
        most[kind] = std::max(most[kind], passed);
    }
    return {.intra = most[0], .inter = most[1]};
}

}  // namespace shardlab::collective
