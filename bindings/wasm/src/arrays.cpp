#include <shardlab/array.hpp>
#include <shardlab/csv.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {

val parse_csv(const val& options) {
    return plain(matrix_from_csv(text(options, "text"), "text"));
}

val random_matrix(const val& options) {
    return plain(shardlab::random_matrix(number(options, "rows"), number(options, "columns"), number(options, "seed")));
}

}  // namespace shardlab::wasm
