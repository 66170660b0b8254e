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
} from "./allowance-sources.js";

const allowance = { kind: "whole", initial: "", optional: true } as const;
const size = { ...allowance, quantity: "bytes" } as const;
const choice = { kind: "choice", choices: onOff } as const;

export const allowances: readonly Parameter[] = [
  {
    ...size,
    name: "contextBytes",
    label: "CUDA context",
    description: "0.92 GiB when left empty, as measured on an A100 with PyTorch 2.1.1.",
    sources: [contextMeasured],
  },
  {
    ...size,
    name: "communicationBytes",
    label: "Communication library",
    description: "1 GiB when left empty, where there is more than one rank. A choice: with the context it takes 1 to 3 GiB.",
    sources: [contextMeasured],
  },
  {
    ...size,
    name: "bucketBytes",
    label: "Gradients on their way",
    description: "Two buckets of 25 MiB when left empty: one that fills, and one that is sent.",
    sources: [bucketCap],
  },
  {
    ...allowance,
    name: "prefetchedLayers",
    label: "Layers that stage 3 gathers ahead",
    description: "1 when left empty.",
    sources: [fsdp],
  },
  {
    ...allowance,
    kind: "real",
    name: "fragmentation",
    label: "Lost between blocks",
    description:
      "Part of what is allocated, 0 to 1; 0.02 when left empty. A choice: little with expandable segments, up to a third without.",
    sources: [allocator, fragments],
  },
  {
    ...choice,
    name: "logitGradients",
    label: "Gradient of the logits",
    initial: "on",
    description: "As large as they are, and counted unless a fused loss spares it.",
    sources: [logitsPaper],
  },
  {
    ...choice,
    name: "stageOutputs",
    label: "A stage's output is kept",
    initial: "off",
    description: "Once it is sent, Megatron-LM frees it.",
    sources: [stageOutputsPaper],
  },
  {
    ...allowance,
    name: "perNode",
    label: "Cards of a node",
    description: "In which changes keep tensor parallelism; 8 when left empty.",
    sources: [nodeOfEight],
  },
];

/** Every source of theirs, once. */
export const allowanceSources: readonly Source[] = [...new Set(allowances.flatMap(({ sources = [] }) => sources))];
