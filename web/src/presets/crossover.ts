import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "A ring and a binomial tree on eight ranks", texts: {} },
  { name: "more-ranks", label: "64 ranks: the tree stays ahead for longer", texts: { ranks: "64" } },
  {
    name: "double-tree",
    label: "64 ranks, and two trees that share the work evenly",
    texts: { ranks: "64", second: "double-tree", slices: "64" },
  },
  { name: "tree-bound", label: "The bound that no pipelined tree reaches", texts: { second: "pipelined-tree-bound" } },
  { name: "halving-doubling", label: "Halving and doubling: ahead of the ring at any size", texts: { second: "halving-doubling" } },
  {
    name: "measured",
    label: "Eight H100s as they were measured: not one straight line",
    texts: { measured: "aws_p5_8xH100_1node", regimes: "3" },
  },
];
