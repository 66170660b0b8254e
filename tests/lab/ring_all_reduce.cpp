#include <cmath>
#include <cstring>

#include "catch.hpp"
#include "complaint.hpp"
#include "inputs.hpp"

using lab::Buffers;
using lab::RingAllReduce;
using lab::Tensor;
using lab_test::Complaint;
using lab_test::text;

namespace {

std::string shape_text(const Buffers& buffers) {
    return lab_test::counted(static_cast<double>(buffers.size()), "rank") + ", " +
           lab_test::counted(static_cast<double>(buffers.front().size()), "element") + " each";
}

/// Element `e` of every rank's tensor.
std::vector<double> parts_of(const Buffers& inputs, std::size_t e) {
    std::vector<double> parts;
    for (const Tensor& tensor : inputs) parts.push_back(tensor[e]);
    return parts;
}

/// The sum as the ring makes it: chunk c starts at rank c, and each next rank adds its own.
double ring_sum(const std::vector<double>& parts, int first_rank) {
    const auto ranks = parts.size();
    double sum = parts[static_cast<std::size_t>(first_rank)];
    for (std::size_t i = 1; i < ranks; ++i) sum += parts[(static_cast<std::size_t>(first_rank) + i) % ranks];
    return sum;
}

std::string place(std::size_t rank, std::size_t element, int chunk) {
    return "rank " + std::to_string(rank) + ", element " + std::to_string(element) + " (chunk " +
           std::to_string(chunk) + ")";
}

Complaint wrong_shape(const Buffers& got, const Buffers& inputs) {
    if (got.size() != inputs.size()) {
        return "buffers has " + std::to_string(got.size()) + " tensors, must have one for each of " +
               std::to_string(inputs.size()) + " ranks";
    }
    for (std::size_t r = 0; r < got.size(); ++r) {
        if (got[r].size() == inputs[r].size()) continue;
        return "rank " + std::to_string(r) + ": the tensor has " + std::to_string(got[r].size()) +
               " elements, must have " + std::to_string(inputs[r].size());
    }
    return {};
}

/// The first rank and element that does not hold the sum that the ring makes, bit for bit.
Complaint wrong_sum(const Buffers& got, const Buffers& inputs) {
    if (Complaint shape = wrong_shape(got, inputs); !shape.empty()) return shape;
    const std::size_t elements = inputs.front().size();
    for (std::size_t r = 0; r < got.size(); ++r) {
        for (std::size_t e = 0; e < elements; ++e) {
            const int chunk = lab_test::chunk_of(elements, static_cast<int>(got.size()), e).index;
            const auto parts = parts_of(inputs, e);
            const double expected = ring_sum(parts, chunk);
            if (got[r][e] == expected) continue;
            const std::string why = lab_test::explain_sum(got[r][e], parts);
            return place(r, e, chunk) + ": is " + text(got[r][e]) + ", must be " + text(expected) +
                   (why.empty() ? "" : ": " + why);
        }
    }
    return {};
}

/// The first element whose bits differ from rank 0's.
Complaint different_bits(const Buffers& got) {
    const std::size_t elements = got.front().size();
    for (std::size_t r = 1; r < got.size(); ++r) {
        for (std::size_t e = 0; e < elements; ++e) {
            if (std::memcmp(&got[r][e], &got[0][e], sizeof(double)) == 0) continue;
            const int chunk = lab_test::chunk_of(elements, static_cast<int>(got.size()), e).index;
            return place(r, e, chunk) + ": is " + text(got[r][e]) + ", but rank 0 has " + text(got[0][e]) +
                   ": in the all-gather the whole sum must be copied, not added up anew";
        }
    }
    return {};
}

/// The first element that is further from the sum than rounding takes it.
Complaint wrong_rounded_sum(const Buffers& got, const Buffers& inputs) {
    if (Complaint shape = wrong_shape(got, inputs); !shape.empty()) return shape;
    const std::size_t elements = inputs.front().size();
    for (std::size_t r = 0; r < got.size(); ++r) {
        for (std::size_t e = 0; e < elements; ++e) {
            const int chunk = lab_test::chunk_of(elements, static_cast<int>(got.size()), e).index;
            const auto parts = parts_of(inputs, e);
            const double expected = ring_sum(parts, chunk);
            // Each input is below 1, so is each rounding error below 2^-52 times the number of ranks.
            const double tolerance = 0x1p-52 * std::pow(static_cast<double>(parts.size()), 2);
            if (std::abs(got[r][e] - expected) <= tolerance) continue;
            return place(r, e, chunk) + ": is " + text(got[r][e]) + ", must be " + text(expected);
        }
    }
    return {};
}

/// Bytes that rank r sends: every chunk but (r + 1) in the reduce-scatter, and every chunk but (r + 2) in the
/// all-gather.
double bytes_sent(std::size_t elements, int ranks, int rank) {
    if (ranks == 1) return 0;
    const std::size_t kept = lab_test::chunk(elements, ranks, (rank + 1) % ranks).count +
                             lab_test::chunk(elements, ranks, (rank + 2) % ranks).count;
    return 8.0 * static_cast<double>(2 * elements - kept);
}

Complaint wrong_bytes(const RingAllReduce& got, const Buffers& inputs) {
    if (got.bytes_sent_per_rank.size() != inputs.size()) {
        return "bytes_sent_per_rank has " + std::to_string(got.bytes_sent_per_rank.size()) +
               " numbers, must have one for each of " + std::to_string(inputs.size()) + " ranks";
    }
    const std::size_t elements = inputs.front().size();
    const int ranks = static_cast<int>(inputs.size());
    for (int r = 0; r < ranks; ++r) {
        const double bytes = got.bytes_sent_per_rank[static_cast<std::size_t>(r)];
        const double expected = bytes_sent(elements, ranks, r);
        if (bytes == expected) continue;
        return "rank " + std::to_string(r) + ": sent " + text(bytes) + " bytes, must send " + text(expected) +
               ": each chunk but one in the reduce-scatter, and each but one in the all-gather, at 8 bytes an element";
    }
    return {};
}

/// Rank r holds 10^r in every element, so that the digits of a sum show whose contributions are in it.
Buffers powers_of_ten(int ranks, std::size_t elements) {
    Buffers buffers;
    double power = 1;
    for (int r = 0; r < ranks; ++r, power *= 10) buffers.emplace_back(elements, power);
    return buffers;
}

}  // namespace

