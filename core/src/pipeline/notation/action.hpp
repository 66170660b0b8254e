#pragma once

#include <string_view>
#include <vector>

#include <shardlab/pipeline/schedule.hpp>

namespace shardlab::notation {

/// What a cell says of one stage. Its letters are as written: what a B is depends on the whole file.
enum class Letters { f, b, i, w, bw };

/// A stage's work on a micro-batch, with its place for messages.
struct Action {
    Letters letters = Letters::f;
    bool overlaps_next = false;
    int stage = 0;
    int micro_batch = 0;
    int row = 0;   ///< from 0
    int cell = 0;  ///< from 0
};

/// What was read so far.
struct Actions {
    std::vector<Action> work;  ///< in the order of the text
    int communication = 0;     ///< actions that send or receive
    int sharding = 0;          ///< actions that gather or shard parameters, or reduce gradients
};

/// ` in row 1, cell 2`, counted from 1 as in an editor.
std::string place(int row, int cell);

/// Reads one cell and adds what it says; an empty one says nothing.
/// @throws invalid_argument naming schedule
void read_cell(std::string_view text, int row, int cell, Actions& actions);

/// Checks that stages and micro-batches are counted from 0 without a gap, that no stage is on two rows, and that each
/// stage has the whole of its work on each micro-batch once. Leaves the actions in the order of stages.
/// @param kind what the letters of an action mean
/// @throws invalid_argument naming schedule
void require_all(std::vector<Action>& actions, OperationKind (*kind)(Letters letters));

}  // namespace shardlab::notation
