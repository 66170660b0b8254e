#pragma once

/// @file
/// What the first rank prints.

#include <ostream>
#include <vector>

#include "setting.hpp"

namespace shardlab::mpi {

/// The table of nccl-tests, with our all-reduce where that has the one out of place, MPI's where it has the one in
/// place, and their ratio after both; so that what reads nccl-tests' output reads ours.
/// Source of the form: NVIDIA/nccl-tests, src/common.cu.
class Table {
public:
    /// Prints what the rows share.
    Table(const Setting& setting, std::ostream& out);

    /// The head of an algorithm's table.
    void begin(Algorithm algorithm);

    /// One line, which is seen at once.
    void add(const Row& row);

    /// Below an algorithm's rows: what they come to.
    void end(const std::vector<Row>& rows);

private:
    const Setting& setting_;
    std::ostream& out_;
};

/// The same as one JSON object.
void write_json(const Setting& setting, const std::vector<Row>& rows, std::ostream& out);

}  // namespace shardlab::mpi
