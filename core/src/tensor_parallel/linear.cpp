#include <string>
#include <utility>

#include <shardlab/errors.hpp>
#include <shardlab/tensor_parallel/linear.hpp>

#include "group.hpp"
#include "products.hpp"
#include "shards.hpp"

namespace shardlab {
namespace {

using namespace tensor_parallel;

/// The call of the all-reduce of partial sums.
CollectiveCall all_reduce_call(Pass pass, const char* tensor, int ranks, const Matrix& sum) {
    return ring_call(Kind::all_reduce, pass, tensor, ranks, static_cast<double>(sum.size()), sizeof(double));
}

void multiply_columns(const Matrix& w, const Matrix& x, int ranks, TensorParallelMatmul& sharded) {
    for (int rank = 0; rank < ranks; ++rank) {
        sharded.weight_shards.push_back(copy_of(row_shard(w, ranks, rank)));
        sharded.partial_outputs.push_back(finite_product(sharded.weight_shards.back(), x, "w"));
    }
    sharded.result = stacked(sharded.partial_outputs);
}

void multiply_rows(const Matrix& w, const Matrix& x, int ranks, bool forgets, TensorParallelMatmul& sharded) {
    for (int rank = 0; rank < ranks; ++rank) {
        sharded.weight_shards.push_back(copy_of(column_shard(w, ranks, rank)));
        sharded.partial_outputs.push_back(finite_product(sharded.weight_shards.back(), row_shard(x, ranks, rank), "w"));
    }
    if (forgets) {
        sharded.result = sharded.partial_outputs.front();
        return;
    }
    ReducedSum reduced = all_reduced(sharded.partial_outputs, "w");
    sharded.result = std::move(reduced.sum);
    sharded.communication_bytes_per_rank = reduced.busiest_rank_bytes;
}

TensorParallelMatmul multiplied(const Matrix& w, const Matrix& x, int ranks, Split split, bool forgets) {
    TensorParallelMatmul sharded;
    if (split == Split::column) {
        multiply_columns(w, x, ranks, sharded);
    } else {
        multiply_rows(w, x, ranks, forgets, sharded);
    }
    const Matrix whole = finite_product(w, x, "w");
    sharded.max_abs_error = max_abs_difference(elements(sharded.result), elements(whole));
    sharded.max_rel_error = relative_error(elements(sharded.result), elements(whole));
    return sharded;
}

/// Checks what a sharded product is given.
/// @param sums_everywhere whether every rank holds partial sums of the whole output
void require_product(const Matrix& w, const Matrix& x, int ranks, bool sums_everywhere) {
    require_int("ranks", ranks, 1, most_ranks);
    require_matrix("w", w);
    require_matrix("x", x);
    require_rows("x", x, w.shape(1), "w has columns");
    require_feasible("w", static_cast<double>(w.shape(0)), static_cast<double>(w.shape(1)),
                     static_cast<double>(x.shape(1)), sums_everywhere ? ranks : 1);
}

void require_output_gradient(const Matrix& w, const Matrix& x, const Matrix& output_gradient) {
    require_matrix("output_gradient", output_gradient);
    require_rows("output_gradient", output_gradient, w.shape(0), "w has rows");
    if (output_gradient.shape(1) != x.shape(1)) {
        throw invalid_argument(
            "output_gradient",
            std::to_string(output_gradient.shape(0)) + " x " + std::to_string(output_gradient.shape(1)),
            "have as many columns as x, which is " + std::to_string(x.shape(1)));
    }
}

void require_forgettable(Split split, int ranks, std::optional<Mistake> forget) {
    if (forget && ranks == 1) {
        throw invalid_argument("forget", name(*forget), "stand with more than one rank");
    }
    const Mistake possible = split == Split::row ? Mistake::forward_all_reduce : Mistake::backward_all_reduce;
    if (forget && *forget != possible) {
        throw invalid_argument("forget", name(*forget),
                               std::string("be ") + name(possible) + ", the one collective of this split");
    }
}

/// Each rank's rows of the output's gradient meet its rows of W: partial sums of the input's gradient.
void go_back_by_columns(const Matrix& x, const Matrix& output_gradient, int ranks, bool forgets,
                        TensorParallelLinear& layer) {
    for (int rank = 0; rank < ranks; ++rank) {
        const MatrixView<double> own = row_shard(output_gradient, ranks, rank);
        const Matrix& w = layer.forward.weight_shards[static_cast<std::size_t>(rank)];
        layer.partial_input_gradients.push_back(finite_product(transposed(view(w)), own, "output_gradient"));
        layer.weight_gradient_shards.push_back(finite_product(own, transposed(view(x)), "output_gradient"));
    }
    layer.weight_gradient = stacked(layer.weight_gradient_shards);
    layer.input_gradient =
        forgets ? layer.partial_input_gradients.front() : all_reduced(layer.partial_input_gradients, "w").sum;
    if (!forgets && ranks > 1) {
        layer.collectives.push_back(all_reduce_call(Pass::backward, "input gradient", ranks, layer.input_gradient));
    }
}

/// Every rank has the output's gradient, and W's columns give the gradient of the rank's own inputs.
void go_back_by_rows(const Matrix& x, const Matrix& output_gradient, int ranks, TensorParallelLinear& layer) {
    for (int rank = 0; rank < ranks; ++rank) {
        const Matrix& w = layer.forward.weight_shards[static_cast<std::size_t>(rank)];
        const MatrixView<double> own = row_shard(x, ranks, rank);
        layer.partial_input_gradients.push_back(
            finite_product(transposed(view(w)), output_gradient, "output_gradient"));
        layer.weight_gradient_shards.push_back(finite_product(output_gradient, transposed(own), "output_gradient"));
    }
    layer.input_gradient = stacked(layer.partial_input_gradients);
    layer.weight_gradient = side_by_side(layer.weight_gradient_shards);
}

ArrayError error_of(const char* name, const Matrix& sharded, const Matrix& whole) {
    return {.name = name,
            .max_abs = max_abs_difference(elements(sharded), elements(whole)),
            .max_rel = relative_error(elements(sharded), elements(whole))};
}

}  // namespace

Split split_from_name(std::string_view name) {
    if (name == "column") {
        return Split::column;
    }
    if (name == "row") {
        return Split::row;
    }
    throw invalid_argument("split", std::string(name), "be column or row");
}

TensorParallelMatmul tensor_parallel_matmul(const Matrix& w, const Matrix& x, int ranks, Split split) {
    require_product(w, x, ranks, split == Split::row);
    return multiplied(w, x, ranks, split, false);
}

TensorParallelLinear tensor_parallel_linear(const Matrix& w, const Matrix& x, const Matrix& output_gradient, int ranks,
                                            Split split, std::optional<Mistake> forget) {
    require_product(w, x, ranks, split == Split::row);
    require_output_gradient(w, x, output_gradient);
    require_feasible("w", static_cast<double>(w.shape(1)), static_cast<double>(w.shape(0)),
                     static_cast<double>(x.shape(1)), split == Split::column ? ranks : 1);
    require_forgettable(split, ranks, forget);

    TensorParallelLinear layer;
    layer.forward = multiplied(w, x, ranks, split, forget.has_value());
    if (split == Split::row && !forget && ranks > 1) {
        layer.collectives.push_back(all_reduce_call(Pass::forward, "output", ranks, layer.forward.result));
    }
    if (split == Split::column) {
        go_back_by_columns(x, output_gradient, ranks, forget.has_value(), layer);
    } else {
        go_back_by_rows(x, output_gradient, ranks, layer);
    }
    layer.input_error = error_of("input", layer.input_gradient,
                                 finite_product(transposed(view(w)), output_gradient, "output_gradient"));
    layer.weight_error = error_of("weight", layer.weight_gradient,
                                  finite_product(output_gradient, transposed(view(x)), "output_gradient"));
    return layer;
}

}  // namespace shardlab
