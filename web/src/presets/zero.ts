import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "7 B parameters on eight ranks, stage 1", texts: {} },
  { name: "stage-3", label: "Stage 3: layer by layer, everything is gathered", texts: { zeroStage: "3" } },
  { name: "paper", label: "The paper's 7.5 B parameters on 64 ranks", texts: { params: "7.5B", ranks: "64" } },
  {
    name: "many-ranks",
    label: "Llama 3 70B on 1024 ranks: what does not go to nothing",
    texts: { source: "preset", zeroStage: "3", ranks: "1024" },
  },
  { name: "kept-weights", label: "Gathered weights are kept until their backward", texts: { zeroStage: "3", reshard: "kept" } },
  { name: "32-bit", label: "All in 32 bits, nothing sharded: 16 bytes again", texts: { recipe: "fp32-adam", zeroStage: "0" } },
];
