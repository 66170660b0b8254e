/** Published runs of all_reduce_perf, with their sources. Loaded when one is asked for. */

import text from "../../tests/data/nccl_tests_allreduce_runs.csv";

export const publishedRuns: string = text;
