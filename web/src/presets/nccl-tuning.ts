import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "1 MB on four A100s", texts: {} },
  { name: "small-tensor", label: "A small tensor: flags with the data", texts: { bytes: "64kB" } },
  { name: "large-tensor", label: "A large tensor: plain copies round a ring", texts: { bytes: "1GB" } },
  { name: "many-nodes", label: "A small tensor on eight nodes: along a tree", texts: { ranks: "32", nodes: "8", bytes: "64kB" } },
];
