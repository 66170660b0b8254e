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
    PipelineSchedule schedule;
    BackwardLetters letters = BackwardLetters::pytorch;  ///< as told, or as found
    bool letters_found =
        false;  ///< the file itself decides: it has I, or BW, or a W for every B; otherwise pytorch is assumed
    int communication_actions = 0;  ///< SEND_F, RECV_F, SEND_B, RECV_B: left out, since the simulation sends by itself
    int sharding_actions = 0;       ///< UNSHARD, RESHARD, REDUCE_GRAD: left out
};

/// Reads a schedule from rows of cells; empty cells are idle slots and left out. The placement follows from which row
/// has which stage.
/// @param rows for each rank its cells
/// @param letters the notation; found from the cells when left out
/// @throws invalid_argument naming schedule, with row and cell of what cannot be read, or what is missing
ReadSchedule read_schedule(const std::vector<std::vector<std::string_view>>& rows,
                           std::optional<BackwardLetters> letters = std::nullopt);

/// The same from comma-separated text, a line a rank.
/// @throws invalid_argument as read_schedule()
ReadSchedule read_schedule_csv(std::string_view csv, std::optional<BackwardLetters> letters = std::nullopt);

/// A schedule as comma-separated text, a line a device, in PyTorch's newer letters and without idle slots; reading it
/// gives the same schedule.
/// @throws invalid_argument naming schedule where it has two replicas of the model, which the text cannot tell apart
std::string schedule_csv(const PipelineSchedule& schedule);

/// One operation as a cell of that text, `0F0`.
std::string cell(const Operation& operation);

}  // namespace shardlab
