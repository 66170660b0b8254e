import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "Two ranks of a recommendation model: most communication is exposed", texts: {} },
  { name: "run", label: "Eight H100s as nccl-tests measured them, in three lines", texts: { source: "run", regimes: "3" } },
  { name: "text", label: "Text that is pasted: a run of five sizes", texts: { source: "text" } },
];
