import type { Lab } from "./types.js";

/** The name of a routine that C++ answers at once: of all but measureTraces, which reads files meanwhile. */
export type Routine = Exclude<keyof Lab, "measureTraces">;

/** What an option holds; `numbers` is a list, `matrix` a list of rows, `config` the top level of a config.json. */
export type Kind = "number" | "text" | "flag" | "numbers" | "matrix" | "config";

interface Required {
  readonly kind: Kind;
}

/** Null stands for "left out" where the routine then does without the option. */
interface Optional extends Required {
  readonly fallback: number | string | boolean | null;
}

/** An option of a routine. */
export type Option = Required | Optional;

type OptionsOf<R extends Routine> = NonNullable<Parameters<Lab[R]>[0]>;

/** An entry for each option that the types name, with a default exactly where the types let it be left out. */
type Table = {
  readonly [R in Routine]: {
    readonly [Key in keyof OptionsOf<R>]-?: object extends Pick<OptionsOf<R>, Key> ? Optional : Required;
  };
};

const matrix = { kind: "matrix" } as const;
const config = { kind: "config" } as const;
const number = { kind: "number" } as const;
const maybeNumber = { kind: "number", fallback: null } as const;
const text = { kind: "text" } as const;
const maybeText = { kind: "text", fallback: null } as const;

const link = { latencySeconds: maybeNumber, bytesPerSecond: maybeNumber };
const algorithm = { kind: "text", fallback: "ring" } as const;
const slices = { kind: "number", fallback: 1 } as const;
const perNode = { kind: "number", fallback: 8 } as const;
const nodes = { perNode, interLatencySeconds: maybeNumber, interBytesPerSecond: maybeNumber };
const run = {
  buffers: matrix,
  op: { kind: "text", fallback: "sum" },
  dtype: { kind: "text", fallback: "float64" },
  fault: maybeText,
  stopAfter: maybeNumber,
  tensorBytes: maybeNumber,
  ...link,
  ...nodes,
} as const;
const priced = { ranks: number, slices, latencySeconds: number, bytesPerSecond: number, ...nodes };
const pipelineCosts = {
  forward: { kind: "number", fallback: 1 },
  backward: maybeNumber,
  inputGradient: maybeNumber,
  weightGradient: maybeNumber,
  overlapped: maybeNumber,
  partTimes: { kind: "matrix", fallback: null },
  communication: { kind: "number", fallback: 0 },
  blockingSends: { kind: "flag", fallback: false },
  recompute: { kind: "flag", fallback: false },
  gradientSync: { kind: "number", fallback: 0 },
  relaxedWrap: { kind: "flag", fallback: false },
} as const;
const builder = {
  chunks: maybeNumber,
  groupSize: maybeNumber,
  memoryLimit: maybeNumber,
  weightGradientShare: maybeNumber,
  rules: { kind: "text", fallback: "none" },
} as const;
const pipeline = { stages: number, microBatches: number, ...pipelineCosts, ...builder };
const scheduleName = { kind: "text", fallback: "1f1b" } as const;

const sequenceParallel = {
  sequenceParallel: { kind: "flag", fallback: false },
  keepGathered: { kind: "flag", fallback: false },
} as const;

const one = { kind: "number", fallback: 1 } as const;
const no = { kind: "flag", fallback: false } as const;
const recompute = { kind: "text", fallback: "none" } as const;
const model = { config: { kind: "config", fallback: null }, preset: maybeText, sequence: maybeNumber } as const;
const states = {
  zeroStage: { kind: "number", fallback: 0 },
  shardRanks: maybeNumber,
  offload: { kind: "text", fallback: "none" },
  recipe: { kind: "text", fallback: "mixed-adam" },
  weightBytes: maybeNumber,
  gradientBytes: maybeNumber,
  masterBytes: maybeNumber,
  momentBytes: maybeNumber,
} as const;
const footprint = {
  ...model,
  gpu: text,
  tp: one,
  pp: one,
  dp: one,
  cp: one,
  ep: one,
  schedule: scheduleName,
  chunks: maybeNumber,
  layersPerPart: { kind: "numbers", fallback: null },
  microBatch: one,
  microBatches: maybeNumber,
  sequenceParallel: no,
  ...states,
  recompute,
  recomputeEvery: one,
  flash: no,
  contextBytes: { kind: "number", fallback: 987842478 },
  communicationBytes: { kind: "number", fallback: 2 ** 30 },
  bucketBytes: { kind: "number", fallback: 50 * 2 ** 20 },
  prefetchedLayers: one,
  logitGradients: { kind: "flag", fallback: true },
  fragmentation: { kind: "number", fallback: 0.02 },
  stageOutputs: no,
  perNode,
  mostRanks: { kind: "number", fallback: 65536 },
} as const;

