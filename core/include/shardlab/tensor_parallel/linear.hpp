#pragma once

/// @file
/// One layer's matrix over the ranks of a tensor-parallel group.
///
/// The names are Megatron's, which writes Y = X·A with A of shape (in, out). Here a layer is y = W·x with
/// W = Aᵀ of shape (out, in) and x of shape (in, batch), so a *column* of A is a row of W:
///
///     column: split `out`                      row: split `in`
///          ┌──────────┐                             ┌─────┬─────┐   ┌─────┐
///     W =  │  rank 0  │ out/2   x: whole       W =  │rank │rank │   │ x 0 │ in/2
///          ├──────────┤                             │  0  │  1  │   ├─────┤
///          │  rank 1  │ out/2                       └─────┴─────┘   │ x 1 │ in/2
///          └──────────┘                              in/2  in/2     └─────┘
///     pieces of y, one below the other         partial sums of the whole y: all-reduce
///
/// Source: Shoeybi et al., "Megatron-LM", arXiv:1909.08053, section 3.

#include <optional>
#include <string_view>
#include <vector>

#include <shardlab/array.hpp>
#include <shardlab/collective.hpp>
#include <shardlab/tensor_parallel/block.hpp>
#include <shardlab/tensor_parallel/call.hpp>

namespace shardlab {

/// How a weight matrix is split.
enum class Split { column, row };

/// The split of that name (`column`, `row`).
/// @throws invalid_argument naming split
Split split_from_name(std::string_view name);

/// A sharded product and its distance from the whole one.
struct TensorParallelMatmul {
    Matrix result;                        ///< shape (out, batch), as every rank holds it or, by columns, together
    std::vector<Matrix> weight_shards;    ///< rank r's part of W: (out_r, in) by columns, (out, in_r) by rows
    std::vector<Matrix> partial_outputs;  ///< rank r's own product: (out_r, batch) by columns, (out, batch) by rows
    double communication_bytes_per_rank =
        0;                     ///< bytes that the busiest rank sends: 0 by columns, an all-reduce by rows
    double max_abs_error = 0;  ///< against the unsharded product
    double max_rel_error = 0;  ///< the same over the largest element of the unsharded product
};

/// Computes W·x over `ranks` ranks.
///
/// By columns no rank needs another: the outputs are concatenated, and equal the whole product bit for bit. By rows
/// each rank has a partial sum of the whole output, and a ring all-reduce adds them. Sizes that ranks do not divide
/// are cut as chunk() cuts them; more ranks than features leave some ranks an empty shard. (Megatron-LM itself
/// refuses sizes that do not divide.)
/// @param w weights, shape (out, in)
/// @param x inputs, shape (in, batch)
/// @param ranks world size, 1 to most_ranks
/// @param split how W is cut
/// @throws invalid_argument naming ranks, w or x: an empty matrix, sizes that do not meet, over 2^32 multiplications,
///         partial sums over largest_array, or values that are not finite or whose product is not
TensorParallelMatmul tensor_parallel_matmul(const Matrix& w, const Matrix& x, int ranks, Split split);

/// A sharded layer y = W·x, forward and backward, and its distance from the whole one.
struct TensorParallelLinear {
    TensorParallelMatmul forward;                 ///< y = W·x
    Matrix input_gradient;                        ///< shape (in, batch)
    std::vector<Matrix> partial_input_gradients;  ///< rank r's own: (in, batch) by columns, (in_r, batch) by rows
    Matrix weight_gradient;                       ///< shape (out, in), put together from the ranks' shards
    std::vector<Matrix> weight_gradient_shards;   ///< rank r's part, as its part of W is
    std::vector<CollectiveCall> collectives;      ///< in the order in which they are called
    ArrayError input_error;                       ///< input_gradient against the whole layer's
    ArrayError weight_error;                      ///< weight_gradient against the whole layer's
};

/// Computes W·x and, from the gradient of the loss with respect to it, those of x and W, over `ranks` ranks.
///
/// By columns the input's gradient is a sum of what each rank's rows of W give: the forward needs nobody and the
/// backward an all-reduce (Megatron's f). By rows it is the other way round (g). A rank's part of W's gradient needs
/// nobody in either.
/// @param output_gradient shape (out, batch)
/// @param forget forward_all_reduce by rows or backward_all_reduce by columns: rank 0's partial sums stand for the sum
/// @throws invalid_argument as tensor_parallel_matmul() does, or naming output_gradient or forget
TensorParallelLinear tensor_parallel_linear(const Matrix& w, const Matrix& x, const Matrix& output_gradient, int ranks,
                                            Split split, std::optional<Mistake> forget = std::nullopt);

/// The two-layer MLP sharded as Megatron-LM does it, forward and backward to its input.
struct TensorParallelMlp {
    Matrix output;                            ///< shape (out, batch)
    Matrix input_gradient;                    ///< shape (in, batch)
    int forward_all_reduces = 0;              ///< 1: the partial outputs of the row-parallel second layer
    int backward_all_reduces = 0;             ///< 1: the partial input gradients of the column-parallel first layer
    double communication_bytes_per_rank = 0;  ///< bytes that the busiest rank sends in both
    double output_max_rel_error = 0;          ///< output against the unsharded MLP
    double input_gradient_max_rel_error = 0;  ///< input gradient against the unsharded MLP
};

/// Computes w2·GELU(w1·x) and the gradient with respect to x, `w1` split by columns and `w2` by rows: GELU acts on
/// whole features, so nothing is sent between the two layers.
/// @param w1 shape (ffn, in)
/// @param w2 shape (out, ffn)
/// @param x shape (in, batch)
/// @param output_gradient gradient of the loss with respect to the output, shape (out, batch)
/// @param ranks world size, 1 to most_ranks
/// @throws invalid_argument naming ranks, w1, w2, x or output_gradient
TensorParallelMlp tensor_parallel_mlp(const Matrix& w1, const Matrix& w2, const Matrix& x,
                                      const Matrix& output_gradient, int ranks);

}  // namespace shardlab
