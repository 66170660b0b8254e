/** What the package has a default for, in a model's memory: each says where its default comes from. */

import { onOff, type Parameter } from "./parameter.js";
import type { Source } from "./routine.js";
import {
  allocator,
  bucketCap,
  contextMeasured,
  fragments,
  fsdp,
  logitsPaper,
  nodeOfEight,
  stageOutputsPaper,
} from "./sources.js";

function allowance(name: string, label: string, description: string, ...sources: Source[]): Parameter {
  return { name, label, kind: "whole", initial: "", optional: true, description, sources };
}

function size(...described: Parameters<typeof allowance>): Parameter {
  return { ...allowance(...described), quantity: "bytes" };
}

function choice(name: string, label: string, initial: string, description: string, ...sources: Source[]): Parameter {
  return { name, label, kind: "choice", initial, choices: onOff, description, sources };
}

export const allowances: readonly Parameter[] = [
  size("contextBytes", "CUDA context", "0.92 GiB when left empty, as measured on an A100 with PyTorch 2.1.1.", contextMeasured),
  size(
    "communicationBytes",
    "Communication library",
    "1 GiB when left empty, where there is more than one rank. A choice: with the context it takes 1 to 3 GiB.",
    contextMeasured,
  ),
  size(
    "bucketBytes",
    "Gradients on their way",
    "Two buckets of 25 MiB when left empty: one that fills, and one that is sent.",
    bucketCap,
  ),
  allowance("prefetchedLayers", "Layers that stage 3 gathers ahead", "1 when left empty.", fsdp),
  {
    ...allowance(
      "fragmentation",
      "Lost between blocks",
      "Part of what is allocated, 0 to 1; 0.02 when left empty. A choice: little with expandable segments, up to a third without.",
      allocator,
      fragments,
    ),
    kind: "real",
  },
  choice("logitGradients", "Gradient of the logits", "on", "As large as they are, and counted unless a fused loss spares it.", logitsPaper),
  choice("stageOutputs", "A stage's output is kept", "off", "Once it is sent, Megatron-LM frees it.", stageOutputsPaper),
  allowance("perNode", "Cards of a node", "In which changes keep tensor parallelism; 8 when left empty.", nodeOfEight),
];

/** Every source of theirs, once. */
export const allowanceSources: readonly Source[] = [...new Set(allowances.flatMap(({ sources = [] }) => sources))];
