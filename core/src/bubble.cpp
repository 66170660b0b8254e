#include <shardlab/bubble.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {

double pipeline_bubble_fraction(int stages, int micro_batches) {
    return interleaved_bubble_fraction(stages, micro_batches, 1);
}

double interleaved_bubble_fraction(int stages, int micro_batches, int chunks) {
    require_int("stages", stages, 1);
    require_int("micro_batches", micro_batches, 1);
    require_int("chunks", chunks, 1);
    const double waiting = stages - 1.0;
    return waiting / (static_cast<double>(chunks) * micro_batches + waiting);
}

}  // namespace shardlab
