#pragma once

/// @file
/// What may go wrong in a data-parallel training.
///
/// Like the faults of collective/fault.hpp these are hypothetical; consequence() says what a communication library does
/// instead.

#include <cstdint>
#include <string_view>

namespace shardlab {

/// What goes wrong.
enum class TrainingFaultKind : std::uint8_t {
    drop,         ///< a rank's gradient is missing in every step; the sum is divided by all ranks even so
    duplicated,   ///< a rank's gradient counts twice in every step; named `double`
    miss_gather,  ///< in one step a rank gets nothing of the all-gather, and goes on with what it has
};

/// `drop`, `double` or `miss-gather`.
const char* name(TrainingFaultKind kind);

/// One fault.
struct TrainingFault {
    TrainingFaultKind kind = TrainingFaultKind::drop;  ///< what goes wrong
    int rank = 0;                                      ///< at which rank
    int step = 0;                                      ///< in which step of the training, for miss_gather
};

/// Reads `drop:R`, `double:R` or `miss-gather:R:STEP`.
/// @throws invalid_argument naming fault
TrainingFault training_fault_from_text(std::string_view text);

/// What a real communication library does instead, in a sentence; with the sources of consequence(FaultKind).
const char* consequence(TrainingFaultKind kind);

}  // namespace shardlab
