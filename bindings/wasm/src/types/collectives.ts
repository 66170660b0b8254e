// Options and results of collectives, their cost and their measurements.

import type { DType, Matrix, Rows } from "./numbers.js";

export type Tree = "binomial" | "double-binary" | "pipelined-bound";
export type Phase = "reduce-scatter" | "all-gather" | "reduce" | "broadcast" | "exchange";
export type Algorithm = "ring" | "naive" | "tree" | "double-tree" | "halving-doubling" | "hierarchical";
export type Collective = "all-reduce" | "reduce-scatter" | "all-gather" | "broadcast" | "reduce" | "all-to-all";
export type Reduction = "sum" | "max" | "min" | "average";

/** `pipelined-tree-bound` is what a tree takes at best: 2⌈log₂N⌉α + 2S/β, which no number of slices reaches. */
export type PricedAlgorithm = Algorithm | "pipelined-tree-bound";

export interface RingAllReduceOptions {
  /** a row a rank */
  buffers: Rows;
  /** Run only the first steps; all of them when left out. */
  stopAfter?: number;
}

/** A schedule's transfers, one typed array a column; entry i of every column is transfer i. */
export interface TransferColumns {
  step: Int32Array;
  source: Int32Array;
  destination: Int32Array;
  sourceOffset: Float64Array;
  destinationOffset: Float64Array;
  count: Float64Array;
  /** 1 adds to what stands at the destination, 0 replaces it */
  reduce: Uint8Array;
  /** 0 reduce-scatter, 1 all-gather, 2 reduce, 3 broadcast, 4 exchange */
  phase: Uint8Array;
}

export interface RingAllReduceResult {
  /** a row a rank: the sum, or what stands there after `stopAfter` steps */
  result: Matrix;
  /** steps of the whole schedule */
  steps: number;
  /** the phase of each step */
  phases: Phase[];
  /** elements of each chunk */
  chunkElements: Float64Array;
  /** over all ranks, in the steps that ran */
  elementsMoved: number;
  /** for each rank, in the steps that ran */
  bytesSentPerRank: Float64Array;
  /** bytes each rank sent in each step: a row a step, a column a rank */
  bytesSent: Matrix;
  schedule: TransferColumns;
}

/** One kind of link for all ranks. */
export interface LinkOptions {
  /** seconds; with bytesPerSecond */
  latencySeconds?: number;
  /** with latencySeconds; per direction */
  bytesPerSecond?: number;
}

/** Links of which those between nodes may differ from those inside. */
export interface LinksOptions extends LinkOptions {
  /** between nodes; with interBytesPerSecond, and like those inside when left out */
  interLatencySeconds?: number;
  interBytesPerSecond?: number;
  /** ranks in a node, for the links and for "hierarchical"; 8 when left out */
  perNode?: number;
}

/** How the numbers of a collective are moved, over which links, and what goes wrong. */
export interface RunOptions extends LinksOptions {
  /** a row a rank */
  buffers: Rows;
  /** what elements are reduced to; "sum" when left out */
  op?: Reduction;
  /** numbers that are moved and added; "float64" when left out */
  dtype?: DType;
  /** what goes wrong: `drop:R`, `double:R`, `miss-hop:R:STEP`, `stale:R:STEP`, `slow:R` or `slow:R:FACTOR` */
  fault?: string;
  /** Run only the first steps; all of them when left out. */
  stopAfter?: number;
  /** of the tensor that a rank's numbers stand for, where steps are timed; their own when left out */
  tensorBytes?: number;
}

export interface AllReduceOptions extends RunOptions {
  /** "ring" when left out */
  algorithm?: Algorithm;
  /** parts of the tensor that follow each other through a tree; 1 when left out */
  slices?: number;
}

export interface CollectiveOptions extends RunOptions {
  kind: Collective;
  /** parts of the tensor that follow each other through a tree; 1 when left out */
  slices?: number;
}

/** A directed link between two ranks, and what it carried. */
export interface LinkTraffic {
  source: number;
  destination: number;
  bytes: number;
}

export interface RunResult {
  /** a row a rank: what stands there after the steps that ran */
  result: Matrix;
  /** steps of the whole schedule */
  steps: number;
  /** the phase that most transfers of each step belong to */
  phases: Phase[];
  /** over all ranks, in the steps that ran; so are the bytes below */
  elementsMoved: number;
  bytesSentPerRank: Float64Array;
  bytesReceivedPerRank: Float64Array;
  /** of all ranks together */
  bytesPerStep: Float64Array;
  busiestBytesPerStep: Float64Array;
  /** source and destination are one rank where nothing was sent */
  busiestLink: LinkTraffic;
  /** of the whole schedule, a slow rank of the fault included; null where no link was given */
  secondsPerStep: Float64Array | null;
  /** The largest |sum − exact sum| of an all-reduce; null where it has no sums, did not run whole, or has a fault. */
  maxDifferenceToExactSum: number | null;
  /** ranks whose numbers are not those of the run without the fault; none where there is no fault */
  divergedRanks: Int32Array;
  maxAbsDifference: number;
  /** the largest difference between two ranks' numbers, with the fault */
  maxReplicaDifference: number;
  /** what a real communication library does in place of the fault; null where there is no fault */
  consequence: string | null;
  schedule: TransferColumns;
}

export type EvenElementsOptions = Pick<AllReduceOptions, "algorithm" | "slices" | "perNode"> & { ranks: number };

