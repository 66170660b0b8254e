/** What can be set of a ZeRO ladder. */

import { models, recipes } from "./memory-choices.js";
import { configParameter, recomputeParameter } from "./model-parameters.js";
import type { Parameter } from "./parameter.js";

/** A number of parameters has no matrices to tell from the rest, which Muon treats apart. */
export const ladderRecipes = recipes.filter(({ value }) => value !== "muon");

const withShape = { parameter: "source", is: ["preset", "config"] } as const;

const recipeBytes = {
  kind: "real",
  initial: "",
  optional: true,
  folded: true,
  description: "Those of the recipe when left empty.",
} as const;

export const zeroParameters: readonly Parameter[] = [
  {
    name: "source",
    label: "Model",
    kind: "choice",
    initial: "params",
    choices: [
      { value: "params", label: "Size" },
      { value: "preset", label: "Preset" },
      { value: "config", label: "config.json" },
    ],
  },
  {
    name: "params",
    label: "Parameters",
    kind: "whole",
    quantity: "count",
    initial: "7B",
    range: { least: 1e8, most: 1e12, scale: "decades" },
    when: { parameter: "source", is: "params" },
  },
  {
    name: "model",
    formerly: ["preset"],
    label: "Published model",
    kind: "choice",
    initial: "llama3-70b",
    choices: models,
    when: { parameter: "source", is: "preset" },
  },
  configParameter({ parameter: "source", is: "config" }),
  {
    name: "ranks",
    label: "Data-parallel ranks",
    kind: "whole",
    initial: "8",
    range: { least: 1, most: 1024, scale: "powers" },
    aliases: ["dp"],
  },
  { name: "zeroStage", label: "ZeRO stage", kind: "whole", initial: "1", range: { least: 0, most: 3 } },
  {
    name: "reshard",
    label: "Weights after the forward",
    kind: "choice",
    initial: "freed",
    choices: [
      { value: "freed", label: "Freed" },
      { value: "kept", label: "Kept" },
    ],
    description: "Kept until their backward, they are gathered once, and are all there at the same time.",
    aliases: ["gathered"],
    when: { parameter: "zeroStage", is: "3" },
  },
  {
    name: "capacity",
    label: "Memory of a GPU",
    kind: "real",
    quantity: "bytes",
    initial: "80GB",
    optional: true,
    description: "80 GB is the round number of the papers; a card's own may be given as 79.1GiB. Empty: no line.",
  },
  { name: "recipe", label: "Optimizer and formats", kind: "choice", initial: "mixed-adam", choices: ladderRecipes },
  {
    name: "microBatches",
    label: "Micro-batches in a step",
    kind: "whole",
    initial: "1",
    range: { least: 1, most: 64, scale: "powers" },
    description: "Whose gradients a rank accumulates.",
  },
  {
    name: "sequence",
    label: "Tokens of a sequence",
    kind: "whole",
    initial: "4096",
    range: { least: 512, most: 131072, scale: "powers" },
    when: withShape,
  },
  { ...recomputeParameter, when: withShape },
  {
    name: "layers",
    label: "Layers",
    kind: "whole",
    initial: "32",
    folded: true,
    description: "Which stage 3 gathers one by one.",
    when: { parameter: "source", is: "params" },
  },
  {
    name: "microBatch",
    label: "Sequences in a micro-batch",
    kind: "whole",
    initial: "1",
    folded: true,
    when: withShape,
  },
  { ...recipeBytes, name: "weightBytes", label: "Bytes of a weight" },
  { ...recipeBytes, name: "gradientBytes", label: "Bytes of a gradient" },
  { ...recipeBytes, name: "masterBytes", label: "Bytes of a master weight" },
  { ...recipeBytes, name: "momentBytes", label: "Bytes of a parameter's moments" },
];
