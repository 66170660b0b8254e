import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "Four stages, four micro-batches, 1F1B", texts: {} },
  { name: "more-micro-batches", label: "16 micro-batches: the bubble shrinks", texts: { microBatches: "16" } },
  { name: "more-stages", label: "Eight stages, eight micro-batches: the bubble grows", texts: { stages: "8", microBatches: "8" } },
  { name: "against-gpipe", label: "1F1B and GPipe: the same bubble, other memory", texts: { microBatches: "8", compare: "gpipe" } },
  {
    name: "interleaved",
    label: "Two chunks a stage: half of the bubble, more messages",
    texts: { schedule: "interleaved", microBatches: "8" },
  },
  {
    name: "zero-bubble",
    label: "ZB-H2 against 1F1B: a third of the idle time, more memory",
    texts: { schedule: "zb-h2", compare: "1f1b", microBatches: "8" },
  },
];
