#include "transformer.hpp"

namespace shardlab::tensor_parallel {
PerRank Residual::forward(const PerRank& input) {
    traces_.resize(input.size());
    PerRank normalized;
    for (std::size_t rank = 0; rank < input.size(); ++rank) {
        normalized.push_back(norm_forward(norm_, input[rank], traces_[rank]));
    }
    PerRank output = sublayer_.forward(normalized);
    for (std::size_t rank = 0; rank < input.size(); ++rank) {
        output[rank] = dropout_[rank].apply(output[rank]);
        add(output[rank], input[rank]);
    }
    return output;
}

PerRank Residual::backward(const PerRank& output_gradient) {
    PerRank through_sublayer;
    for (std::size_t rank = 0; rank < output_gradient.size(); ++rank) {
        through_sublayer.push_back(dropout_[rank].apply(output_gradient[rank]));
    }
    PerRank gradient = sublayer_.backward(through_sublayer);
    norm_gradients_.clear();
    for (std::size_t rank = 0; rank < gradient.size(); ++rank) {
        NormGradients through_norm = norm_backward(norm_, traces_[rank], gradient[rank]);
        norm_gradients_.push_back(std::move(through_norm.weights));
        gradient[rank] = std::move(through_norm.input);
        add(gradient[rank], output_gradient[rank]);
    }
    return gradient;
}

std::vector<Dropout> dropouts(double probability, double seed, int ranks, std::size_t rows_of_a_rank) {
    std::vector<Dropout> masks;
    masks.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        masks.push_back(
            {.probability = probability, .seed = seed, .first = static_cast<std::size_t>(rank) * rows_of_a_rank});
    }
    return masks;
}

}  // namespace shardlab::tensor_parallel
