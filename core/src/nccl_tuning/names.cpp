#include <algorithm>
#include <array>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/nccl_tuning.hpp>

#include "constants.hpp"

namespace shardlab {
namespace {

constexpr std::array algorithm_names = {"Tree", "Ring"};
constexpr std::array protocol_names = {"LL", "LL128", "Simple"};
constexpr std::array architecture_names = {"volta", "ampere", "hopper", "blackwell"};
constexpr std::array link_names = {"nvlink", "pci", "net"};
constexpr std::array cpu_names = {"intel", "amd"};

template <std::size_t count, typename Enumeration>
const char* name_in(const std::array<const char*, count>& names, Enumeration value) {
    const auto index = static_cast<std::size_t>(value);
    return index < count ? names[index] : "unknown";
}

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), [](char character) {
        return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
    });
    return small;
}

template <typename Enumeration, std::size_t count>
Enumeration value_in(const std::array<const char*, count>& names, const char* parameter, std::string_view text) {
    const auto found = std::find(names.begin(), names.end(), in_small_letters(text));
    if (found == names.end()) {
        std::string list;
        for (const char* const known : names) {
            list += (list.empty() ? "" : ", ") + std::string(known);
        }
        throw invalid_argument(parameter, std::string(text), "be one of " + list);
    }
    return static_cast<Enumeration>(found - names.begin());
}

}  // namespace

const char* name(NcclAlgorithm algorithm) {
    return name_in(algorithm_names, algorithm);
}

const char* name(NcclProtocol protocol) {
    return name_in(protocol_names, protocol);
}

const char* name(NcclArchitecture architecture) {
    return name_in(architecture_names, architecture);
}

NcclArchitecture nccl_architecture_from_name(std::string_view name) {
    return value_in<NcclArchitecture>(architecture_names, "arch", name);
}

NcclLink nccl_link_from_name(std::string_view name) {
    return value_in<NcclLink>(link_names, "link", name);
}

NcclCpu nccl_cpu_from_name(std::string_view name) {
    return value_in<NcclCpu>(cpu_names, "cpu", name);
}

std::vector<std::string> nccl_tuning_versions() {
    std::vector<std::string> tags;
    for (const nccl::Constants& version : nccl::versions()) {
        tags.emplace_back(version.names.front());
    }
    return tags;
}

}  // namespace shardlab