/** Every routine's options and their defaults: the one place where they stand. */
export const options: Table = {
  ringAllReduce: { buffers: matrix, stopAfter: maybeNumber },
  allReduce: { ...run, algorithm, slices },
  evenElements: { algorithm, ranks: number, slices, perNode },
  collective: { ...run, kind: text, slices },
  allReduceCost: { ranks: number, bytes: number, algorithm, slices, ...link, ...nodes },
  treeAllReduceCost: {
    ranks: number,
    bytes: number,
    ...link,
    slices,
    latencyPerStep: maybeNumber,
    tree: { kind: "text", fallback: "binomial" },
  },
  allReduceTimes: { algorithm: text, bytes: matrix, ...priced },
  crossover: { first: text, second: text, ...priced },
  ncclTuning: {
    version: text,
    arch: text,
    ranks: number,
    nodes: { kind: "number", fallback: 1 },
    link: { kind: "text", fallback: "nvlink" },
    channels: number,
    channelBytesPerSecond: number,
    bytes: number,
    cpu: { kind: "text", fallback: "intel" },
    treePattern: { kind: "flag", fallback: false },
  },
  fitAllReduce: { text, run: maybeText, regimes: maybeNumber },
  dataParallelGradientAverage: { gradients: matrix },
  dataParallelTrain: {
    ranks: { kind: "number", fallback: 4 },
    steps: { kind: "number", fallback: 100 },
    optimizer: { kind: "text", fallback: "sgd" },
    learningRate: { kind: "number", fallback: 0.05 },
    momentum: { kind: "number", fallback: 0 },
    zeroStage: { kind: "number", fallback: 0 },
    batches: { kind: "numbers", fallback: null },
    weighted: { kind: "flag", fallback: false },
    fault: maybeText,
    seed: { kind: "number", fallback: 0 },
  },
  gradientBuckets: {
    layers: matrix,
    bucketBytes: { kind: "number", fallback: 25 * 2 ** 20 },
    firstBucketBytes: { kind: "number", fallback: 2 ** 20 },
    ranks: number,
    latencySeconds: number,
    bytesPerSecond: number,
  },
  tensorParallelMatmul: { w: matrix, x: matrix, ranks: number, split: { kind: "text", fallback: "column" } },
  tensorParallelLinear: {
    w: matrix,
    x: matrix,
    outputGradient: matrix,
    ranks: number,
    split: { kind: "text", fallback: "column" },
    forget: maybeText,
  },
  tensorParallelMlp: { w1: matrix, w2: matrix, x: matrix, outputGradient: matrix, ranks: number },
  tensorParallelBlock: {
    block: text,
    ranks: number,
    hidden: { kind: "number", fallback: 16 },
    heads: { kind: "number", fallback: 4 },
    kvHeads: maybeNumber,
    ffn: { kind: "number", fallback: 64 },
    vocabulary: { kind: "number", fallback: 64 },
    batch: { kind: "number", fallback: 2 },
    sequence: { kind: "number", fallback: 8 },
    activation: { kind: "text", fallback: "gelu" },
    norm: { kind: "text", fallback: "layer" },
    dropout: { kind: "number", fallback: 0 },
    ...sequenceParallel,
    forget: maybeText,
    seed: { kind: "number", fallback: 0 },
  },
  tensorParallelCost: {
    config,
    ranks: number,
    microBatch: { kind: "number", fallback: 1 },
    sequence: number,
    ...sequenceParallel,
  },
  pipelineBubbleFraction: { stages: number, microBatches: number },
  interleavedBubbleFraction: { stages: number, microBatches: number, chunks: number },
  pipelineSchedule: { schedule: scheduleName, ...pipeline },
  pipelineSchedule1f1b: pipeline,
  pipelineImport: { csv: text, notation: maybeText, ...pipelineCosts },
  pipelineExport: {
    format: text,
    csv: maybeText,
    notation: maybeText,
    schedule: scheduleName,
    stages: maybeNumber,
    microBatches: maybeNumber,
    ...pipelineCosts,
    ...builder,
  },
  zeroMemoryPerGpu: {
    params: maybeNumber,
    config: { kind: "config", fallback: null },
    ranks: number,
    zeroStage: number,
  },
  zeroPartition: { elements: number, ranks: number, alignment: number },
  transformerParameters: { config },
  activationMemoryBytes: {
    sequence: number,
    microBatch: number,
    hidden: number,
    heads: number,
    tp: { kind: "number", fallback: 1 },
    sequenceParallel: { kind: "flag", fallback: false },
    recompute: { kind: "text", fallback: "none" },
    layers: { kind: "number", fallback: 1 },
    inFlight: { kind: "number", fallback: 1 },
  },
  transformer: { ...model, recompute },
  transformerPresets: {},
  accelerators: {},
  precisionRecipes: {},
  layerActivations: {
    ...model,
    layer: maybeNumber,
    microBatch: one,
    tp: one,
    cp: one,
    sequenceParallel: no,
    recompute,
    flash: no,
  },
  zeroStates: {
    params: maybeNumber,
    config: model.config,
    preset: model.preset,
    tp: one,
    pp: one,
    ranks: number,
    cp: one,
    ep: one,
    ...states,
    zeroStage: number,
    microBatches: one,
    gathered: { kind: "text", fallback: "freed" },
  },
  footprint,
  smallestCluster: footprint,
  launchSettings: { ...footprint, framework: text },
  verify: { table: maybeText },
  parseCsv: { text },
  randomMatrix: { rows: number, columns: number, seed: { kind: "number", fallback: 0 } },
};

/** The names of all routines. */
export const routines = Object.keys(options) as Routine[];
