#include "constants.hpp"

#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>

// Source of all numbers: NVIDIA/nccl, src/graph/tuning.cc (2.30: src/tuning/cost_model.cc), at the tags that name the
// tables. Tables that a version has in common with another are written once. The limits of 2.19, and those of LL128 in
// 2.27, were read from copies of the file that have all other constants of these tags, not at the tags themselves.

namespace shardlab::nccl {
namespace {

constexpr Latencies base_to_2_19 = {.tree = {6.8, 14.0, 0}, .ring = {6.6, 14.0, 8.4}};
constexpr Latencies base_since_2_27 = {.tree = {6.8, 14.0, 8.4}, .ring = {6.6, 14.0, 8.4}};

constexpr Triple ring_nvlink = {0.6, 1.9, 3.4};
constexpr Triple ring_pci = {1.0, 2.5, 5.7};
constexpr Triple ring_net = {2.7, 4.0, 14.0};

constexpr std::array<Latencies, 3> links_2_18 = {{
    {.tree = {0.6, 1.25, 4.0}, .ring = ring_nvlink},
    {.tree = {1.0, 1.9, 6.0}, .ring = ring_pci},
    {.tree = {5.0, 8.5, 14.0}, .ring = ring_net},
}};
constexpr std::array<Latencies, 3> links_2_19 = {{
    {.tree = {0.6, 1.25, 28.0}, .ring = ring_nvlink},
    {.tree = {1.0, 1.9, 28.0}, .ring = ring_pci},
    {.tree = {5.0, 8.5, 28.0}, .ring = ring_net},
}};
constexpr std::array<Latencies, 3> links_since_2_27 = {{
    {.tree = {0.6, 1.25, 4.0}, .ring = ring_nvlink},
    {.tree = {1.0, 1.9, 4.0}, .ring = ring_pci},
    {.tree = {5.0, 8.5, 14.0}, .ring = ring_net},
}};

constexpr Limits volta = {.ll = {39.0, 39.0, 20.4},
                          .ring_ll128 = {20.0, 20.0, 20.0},
                          .tree_ll128 = {20.0, 20.0, 20.0},
                          .tree = {26.5, 18.5, 10.0}};
constexpr Limits ampere = {.ll = {87.7, 22.5, 19.0},
                           .ring_ll128 = {20.0, 20.0, 20.0},
                           .tree_ll128 = {20.0, 20.0, 20.0},
                           .tree = {24.0, 23.6, 17.8}};
constexpr Limits hopper_to_2_19 = {.ll = {87.7, 22.5, 19.0},
                                   .ring_ll128 = {36.7, 36.7, 36.7},
                                   .tree_ll128 = {36.7, 36.7, 29.0},
                                   .tree = {38.7, 41.4, 36.0}};
constexpr Limits hopper_since_2_27 = {.ll = {141.0, 45.0, 35.0},
                                      .ring_ll128 = {36.7, 36.7, 36.7},
                                      .tree_ll128 = {36.7, 36.7, 29.0},
                                      .tree = {38.7, 41.4, 36.0}};
constexpr Limits blackwell_2_27 = {.ll = {282.0, 90.0, 70.0},
                                   .ring_ll128 = {73.4, 73.4, 73.4},
                                   .tree_ll128 = {73.4, 73.4, 58.0},
                                   .tree = {77.4, 82.8, 72.0}};
constexpr Limits blackwell_2_30 = {.ll = {282.0, 90.0, 70.0},
                                   .ring_ll128 = {40.0, 40.0, 40.0},
                                   .tree_ll128 = {55.6, 31.67, 20.0},
                                   .tree = {70.0, 42.8, 24.0}};

std::string tags() {
    std::string list;
    for (const Constants& version : versions()) {
        list += (list.empty() ? "" : ", ") + std::string(version.names.front());
    }
    return list;
}

}  // namespace

const std::vector<Constants>& versions() {
    static const std::vector<Constants> all = {
        {.names = {"v2.18.3-1", "2.18.3", "2.18"},
         .base = base_to_2_19,
         .links = links_2_18,
         .ring_ll_factor = 0.25,
         .limits = {volta, ampere, hopper_to_2_19}},
        {.names = {"v2.19.3-1", "2.19.3", "2.19"},
         .base = base_to_2_19,
         .links = links_2_19,
         .ring_ll_factor = 0.25,
         .limits = {volta, ampere, hopper_to_2_19}},
        {.names = {"v2.27.7-1", "2.27.7", "2.27"},
         .base = base_since_2_27,
         .links = links_since_2_27,
         .ring_ll_factor = 0.5,
         .limits = {volta, ampere, hopper_since_2_27, blackwell_2_27}},
        {.names = {"master@5067397c", "master", "2.30"},
         .base = base_since_2_27,
         .links = links_since_2_27,
         .ring_ll_factor = 0.5,
         .limits = {volta, ampere, hopper_since_2_27, blackwell_2_30}},
    };
    return all;
}

const Constants& constants_of(std::string_view version) {
    const auto found = std::find_if(versions().begin(), versions().end(), [&](const Constants& known) {
        return std::find(known.names.begin(), known.names.end(), version) != known.names.end();
    });
    if (found == versions().end()) {
        throw invalid_argument("version", std::string(version), "be one whose constants are complete: " + tags());
    }
    return *found;
}

double tree_correction(std::size_t protocol, double bytes) {
    // A column for each power of two from 64 B to 256 MB.
    constexpr std::size_t columns = 23;
    constexpr std::array<std::array<double, columns>, 3> table = {{
        {1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5,
         0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0, 1.0},
        {1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6,
         0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0},
        {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
         0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9},
    }};
    constexpr double smallest = 64;
    if (bytes < smallest) {
        return 1;
    }
    std::size_t column = 0;
    for (double next = 2 * smallest; bytes >= next && column < columns; next *= 2) {
        ++column;
    }
    return column < columns ? table[protocol][column] : 1;
}

}  // namespace shardlab::nccl
