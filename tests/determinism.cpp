// The exact routines give the same bits on every platform: the results of seeded runs are hashed, and the hashes are
// written down here. Whoever changes an order of summation changes a hash, and says so.

#include "catch.hpp"
#include "exact_bits.hpp"

TEST_CASE("the hash of no value and of 1 are those of the definition", "[determinism]") {
    exact_bits::Hash hash;
    CHECK(hash.value() == 0xCBF29CE484222325ULL);
    hash.add(1.0);
    CHECK(hash.value() == 0xAAB1693229BA1DB8ULL);
}

TEST_CASE("bits of the random matrices", "[determinism]") {
    CHECK(exact_bits::random_matrices() == 0x28499715634249A4ULL);
}

TEST_CASE("bits of the ring and the tree all-reduce", "[determinism]") {
    CHECK(exact_bits::all_reduces() == 0x263618185CF24F37ULL);
}

TEST_CASE("bits of every all-reduce in float32 and float64, and of its price", "[determinism]") {
    CHECK(exact_bits::algorithms_and_precisions() == 0x2C81EE5270E8AD7AULL);
}

TEST_CASE("bits of the averaged gradient", "[determinism]") {
    CHECK(exact_bits::averaged_gradient() == 0x1ECC52C900FA70A2ULL);
}

TEST_CASE("bits of the data-parallel training", "[determinism]") {
    CHECK(exact_bits::data_parallel_training() == 0xE48A1F456ACD7144ULL);
}

TEST_CASE("bits of the tensor-parallel product", "[determinism]") {
    CHECK(exact_bits::tensor_parallel_product() == 0xB13E1952981230D3ULL);
}

TEST_CASE("bits of the simulated pipeline", "[determinism]") {
    CHECK(exact_bits::simulated_pipeline() == 0x1DC1B82F083FFED4ULL);
}

TEST_CASE("bits of the ZeRO memory", "[determinism]") {
    CHECK(exact_bits::zero_memory() == 0x3E6265C735878A66ULL);
}
