import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "Two ranks of a recommendation model: most communication is exposed", texts: {} },
  { name: "run", label: "Eight H100s as nccl-tests measured them, in three lines", texts: { source: "run", regimes: "3" } },
  { name: "files", label: "For the reader's own files", texts: { source: "files" } },
];
