#pragma once

/// @file
/// Schedules as text: the lists that `torch.distributed.pipelining` writes and reads, a row a rank and a cell an action
/// (`<stage><kind><micro-batch>`: 0F0, 3B2, (0F7;7B3)OVERLAP_F_B, 1SEND_F0).
///
/// PyTorch's stage is what is called a model part here.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <shardlab/pipeline/schedule.hpp>

namespace shardlab {

/// What the letters of the backward mean.
enum class BackwardLetters {
    zero_bubble,  ///< older files: B is the input gradient, W the weight gradient, BW the whole backward
    pytorch,      ///< newer files: I is the input gradient, W the weight gradient, B the whole backward
};

/// The letters of that name: `zero-bubble` (also `b-w`), `pytorch` (also `i-w`).
/// @throws invalid_argument naming notation
BackwardLetters backward_letters_from_name(std::string_view name);

/// A schedule that was read.
struct ReadSchedule {
    PipelineSchedule schedule;                           ///< its stages are the rows, its model parts PyTorch's stages
    BackwardLetters letters = BackwardLetters::pytorch;  ///< as told, or as found
    bool letters_found = false;                          ///< found from the cells; false where they were told
    int communication_actions = 0;  ///< SEND_F, RECV_F, SEND_B, RECV_B: left out, since the simulation sends by itself
    int sharding_actions = 0;       ///< UNSHARD, RESHARD, REDUCE_GRAD: left out
};

/// Reads a schedule from rows of cells. Blanks and the case of letters do not matter; empty cells are idle slots and
/// left out, as are empty rows at the end. The placement follows from which row has which stage. A pair that overlaps
/// is a forward and a backward or an input gradient, and is the same pair whichever of them is first.
///
/// The cells tell the letters apart: an I, a pair that overlaps, or no W at all is of the newer letters (a B without
/// its W can only be whole); a BW, or a W without any I, of the older ones.
/// @param rows for each rank its cells
/// @param letters the notation; found from the cells when left out
/// @throws invalid_argument naming schedule, with row and cell (from 1) of what cannot be read, is there twice or is of
///         the other notation, or with what is missing: stages and micro-batches are numbered from 0, a stage is on one
///         row, and each has all of its work on every micro-batch
ReadSchedule read_schedule(const std::vector<std::vector<std::string_view>>& rows,
                           std::optional<BackwardLetters> letters = std::nullopt);

/// The same from comma-separated text, a line a rank. Windows line ends and a byte order mark are passed over.
/// @throws invalid_argument as read_schedule()
ReadSchedule read_schedule_csv(std::string_view csv, std::optional<BackwardLetters> letters = std::nullopt);

/// A schedule as comma-separated text, a line a device, in PyTorch's newer letters and without idle slots; reading it
/// gives the same schedule.
/// @throws invalid_argument as require_complete() does; naming schedule where it has two replicas of the model, which
///         the text cannot tell apart, or a device without work
std::string schedule_csv(const PipelineSchedule& schedule);

/// One operation as a cell of that text, `0F0`.
std::string cell(const Operation& operation);

}  // namespace shardlab
