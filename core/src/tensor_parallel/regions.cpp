#include "regions.hpp"

#include <utility>

namespace shardlab::tensor_parallel {

PerRank Regions::enter(const PerRank& input, const std::string& tensor) const {
    return options_.sequence_parallel ? group_.all_gather(input, Pass::forward, tensor) : input;
}

PerRank Regions::enter_again(const PerRank& input, const std::string& tensor) const {
    return group_.all_gather(input, Pass::backward, tensor);
}

PerRank Regions::enter_backward(PerRank parts, const std::string& tensor) const {
    return summed(std::move(parts), Pass::backward, tensor, Mistake::backward_all_reduce);
}

PerRank Regions::leave(PerRank parts, const std::string& tensor) const {
    return summed(std::move(parts), Pass::forward, tensor, Mistake::forward_all_reduce);
}

PerRank Regions::leave_backward(const PerRank& output_gradient, const std::string& tensor) const {
    return options_.sequence_parallel ? group_.all_gather(output_gradient, Pass::backward, tensor) : output_gradient;
}

PerRank Regions::summed(PerRank parts, Pass pass, const std::string& tensor, Mistake forgotten) const {
    const bool is_forgotten = options_.forget == forgotten;
    if (!options_.sequence_parallel) {
        return is_forgotten ? parts : group_.all_reduce(std::move(parts), pass, tensor);
    }
    if (!is_forgotten) {
        return group_.reduce_scatter(parts, pass, tensor);
    }
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        parts[rank] = copy_of(row_shard(parts[rank], group_.ranks(), static_cast<int>(rank)));
    }
    return parts;
}

}  // namespace shardlab::tensor_parallel
