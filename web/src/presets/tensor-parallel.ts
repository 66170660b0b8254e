import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "Split by columns: pieces, and nothing to add", texts: {} },
  { name: "rows", label: "Split by rows: partial sums, and an all-reduce", texts: { split: "row" } },
  { name: "columns-backward", label: "Columns, backward: there an all-reduce is needed", texts: { pass: "backward" } },
  {
    name: "forgotten-all-reduce",
    label: "An MLP without its all-reduce: nothing fails, and the numbers are wrong",
    texts: { split: "mlp", ranks: "4", forget: "forward-all-reduce" },
  },
  {
    name: "rows-first",
    label: "An MLP cut by rows first: the activation of partial sums",
    texts: { split: "mlp", ranks: "4", forget: "column-first" },
  },
  {
    name: "sequence-parallel",
    label: "A whole layer, in parts of the sequence",
    texts: { split: "transformer", ranks: "4", sequenceParallel: "again" },
  },
];
