/** What can be set of a model's memory. */

import { allowances } from "./memory-allowances.js";
import { cards, mixtures, models, recipes } from "./memory-choices.js";
import { configParameter, recomputeParameter } from "./model-parameters.js";
import { frameworks } from "./memory-launch.js";
import { named, onOff, type Parameter } from "./parameter.js";
import { word } from "./words.js";

function ranks(name: string, initial: string, most: number): Omit<Parameter, "label"> {
  return { name, kind: "whole", initial, range: { least: 1, most, scale: "powers" } };
}

const main: Parameter[] = [
  {
    name: "model",
    label: "Model",
    kind: "choice",
    initial: "llama3-70b",
    choices: [...models, { value: "config", label: "Your config.json" }],
  },
  configParameter({ parameter: "model", is: "config" }),
  {
    name: "gpu",
    label: "Card",
    kind: "choice",
    initial: "h100-80gb",
    choices: [...cards, { value: "custom", label: "Another" }],
  },
  {
    name: "capacity",
    label: "Its memory",
    kind: "real",
    quantity: "bytes",
    initial: "80GiB",
    description: "What a program can have of it.",
    aliases: ["gpu"],
    when: { parameter: "gpu", is: "custom" },
  },
  { ...ranks("tp", "8", 64), label: "Tensor-parallel ranks" },
  { ...ranks("pp", "4", 64), label: "Pipeline stages" },
  { ...ranks("dp", "2", 1024), label: "Data-parallel ranks" },
  { ...ranks("cp", "1", 64), label: "Context-parallel ranks" },
  {
    ...ranks("ep", "1", 256),
    label: "Expert-parallel ranks",
    description: "Taken from the data- and context-parallel ranks.",
    when: { parameter: "model", is: [...mixtures, "config"] },
  },
  { name: "zeroStage", label: "ZeRO stage", kind: "whole", initial: "1", range: { least: 0, most: 3 } },
  { name: "recipe", label: "Optimizer and formats", kind: "choice", initial: "mixed-adam", choices: recipes },
  {
    name: "schedule",
    label: "Pipeline schedule",
    kind: "choice",
    initial: "1f1b",
    choices: [
      { value: "1f1b", label: "1F1B" },
      { value: "gpipe", label: "GPipe" },
      { value: "interleaved", label: "Interleaved 1F1B" },
      { value: "looped-bfs", label: "Looped breadth-first" },
      { value: "zb-h1", label: "ZB-H1" },
      { value: "zb-h2", label: "ZB-H2" },
      { value: "zb-1p", label: "ZB-1P" },
      { value: "zb-2p", label: "ZB-2P" },
      { value: "zb-v", label: "ZB-V" },
      { value: "dualpipe", label: "DualPipe" },
      { value: "dualpipe-v", label: "DualPipeV" },
    ],
  },
  {
    name: "chunks",
    label: "Chunks a stage",
    kind: "whole",
    initial: "2",
    range: { least: 1, most: 8 },
    when: { parameter: "schedule", is: ["interleaved", "looped-bfs"] },
  },
  {
    name: "microBatch",
    label: "Sequences in a micro-batch",
    kind: "whole",
    initial: "1",
    range: { least: 1, most: 32, scale: "powers" },
  },
  {
    name: "microBatches",
    label: "Micro-batches in a step",
    kind: "whole",
    initial: "16",
    range: { least: 1, most: 64 },
    description: "Of each data-parallel rank.",
  },
  {
    name: "sequence",
    label: "Tokens of a sequence",
    kind: "whole",
    initial: "8192",
    range: { least: 512, most: 131072, scale: "powers" },
  },
  { name: "sequenceParallel", label: "Sequence parallelism", kind: "choice", initial: "on", choices: onOff },
  recomputeParameter,
  { name: "flash", label: "Fused attention", kind: "choice", initial: "on", choices: onOff },
];

const lessUsed: Parameter[] = [
  {
    name: "recomputeEvery",
    label: "Layers for each kept input",
    kind: "whole",
    initial: "1",
    range: { least: 1, most: 10 },
    when: { parameter: "recompute", is: "full" },
  },
  {
    name: "layersPerPart",
    label: "Layers of each model part",
    kind: "text",
    initial: "",
    optional: true,
    description: "In the model's order: 19, 20, 20, 21. As even as possible when left empty.",
  },
  {
    name: "shardRanks",
    label: "Ranks that share one set of states",
    kind: "whole",
    initial: "",
    optional: true,
    description: "Hybrid sharding. At most the data- and context-parallel ranks, and all of them when left empty.",
  },
  {
    name: "offload",
    label: "In the host's memory",
    kind: "choice",
    initial: "none",
    choices: [
      { value: "none", label: "None" },
      { value: "optimizer", label: "Optimizer" },
      { value: "parameters", label: "+ weights" },
    ],
    description: "States that the card need not hold; from ZeRO stage 2 on the gradients go with them.",
  },
  ...allowances,
  {
    name: "framework",
    label: "Framework",
    kind: "choice",
    initial: "megatron",
    choices: frameworks,
    description: "Whose launch flags are listed below.",
  },
];

export const memoryParameters: readonly Parameter[] = [
  ...main,
  ...lessUsed.map((parameter) => ({ ...parameter, folded: true as const })),
  { name: "pinned", label: "Pinned", kind: "kept", initial: "" },
];

/** A sentence of the lab with the controls' names for its options. */
export function inWords(sentence: string): string {
  const words = (field: string) => {
    const label = named(memoryParameters, field)?.label;
    return label === undefined ? field.replace(/_/g, " ") : word(label).toLowerCase();
  };
  return sentence.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, words);
}
