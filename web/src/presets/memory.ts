import type { Preset } from "../routine.js";

const alone = { tp: "1", pp: "1" };

export const presets: readonly Preset[] = [
  { name: "default", label: "Llama 3 70B on 64 cards", texts: {} },
  {
    name: "eight-cards",
    label: "Llama 3 70B on eight cards: does it fit?",
    texts: { ...alone, dp: "8", zeroStage: "3", recompute: "full", microBatches: "1" },
  },
  { name: "gpipe", label: "GPipe in place of 1F1B: every micro-batch is kept", texts: { schedule: "gpipe" } },
  { name: "recomputed", label: "Full recomputation: one input a layer is kept", texts: { recompute: "full" } },
  { name: "one-card", label: "Llama 3 8B on one card: the states alone are too much", texts: { ...alone, model: "llama3-8b", dp: "1" } },
  { name: "experts", label: "Mixtral 8x7B with its experts on eight ranks", texts: { ...alone, model: "mixtral-8x7b", dp: "8", ep: "8" } },
];
