#include "fuzz.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace fuzz {

void require(bool holds, const char* invariant) {
    if (!holds) {
        std::fprintf(stderr, "Broken: %s\n", invariant);
        std::abort();
    }
}

void require_finite(std::span<const double> numbers) {
    for (const double number : numbers) {
        require(std::isfinite(number), "results are finite");
    }
}

void require_finite(std::initializer_list<double> numbers) {
    require_finite(std::span<const double>(numbers.begin(), numbers.size()));
}

void require_same_bits(std::span<const double> a, std::span<const double> b) {
    require(a.size() == b.size(), "arrays that should be equal have one size");
    require(a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0, "arrays have the same bits");
}

void require_explained(const shardlab::invalid_argument& error, std::initializer_list<std::string_view> parameters) {
    const bool documented = std::find(parameters.begin(), parameters.end(), error.parameter()) != parameters.end();
    const std::string value = error.value().empty() ? "empty" : error.value();
    const std::string sentence = error.parameter() + " is " + value + "; it must " + error.rule();
    // A value may be any text, and what() ends where a zero byte stands in it.
    const bool whole = !error.rule().empty() && std::strcmp(error.what(), sentence.c_str()) == 0;
    if (!documented || !whole) {
        std::fprintf(stderr, "The error: \"%s\"\n", error.what());
    }
    require(documented, "an error names one of the function's documented parameters");
    require(whole, "an error is one sentence of parameter, value and rule");
}

void require_printable_line(std::string_view text) {
    require(std::all_of(text.begin(), text.end(), [](char character) { return character >= ' ' && character <= '~'; }),
            "a message is one line of printable characters");
}

int Arguments::whole() {
    constexpr int most = std::numeric_limits<int>::max();
    constexpr int least = std::numeric_limits<int>::min();
    switch (within(0, 3)) {
        case 0:
            return bytes_.PickValueInArray(
                {least, least + 1, -1, 1023, 1024, 1025, 65535, 65536, 65537, 1 << 24, 1 << 30, most / 4, most});
        case 1:
            return bytes_.ConsumeIntegral<int>();
        default:
            return within(0, 17);
    }
}

std::uint64_t Arguments::offset() {
    switch (within(0, 7)) {
        case 0:
            return bytes_.ConsumeIntegral<std::uint64_t>();
        case 1:
            return std::numeric_limits<std::uint64_t>::max() - bytes_.ConsumeIntegral<std::uint8_t>();
        default:
            return bytes_.ConsumeIntegralInRange<std::uint64_t>(0, 18);
    }
}

double Arguments::number() {
    using limits = std::numeric_limits<double>;
    switch (within(0, 7)) {
        case 0:
            return bytes_.PickValueInArray({-0.0,
                                            -1.0,
                                            0.5,
                                            0.99e-15,
                                            1e9,
                                            1e12,
                                            1e15,
                                            1e18,
                                            2147483647.0,
                                            2147483648.0,
                                            shardlab::largest_array,
                                            shardlab::largest_count,
                                            shardlab::largest_count + 2,
                                            18446744073709551616.0,
                                            1e300,
                                            limits::max(),
                                            limits::lowest(),
                                            limits::min(),
                                            limits::denorm_min(),
                                            limits::infinity(),
                                            -limits::infinity(),
                                            limits::quiet_NaN()});
        case 1: {
            const auto bits = bytes_.ConsumeIntegral<std::uint64_t>();
            double number = 0;
            std::memcpy(&number, &bits, sizeof number);
            return number;
        }
        case 2:
            return within(1, 65535) / 1000.0;
        case 3:
            return (flag() ? limits::max() : limits::lowest()) / within(1, 9);
        case 4:
            return 1e-15 * within(1, 9);
        default:
            return within(0, 17);
    }
}

std::string Arguments::text(std::initializer_list<const char*> words) {
    const auto choice = static_cast<std::size_t>(within(0, static_cast<int>(words.size())));
    return choice < words.size() ? words.begin()[choice] : bytes_.ConsumeRandomLengthString(8);
}

shardlab::Matrix Arguments::whole_matrix(int rows, int columns) {
    shardlab::Matrix matrix = shardlab::zeros("matrix", rows, columns);
    for (double& element : matrix) {
        element = bytes_.ConsumeIntegral<std::int8_t>();
    }
    return matrix;
}

shardlab::Matrix Arguments::any_matrix(int rows, int columns) {
    shardlab::Matrix matrix = shardlab::zeros("matrix", rows, columns);
    for (double& element : matrix) {
        element = number();
    }
    return matrix;
}

shardlab::Matrix Arguments::matrix(int most) {
    const int rows = within(0, most);
    const int columns = within(0, most);
    switch (within(0, 7)) {
        case 0: {
            const std::size_t absurd = std::size_t{1} << static_cast<unsigned>(within(11, 62));
            using Shape = shardlab::Matrix::shape_type;
            return shardlab::Matrix(flag() ? Shape{absurd, 0} : Shape{0, absurd});
        }
        case 1:
            // Equal numbers add up to what no number alone is.
            return shardlab::Matrix(
                shardlab::Matrix::shape_type{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)},
                number());
        case 2:
            return any_matrix(rows, columns);
        default:
            return whole_matrix(rows, columns);
    }
}

std::vector<double> Arguments::numbers(int most) {
    std::vector<double> list(static_cast<std::size_t>(within(0, most)));
    for (double& element : list) {
        element = number();
    }
    return list;
}

}  // namespace fuzz
