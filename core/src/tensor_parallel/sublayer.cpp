#include "sublayer.hpp"

#include <utility>

namespace shardlab::tensor_parallel {

PerRank Sublayer::forward(const PerRank& input) {
    input_ = input;
    inside_ = regions_.enter(input, name_ + " input");
    PerRank partial;
    for (std::size_t rank = 0; rank < input.size(); ++rank) {
        partial.push_back(part_.forward(static_cast<int>(rank), inside_[rank]));
    }
    if (regions_.gathers_again()) {
        inside_.clear();
    }
    return regions_.leave(std::move(partial), name_ + " output");
}

PerRank Sublayer::backward(const PerRank& output_gradient) {
    const PerRank gradient = regions_.leave_backward(output_gradient, name_ + " output gradient");
    if (inside_.empty()) {
        inside_ = regions_.enter_again(input_, name_ + " input");
    }
    PerRank partial;
    for (std::size_t rank = 0; rank < gradient.size(); ++rank) {
        partial.push_back(part_.backward(static_cast<int>(rank), inside_[rank], gradient[rank]));
    }
    return regions_.enter_backward(std::move(partial), name_ + " input gradient");
}

double Sublayer::gathered_elements_kept() const {
    return inside_.empty() ? 0 : static_cast<double>(inside_.front().size() - input_.front().size());
}

}  // namespace shardlab::tensor_parallel
