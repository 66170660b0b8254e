#pragma once

/// @file
/// Values across the border: complete options objects into the core's types, the core's results into plain objects.
///
/// The package's TypeScript has filled in every default and checked that each option is of its kind (a number, a text,
/// a flag, rows of numbers); whether a value makes sense is checked here and in the core. A key stands here as
/// JavaScript writes it, `microBatches`; errors name it as the core does, `micro_batches`.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <emscripten/val.h>

#include <shardlab/array.hpp>
#include <shardlab/transformer.hpp>

namespace shardlab::wasm {

using emscripten::val;

/// An option that is a number.
double number(const val& options, const char* key);

/// An option that is a number, or null where it was left out.
std::optional<double> optional_number(const val& options, const char* key);

/// An option that is a whole number.
/// @throws invalid_argument naming the option, for a fraction, NaN, or a number outside least to most
int integer(const val& options, const char* key, int least, int most = 2147483647);

/// An option that is a whole number of at least 1, or null where it was left out.
/// @throws invalid_argument as integer() does
std::optional<int> optional_integer(const val& options, const char* key);

/// An option that is true or false.
bool flag(const val& options, const char* key);

/// An option that is a text.
std::string text(const val& options, const char* key);

/// An option that is a text, or nothing where it is null.
std::optional<std::string> optional_text(const val& options, const char* key);

/// An option that is a list of numbers; none where it is null.
/// @throws invalid_argument as matrix() does
std::vector<double> optional_numbers(const val& options, const char* key);

/// An option that is a matrix: its shape (rows, columns) and `parts`, typed arrays that fill it one after the other.
/// @throws invalid_argument naming the option, before it allocates, if the matrix has more than largest_array elements
Matrix matrix(const val& options, const char* key);

/// An option that is a model's configuration: an object of numbers, texts, flags and lists of numbers, and null for
/// what is nested; nothing where the option itself is null.
std::optional<ModelConfig> optional_config(const val& options, const char* key);

/// @name Typed arrays that JavaScript owns: copies, never views of a memory that may grow.
/// @{
val copied(std::span<const double> values);
val copied(std::span<const std::int32_t> values);
val copied(std::span<const std::uint8_t> values);
/// @}

/// A matrix as {rows, columns, data}.
val plain(const Matrix& matrix);

/// Matrices as an array of {rows, columns, data}.
val plain(const std::vector<Matrix>& matrices);

/// An array of what `plain` makes of each item.
template <typename Items, typename Plain>
val listed(const Items& items, Plain plain) {
    val list = val::array();
    for (const auto& item : items) {
        list.call<void>("push", plain(item));
    }
    return list;
}

/// A value, or null for none.
template <typename Value>
val or_null(const std::optional<Value>& value) {
    return value ? val(*value) : val::null();
}

/// Sentences or names.
val plain_texts(const std::vector<std::string>& texts);

/// What a routine gives in place of a result: {error: {parameter, value, rule}}.
val failure(const std::string& parameter, const std::string& value, const std::string& rule);

/// Runs a routine and turns every exception of C++ into a failure(), since none may cross into JavaScript.
val guarded(val (*routine)(const val& options), const val& options);

}  // namespace shardlab::wasm
