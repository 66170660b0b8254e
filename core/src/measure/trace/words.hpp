#pragma once

#include <optional>
#include <string_view>

#include <shardlab/measure/communication.hpp>

namespace shardlab::measure {

/// The kind that a name speaks of: a kernel's (`ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)`), an annotation's
/// (`nccl:_all_gather_base`, `gloo:all_reduce`) or a `Collective name` (`_reduce_scatter_base`, `all_to_allv`).
CommunicationKind kind_in(std::string_view name);

/// Whether a kernel of that name communicates: NCCL's, RCCL's and oneCCL's.
bool is_communication_kernel(std::string_view name);

/// Bytes of an element by the names of types that PyTorch writes (`Float`, `BFloat16`, `long int`, `c10::Half`).
std::optional<double> element_bytes(std::string_view type);

}  // namespace shardlab::measure
