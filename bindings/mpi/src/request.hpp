#pragma once

/// @file
/// What a run of shardlab-mpi is to measure.

#include <cstdint>
#include <vector>

#include <shardlab/collective/builders.hpp>

#include "group.hpp"
#include "options.hpp"

namespace shardlab::mpi {

/// The numbers that are reduced.
enum class Dtype : std::uint8_t { float32, float64 };

/// Bytes of one.
int width(Dtype dtype);

/// As nccl-tests calls it: `float` or `double`.
const char* nccl_name(Dtype dtype);

/// Everything that the command line asks for, checked.
struct Request {
    std::vector<Algorithm> algorithms;    ///< in the order in which they are measured
    ScheduleOptions shape;                ///< slices and nodes, for those algorithms that know them
    std::vector<std::uint64_t> elements;  ///< of each rank's tensor, size after size
    Dtype dtype = Dtype::float32;         ///< of the tensor
    int warmup = 0;                       ///< runs of each size that are not counted
    int iterations = 0;                   ///< runs of each size that are
    bool json = false;                    ///< JSON in place of a table
};

/// Declares the options.
void declare(cli::Options& options);

/// The request. Every rank finds the same errors in it, and finds them before it sends anything.
/// @throws invalid_argument naming an option, or ranks where there are too many for a schedule
Request request_asked_for(const cli::Options& options, const Group& group);

}  // namespace shardlab::mpi
