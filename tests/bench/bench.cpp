// Measures the core against its budgets and prints one line a figure: `name<TAB>value`. The same source runs natively
// and under Node; report.mjs sets the two side by side. Rates are ratios to something measured in the same run, or
// counts per second; nothing here passes or fails.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <shardlab/collective.hpp>
#include <shardlab/footprint.hpp>
#include <shardlab/matmul.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/transformer.hpp>

#include "peer.hpp"

using namespace shardlab;

namespace {

constexpr int rounds = 7;
// WebAssembly is compiled again, better, while it runs; what comes before that is not counted.
constexpr int warm_up_rounds = 5;

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void print(const std::string& name, double value) {
    std::printf("%s\t%.6g\n", name.c_str(), value);
}

/// Moves what a ring all-reduce moves, chunk by chunk, by the shortest loops there are: an addition for the first half,
/// memcpy for the second.
void plain_move(Matrix& buffers) {
    const std::size_t ranks = buffers.shape(0);
    const std::size_t count = buffers.shape(1) / ranks;
    for (std::size_t step = 0; step + 1 < ranks; ++step) {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const double* from = row(buffers, rank).data() + step * count;
            double* to = row(buffers, (rank + 1) % ranks).data() + step * count;
            for (std::size_t i = 0; i < count; ++i) {
                to[i] += from[i];
            }
        }
    }
    for (std::size_t step = 0; step + 1 < ranks; ++step) {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            std::memcpy(row(buffers, (rank + 1) % ranks).data() + step * count,
                        row(buffers, rank).data() + step * count, count * sizeof(double));
        }
    }
}

void measure_ring(const char* ratio_name, const char* rate_name, int ranks, double elements) {
    Matrix buffers = random_matrix(ranks, elements, 1);
    const CollectiveSchedule schedule = ring_all_reduce_schedule(ranks, elements);
    const double bytes_moved = ledger(schedule).elements_moved() * sizeof(double);
    std::vector<double> ratios;
    std::vector<double> rates;
    for (int round = -warm_up_rounds; round < rounds; ++round) {
        const double ring = seconds_of([&] { execute(schedule, buffers); });
        const double plain = seconds_of([&] { plain_move(buffers); });
        if (round < 0) {
            continue;
        }
        ratios.push_back(plain / ring);
        rates.push_back(bytes_moved / ring);
    }
    print(ratio_name, median(ratios));
    print(rate_name, median(rates));
}

/// The ledger and the price of the largest ring: two million transfers, each made twice.
void measure_pricing(const char* name) {
    const Links links{.intra = {2e-6, 450e9}, .inter = {5e-6, 50e9}, .per_node = 8};
    std::vector<double> milliseconds;
    for (int round = -warm_up_rounds; round < rounds; ++round) {
        const double seconds = seconds_of([&] {
            const CollectiveSchedule schedule = ring_all_reduce_schedule(most_ranks, 1e9);
            ledger(schedule, 4);
            price_seconds(schedule, links, 4);
        });
        if (round >= 0) {
            milliseconds.push_back(1e3 * seconds);
        }
    }
    print(name, median(milliseconds));
}

void measure_pipeline(const char* name, int stages, int micro_batches) {
    const PipelineSchedule schedule = pipeline_schedule_1f1b(stages, micro_batches);
    const double operations = 2.0 * stages * micro_batches;
    std::vector<double> rates;
    for (int round = -warm_up_rounds; round < rounds; ++round) {
        const double rate = operations / seconds_of([&] { simulate(schedule, PipelineCosts{}); });
        if (round >= 0) {
            rates.push_back(rate);
        }
    }
    print(name, median(rates));
}

/// A large model's memory on 512 cards; its schedule is simulated once, before.
void measure_footprint(const char* name) {
    FootprintRequest request;
    request.shape = model_preset("llama3-70b").shape;
    request.layout = {.tp = 8, .pp = 8, .dp = 8};
    request.sequence = 8192;
    request.micro_batches = 64;
    request.zero_stage = 1;
    request.recipe = precision_recipe("mixed-adam");
    InFlightCache cache;
    constexpr int calls = 1000;
    std::vector<double> microseconds;
    for (int round = -warm_up_rounds; round < rounds; ++round) {
        const double seconds = seconds_of([&] {
            for (int call = 0; call < calls; ++call) {
                footprint(request, cache);
            }
        });
        if (round >= 0) {
            microseconds.push_back(1e6 * seconds / calls);
        }
    }
    print(name, median(microseconds));
}

/// Operations per second of the product of two square matrices, and where there is a peer its time over ours. The best
/// of runs that take turns: what else the machine does only slows one down.
template <typename T>
void measure_matmul(const std::string& type, const MatrixOf<T>& a, const MatrixOf<T>& b) {
    const std::function<void()> peer = peer_product(a, b);
    double ours_seconds = std::numeric_limits<double>::max();
    double peer_seconds = std::numeric_limits<double>::max();
    for (int round = -warm_up_rounds; round < 20 * rounds; ++round) {
        ours_seconds = std::min(ours_seconds, seconds_of([&] { matmul(a, b); }));
        if (peer) {
            peer_seconds = std::min(peer_seconds, seconds_of(peer));
        }
    }
    const double operations = 2.0 * static_cast<double>(a.shape(0) * a.shape(1) * b.shape(1));
    print("matmul_flops_" + type, operations / ours_seconds);
    if (peer) {
        print("matmul_ratio_" + type, peer_seconds / ours_seconds);
    }
}

void measure_matmul(double side) {
    const Matrix a = random_matrix(side, side, 1);
    const Matrix b = random_matrix(side, side, 2);
    measure_matmul<double>("float64", a, b);
    measure_matmul<float>("float32", to_float32("a", a), to_float32("b", b));
}

}  // namespace

int main() {
    measure_ring("ring_ratio_cached", "ring_bytes_per_second_cached", 8, 8192);
    measure_ring("ring_ratio", "ring_bytes_per_second", 8, 1048576);
    measure_pricing("ring_pricing_milliseconds");
    measure_pipeline("pipeline_operations_per_second_small", 64, 512);
    measure_pipeline("pipeline_operations_per_second", 64, 8192);
    measure_pipeline("pipeline_operations_per_second_large", 64, 65536);
    measure_footprint("footprint_microseconds");
    measure_matmul(512);
    return 0;
}
