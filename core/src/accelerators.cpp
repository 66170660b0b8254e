#include <algorithm>
#include <optional>
#include <string>

#include <shardlab/accelerators.hpp>
#include <shardlab/errors.hpp>

#include "text.hpp"

namespace shardlab {
namespace {

constexpr double mebibyte = 1048576;

/// Capacities are what nvidia-smi and rocm-smi print, in MiB or bytes. What a program sees is the least total of those
/// that PyTorch's out-of-memory messages give for the card; they differ by some tenths of a percent with the driver.
constexpr const char* smi_and_torch = "nvidia-smi; total capacity in PyTorch's out-of-memory messages";

/// @param capacity_mib as the driver's tool prints it
/// @param usable_gib with the two decimals of PyTorch's messages
Accelerator card(const char* id, const char* name, double capacity_mib, double usable_gib, const char* source) {
    // To the MiB, so that a printed fraction of a GiB is a whole number of bytes.
    const auto usable_mib = static_cast<double>(static_cast<long>(usable_gib * 1024));
    return {id, name, capacity_mib * mebibyte, usable_mib * mebibyte, source};
}

std::string known_ids() {
    std::string ids;
    for (const Accelerator& accelerator : accelerators()) {
        ids += accelerator.id + ", ";
    }
    return ids;
}

}  // namespace

const std::vector<Accelerator>& accelerators() {
    static const std::vector<Accelerator> all = {
        card("a100-40gb", "NVIDIA A100 40GB", 40960, 39.39,
             "nvidia-smi, in modal-labs/modal-client pull request 2797; PyTorch's total_memory"),
        card("a100-80gb", "NVIDIA A100 80GB", 81920, 79.15,
             "nvidia-smi, in modal-labs/modal-client pull request 2797; torch.cuda.mem_get_info in "
             "stas00/ml-engineering at 008c4f74, training/performance/README.md"),
        card("b200-180gb", "NVIDIA B200 180GB", 183359, 178.35, smi_and_torch),
        card("h100-80gb", "NVIDIA H100 80GB", 81559, 79.11,
             "nvidia-smi, in modal-labs/modal-client pull request 2797; PyTorch's out-of-memory messages"),
        card("h200-141gb", "NVIDIA H200 141GB", 143771, 139.72, smi_and_torch),
        card("l40s-48gb", "NVIDIA L40S 48GB", 46068, 44.39,
             "nvidia-smi, in modal-labs/modal-client pull request 2797; PyTorch's out-of-memory messages"),
        card("mi300x-192gb", "AMD Instinct MI300X 192GB", 196592, 191.69,
             "rocm-smi; total capacity in PyTorch's out-of-memory messages"),
        card("rtx4090-24gb", "NVIDIA GeForce RTX 4090 24GB", 24564, 23.52, smi_and_torch),
        card("v100-32gb", "NVIDIA V100 32GB", 32768, 31.75, smi_and_torch),
    };
    return all;
}

Accelerator accelerator_from_name(std::string_view name) {
    constexpr std::string_view custom = "custom:";
    if (name.substr(0, custom.size()) == custom) {
        const std::optional<double> bytes = reading::number(name.substr(custom.size()));
        if (!bytes) {
            throw invalid_argument(
                "gpu", std::string(name),
                "have a number of bytes after custom:, without a unit: 80 GB are custom:80e9, and 80 GiB "
                "custom:85899345920");
        }
        require_count("gpu", *bytes, 1);
        return {std::string(name), "a card of your own", *bytes, *bytes, "given"};
    }
    const auto& all = accelerators();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Accelerator& card) { return card.id == name; });
    if (found == all.end()) {
        throw invalid_argument("gpu", std::string(name), "be one of " + known_ids() + "or custom:BYTES");
    }
    return *found;
}

}  // namespace shardlab
