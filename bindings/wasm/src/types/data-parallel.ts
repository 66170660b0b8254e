// Options and results of data parallelism.

import type { NumberArray, Rows } from "./numbers.js";

export type Optimizer = "sgd" | "adam";

export interface DataParallelOptions {
  /** a row a rank */
  gradients: Rows;
}

export interface DataParallelResult {
  average: Float64Array;
  serialMean: Float64Array;
  maxAbsDifference: number;
  bytesSentPerRank: Float64Array;
}

export interface DataParallelTrainOptions {
  /** data-parallel ranks, up to 64; 4 when left out */
  ranks?: number;
  /** steps of the training, up to 10 000; 100 when left out */
  steps?: number;
  /** "sgd" when left out */
  optimizer?: Optimizer;
  /** 0.05 when left out */
  learningRate?: number;
  /** of SGD, 0 to 1; 0 when left out */
  momentum?: number;
  /** which states are sharded: none, optimizer, gradients too, parameters too; 0 when left out */
  zeroStage?: number;
  /** rows of each rank's batch; 8 each when left out */
  batches?: NumberArray;
  /** Weigh the ranks' gradients by their rows; false when left out. */
  weighted?: boolean;
  /** "drop:R", "double:R" or "miss-gather:R:STEP"; none when left out */
  fault?: string;
  /** of the task that is learned, a whole number from 0 to 2^32; 0 when left out */
  seed?: number;
}

export interface DataParallelTrainResult {
  /** loss of the whole batch before each step */
  lossesSerial: Float64Array;
  /** the same, each row at the weights of its rank */
  lossesParallel: Float64Array;
  /** the largest of `maxWeightDifferences` */
  maxWeightDifference: number;
  /** the largest difference in terms of the largest weight of its step */
  maxRelativeWeightDifference: number;
  /** after each step, the largest |parallel - serial| over ranks and weights */
  maxWeightDifferences: Float64Array;
  /** the largest of `maxReplicaDifferences` */
  maxReplicaDifference: number;
  /** for each step, the largest difference between two ranks in one weight */
  maxReplicaDifferences: Float64Array;
  /** for each rank, in every step */
  bytesSentPerRankPerStep: Float64Array;
  /** what each rank keeps from step to step, a number a rank */
  held: HeldColumns;
  /** what a real library does instead of the fault; null without one */
  consequence: string | null;
}

export interface HeldColumns {
  parameterElements: Float64Array;
  gradientElements: Float64Array;
  optimizerElements: Float64Array;
}

export interface GradientBucketsOptions {
  /** a row a layer, in the order of the forward: bytes of its gradients, seconds of its backward */
  layers: Rows;
  /** size at which a bucket is full; 25 MiB when left out, as in PyTorch */
  bucketBytes?: number;
  /** size at which the first bucket is full; 1 MiB when left out */
  firstBucketBytes?: number;
  ranks: number;
  latencySeconds: number;
  /** per direction */
  bytesPerSecond: number;
}

export interface GradientBucketsResult {
  buckets: BucketColumns;
  /** of each layer, in the order of the layers */
  backward: SecondsColumns;
  /** end of the backward */
  backwardSeconds: number;
  /** of all all-reduces together */
  communicationSeconds: number;
  /** communication after the end of the backward */
  exposedSeconds: number;
  /** end of both */
  stepSeconds: number;
  /** the same if the first all-reduce waited for the end of the backward */
  sequentialSeconds: number;
}

/** When something ran, in seconds after the backward began. */
export interface SecondsColumns {
  startSeconds: Float64Array;
  endSeconds: Float64Array;
}

/** Buckets in the order in which they leave, with the times of their all-reduces. */
export interface BucketColumns extends SecondsColumns {
  bytes: Float64Array;
  /** the layer nearest the inputs */
  firstLayer: Int32Array;
  /** the layer nearest the outputs */
  lastLayer: Int32Array;
  /** when the bucket's last gradient is there */
  readySeconds: Float64Array;
}
