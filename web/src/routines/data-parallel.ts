import { presets } from "../presets/data-parallel.js";
import type { AsyncLab } from "shardlab";
import type { Inputs, Parameter } from "../parameter.js";
import { Part } from "../part.js";
import type { Routine } from "../routine.js";
import { runAverage, viewAverage, type AverageResult } from "./data-parallel-average.js";
import type { BucketsResult } from "./data-parallel-buckets.js";
import type { TrainingResult } from "./data-parallel-training.js";
import ranksStyle from "../figure/ranks.css";
import chunksStyle from "../figure/chunks.css";
import sentStyle from "../figure/sent.css";
import operationsStyle from "../figure/operations.css";
import curvesStyle from "../figure/curves.css";
import trainingStyle from "../figure/training.css";

export type Result = AverageResult | TrainingResult | BucketsResult;

const parts = {
  training: new Part(() => import("./data-parallel-training.js")),
  buckets: new Part(() => import("./data-parallel-buckets.js")),
};

const [average, training, buckets] = ["average", "training", "buckets"].map((is) => ({ parameter: "show", is })) as [
  { parameter: string; is: string },
  { parameter: string; is: string },
  { parameter: string; is: string },
];

const ofAverage: readonly Parameter[] = [
  {
    name: "gradients",
    label: "Gradients, a row per rank",
    kind: "text",
    initial: "4\n8\n12\n16\n",
    files: ".csv,.txt,text/csv,text/plain",
    description: "Comma-separated numbers, without a header.",
    aliases: ["text", "input", "buffers"],
    when: average,
  },
  {
    name: "fault",
    label: "Break it",
    kind: "choice",
    initial: "none",
    choices: [
      { value: "none", label: "No fault" },
      { value: "drop", label: "Drop one" },
      { value: "double", label: "Double one" },
    ],
    description: "Hypothetical: a real collective drops no rank. It waits for all of them, or times out.",
    when: average,
  },
  {
    name: "rank",
    label: "The rank at fault",
    kind: "whole",
    initial: "3",
    range: { least: 0, most: 7 },
    when: { parameter: "fault", is: ["drop", "double"] },
  },
];

const ofTraining: readonly Parameter[] = [
  {
    name: "optimizer",
    label: "Optimizer",
    kind: "choice",
    initial: "sgd",
    choices: [
      { value: "sgd", label: "SGD" },
      { value: "adam", label: "Adam" },
    ],
    when: training,
  },
  {
    name: "zeroStage",
    label: "ZeRO stage",
    kind: "choice",
    initial: "0",
    choices: [
      { value: "0", label: "0: whole copies" },
      { value: "1", label: "1: shards of optimizer state" },
      { value: "2", label: "2: and of gradients" },
      { value: "3", label: "3: and of parameters" },
    ],
    when: training,
  },
  {
    name: "trainingFault",
    label: "Break it",
    kind: "choice",
    initial: "none",
    choices: [
      { value: "none", label: "No fault" },
      { value: "drop", label: "A gradient is dropped" },
      { value: "double", label: "A gradient counts twice" },
      { value: "miss-gather", label: "A rank misses an all-gather" },
    ],
    description: "Hypothetical: a real collective waits for every rank, or times out.",
    when: training,
  },
  {
    name: "faultRank",
    label: "At rank",
    kind: "whole",
    initial: "",
    optional: true,
    range: { least: 0, most: 7 },
    description: "Left empty, the last.",
    when: { parameter: "trainingFault", is: ["drop", "double", "miss-gather"] },
  },
  {
    name: "faultStep",
    label: "In step",
    kind: "whole",
    initial: "20",
    range: { least: 1, most: 120 },
    when: { parameter: "trainingFault", is: "miss-gather" },
  },
  {
    name: "batches",
    label: "Batches",
    kind: "choice",
    initial: "equal",
    choices: [
      { value: "equal", label: "8 rows each" },
      { value: "unequal", label: "2 on the last" },
    ],
    when: training,
  },
  {
    name: "mean",
    label: "Of the gradients",
    kind: "choice",
    initial: "means",
    choices: [
      { value: "means", label: "Mean of means" },
      { value: "weighted", label: "Weighted" },
    ],
    when: { parameter: "batches", is: "unequal" },
  },
  { name: "steps", label: "Steps", kind: "whole", initial: "80", range: { least: 1, most: 120 }, when: training },
  {
    name: "learningRate",
    label: "Learning rate",
    kind: "real",
    initial: "0.2",
    range: { least: 0.001, most: 1, scale: "decades" },
    when: training,
  },
  { name: "seed", label: "Seed", kind: "whole", initial: "0", range: { least: 0, most: 20 }, when: training },
];

