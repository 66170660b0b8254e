import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The checkout, and the package that was built from it. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));
export const packageDirectory = process.env.SHARDLAB_PACKAGE ?? path.join(repository, "build/package");

/** Imports a module of the package. */
export function importBuilt(file = "index.js") {
  return import(pathToFileURL(path.join(packageDirectory, file)).href);
}

/** Rank r's buffer holds 10^r in each of its elements, so that a digit of the sum stands for a rank. */
export function powersOfTen(ranks, elements) {
  return Array.from({ length: ranks }, (_, rank) => new Array(elements).fill(10 ** rank));
}

/** A kernel of a trace, times in microseconds. */
export function kernel(ts, dur) {
  return { ph: "X", cat: "kernel", name: "gemm", pid: 0, tid: 7, ts, dur };
}

/** An all-reduce of a trace over 2 ranks. */
export function collective(ts, dur, elements = 8) {
  const args = { "Collective name": "allreduce", "In msg nelems": elements, "Group size": 2, dtype: "Float" };
  return { ph: "X", cat: "kernel", name: "ncclDevKernel_AllReduce_Sum_f32_RING_LL", pid: 0, tid: 20, ts, dur, args };
}

/** A trace of these events, as text. */
export function trace(events, rank = 0) {
  return JSON.stringify({ distributedInfo: { backend: "nccl", rank, world_size: 2 }, traceEvents: events });
}

/** Options with which every routine gives a result at once. */
export const examples = {
  ringAllReduce: { buffers: powersOfTen(4, 8) },
  allReduceCost: { ranks: 64, bytes: 1e9, latencySeconds: 1e-6, bytesPerSecond: 100e9 },
  allReduce: { buffers: powersOfTen(4, 8), algorithm: "halving-doubling", fault: "miss-hop:2:1" },
  collective: { kind: "all-gather", buffers: powersOfTen(4, 8) },
  evenElements: { algorithm: "double-tree", ranks: 8, slices: 4 },
  allReduceTimes: { algorithm: "tree", ranks: 8, bytes: [[0, 1e6]], latencySeconds: 5e-6, bytesPerSecond: 50e9 },
  crossover: { first: "ring", second: "tree", ranks: 8, latencySeconds: 5e-6, bytesPerSecond: 50e9 },
  ncclTuning: {
    version: "v2.18.3-1",
    arch: "ampere",
    ranks: 4,
    channels: 24,
    channelBytesPerSecond: 10e9,
    bytes: 1e6,
  },
  fitAllReduce: {
    text: "size_B,oop_time_us\n1000,10\n1000000,30\n1000000000,20010\n2000000000,40010\n4000000000,80010\n",
  },
  treeAllReduceCost: { ranks: 64, bytes: 1e9, latencySeconds: 1e-6, bytesPerSecond: 100e9 },
  dataParallelGradientAverage: { gradients: [[4, 40], [8, 80], [12, 120], [16, 160]] },
  dataParallelTrain: { ranks: 3, steps: 5, zeroStage: 3, batches: [4, 3, 2], fault: "miss-gather:1:2" },
  gradientBuckets: {
    layers: [[4, 2], [6, 3], [2, 1]],
    bucketBytes: 6,
    firstBucketBytes: 2,
    ranks: 2,
    latencySeconds: 0.5,
    bytesPerSecond: 1,
  },
  tensorParallelMatmul: { w: [[1, 2], [3, 4], [5, 6]], x: [[1], [10]], ranks: 2 },
  tensorParallelLinear: {
    w: [[1, 2], [3, 4], [5, 6]],
    x: [[1], [10]],
    outputGradient: [[1], [2], [3]],
    ranks: 2,
    split: "row",
  },
  tensorParallelBlock: { block: "transformer", ranks: 4, kvHeads: 2, activation: "swiglu", sequenceParallel: true },
  tensorParallelCost: {
    config: {
      model_type: "llama",
      hidden_size: 8192,
      num_hidden_layers: 80,
      num_attention_heads: 64,
      num_key_value_heads: 8,
      intermediate_size: 28672,
      vocab_size: 128256,
    },
    ranks: 8,
    sequence: 8192,
  },
  tensorParallelMlp: {
    w1: [[1, 2], [3, 4], [5, 6], [7, 8]],
    w2: [[1, 0, -1, 0.5], [0, 1, 0.25, -1]],
    x: [[0.5], [-0.25]],
    outputGradient: [[1], [2]],
    ranks: 2,
  },
  pipelineBubbleFraction: { stages: 8, microBatches: 4 },
  interleavedBubbleFraction: { stages: 8, microBatches: 4, chunks: 2 },
  pipelineSchedule: { schedule: "gpipe", stages: 4, microBatches: 2 },
  pipelineSchedule1f1b: { stages: 4, microBatches: 2 },
  pipelineExport: { format: "csv", stages: 2, microBatches: 2 },
  pipelineImport: { csv: "0F0,0F1,,0B0,0B1\n,1F0,1B0,1F1,1B1\n" },
  zeroMemoryPerGpu: { params: 7.5e9, ranks: 64, zeroStage: 1 },
  zeroPartition: { elements: 266240, ranks: 768, alignment: 1536 },
  transformerParameters: {
    config: {
      model_type: "llama",
      hidden_size: 4096,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      intermediate_size: 14336,
      vocab_size: 128256,
      tie_word_embeddings: false,
    },
  },
  activationMemoryBytes: { sequence: 4096, microBatch: 1, hidden: 8192, heads: 64, tp: 8 },
  transformer: { preset: "deepseek-v3", recompute: "selective" },
  transformerPresets: {},
  accelerators: {},
  precisionRecipes: {},
  layerActivations: { preset: "llama3-8b", sequence: 4096, tp: 16 },
  zeroStates: { preset: "llama3-70b", ranks: 16, zeroStage: 3, tp: 8, pp: 2, microBatches: 4, shardRanks: 8 },
  // Too much for 8 cards: some changes are offered, others are not.
  footprint: { preset: "llama3-70b", gpu: "h100-80gb", dp: 8, zeroStage: 3, recompute: "full" },
  smallestCluster: { preset: "llama3-8b", gpu: "h100-80gb", sequence: 4096 },
  // Some of it has no setting in DeepSpeed: the shape of the model stands in Python.
  launchSettings: { preset: "llama3-70b", gpu: "h100-80gb", dp: 8, zeroStage: 3, framework: "deepspeed" },
  verify: { table: "zero_table2" },
  parseCsv: { text: "1,2\n3,4\n" },
  randomMatrix: { rows: 2, columns: 3, seed: 7 },
};

/** Holds that an error is a ShardlabError with these fields, and that its sentence is made of them. */
export function assertRefused(error, ShardlabError, parameter, rule, value) {
  assert.ok(error instanceof ShardlabError, `${error?.stack ?? error}`);
  assert.ok(error instanceof RangeError);
  assert.equal(error.name, "ShardlabError");
  assert.equal(error.parameter, parameter, error.message);
  assert.match(error.rule, rule);
  assert.ok(error.message.startsWith(`${parameter} is `), error.message);
  assert.ok(error.message.endsWith(`; it must ${error.rule}`), error.message);
  if (value !== undefined) {
    assert.deepEqual(error.value, value);
  }
}
