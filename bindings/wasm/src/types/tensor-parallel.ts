// Options and results of tensor parallelism.

import type { ModelConfig } from "./memory.js";
import type { Matrix, Rows } from "./numbers.js";

export type Split = "column" | "row";

export interface TensorParallelMatmulOptions {
  /** weights, shape (out, in) */
  w: Rows;
  /** inputs, shape (in, batch) */
  x: Rows;
  ranks: number;
  /** "column" when left out */
  split?: Split;
}

export interface TensorParallelMatmulResult {
  result: Matrix;
  weightShards: Matrix[];
  partialOutputs: Matrix[];
  communicationBytesPerRank: number;
  maxAbsError: number;
  maxRelError: number;
}

/** When a collective is called: for each micro-batch, or once a step on summed gradients. */
export type CallPhase = "forward" | "backward" | "step";

/** What may be forgotten, to be seen in the numbers. */
export type Mistake = "forward-all-reduce" | "backward-all-reduce" | "column-first" | "whole-heads";

/** A collective of a sharded layer. */
export interface CollectiveCall {
  kind: "all-reduce" | "all-gather" | "reduce-scatter";
  phase: CallPhase;
  /** what is reduced or gathered */
  tensor: string;
  /** of the group that calls it */
  ranks: number;
  /** of the whole tensor */
  bytes: number;
  /** by the busiest rank of the ring */
  bytesSentPerRank: number;
}

/** A collective that several layers call. */
export interface RepeatedCall extends CollectiveCall {
  /** layers that call it; 1 outside of the layers */
  count: number;
}

/** A gradient's distance from that of the whole block. */
export interface GradientError {
  /** "input", or a weight */
  name: string;
  maxAbsError: number;
  /** over the largest element */
  maxRelError: number;
}

export interface TensorParallelLinearOptions extends TensorParallelMatmulOptions {
  /** of the loss with respect to W·x, shape (out, batch) */
  outputGradient: Rows;
  /** "forward-all-reduce" by rows, "backward-all-reduce" by columns */
  forget?: Mistake;
}

export interface TensorParallelLinearResult {
  result: Matrix;
  weightShards: Matrix[];
  partialOutputs: Matrix[];
  /** shape (in, batch) */
  inputGradient: Matrix;
  /** a rank's own: (in, batch) by columns, its part of the rows by rows */
  partialInputGradients: Matrix[];
  /** shape (out, in) */
  weightGradient: Matrix;
  maxAbsError: number;
  maxRelError: number;
  gradients: GradientError[];
  collectives: CollectiveCall[];
}

/** A block of a transformer, with numbers made from a seed. */
export interface TensorParallelBlockOptions {
  block: "mlp" | "attention" | "transformer" | "vocabulary";
  ranks: number;
  /** features of a token; 16 when left out */
  hidden?: number;
  /** query heads; 4 when left out */
  heads?: number;
  /** key and value heads; as many as query heads when left out */
  kvHeads?: number;
  /** features between the two matrices of the MLP; 64 when left out */
  ffn?: number;
  /** tokens that there are; 64 when left out */
  vocabulary?: number;
  /** sequences; 2 when left out */
  batch?: number;
  /** tokens of a sequence; 8 when left out */
  sequence?: number;
  /** "gelu" when left out */
  activation?: "gelu" | "swiglu";
  /** before the attention and the MLP of a transformer; "layer" when left out */
  norm?: "layer" | "rms";
  /** 0 to below 1; 0 when left out */
  dropout?: number;
  /** outside of the blocks a rank holds its part of the sequence; false when left out */
  sequenceParallel?: boolean;
  /** what was gathered is kept for the backward; false when left out */
  keepGathered?: boolean;
  forget?: Mistake;
  /** 0 when left out */
  seed?: number;
}

export interface TensorParallelBlockResult {
  /** shape (tokens, hidden); of vocabulary the loss of each token */
  output: Matrix;
  inputGradient: Matrix;
  maxAbsError: number;
  maxRelError: number;
  gradients: GradientError[];
  /** in the order of the calls */
  collectives: CollectiveCall[];
  weightElementsPerRank: Float64Array;
  /** that each rank keeps for the backward beyond its own part */
  gatheredElementsKept: number;
  /** of the matrix products forward */
  multiplicationsPerRank: number;
  /** ranks that hold each key and value head; 1 where they are sharded */
  kvHeadCopies: number;
}

export interface TensorParallelCostOptions {
  config: ModelConfig;
  ranks: number;
  /** sequences in a micro-batch; 1 when left out */
  microBatch?: number;
  /** tokens of a sequence */
  sequence: number;
  sequenceParallel?: boolean;
  keepGathered?: boolean;
}

export interface TensorParallelCostResult {
  /** sent by a rank, forward and backward, in 16-bit numbers */
  communicationBytesPerToken: number;
  /** the part of one layer in it */
  layerBytesPerToken: number;
  /** of a rank's matrix products in the forward of one layer */
  layerMultiplications: number;
  layers: number;
  /** ranks that hold each key and value head; 1 where they are sharded */
  kvHeadCopies: number;
  /** those of a layer, of the vocabulary, and of what follows the layers */
  collectives: RepeatedCall[];
}

export interface TensorParallelMlpOptions {
  /** shape (ffn, in) */
  w1: Rows;
  /** shape (out, ffn) */
  w2: Rows;
  /** shape (in, batch) */
  x: Rows;
  /** shape (out, batch) */
  outputGradient: Rows;
  ranks: number;
}

export interface TensorParallelMlpResult {
  output: Matrix;
  inputGradient: Matrix;
  forwardAllReduces: number;
  backwardAllReduces: number;
  communicationBytesPerRank: number;
  outputMaxRelError: number;
  inputGradientMaxRelError: number;
}
