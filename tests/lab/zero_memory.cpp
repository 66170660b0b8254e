#include <cmath>
#include <string>

#include "catch.hpp"
#include "complaint.hpp"

using lab::ZeroMemory;
using lab_test::Complaint;

namespace {

/// One of the three parts: how many bytes a parameter takes, and from which stage on it is sharded.
struct Part {
    const char* name;
    double ZeroMemory::*bytes;
    double bytes_per_parameter;
    int sharded_from;
};

const Part parts[] = {{"parameter_bytes", &ZeroMemory::parameter_bytes, 2, 3},
                      {"gradient_bytes", &ZeroMemory::gradient_bytes, 2, 2},
                      {"optimizer_bytes", &ZeroMemory::optimizer_bytes, 12, 1}};

std::string setting(double params, int ranks, int stage) {
    return "stage " + std::to_string(stage) + ", " + lab_test::counted(ranks, "rank") + ", " + lab_test::text(params) +
           " parameters: ";
}

Complaint wrong_part(const Part& part, double got, double params, int ranks, int stage) {
    const bool sharded = stage >= part.sharded_from;
    const double expected = part.bytes_per_parameter * params / (sharded ? ranks : 1);
    const Complaint complaint = lab_test::wrong_number(setting(params, ranks, stage) + part.name, got, expected, 1e-12);
    if (complaint.empty()) return {};
    return complaint + ": " + lab_test::text(part.bytes_per_parameter) + " bytes a parameter, " +
           (sharded ? "sharded over the ranks" : "whole on every rank") + " (sharded from stage " +
           std::to_string(part.sharded_from) + " on)";
}

Complaint wrong_memory(double params, int ranks, int stage) {
    const ZeroMemory got = lab::zero_memory_per_gpu(params, ranks, stage);
    double sum = 0;
    for (const Part& part : parts) {
        if (Complaint complaint = wrong_part(part, got.*part.bytes, params, ranks, stage); !complaint.empty()) {
            return complaint;
        }
        sum += got.*part.bytes;
    }
    return lab_test::wrong_number(setting(params, ranks, stage) + "total_bytes", got.total_bytes, sum, 1e-12);
}

}  // namespace

TEST_CASE("lab zero_memory_per_gpu: 16 bytes a parameter where nothing is sharded", "[lab][zero_memory_per_gpu]") {
    REQUIRE_RIGHT(wrong_memory(7.5e9, 64, 0));
    for (int stage = 0; stage <= 3; ++stage) REQUIRE_RIGHT(wrong_memory(7.5e9, 1, stage));
}

TEST_CASE("lab zero_memory_per_gpu: each stage shards one part more", "[lab][zero_memory_per_gpu]") {
    for (int stage = 1; stage <= 3; ++stage) {
        INFO("stage 1 shards the optimizer states, stage 2 the gradients too, stage 3 the weights too");
        for (int ranks : {2, 3, 8, 64, 1000}) REQUIRE_RIGHT(wrong_memory(1e6, ranks, stage));
    }
}

TEST_CASE("lab zero_memory_per_gpu: table 1 of the ZeRO paper", "[lab][zero_memory_per_gpu]") {
    struct Cell {
        double params;
        int ranks;
        int stage;
        double gigabytes;  // as printed
        double last_digit;
    };
    const Cell cells[] = {{7.5e9, 1, 1, 120, 1},       {7.5e9, 4, 1, 52.5, 0.1},    {7.5e9, 4, 2, 41.3, 0.1},
                          {7.5e9, 4, 3, 30, 1},        {7.5e9, 16, 3, 7.5, 0.1},    {7.5e9, 64, 1, 31.4, 0.1},
                          {7.5e9, 64, 2, 16.6, 0.1},   {7.5e9, 64, 3, 1.88, 0.01},  {7.5e9, 256, 2, 15.4, 0.1},
                          {7.5e9, 1024, 2, 15.1, 0.1}, {7.5e9, 1024, 3, 0.12, 0.01}};
    for (const Cell& cell : cells) {
        const double got = lab::zero_memory_per_gpu(cell.params, cell.ranks, cell.stage).total_bytes / 1e9;
        const Complaint complaint = std::abs(got - cell.gigabytes) <= cell.last_digit
                                        ? ""
                                        : setting(cell.params, cell.ranks, cell.stage) + "total_bytes is " +
                                              lab_test::text(got) + " GB, the paper has " +
                                              lab_test::text(cell.gigabytes) + " GB";
        REQUIRE_RIGHT(complaint);
    }
}
