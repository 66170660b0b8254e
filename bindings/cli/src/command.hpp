#pragma once

/// @file
/// What a subcommand is, and the list of them.

#include <ostream>
#include <span>

#include "options.hpp"

namespace shardlab::cli {

/// A field of an answer, and what it is, with its unit. Of a list's objects, the list's name and a dot stand before it.
struct AnswerField {
    const char* name;
    const char* meaning;
};

/// A subcommand: it declares its options, then calls the core and writes one JSON object (or text).
struct Command {
    const char* name;     ///< as typed
    const char* summary;  ///< one line of help
    const char* example;  ///< a command line that works
    void (*declare)(Options& options);
    void (*run)(const Options& options, std::ostream& out);
    std::span<const AnswerField> answer = {};  ///< told in the help
};

extern const Command all_reduce_command;
extern const Command all_reduce_cost_command;
extern const Command collective_command;
extern const Command nccl_tuning_command;
extern const Command fit_command;
extern const Command measure_command;
extern const Command crossover_command;
extern const Command data_parallel_command;
extern const Command data_parallel_train_command;
extern const Command gradient_buckets_command;
extern const Command tensor_parallel_command;
extern const Command tensor_parallel_cost_command;
extern const Command pipeline_command;
extern const Command transformer_command;
extern const Command activations_command;
extern const Command footprint_command;
extern const Command zero_command;
extern const Command zero_partition_command;
extern const Command verify_command;
extern const Command demo_command;

}  // namespace shardlab::cli
