#pragma once

/// @file
/// Cards, and how much of their memory a program can have.

#include <string>
#include <string_view>
#include <vector>

namespace shardlab {

/// A card's memory: what is built in, and what is left of it for a program.
struct Accelerator {
    std::string id;             ///< `h100-80gb`
    std::string name;           ///< `NVIDIA H100 80GB`
    double capacity_bytes = 0;  ///< all of it, as the driver reports it
    double usable_bytes = 0;    ///< what PyTorch sees of it, before a context or a library has taken its part
    std::string source;         ///< where both numbers are from
};

/// All cards that are known by id, in alphabetical order of their ids.
const std::vector<Accelerator>& accelerators();

/// The card of an id, or `custom:BYTES` for one that has so many bytes, all usable.
/// @throws invalid_argument naming gpu, with the ids that there are
Accelerator accelerator_from_name(std::string_view name);

}  // namespace shardlab
