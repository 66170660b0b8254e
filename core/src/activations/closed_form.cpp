#include <string>

#include <shardlab/activations/closed_form.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {
namespace {

void require_shape(const ActivationShape& shape) {
    require_int("sequence", shape.sequence, 1);
    require_int("micro_batch", shape.micro_batch, 1);
    require_int("hidden", shape.hidden, 1);
    require_int("heads", shape.heads, 1);
    require_int("tp", shape.tp, 1);
    if (shape.heads % shape.tp != 0) {
        throw invalid_argument("heads", std::to_string(shape.heads),
                               "be a multiple of tp, which is " + std::to_string(shape.tp));
    }
}

}  // namespace

double activation_memory_bytes(const ActivationShape& shape) {
    require_shape(shape);
    const double tp = shape.tp;
    const double sbh = static_cast<double>(shape.sequence) * shape.micro_batch * shape.hidden;

    if (shape.recompute == Recomputation::full) {
        return 2 * sbh;
    }
    // 10 of the 34 bytes are the inputs and masks of LayerNorm and dropout and the inputs of the two linear layers,
    // which tensor parallelism alone leaves whole on every rank. Each term is divided once, so that whole numbers of
    // bytes stay whole.
    const double linear = shape.sequence_parallel ? 34 * sbh / tp : 10 * sbh + 24 * sbh / tp;
    const double scores = 5.0 * shape.heads * shape.sequence * shape.sequence * shape.micro_batch / tp;
    return linear + (shape.recompute == Recomputation::selective ? 0 : scores);
}

double activation_memory_bytes(const ActivationShape& shape, int layers, int in_flight) {
    require_int("layers", layers, 1);
    require_int("in_flight", in_flight, 1);
    return activation_memory_bytes(shape) * layers * in_flight;
}

}  // namespace shardlab
