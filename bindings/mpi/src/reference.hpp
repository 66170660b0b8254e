#pragma once

/// @file
/// What a run must leave, by the core's own execution of the schedule in one process.

#include <cstdint>
#include <span>

#include <shardlab/collective/schedule.hpp>

#include "group.hpp"
#include "values.hpp"

namespace shardlab::mpi {

/// The part of an all-reduce that moves the elements from `first` on: the same transfers in the same steps, each cut to
/// these elements. What it computes of them is what the whole schedule computes, since each element goes its way
/// without the others; so a tensor larger than one process could hold for all ranks is checked part after part.
/// @param schedule its transfers write where they read, as those of all all-reduces do
CollectiveSchedule window(const CollectiveSchedule& schedule, std::uint64_t first, std::uint64_t elements);

/// Counts the elements of all ranks' results whose bits are not those of the core: of the exact sum of whole values,
/// and of the executed schedule for spread ones. All ranks call it together; each executes its share of the windows.
/// T is float or double.
/// @param result shape (schedule.elements()): what the collective left in this rank's buffer, filled with `values`
template <typename T>
std::uint64_t elements_off(const CollectiveSchedule& schedule, Values values, std::span<const T> result,
                           const Group& group);

}  // namespace shardlab::mpi
