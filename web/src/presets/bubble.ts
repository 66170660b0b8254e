import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "Four stages and eight micro-batches", texts: {} },
  { name: "one-micro-batch", label: "One micro-batch: three quarters of the time are idle", texts: { microBatches: "1" } },
  { name: "more-micro-batches", label: "32 micro-batches: the bubble shrinks", texts: { microBatches: "32" } },
  { name: "more-stages", label: "Eight stages: the bubble grows", texts: { stages: "8" } },
];
