// Options and results of verification.

/** A published table that is carried. */
export type PublishedTableName =
  | "zero_table1"
  | "zero_table2"
  | "korthikanti_table3_5"
  | "korthikanti_text"
  | "model_params"
  | "ultrascale_memory"
  | "ultrascale_bubble"
  | "zero_bubble_table5"
  | "dualpipev_4rank_10mb"
  | "zb1p_2rank_2stagep_compute"
  | "mleng_worked_example"
  | "nccl_double_binary_tree"
  | "nccl_tuning_printed"
  | "nccl_tests_allreduce_runs";

export interface VerifyOptions {
  /** one table; all of them when left out */
  table?: PublishedTableName;
}

/** A known difference has its reason in the cell's derivation; a cell that differs without one must not. */
export type Verdict = "agrees" | "known-difference" | "differs";

export interface VerifiedCell {
  /** of the cell in its table, the same for ever: `64-ranks.p-os-g` */
  id: string;
  /** index into the table's rows */
  row: number;
  /** index into the table's columns */
  column: number;
  /** as printed, in the column's unit; words where the source prints an operation */
  expected: number | string;
  /** the same to the letter: `"29.0"` */
  printed: string;
  /** as computed, in the same unit */
  got: number | string;
  /** `got` - `expected`; null of words */
  difference: number | null;
  /** the same over the expected number; null of words, and where nothing is expected */
  relativeDifference: number | null;
  /** largest difference that the print explains; 0 where the numbers are exact */
  tolerance: number;
  verdict: Verdict;
  /** index into the table's derivations */
  derivation: number;
}

export interface Derivation {
  /** what is computed, and by which part of the lab */
  formula: string;
  /** what has to be assumed that the table does not say; empty where nothing */
  assumption: string;
  /** why a number may differ by its tolerance */
  tolerance: string;
  /** why the source has other numbers; empty where they must agree */
  knownDifference: string;
}

export interface VerifiedCounts {
  cells: number;
  /** with or without an assumption */
  agree: number;
  /** of those, under an assumption only */
  agreeUnderAssumption: number;
  knownDifferences: number;
  /** and must not */
  differ: number;
}

export interface VerifiedTable {
  id: PublishedTableName;
  title: string;
  /** authors and title, the page on the web, and table or file */
  source: { title: string; address: string; place: string };
  /** what its rows are */
  rowHeader: string;
  rows: string[];
  /** a unit is empty where numbers are counts, and of words */
  columns: { name: string; unit: string }[];
  derivations: Derivation[];
  /** by rows; a row need not have a cell in every column */
  cells: VerifiedCell[];
  counts: VerifiedCounts;
}

export interface VerifyResult {
  tables: VerifiedTable[];
  /** of all these tables */
  counts: VerifiedCounts;
}
