#pragma once

/// @file
/// The processes that an MPI launcher started.

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include <mpi.h>

namespace shardlab::mpi {

/// All ranks of the program, between MPI_Init and MPI_Finalize. What MPI itself finds wrong ends the whole job, which
/// is MPI's standard, so that no rank waits for one that is gone.
class Group {
public:
    Group(int& argc, char**& argv);
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    int rank() const noexcept { return rank_; }    ///< this process, from 0
    int ranks() const noexcept { return ranks_; }  ///< world size
    /// One rank speaks for all.
    bool is_first() const noexcept { return rank_ == 0; }

    /// The name of the machine that each rank runs on, by rank.
    std::vector<std::string> hosts() const;

    /// How many ranks share memory with the first one; all ranks call it together, and get one number.
    int ranks_of_first_node() const;

    /// Whether a number is the same on all ranks, which call it together.
    bool is_alike(std::uint64_t value) const;

    /// Ends all ranks at once, for one that cannot go on.
    [[noreturn]] void abort(int status) const;

private:
    int rank_ = 0;
    int ranks_ = 1;
};

/// What MPI calls a type.
template <typename T>
MPI_Datatype datatype() {
    static_assert(std::same_as<T, float> || std::same_as<T, double>);
    return std::same_as<T, float> ? MPI_FLOAT : MPI_DOUBLE;
}

/// The first line of what the MPI library says it is: `Open MPI v4.1.4, package: ...`.
std::string library_version();

}  // namespace shardlab::mpi
