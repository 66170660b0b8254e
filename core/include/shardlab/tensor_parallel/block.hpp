#pragma once

/// @file
/// The blocks of a transformer over the ranks of a tensor-parallel group, forward and backward, for real, and how far
/// they are from the whole block in one place.
///
/// Tokens are rows: an activation has the shape (tokens, features), tokens = sequence · batch with the batch running
/// fastest, so that a part of the sequence is a range of rows. A weight has the shape (out, in), and a layer is
/// y = x·Wᵀ. There are no biases and no position embeddings, since neither is sharded in a way of its own.
///
/// Between two points a block works on shards. *f* opens it and *g* closes it: forward f passes its input on and g is
/// an all-reduce, backward it is the other way round. With sequence parallelism the ranks hold parts of the sequence
/// outside of the blocks: forward f is an all-gather and g a reduce-scatter, backward the other way round.
///
/// Sources: Shoeybi et al., "Megatron-LM", arXiv:1909.08053, section 3; Korthikanti et al., "Reducing activation
/// recomputation in large transformer models", arXiv:2205.05198, section 4.2.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/tensor_parallel/activation.hpp>
#include <shardlab/tensor_parallel/call.hpp>

namespace shardlab {

/// What is sharded.
enum class Block : std::uint8_t {
    mlp,          ///< up by columns, an activation, down by rows
    attention,    ///< query, key and value by heads, causal softmax attention, output by rows
    transformer,  ///< norm, attention, residual, norm, MLP, residual, with dropout before each residual
    vocabulary,   ///< the token embedding, the output head and the cross-entropy, by rows of the vocabulary
};

/// `mlp`, `attention`, `transformer` or `vocabulary`.
const char* name(Block block);

/// The block of that name.
/// @throws invalid_argument naming block
Block block_from_name(std::string_view name);

/// What stands before a sublayer.
enum class Norm : std::uint8_t {
    layer,  ///< LayerNorm, with a scale and a shift: Ba, Kiros and Hinton, arXiv:1607.06450, equation 4
    rms,    ///< RMSNorm, with a scale: Zhang and Sennrich, arXiv:1910.07467, equation 4
};

/// `layer` or `rms`.
const char* name(Norm norm);

/// The norm of that name.
/// @throws invalid_argument naming norm
Norm norm_from_name(std::string_view name);

/// The sizes of a block; those that it does not have are passed over.
struct BlockShape {
    int hidden = 16;                           ///< features of a token
    int heads = 4;                             ///< query heads
    int kv_heads = 4;                          ///< key and value heads; they divide heads
    int head_size = 0;                         ///< features of a head; 0 for hidden / heads, which must be whole
    int ffn = 64;                              ///< features between the two matrices of the MLP
    int vocabulary = 64;                       ///< tokens that there are
    int batch = 2;                             ///< sequences
    int sequence = 8;                          ///< tokens of a sequence
    Activation activation = Activation::gelu;  ///< of the MLP
    Norm norm = Norm::layer;                   ///< of a transformer
    double dropout = 0;                        ///< part of a transformer's activations that is dropped, 0 to below 1
};

/// What may be forgotten, to be seen in the numbers.
enum class Mistake : std::uint8_t {
    forward_all_reduce,   ///< g: each rank goes on with its own partial sums
    backward_all_reduce,  ///< f: each rank goes on with its own part of the input gradient
    column_first,         ///< the MLP's first matrix is cut by rows, and its activation acts on partial sums
    whole_heads,          ///< query, key and value are cut as one matrix, across heads
};

/// `forward-all-reduce`, `backward-all-reduce`, `column-first` or `whole-heads`.
const char* name(Mistake mistake);

/// The mistake of that name.
/// @throws invalid_argument naming forget
Mistake mistake_from_name(std::string_view name);

/// How a block is sharded.
struct BlockOptions {
    int ranks = 2;                   ///< of the tensor-parallel group
    bool sequence_parallel = false;  ///< outside of the blocks a rank holds its part of the sequence
    bool keep_gathered = false;      ///< what f gathered is kept for the backward; false: it is gathered again
    std::optional<Mistake> forget;   ///< what goes wrong, if anything
};

/// What a block works on.
struct BlockData {
    Matrix input;                           ///< shape (tokens, hidden); none for vocabulary
    Matrix output_gradient;                 ///< of the loss, shape (tokens, hidden); none for vocabulary
    std::vector<int> tokens;                ///< vocabulary: the tokens that are embedded
    std::vector<int> targets;               ///< vocabulary: the tokens to be predicted
    std::map<std::string, Matrix> weights;  ///< by name, as weight_shapes() has them
    double dropout_seed = 0;                ///< of the dropout's masks
};

/// The shape (out, in) of each weight of a block: `query`, `key`, `value`, `output`, `up`, `gate`, `down`,
/// `attention_norm`, `mlp_norm` (scale and, of LayerNorm, shift: (2, hidden) or (1, hidden)), `embedding`, `head`.
/// @throws invalid_argument naming a size
std::map<std::string, std::pair<int, int>> weight_shapes(Block block, const BlockShape& shape);

/// Numbers for a block, the same on every platform: in [-1, 1), the weights over the square root of their inputs.
/// @throws invalid_argument naming a size or seed
BlockData random_block_data(Block block, const BlockShape& shape, double seed);

/// How far an array is from that of the whole block.
struct ArrayError {
    std::string name;    ///< `output`, `input` for its gradient, or a weight for its gradient
    double max_abs = 0;  ///< the largest difference
    double max_rel = 0;  ///< over the largest element of the whole block's
};

/// A block that was run.
struct BlockRun {
    Matrix output;          ///< rank 0's, or the parts of the sequence together; of vocabulary the loss of each token
    Matrix input_gradient;  ///< likewise, shape (tokens, hidden); of vocabulary that of the head's input
    std::map<std::string, Matrix> weight_gradients;  ///< put together from the ranks' shards
    std::vector<CollectiveCall> collectives;         ///< in the order in which they were called
    std::vector<double> weight_elements;             ///< that each rank holds
    double gathered_elements_kept = 0;               ///< that each rank keeps for the backward since f gathered them
    ArrayError output_error;                         ///< the largest of all ranks
    std::vector<ArrayError> gradient_errors;         ///< the input's, the largest of all ranks, and the weights'
};

/// Runs a block on the ranks and once more in one place, and compares.
///
/// Query heads, MLP features and (with sequence parallelism) the sequence must divide by the ranks. Where there are
/// fewer key and value heads than ranks, each is held by several: their number must divide the ranks, and the gradients
/// of the copies are summed once a step, as those of the norms are with sequence parallelism.
/// @throws invalid_argument naming ranks, a size, forget, or a weight or other part of the data that has not its shape
///         or is not finite
BlockRun run_block(Block block, const BlockShape& shape, const BlockData& data, const BlockOptions& options);

}  // namespace shardlab