const ofBuckets: readonly Parameter[] = [
  { name: "layers", label: "Layers", kind: "whole", initial: "12", range: { least: 1, most: 96 }, when: buckets },
  {
    name: "layerBytes",
    label: "Gradients of a layer",
    kind: "whole",
    quantity: "bytes",
    initial: "20MB",
    range: { least: 1e4, most: 2e9, scale: "decades" },
    when: buckets,
  },
  {
    name: "layerSeconds",
    label: "Backward of a layer",
    kind: "real",
    quantity: "seconds",
    initial: "1ms",
    range: { least: 1e-5, most: 0.1, scale: "decades" },
    when: buckets,
  },
  {
    name: "bucketBytes",
    label: "Bucket",
    kind: "whole",
    quantity: "bytes",
    initial: "25MiB",
    range: { least: 1e4, most: 1e10, scale: "decades" },
    description: "A bucket is closed as soon as it has so much. PyTorch has 25 MiB.",
    when: buckets,
  },
  {
    name: "firstBucketBytes",
    label: "First bucket",
    kind: "whole",
    quantity: "bytes",
    initial: "1MiB",
    range: { least: 1e4, most: 1e10, scale: "decades" },
    description: "PyTorch has 1 MiB.",
    when: buckets,
  },
  {
    name: "latencySeconds",
    label: "Latency",
    kind: "real",
    quantity: "seconds",
    initial: "5us",
    range: { least: 1e-7, most: 1e-3, scale: "decades" },
    when: buckets,
  },
  {
    name: "bytesPerSecond",
    label: "Bandwidth",
    kind: "real",
    quantity: "rate",
    initial: "20GB/s",
    range: { least: 1e8, most: 1e12, scale: "decades" },
    description: "Of a rank's link, per direction.",
    when: buckets,
  },
];

const parameters: readonly Parameter[] = [
  {
    name: "show",
    label: "Show",
    kind: "choice",
    initial: "average",
    choices: [
      { value: "average", label: "Average" },
      { value: "training", label: "Training" },
      { value: "buckets", label: "Buckets" },
    ],
  },
  ...ofAverage,
  {
    name: "ranks",
    label: "Ranks",
    kind: "whole",
    initial: "4",
    range: { least: 1, most: 8 },
    when: { parameter: "show", is: ["training", "buckets"] },
  },
  ...ofTraining,
  ...ofBuckets,
];

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  switch (inputs.text("show") as Result["kind"]) {
    case "average":
      return runAverage(lab, inputs);
    case "training":
      return (await parts.training.loaded()).runTraining(lab, inputs);
    case "buckets":
      return (await parts.buckets.loaded()).runBuckets(lab, inputs);
  }
}

export const dataParallel: Routine<Result> = {
  id: "data-parallel",
  modules: ["training"],
  title: "Data-parallel training",
  claim: "Every rank sees other data; after one all-reduce every rank takes the same step, that of the whole batch.",
  question: async () => (await import("../questions/data-parallel.js")).question,
  tryNext: "Drop a gradient, and compare the average with that of the whole batch. Then do it in a training.",
  parameters,
  presets,
  styles: [ranksStyle, chunksStyle, sentStyle, operationsStyle, curvesStyle, trainingStyle],
  run,
  view: (result, width) => {
    switch (result.kind) {
      case "average":
        return viewAverage(result, width);
      case "training":
        return parts.training.there.viewTraining(result, width);
      case "buckets":
        return parts.buckets.there.viewBuckets(result, width);
    }
  },
  details: async () => (await import("../details/data-parallel.js")).details,
};
