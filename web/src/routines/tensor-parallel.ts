import { presets } from "../presets/tensor-parallel.js";
import type { AsyncLab, Split } from "shardlab";
import type { Inputs, Parameter } from "../parameter.js";
import { Part } from "../part.js";
import type { Routine } from "../routine.js";
import type { BlockResult } from "./tensor-parallel-block.js";
import { runLinear, viewLinear, type LinearResult } from "./tensor-parallel-linear.js";
import ranksStyle from "../figure/ranks.css";
import chunksStyle from "../figure/chunks.css";
import waysStyle from "../figure/ways.css";
import sentStyle from "../figure/sent.css";

export type Result = LinearResult | BlockResult;

const block = new Part(() => import("./tensor-parallel-block.js"));

const linear = { parameter: "split", is: ["column", "row"] satisfies Split[] };
const blocks = { parameter: "split", is: ["mlp", "attention", "transformer"] };

const what: readonly Parameter[] = [
  {
    name: "split",
    label: "Split",
    kind: "choice",
    initial: "column",
    choices: [
      { value: "column", label: "Column" },
      { value: "row", label: "Row" },
      { value: "mlp", label: "MLP" },
      { value: "attention", label: "Attention" },
      { value: "transformer", label: "Whole layer" },
    ],
    description: "Megatron's words for Y = X·A; here W is Aᵀ, so a column of A is a row of W.",
    aliases: ["block"],
  },
  { name: "ranks", label: "Ranks", kind: "whole", initial: "2", range: { least: 1, most: 8 } },
  {
    name: "pass",
    label: "Direction",
    kind: "choice",
    initial: "forward",
    choices: [
      { value: "forward", label: "Forward" },
      { value: "backward", label: "Backward" },
    ],
    when: linear,
  },
  {
    name: "sequenceParallel",
    label: "Outside of the blocks",
    kind: "choice",
    initial: "off",
    choices: [
      { value: "off", label: "All tokens" },
      { value: "again", label: "Parts" },
      { value: "kept", label: "Parts, kept" },
    ],
    description: "What a rank holds of the sequence. Parts: sequence parallelism, where what f gathers is gathered again in the backward, or kept for it.",
    when: blocks,
  },
  {
    name: "forget",
    label: "Forget",
    kind: "choice",
    initial: "none",
    choices: [
      { value: "none", label: "Nothing" },
      { value: "forward-all-reduce", label: "The all-reduce forward" },
      { value: "backward-all-reduce", label: "The all-reduce backward" },
      { value: "column-first", label: "Columns before rows (MLP)" },
      { value: "whole-heads", label: "Whole heads (attention)" },
    ],
  },
];

const sizes: readonly Parameter[] = [
  {
    name: "inFeatures",
    label: "In features",
    kind: "whole",
    initial: "4",
    range: { least: 1, most: 16 },
    aliases: ["x"],
    when: linear,
  },
  {
    name: "outFeatures",
    label: "Out features",
    kind: "whole",
    initial: "4",
    range: { least: 1, most: 16 },
    aliases: ["w"],
    when: linear,
  },
  {
    name: "hiddenSize",
    formerly: ["hidden"],
    aliases: ["hidden"],
    label: "Hidden",
    kind: "whole",
    initial: "16",
    range: { least: 4, most: 256, scale: "powers" },
    when: blocks,
  },
  {
    name: "heads",
    label: "Heads",
    kind: "whole",
    initial: "8",
    range: { least: 1, most: 32, scale: "powers" },
    when: { parameter: "split", is: ["attention", "transformer"] },
  },
  {
    name: "kvHeads",
    label: "Key and value heads",
    kind: "whole",
    initial: "",
    optional: true,
    range: { least: 1, most: 32, scale: "powers" },
    description: "Left empty, as many as query heads.",
    when: { parameter: "split", is: ["attention", "transformer"] },
  },
  {
    name: "ffn",
    label: "MLP features",
    kind: "whole",
    initial: "32",
    range: { least: 4, most: 512, scale: "powers" },
    when: { parameter: "split", is: ["mlp", "transformer"] },
  },
  {
    name: "activation",
    label: "Activation",
    kind: "choice",
    initial: "gelu",
    choices: [
      { value: "gelu", label: "GELU" },
      { value: "swiglu", label: "SwiGLU" },
    ],
    when: { parameter: "split", is: ["mlp", "transformer"] },
  },
  {
    name: "sequence",
    label: "Sequence",
    kind: "whole",
    initial: "8",
    range: { least: 1, most: 64, scale: "powers" },
    when: blocks,
  },
  { name: "batch", label: "Batch", kind: "whole", initial: "2", range: { least: 1, most: 6 } },
  {
    name: "seed",
    label: "Seed",
    kind: "whole",
    initial: "1",
    range: { least: 0, most: 20 },
    description: "Chooses the numbers: whole ones from −4 to 4 for one matrix, between −1 and 1 for a block.",
  },
];

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  if (linear.is.includes(inputs.text("split") as Split)) return runLinear(lab, inputs);
  return (await block.loaded()).runBlock(lab, inputs);
}

export const tensorParallel: Routine<Result> = {
  id: "tensor-parallel",
  modules: ["training"],
  title: "Tensor-parallel layers",
  claim:
    "Split by columns, outputs are pieces and nothing is added. Split by rows, they are partial sums, and an all-reduce is needed. Column then row: one all-reduce per MLP.",
  question: async () => (await import("../questions/tensor-parallel.js")).question,
  tryNext: "Split by rows, and see partial sums where pieces were.",
  parameters: [...what, ...sizes],
  presets,
  styles: [ranksStyle, chunksStyle, waysStyle, sentStyle],
  run,
  view: (result, width) => (result.kind === "linear" ? viewLinear(result, width) : block.there.viewBlock(result, width)),
  details: async () => (await import("../details/tensor-parallel.js")).details,
};
