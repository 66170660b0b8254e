import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "All published tables", texts: {} },
  { name: "zero", label: "The ZeRO paper's table of memory", texts: { table: "zero_table1", cell: "64-ranks.p-os" } },
  { name: "differing", label: "The tables with numbers that are not got", texts: { show: "differing" } },
  {
    name: "zero-bubble",
    label: "A published bubble rate, and what one more dependency makes of it",
    texts: { table: "zero_bubble_table5", cell: "1-5b-p-8-m-24-1f1b-i.with-every-dependency" },
  },
  { name: "double-tree", label: "NCCL's double tree of 14 ranks, rank by rank", texts: { table: "nccl_double_binary_tree", cell: "14-ranks-rank-3.tree1-parent" } },
  { name: "dualpipe-v", label: "PyTorch's DualPipeV, operation by operation", texts: { table: "dualpipev_4rank_10mb", cell: "rank-0.slot-18" } },
];
