#include <string>

#include "catch.hpp"
#include "complaint.hpp"

using lab_test::counted;

namespace {

/// What a fraction is mistaken for when idle time is divided by the time of work.
lab_test::Complaint wrong_fraction(const std::string& of, double got, int idle, int work) {
    const double expected = static_cast<double>(idle) / (work + idle);
    const auto complaint = lab_test::wrong_number("the bubble of " + of, got, expected, 1e-14);
    if (complaint.empty()) return {};
    const auto fraction = " (" + std::to_string(idle) + "/" + std::to_string(work + idle) + ")";
    const bool of_ideal = lab_test::wrong_number("", got, static_cast<double>(idle) / work, 1e-14).empty();
    return complaint + fraction + (of_ideal ? ": this is idle time over the time of work, not over all time" : "");
}

lab_test::Complaint wrong_plain(int stages, int micro_batches) {
    return wrong_fraction(counted(stages, "stage") + " and " + counted(micro_batches, "micro-batch", "es"),
                          lab::pipeline_bubble_fraction(stages, micro_batches), stages - 1, micro_batches);
}

lab_test::Complaint wrong_interleaved(int stages, int micro_batches, int chunks) {
    return wrong_fraction(counted(stages, "stage") + ", " + counted(micro_batches, "micro-batch", "es") + " and " +
                              counted(chunks, "chunk") + " a device",
                          lab::interleaved_bubble_fraction(stages, micro_batches, chunks), stages - 1,
                          chunks * micro_batches);
}

}  // namespace

TEST_CASE("lab pipeline_bubble_fraction: 8 stages and 4 micro-batches idle 7 of 11 slots",
          "[lab][pipeline_bubble_fraction]") {
    REQUIRE_RIGHT(wrong_plain(8, 4));
}

TEST_CASE("lab pipeline_bubble_fraction: is P - 1 over M + P - 1 for all small pipelines",
          "[lab][pipeline_bubble_fraction]") {
    for (int stages = 1; stages <= 16; ++stages) {
        for (int micro_batches = 1; micro_batches <= 32; ++micro_batches) {
            REQUIRE_RIGHT(wrong_plain(stages, micro_batches));
        }
    }
}

TEST_CASE("lab interleaved_bubble_fraction: 4 stages and 8 micro-batches and 2 chunks idle 3 of 19 slots",
          "[lab][interleaved_bubble_fraction]") {
    REQUIRE_RIGHT(wrong_interleaved(4, 8, 2));
}

TEST_CASE("lab interleaved_bubble_fraction: is P - 1 over V M + P - 1 for all small pipelines",
          "[lab][interleaved_bubble_fraction]") {
    for (int stages = 1; stages <= 8; ++stages) {
        for (int micro_batches = stages; micro_batches <= 4 * stages; micro_batches += stages) {
            for (int chunks = 1; chunks <= 6; ++chunks) REQUIRE_RIGHT(wrong_interleaved(stages, micro_batches, chunks));
        }
    }
}
