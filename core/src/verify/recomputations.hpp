#pragma once

// One function a table: from its text to its cells.

#include <string_view>

#include <shardlab/verify.hpp>

namespace shardlab::verifying {

VerifiedTable zero_table1(std::string_view csv);
VerifiedTable zero_table2(std::string_view csv);
VerifiedTable korthikanti_table3_5(std::string_view csv);
VerifiedTable korthikanti_text(std::string_view csv);
VerifiedTable ultrascale_memory(std::string_view csv);
VerifiedTable ultrascale_bubble(std::string_view csv);
VerifiedTable model_params(std::string_view csv);
VerifiedTable zero_bubble_table5(std::string_view csv);
VerifiedTable dualpipev_4rank_10mb(std::string_view csv);
VerifiedTable zb1p_2rank_2stagep_compute(std::string_view csv);
VerifiedTable mleng_worked_example(std::string_view csv);
VerifiedTable nccl_double_binary_tree(std::string_view csv);
VerifiedTable nccl_tuning_printed(std::string_view csv);
VerifiedTable nccl_tests_allreduce_runs(std::string_view csv);

}  // namespace shardlab::verifying
