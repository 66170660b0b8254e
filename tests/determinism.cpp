// The exact routines give the same bits on every platform: the results of seeded runs are hashed, and the hashes are
// written down here. Whoever changes an order of summation changes a hash, and says so.

#include <cstdint>
#include <cstring>
#include <span>

#include <shardlab/collective.hpp>
#include <shardlab/data_parallel.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/tensor_parallel.hpp>
#include <shardlab/zero.hpp>

#include "catch.hpp"

using namespace shardlab;

namespace {

/// The 64-bit FNV-1a hash of Fowler, Noll and Vo over the bytes of doubles, little end first.
class Hash {
public:
    void add(double value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        for (int shift = 0; shift < 64; shift += 8) {
            state_ = (state_ ^ (bits >> shift & 0xFF)) * 0x100000001B3ULL;
        }
    }

    void add(std::span<const double> values) {
        for (const double value : values) {
            add(value);
        }
    }

    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

}  // namespace

TEST_CASE("the hash of no value and of 1 are those of the definition", "[determinism]") {
    Hash hash;
    CHECK(hash.value() == 0xCBF29CE484222325ULL);
    hash.add(1.0);
    CHECK(hash.value() == 0xAAB1693229BA1DB8ULL);
}

TEST_CASE("bits of the random matrices", "[determinism]") {
    Hash hash;
    hash.add(elements(random_matrix(37, 11, 42)));
    CHECK(hash.value() == 0x28499715634249A4ULL);
}

TEST_CASE("bits of the ring and the tree all-reduce", "[determinism]") {
    Hash hash;
    for (const int ranks : {2, 3, 7, 16}) {
        hash.add(elements(ring_all_reduce(random_matrix(ranks, 101, ranks)).buffers));
        Matrix buffers = random_matrix(ranks, 101, ranks);
        execute(binomial_tree_all_reduce_schedule(ranks, 101), buffers);
        hash.add(elements(buffers));
    }
    CHECK(hash.value() == 0x263618185CF24F37ULL);
}

TEST_CASE("bits of the averaged gradient", "[determinism]") {
    Hash hash;
    const GradientAverage average = data_parallel_gradient_average(random_matrix(7, 50, 1));
    hash.add(elements(average.average));
    hash.add(average.max_abs_difference);
    CHECK(hash.value() == 0x1ECC52C900FA70A2ULL);
}

TEST_CASE("bits of the tensor-parallel product", "[determinism]") {
    Hash hash;
    for (const Split split : {Split::column, Split::row}) {
        const TensorParallelMatmul product =
            tensor_parallel_matmul(random_matrix(13, 29, 2), random_matrix(29, 5, 3), 4, split);
        hash.add(elements(product.result));
        hash.add(product.max_rel_error);
    }
    CHECK(hash.value() == 0xB13E1952981230D3ULL);
}

TEST_CASE("bits of the simulated pipeline", "[determinism]") {
    Hash hash;
    const PipelineTimeline timeline = simulate(pipeline_schedule_1f1b(6, 20), {0.1, 0.23, 0.017});
    for (const std::vector<Span>& spans : timeline.spans) {
        for (const Span& span : spans) {
            hash.add(span.start);
            hash.add(span.end);
        }
    }
    hash.add(timeline.bubble_of_total);
    hash.add(timeline.bubble_of_ideal);
    CHECK(hash.value() == 0xBB4BAE03A8781AEEULL);
}

TEST_CASE("bits of the ZeRO memory", "[determinism]") {
    Hash hash;
    for (int stage = 0; stage <= 3; ++stage) {
        hash.add(zero_memory_per_gpu(70553706497.0, 7, stage).total_bytes);
    }
    CHECK(hash.value() == 0x3E6265C735878A66ULL);
}