TEST_CASE("lab ring_all_reduce: four ranks that hold 1 and 10 and 100 and 1000 all get 1111",
          "[lab][ring_all_reduce]") {
    const Buffers inputs = powers_of_ten(4, 8);
    REQUIRE_RIGHT(wrong_sum(lab::ring_all_reduce(inputs).buffers, inputs));
}

TEST_CASE("lab ring_all_reduce: one rank keeps its tensor and takes no step", "[lab][ring_all_reduce]") {
    const Buffers inputs{{3, 1, 4, 1, 5}};
    const RingAllReduce got = lab::ring_all_reduce(inputs);
    REQUIRE_RIGHT(wrong_sum(got.buffers, inputs));
    REQUIRE_RIGHT(lab_test::wrong_number("the number of steps of 1 rank", got.steps, 0));
    REQUIRE_RIGHT(wrong_bytes(got, inputs));
}

TEST_CASE("lab ring_all_reduce: sizes that the ranks do not divide", "[lab][ring_all_reduce]") {
    const std::size_t elements = GENERATE(73U, 3U, 1U, 0U);
    const Buffers inputs = powers_of_ten(4, elements);
    INFO(shape_text(inputs));
    const RingAllReduce got = lab::ring_all_reduce(inputs);
    REQUIRE_RIGHT(wrong_sum(got.buffers, inputs));
    REQUIRE_RIGHT(wrong_bytes(got, inputs));
}

TEST_CASE("lab ring_all_reduce: whole numbers are summed bit for bit in any shape", "[lab][ring_all_reduce]") {
    lab_test::Random random(1);
    for (int round = 0; round < 300; ++round) {
        const int ranks = random.integer(1, round < 270 ? 9 : 64);
        const Buffers inputs = random.integers(ranks, random.integer(1, 100), 1000000);
        const Buffers before = inputs;
        INFO(shape_text(inputs));
        const RingAllReduce got = lab::ring_all_reduce(inputs);
        REQUIRE_RIGHT(wrong_sum(got.buffers, inputs));
        REQUIRE_RIGHT(inputs == before ? "" : "the input was changed: work on a copy of buffers");
    }
}

TEST_CASE("lab ring_all_reduce: every rank ends with the same bits", "[lab][ring_all_reduce]") {
    lab_test::Random random(2);
    for (int ranks = 2; ranks <= 12; ++ranks) {
        const Buffers inputs = random.reals(ranks, random.integer(1, 60));
        INFO(shape_text(inputs));
        const RingAllReduce got = lab::ring_all_reduce(inputs);
        REQUIRE_RIGHT(wrong_rounded_sum(got.buffers, inputs));
        REQUIRE_RIGHT(different_bits(got.buffers));
    }
}

TEST_CASE("lab ring_all_reduce: each chunk is added up along the ring from the rank of its own number",
          "[lab][ring_all_reduce]") {
    // 1e16 + 1 is 1e16 in double, so the order of the additions decides what is left of the small number.
    const Buffers inputs{{1e16, 1e16, 1e16, 1e16}, {1, 1, 1, 1}, {-1e16, -1e16, -1e16, -1e16}, {1, 1, 1, 1}};
    INFO(
        "chunk c is sent by rank c first and added by rank c + 1 and then rank c + 2 and so on, which is not the same "
        "as adding from rank 0 for every chunk");
    REQUIRE_RIGHT(wrong_sum(lab::ring_all_reduce(inputs).buffers, inputs));

    lab_test::Random random(5);
    const Buffers reals = random.reals(7, 50);
    REQUIRE_RIGHT(wrong_sum(lab::ring_all_reduce(reals).buffers, reals));
}

TEST_CASE("lab ring_all_reduce: takes twice N - 1 steps", "[lab][ring_all_reduce]") {
    for (int ranks = 2; ranks <= 16; ++ranks) {
        const Buffers inputs = powers_of_ten(ranks, 3);
        REQUIRE_RIGHT(lab_test::wrong_number("the number of steps of " + lab_test::counted(ranks, "rank"),
                                             lab::ring_all_reduce(inputs).steps, 2 * (ranks - 1)));
    }
}

TEST_CASE("lab ring_all_reduce: each rank sends twice its tensor less an Nth where N divides it",
          "[lab][ring_all_reduce]") {
    for (int ranks = 2; ranks <= 16; ++ranks) {
        const auto elements = static_cast<std::size_t>(ranks) * 6;
        const Buffers inputs = powers_of_ten(ranks, elements);
        INFO(shape_text(inputs));
        const RingAllReduce got = lab::ring_all_reduce(inputs);
        REQUIRE_RIGHT(wrong_bytes(got, inputs));
        const double tensor_bytes = 8.0 * static_cast<double>(elements);
        CHECK(got.bytes_sent_per_rank.front() == 2 * tensor_bytes * (ranks - 1) / ranks);
    }
}
