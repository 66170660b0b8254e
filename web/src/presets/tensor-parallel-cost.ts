import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "A layer of Llama 3 70B in one node of eight", texts: {} },
  { name: "two-nodes", label: "Sixteen ranks: the group leaves its node", texts: { ranks: "16" } },
  { name: "short-sequences", label: "Sequences of 128 tokens: latency is felt", texts: { sequence: "128" } },
  { name: "slow-links", label: "Eight ranks on links of 25 GB/s", texts: { bytesPerSecond: "25GB/s" } },
];
