#pragma once

/// @file
/// The options that describe an all-reduce's schedule and the links under it.

#include <optional>

#include <shardlab/collective/builders.hpp>
#include <shardlab/hardware.hpp>

#include "options.hpp"

namespace shardlab::cli {

/// Declares `--slices` and `--per-node`.
void declare_shape(Options& options);

/// Declares `--latency-seconds` and `--bytes-per-second`.
void declare_link(Options& options);

/// Declares them, and both again for the link between nodes.
void declare_links(Options& options);

/// The slices and nodes asked for.
/// @param most_per_node ranks in a node at most
ScheduleOptions shape_asked_for(const Options& options, int most_per_node);

/// The links asked for, one kind where none between nodes is given; nothing where there are none at all.
/// @throws invalid_argument naming the number of a link that is missing
std::optional<Links> links_asked_for(const Options& options, int per_node);

/// A link that must be there.
/// @throws invalid_argument naming the number that is missing or out of range
Link required_link(const Options& options);

/// Links that must be there.
/// @throws invalid_argument naming the number of a link that is missing
Links required_links(const Options& options, int per_node);

}  // namespace shardlab::cli
