#include <shardlab/data_parallel/average.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {

val data_parallel_gradient_average(const val& options) {
    const GradientAverage mean = shardlab::data_parallel_gradient_average(matrix(options, "gradients"));
    val result = val::object();
    result.set("average", copied(elements(mean.average)));
    result.set("serialMean", copied(elements(mean.serial_mean)));
    result.set("maxAbsDifference", mean.max_abs_difference);
    result.set("bytesSentPerRank", copied(mean.ledger.bytes_sent_per_rank()));
    return result;
}

}  // namespace shardlab::wasm