export interface AllReduceCostOptions extends LinksOptions {
  ranks: number;
  /** of each rank's tensor */
  bytes: number;
  /** "ring" when left out */
  algorithm?: Algorithm;
  /** parts of the tensor that follow each other through a tree; 1 when left out */
  slices?: number;
}

export interface AllReduceCostResult {
  steps: number;
  /** of the busiest rank */
  bytesSentPerRank: number;
  /** bus bandwidth over algorithm bandwidth */
  busFactor: number;
  /** null where no link was given, or where the time on these links has no closed form */
  seconds: number | null;
  /** what all ranks together send at least, in any algorithm that adds in the ranks alone */
  leastTotalBytes: number;
  /** what the busiest rank sends at least */
  leastBusiestRankBytes: number;
}

export interface AllReduceTimesOptions extends LinksOptions {
  algorithm: PricedAlgorithm;
  ranks: number;
  /** sizes of each rank's tensor, fractions too: rows of them */
  bytes: Rows;
  latencySeconds: number;
  bytesPerSecond: number;
  /** parts of the tensor that follow each other through a tree; 1 when left out */
  slices?: number;
}

export interface CrossoverOptions extends LinksOptions {
  first: PricedAlgorithm;
  second: PricedAlgorithm;
  ranks: number;
  latencySeconds: number;
  bytesPerSecond: number;
  /** parts of the tensor that follow each other through a tree; 1 when left out */
  slices?: number;
}

export interface CrossoverResult {
  /** sizes at which both take the same time, in order */
  crossings: Float64Array;
  /** from 0 to 2^53 bytes, without a gap */
  ranges: { fromBytes: number; toBytes: number; faster: "first" | "second" | "equal" }[];
}

export interface NcclTuningOptions {
  /** NCCL's tag, or its short form: "v2.27.7-1", "2.27" */
  version: string;
  arch: "volta" | "ampere" | "hopper" | "blackwell";
  ranks: number;
  /** 1 when left out */
  nodes?: number;
  /** inside a node; "nvlink" when left out */
  link?: "nvlink" | "pci" | "net";
  /** rings, or trees, side by side */
  channels: number;
  /** bus bandwidth of one of them */
  channelBytesPerSecond: number;
  /** of each rank's tensor */
  bytes: number;
  /** maker of the processor, which counts between nodes; "intel" when left out */
  cpu?: "intel" | "amd";
  /** the trees pass through one GPU a node; false when left out */
  treePattern?: boolean;
}

/** seconds = latencySeconds · latencyFactor + bytes / (bytesPerSecond · bandwidthFactor) */
export interface NcclTime {
  algorithm: "Tree" | "Ring";
  protocol: "LL" | "LL128" | "Simple";
  seconds: number;
  latencySeconds: number;
  bytesPerSecond: number;
  latencyFactor: number;
  bandwidthFactor: number;
  /** false where NCCL does not use it by itself */
  enabled: boolean;
}

export interface NcclTuningResult {
  times: NcclTime[];
  /** the shortest of those that are enabled */
  choice: NcclTime;
}

export interface FitAllReduceOptions {
  /** a CSV with the columns size_B and oop_time_us, what all_reduce_perf printed, or JSON of it or of shardlab-mpi */
  text: string;
  /** the run of a text that holds several; its first one when left out */
  run?: string;
  /** 1 to 3; as few as serve when left out */
  regimes?: number;
}

/** A range of sizes in which seconds = latencySeconds + bytes / bytesPerSecond, or latencySeconds alone. */
export interface Regime {
  fromBytes: number;
  toBytes: number;
  latencySeconds: number;
  /** null where times do not grow with the size */
  bytesPerSecond: number | null;
  points: number;
}

export interface FitError {
  mean: number;
  median: number;
  p90: number;
}

/** A column for each field, an entry for each size. */
export interface FittedPoints {
  bytes: Float64Array;
  measuredSeconds: Float64Array;
  fittedSeconds: Float64Array;
  relativeError: Float64Array;
  /** of a fit that was made without that size; null where there are too many sizes */
  leftOutRelativeError: Float64Array | null;
}

/** What one line that is fitted to every other size says of the sizes between. */
export interface HeldOut {
  regimes: Regime[];
  points: FittedPoints;
  relativeError: FitError;
}

export interface AllReduceFit {
  regimes: Regime[];
  points: FittedPoints;
  relativeError: FitError;
  leftOutRelativeError: FitError | null;
  /** null with fewer than 5 sizes */
  heldOut: HeldOut | null;
}

export interface FitAllReduceResult extends AllReduceFit {
  /** the runs of the text */
  runs: string[];
  /** the one that was fitted, and its world size where the text tells it */
  run: string;
  ranks: number | null;
  linesUsed: number;
  linesIgnored: number;
  ignored: { reason: string; lines: number; firstLine: number }[];
}

export type TreeAllReduceCostResult = Omit<AllReduceCostResult, "leastTotalBytes" | "leastBusiestRankBytes">;

export interface TreeAllReduceCostOptions extends LinkOptions {
  ranks: number;
  /** of each rank's tensor */
  bytes: number;
  /** parts of the tensor that follow each other; 1 when left out */
  slices?: number;
  /** seconds of a step where only latency counts; in place of the link */
  latencyPerStep?: number;
  /** "binomial" when left out */
  tree?: Tree;
}
