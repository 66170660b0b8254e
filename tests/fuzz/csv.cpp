// Any text as a CSV file: a matrix that can be written and read again, or an error that says where.

#include <cstdio>
#include <string>

#include <shardlab/csv.hpp>

#include "fuzz.hpp"

namespace {

std::string written(const shardlab::Matrix& matrix) {
    std::string text;
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            char number[40];
            std::snprintf(number, sizeof number, "%.17g", matrix(i, j));
            text += (j == 0 ? "" : ",") + std::string(number);
        }
        text += '\n';
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const shardlab::Matrix matrix = shardlab::matrix_from_csv(text, "input");
        fuzz::require(matrix.shape(0) > 0 && matrix.shape(1) > 0, "a file that is read has rows and columns");
        fuzz::require_finite(shardlab::elements(matrix));
        const shardlab::Matrix again = shardlab::matrix_from_csv(written(matrix));
        fuzz::require(again.shape() == matrix.shape(), "a matrix keeps its shape when it is written and read");
        fuzz::require_same_bits(shardlab::elements(again), shardlab::elements(matrix));
    } catch (const shardlab::invalid_argument& error) {
        fuzz::require_explained(error, {"input"});
        fuzz::require(!error.value().empty(), "an error has a value");
        fuzz::require_printable_line(error.what());
    }
    return 0;
}
