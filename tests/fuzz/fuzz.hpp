#pragma once

// What the fuzzers share: an invariant that must hold, a call that may be refused, and arguments made of bytes.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include <shardlab/array.hpp>
#include <shardlab/errors.hpp>

namespace fuzz {

/// Ends the process where an invariant is broken, so that libFuzzer keeps the input.
void require(bool holds, const char* invariant);

/// Every number must be finite.
void require_finite(std::span<const double> numbers);
void require_finite(std::initializer_list<double> numbers);

/// Two arrays must have the same bits in every element.
void require_same_bits(std::span<const double> a, std::span<const double> b);

/// An error must be whole: a parameter that the function documents, and one sentence of it, a value and a rule.
void require_explained(const shardlab::invalid_argument& error, std::initializer_list<std::string_view> parameters);

/// The text must be one line that a terminal can show.
void require_printable_line(std::string_view text);

/// Calls a function that may refuse its arguments, by one of these parameters and by nothing but invalid_argument.
/// @return its result, or nothing if it refused
template <typename Call>
auto attempt(std::initializer_list<std::string_view> parameters, Call call) -> std::optional<decltype(call())> {
    try {
        return call();
    } catch (const shardlab::invalid_argument& error) {
        require_explained(error, parameters);
        return std::nullopt;
    }
}

/// Whether a function that returns nothing accepts its arguments.
template <typename Call>
bool accepts(std::initializer_list<std::string_view> parameters, Call call) {
    return attempt(parameters,
                   [&] {
                       call();
                       return true;
                   })
        .has_value();
}

/// Arguments made of the fuzzer's bytes: mostly small and legal, sometimes absurd.
class Arguments {
public:
    Arguments(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

    /// A whole number in a range.
    int within(int least, int most) { return bytes_.ConsumeIntegralInRange(least, most); }
    bool flag() { return bytes_.ConsumeBool(); }
    /// Any int: small, at a border, or whatever the bytes say.
    int whole();
    /// Any offset or count: small, near 2^64, or whatever the bytes say.
    std::uint64_t offset();
    /// Any double: small and whole, a fraction, at a border, infinite, not a number, or whatever the bytes say.
    double number();
    /// A few bytes of text, often one of the words.
    std::string text(std::initializer_list<const char*> words);

    /// A matrix of that shape of whole numbers whose sums are exact.
    shardlab::Matrix whole_matrix(int rows, int columns);
    /// A matrix of that shape of any numbers.
    shardlab::Matrix any_matrix(int rows, int columns);
    /// A matrix of up to `most` rows and columns of either kind or of one number; sometimes an empty one with an absurd
    /// side.
    shardlab::Matrix matrix(int most);
    std::vector<double> numbers(int most);

private:
    FuzzedDataProvider bytes_;
};

/// Whether a request is legal but takes more work than a fuzzer has time for; what is not legal costs nothing.
inline bool costly(double work, double most_allowed) {
    constexpr double quick = 4096;
    return work > quick && work <= most_allowed;
}

}  // namespace fuzz
