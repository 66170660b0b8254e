/** The public types of the package: one options object in, one plain result out, for every routine. */

/** Numbers in a typed array. */
export type TypedNumbers =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** Numbers in an array or a typed array. */
export type NumberArray = readonly number[] | TypedNumbers;

/** Rows of equal length, one a rank. */
export type Rows = readonly NumberArray[];

/** Rows of equal length as the routines give them: views of one typed array that holds them one after the other. */
export type Matrix = Float64Array[];

export type Tree = "binomial" | "double-binary" | "pipelined-bound";
export type Split = "column" | "row";
export type PipelineScheduleName =
  | "gpipe"
  | "1f1b"
  | "interleaved"
  | "looped-bfs"
  | "zb-h1"
  | "zb-h2"
  | "zb-1p"
  | "zb-2p"
  | "zb-v"
  | "dualpipe"
  | "dualpipe-v";
export type FrameworkRules = "none" | "megatron" | "pytorch";
export type Recomputation = "none" | "selective" | "full";
export type Phase = "reduce-scatter" | "all-gather" | "reduce" | "broadcast" | "exchange";
export type Algorithm = "ring" | "naive" | "tree" | "double-tree" | "halving-doubling" | "hierarchical";
export type Collective = "all-reduce" | "reduce-scatter" | "all-gather" | "broadcast" | "reduce" | "all-to-all";
export type Reduction = "sum" | "max" | "min" | "average";
export type Optimizer = "sgd" | "adam";
export type DType = "float64" | "float32";
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
  /** a CSV with the columns size_B and oop_time_us, or what all_reduce_perf printed */
  text: string;
  /** the run of a text that holds several; its first one when left out */
  run?: string;
  /** 1 to 3; as few as serve when left out */
  regimes?: number;
}

/** A range of sizes in which seconds = latencySeconds + bytes / bytesPerSecond. */
export interface Regime {
  fromBytes: number;
  toBytes: number;
  latencySeconds: number;
  bytesPerSecond: number;
  points: number;
}

export interface FitError {
  mean: number;
  median: number;
  p90: number;
}

export interface FitAllReduceResult {
  /** the runs of the text */
  runs: string[];
  /** the one that was fitted, and its world size where the text tells it */
  run: string;
  ranks: number | null;
  regimes: Regime[];
  /** a column for each field, an entry for each size */
  points: {
    bytes: Float64Array;
    measuredSeconds: Float64Array;
    fittedSeconds: Float64Array;
    relativeError: Float64Array;
    /** of a fit that was made without that size; null where there are too many sizes */
    leftOutRelativeError: Float64Array | null;
  };
  relativeError: FitError;
  leftOutRelativeError: FitError | null;
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

export interface PipelineBubbleOptions {
  /** pipeline devices, P */
  stages: number;
  /** micro-batches in an optimizer step, M */
  microBatches: number;
}

export interface InterleavedBubbleOptions extends PipelineBubbleOptions {
  /** virtual stages a device, V */
  chunks: number;
}

/** What a pipeline is simulated with. Times are in any one unit. */
export interface PipelineCosts {
  /** time of one forward, in any one unit; 1 when left out */
  forward?: number;
  /** time of one whole backward; 2 when left out, or the sum of the two gradients */
  backward?: number;
  /** times of the backward's two gradients, given together and in place of `backward`; half of it when left out */
  inputGradient?: number;
  weightGradient?: number;
  /** time of a forward and a backward that overlap, in DualPipe; their sum when left out */
  overlapped?: number;
  /** for each model part its forward, input gradient and weight gradient, in place of the times of all */
  partTimes?: Rows;
  /** time from the end of an operation to its result's arrival on another stage; 0 when left out */
  communication?: number;
  /** A stage does nothing else until what it sends has arrived. */
  blockingSends?: boolean;
  /** The forward runs once more before each backward or input gradient. */
  recompute?: boolean;
  /** time of a stage after its last operation; 0 when left out */
  gradientSync?: number;
  /** Interleaved: micro-batches whose number is no multiple of `stages` do not wait at the loop's ends. */
  relaxedWrap?: boolean;
}

/** What a schedule is built with, beside its size. */
export interface PipelineBuilderOptions {
  /** model parts a device, V; the schedule's own when left out */
  chunks?: number;
  /** micro-batches in a group of the interleaved schedule; `stages` when left out */
  groupSize?: number;
  /** activations that zb-1p and zb-2p may hold, in micro-batches; P and 2P when left out */
  memoryLimit?: number;
  /** what of them stays between the two gradients, 0 to 1; 16/37 when left out */
  weightGradientShare?: number;
  /** whose conditions are kept; "none" when left out */
  rules?: FrameworkRules;
}

export interface Pipeline1f1bOptions extends PipelineBubbleOptions, PipelineCosts, PipelineBuilderOptions {}

export interface PipelineScheduleOptions extends Pipeline1f1bOptions {
  /** "1f1b" when left out */
  schedule?: PipelineScheduleName;
}

/** A pipeline's operations, one typed array a column, stage after stage in order of execution. */
export interface OperationColumns {
  stage: Int32Array;
  /** 0 forward, 1 backward, 2 input gradient, 3 weight gradient */
  kind: Uint8Array;
  /** from 0, in the order of the model's layers */
  modelPart: Int32Array;
  microBatch: Int32Array;
  /** 1 where it starts and ends together with the next */
  overlapsNext: Uint8Array;
  start: Float64Array;
  end: Float64Array;
}

export interface PipelineScheduleResult {
  /** makespan where every operation takes one step */
  steps: number;
  /** end of the last operation */
  makespan: number;
  /** idle time of all stages over all their time, 0 to 1 */
  bubbleOfTotal: number;
  /** the same idle time over the time of work */
  bubbleOfIdeal: number;
  /** idle share, 0 to 1, of the stage that takes longest from its first start to its last end */
  bubbleRate: number;
  /** for each stage its idle time before its first backward, up to its last forward, and after both */
  idle: { warmUp: Float64Array; steady: Float64Array; drain: Float64Array };
  /** for each stage, the most forwards whose backward or input gradient is still to come */
  peakInFlight: Int32Array;
  /** activations and gradients sent from stage to stage */
  messages: number;
  /** a makespan that no order of the same operations can beat */
  lowerBound: number;
  /** what a paper says that it takes; null where there is no formula */
  closedForm: PipelineClosedForm | null;
  /** the stage of each model part, replica after replica */
  placement: Int32Array;
  /** copies of the model, which share out the micro-batches */
  replicas: number;
  /** operations, by their index in the columns, each of which waited for the one before it */
  criticalPath: Int32Array;
  operations: OperationColumns;
}

export interface PipelineImportOptions extends PipelineCosts {
  /** a line a rank and a cell an action, as torch.distributed.pipelining writes them: 0F0, 3B2, (0F7;7B3)OVERLAP_F_B */
  csv: string;
  /** whether B is the input gradient (older files) or the whole backward; found from the cells when left out */
  notation?: PipelineNotation;
}

/** A schedule that is built, or one that is read from `csv`. */
export interface PipelineExportOptions extends Partial<PipelineBubbleOptions>, PipelineCosts, PipelineBuilderOptions {
  /** "csv" as torch.distributed.pipelining reads it; "trace" as Perfetto does, a unit of time being a microsecond */
  format: "csv" | "trace";
  schedule?: PipelineScheduleName;
  csv?: string;
  notation?: PipelineNotation;
}

export type PipelineNotation = "zero-bubble" | "pytorch";

export interface PipelineImportResult extends PipelineScheduleResult {
  stages: number;
  microBatches: number;
  /** as told, or as found */
  notation: PipelineNotation;
  notationFound: boolean;
  /** sends and receives that were left out, since the simulation sends by itself */
  communicationActions: number;
  /** gathering and scattering of parameters and gradients that was left out */
  shardingActions: number;
}

export interface PipelineClosedForm {
  makespan: number;
  /** whether its condition is met; the simulation then gives the same */
  applies: boolean;
  /** with the letters P, M, V, F, B (whole backward), I and W (its two gradients) */
  formula: string;
  condition: string;
}

/**
 * A Hugging Face config.json: its top level, and the objects that stand in it. A shape without a file is of the lab's own
 * family: `{ model_type: "transformer", hidden: 4096, layers: 32, heads: 32, … }`.
 */
export type ModelConfig = Readonly<Record<string, unknown>>;

export interface ZeroMemoryOptions {
  /** parameters of the model; or `config` */
  params?: number;
  config?: ModelConfig;
  /** data-parallel ranks */
  ranks: number;
  zeroStage: number;
}

export interface ZeroMemoryResult {
  /** parameters that were sized */
  params: number;
  parameterBytes: number;
  gradientBytes: number;
  optimizerBytes: number;
  totalBytes: number;
}

export interface ZeroPartitionOptions {
  /** of the flat buffer */
  elements: number;
  ranks: number;
  /** elements that the padded buffer is a multiple of; a multiple of `ranks` */
  alignment: number;
}

export interface ZeroPartitionResult {
  paddedElements: number;
  elementsPerRank: number;
  /** for each rank, the elements of its part that hold nothing */
  padding: Float64Array;
}

export interface TransformerParametersOptions {
  config: ModelConfig;
}

export interface TransformerParametersResult {
  tokenEmbedding: number;
  positionEmbedding: number;
  attention: number;
  /** of layers with a dense MLP */
  mlp: number;
  router: number;
  /** those that tokens are routed to */
  experts: number;
  /** those that every token meets */
  sharedExperts: number;
  norms: number;
  outputHead: number;
  /** the sum of the parts above */
  total: number;
  /** of them, those that one token meets */
  active: number;
  /** heads that predict further tokens, which are not part of the total */
  predictionHeads: number;
}

export interface ActivationMemoryOptions {
  /** tokens of a sequence */
  sequence: number;
  /** sequences in a micro-batch */
  microBatch: number;
  /** features of a token */
  hidden: number;
  /** attention heads; a multiple of `tp` */
  heads: number;
  /** tensor-parallel ranks; 1 when left out */
  tp?: number;
  /** LayerNorm and dropout are sharded too; false when left out */
  sequenceParallel?: boolean;
  /** what is computed again in the backward; "none" when left out */
  recompute?: Recomputation;
  /** layers of the stage; 1 when left out */
  layers?: number;
  /** micro-batches whose backward is still to come; 1 when left out */
  inFlight?: number;
}

/** A model, and how many tokens of a sequence it reads. */
export interface ModelOptions {
  /** of a model of your own; or `preset` */
  config?: ModelConfig;
  /** the id of a published model */
  preset?: string;
  /** tokens of a sequence; the model's longest when left out, and at most 8192 */
  sequence?: number;
}

export interface TransformerOptions extends ModelOptions {
  /** what is computed again in the backward; "none" when left out */
  recompute?: Recomputation;
}

/** What decides a model's parameters, activations and FLOPs; 0 where it has none of it. */
export interface TransformerShape {
  hidden: number;
  layers: number;
  /** query heads */
  heads: number;
  kvHeads: number;
  headSize: number;
  /** inner features of a dense MLP */
  ffn: number;
  vocabulary: number;
  /** the longest */
  sequence: number;
  gatedMlp: boolean;
  tiedEmbeddings: boolean;
  dropout: boolean;
  /** of latent attention: the latents of keys and values and of queries, and the parts of a head */
  kvRank: number;
  queryRank: number;
  ropeHeadSize: number;
  plainHeadSize: number;
  valueHeadSize: number;
  /** routed experts of a layer */
  experts: number;
  expertsPerToken: number;
  expertFfn: number;
  sharedExpertFfn: number;
  /** layers that have experts */
  expertLayers: number;
}

export interface TransformerResult {
  parameters: number;
  /** those that one token meets */
  activeParameters: number;
  /** the parameters' parts */
  byPart: Omit<TransformerParametersResult, "total" | "active" | "predictionHeads">;
  /** heads that predict further tokens, which are not part of the parameters */
  predictionHeads: number;
  /** tokens that the FLOPs are for */
  sequence: number;
  /** forward and backward */
  flopsPerToken: number;
  /** with what is computed again */
  hardwareFlopsPerToken: number;
  /** of the configuration: fields that are not known to matter, nor to leave a shape alone */
  unknownFields: string[];
  shape: TransformerShape;
}

/** Options of a routine that has none. */
export type NoOptions = Readonly<Record<string, never>>;

export interface TransformerPreset {
  id: string;
  name: string;
  source: string;
}

export interface Accelerator {
  id: string;
  name: string;
  /** all of its memory */
  capacityBytes: number;
  /** what a program can have of it */
  usableBytes: number;
  source: string;
}

/** Bytes that training keeps for every parameter. */
export interface PrecisionRecipe {
  name: string;
  weightBytes: number;
  gradientBytes: number;
  /** of weights that the optimizer works with, where they are apart */
  masterBytes: number;
  /** of the optimizer's running means */
  momentBytes: number;
  /** the same for the matrices inside layers */
  matrixMomentBytes: number;
  source: string;
}

export interface LayerActivationsOptions extends ModelOptions {
  /** from 0: the layer that is asked about, which decides whether it has experts; the last when left out */
  layer?: number;
  /** sequences in a micro-batch; 1 when left out */
  microBatch?: number;
  /** tensor-parallel ranks; 1 when left out */
  tp?: number;
  /** context-parallel ranks; 1 when left out */
  cp?: number;
  /** what tensor parallelism leaves whole is cut by tokens; false when left out */
  sequenceParallel?: boolean;
  /** what is computed again in the backward; "none" when left out */
  recompute?: Recomputation;
  /** fused attention, which keeps no scores; false when left out */
  flash?: boolean;
}

/** One tensor, or several of one kind, that a rank keeps for a micro-batch. */
export interface ActivationTerm {
  /** in snake_case: `attention_scores` */
  name: string;
  bytes: number;
  /** with s, b, h, a, t for sequence, microBatch, hidden, heads, tp; k for kvHeads, d for headSize, f for ffn */
  formula: string;
}

export interface LayerActivationsResult {
  /** on one rank, for one micro-batch */
  bytesPerLayer: number;
  terms: ActivationTerm[];
  /** what the options do that you may not expect, in sentences */
  notes: string[];
}

export type OffloadedStates = "none" | "optimizer" | "parameters";

export interface FootprintOptions extends ModelOptions {
  /** the id of a card, or `custom:BYTES` */
  gpu: string;
  /** tensor-parallel ranks; 1 when left out, as are the four below */
  tp?: number;
  /** pipeline stages */
  pp?: number;
  /** data-parallel ranks */
  dp?: number;
  /** context-parallel ranks */
  cp?: number;
  /** expert-parallel ranks, which are taken from those of dp and cp */
  ep?: number;
  /** of the pipeline; "1f1b" when left out */
  schedule?: PipelineScheduleName;
  /** model parts a stage; the schedule's own when left out */
  chunks?: number;
  /** layers of each model part; even when left out */
  layersPerPart?: NumberArray;
  /** sequences in a micro-batch; 1 when left out */
  microBatch?: number;
  /** of a data-parallel rank in a step; as many as `pp` when left out */
  microBatches?: number;
  /** what tensor parallelism leaves whole is cut by tokens; false when left out */
  sequenceParallel?: boolean;
  /** which states are sharded: none, optimizer, gradients too, parameters too; 0 when left out */
  zeroStage?: number;
  /** ranks that share one set of states; all of them when left out */
  shardRanks?: number;
  /** states in the host's memory; "none" when left out */
  offload?: OffloadedStates;
  /** the name of one of `precisionRecipes`; "mixed-adam" when left out */
  recipe?: string;
  /** bytes of a weight, in place of the recipe's, as are the three below */
  weightBytes?: number;
  gradientBytes?: number;
  /** of a weight that the optimizer works with */
  masterBytes?: number;
  /** of a parameter's running means */
  momentBytes?: number;
  /** what is computed again in the backward; "none" when left out */
  recompute?: Recomputation;
  /** layers that full recomputation keeps one input for; 1 when left out */
  recomputeEvery?: number;
  /** fused attention, which keeps no scores; false when left out */
  flash?: boolean;
  /** of the CUDA context; 987 842 478 when left out: 0.92 GiB */
  contextBytes?: number;
  /** of the communication library, where there is more than one rank; 1 GiB when left out */
  communicationBytes?: number;
  /** of gradients on their way; 50 MiB when left out: two of PyTorch's buckets */
  bucketBytes?: number;
  /** layers that stage 3 gathers ahead; 1 when left out */
  prefetchedLayers?: number;
  /** The gradient of the logits is counted; true when left out. */
  logitGradients?: boolean;
  /** part that the allocator loses, 0 to 1; 0.02 when left out */
  fragmentation?: number;
  /** A stage keeps the output that it has sent; false when left out. */
  stageOutputs?: boolean;
  /** cards of a node, in which a change keeps tensor parallelism; 8 when left out */
  perNode?: number;
  /** the most cards that a change may take; 65536 when left out */
  mostRanks?: number;
}

/** What one rank of a stage holds, in bytes. */
export interface StageFootprint {
  stage: number;
  layers: number;
  /** of them, those that have experts */
  expertLayers: number;
  /** on one rank, before ZeRO shards them */
  parameters: number;
  /** of them, all but routed experts */
  denseParameters: number;
  /** at the moment of most activations; times model parts */
  microBatchesInFlight: number;
  /** of schedules that put weight gradients off: those to come, at that moment */
  weightGradientsWaiting: number;
  weightBytes: number;
  gradientBytes: number;
  optimizerBytes: number;
  /** of the states, what is in the host's memory and not part of the total */
  hostBytes: number;
  activationBytes: number;
  /** with their gradient */
  logitBytes: number;
  /** what is computed again for the backward at work */
  recomputedBytes: number;
  /** what stage 3 gathers for the layers at work */
  gatheredBytes: number;
  bucketBytes: number;
  contextBytes: number;
  communicationBytes: number;
  fragmentationBytes: number;
  totalBytes: number;
}

/** What a step costs on a rank of the stage with most layers, in bytes sent and FLOPs. */
export interface StepCost {
  /** cards */
  ranks: number;
  tensorBytes: number;
  contextBytes: number;
  expertBytes: number;
  pipelineBytes: number;
  dataBytes: number;
  /** all that is sent */
  sentBytes: number;
  /** done once more */
  recomputedFlops: number;
  /** part of the step that stages wait, 0 to 1 */
  bubbleOfTotal: number;
  /** of one matrix product of an MLP: smaller ones use a card less well */
  productFlops: number;
}

/** The options that a change sets, by their names. */
export interface ClusterSettings {
  tp: number;
  pp: number;
  dp: number;
  cp: number;
  ep: number;
  sequenceParallel: boolean;
  microBatch: number;
  microBatches: number;
  zeroStage: number;
  recompute: Recomputation;
}

/** Settings with which it fits, what a rank then holds, and what a step costs. */
export interface FittingSettings {
  settings: ClusterSettings;
  mostLoadedRankBytes: number;
  cost: StepCost;
}

/** A change of one option after which the most loaded rank fits. */
export interface FootprintChange extends FittingSettings {
  /** the option */
  parameter: string;
  /** what it becomes, as text */
  value: string;
}

/** A change that is not offered. */
export interface NoFootprintChange {
  parameter: string;
  /** a sentence */
  reason: string;
  /** the least that any of its values leaves on the most loaded rank, where it is too much; null where there is none */
  leastBytes: number | null;
}

export interface FootprintResult {
  perStage: StageFootprint[];
  /** the first of those that hold most */
  mostLoadedStage: number;
  mostLoadedRankBytes: number;
  /** of the card */
  capacityBytes: number;
  usableBytes: number;
  /** usable bytes that are left; negative where it does not fit */
  spareBytes: number;
  fits: boolean;
  /** what the options do that you may not expect, in sentences */
  notes: string[];
  /** tokens of a sequence */
  sequence: number;
  layersPerPart: Int32Array;
  cost: StepCost;
  /** none where it fits */
  changes: { offered: FootprintChange[]; notOffered: NoFootprintChange[] };
  /** of the most loaded stage and one micro-batch; empty where the stage has no such layer, embedding or head */
  activations: {
    layer: ActivationTerm[];
    expertLayer: ActivationTerm[];
    embedding: ActivationTerm[];
    head: ActivationTerm[];
  };
}

export type Framework = "megatron" | "deepspeed" | "torchtitan" | "fsdp2";

export interface LaunchSettingsOptions extends FootprintOptions {
  framework: Framework;
}

/** One option of a framework. */
export interface LaunchSetting {
  /** as the framework spells it; of a nested one, its path with dots */
  name: string;
  /** as it is written there; empty for a switch */
  value: string;
  /** what it does, in our words */
  meaning: string;
}

/** What a footprint's options come to under one framework. Nothing of it was run. */
export interface LaunchSettingsResult {
  framework: Framework;
  /** where the names of the options were read */
  version: string;
  /** Megatron-LM's arguments, a DeepSpeed JSON object, a torchtitan TOML file, or Python that calls FSDP2's fully_shard */
  text: string;
  /** in the order of the text */
  settings: LaunchSetting[];
  /** what is not among them, and why: sentences that begin with the option in snake_case */
  leftOut: string[];
}

export interface ParseCsvOptions {
  text: string;
}

export interface RandomMatrixOptions {
  rows: number;
  columns: number;
  /** a whole number from 0 to 2^53; 0 when left out */
  seed?: number;
}

/** The routines, as `load()` gives them. Each throws a ShardlabError for bad input. */
export interface Lab {
  /**
   * Sums the buffers of all ranks, element by element, by a ring all-reduce that really runs. Gives the sums, the
   * elements moved, the bytes sent (8 an element) by each rank in each step, and the schedule.
   */
  ringAllReduce(options: RingAllReduceOptions): RingAllReduceResult;
  /**
   * Reduces the buffers of all ranks by an algorithm of your choice that really runs, in float64 or float32, with a
   * fault if you ask for one. Gives the numbers, the bytes (8 or 4 an element) by rank, by step and on the busiest link,
   * which ranks a fault made diverge, and the schedule.
   */
  allReduce(options: AllReduceOptions): RunResult;
  /** The least number of elements, at least 1, that an all-reduce cuts into equal chunks and slices. */
  evenElements(options: EvenElementsOptions): number;
  /** Runs any collective by its usual algorithm, as `allReduce` does; bytes are those of the numbers that it moves. */
  collective(options: CollectiveOptions): RunResult;
  /**
   * The closed form of an all-reduce on a tensor of `bytes` bytes: its steps, and the bytes that the busiest rank sends;
   * for a ring 2(N-1) and 2·bytes·(N-1)/N. With links (seconds, and bytes per second in one direction) also its time in
   * seconds, where that has a closed form.
   */
  allReduceCost(options: AllReduceCostOptions): AllReduceCostResult;
  /**
   * The closed form of the all-reduce along a tree on a tensor of `bytes` bytes: its steps, and the bytes that the
   * busiest rank sends. With a link, or with the seconds of a step alone, also its time in seconds.
   */
  treeAllReduceCost(options: TreeAllReduceCostOptions): TreeAllReduceCostResult;
  /** The seconds that an algorithm's schedule takes for tensors of these bytes, over links with a latency and a rate. */
  allReduceTimes(options: AllReduceTimesOptions): Float64Array;
  /** The sizes in bytes at which two algorithms' schedules take the same time, and which is the faster in between. */
  crossover(options: CrossoverOptions): CrossoverResult;
  /** The seconds that NCCL's own model gives an all-reduce of `bytes` bytes by algorithm and protocol, and its choice. */
  ncclTuning(options: NcclTuningOptions): NcclTuningResult;
  /**
   * Fits latency (seconds) and bandwidth (bytes per second) to a measured all-reduce, in up to three ranges of size, and
   * says how far off the fit is at each.
   */
  fitAllReduce(options: FitAllReduceOptions): FitAllReduceResult;
  /**
   * Averages the gradients of all ranks by a ring all-reduce, beside the mean that is summed in one place. Gives the
   * bytes sent (8 an element) by each rank.
   */
  dataParallelGradientAverage(options: DataParallelOptions): DataParallelResult;
  /**
   * Trains a small model twice on the same rows, serially and on data-parallel ranks under ZeRO stage 0 to 3, with a
   * fault if you ask for one. Gives losses and distances step by step, the bytes sent (8 an element) by each rank in a
   * step, and the elements that each rank keeps.
   */
  dataParallelTrain(options: DataParallelTrainOptions): DataParallelTrainResult;
  /**
   * Packs gradients into buckets as PyTorch's DistributedDataParallel does, and overlaps their ring all-reduces with the
   * backward. Gives the seconds of every backward and all-reduce, and of what nothing hides.
   */
  gradientBuckets(options: GradientBucketsOptions): GradientBucketsResult;
  /**
   * Computes w·x over `ranks` ranks, `w` split by Megatron's columns (`out`) or rows (`in`). Gives every rank's part, the
   * bytes (8 an element) that the busiest rank sends, and the distance from the unsharded product.
   */
  tensorParallelMatmul(options: TensorParallelMatmulOptions): TensorParallelMatmulResult;
  /**
   * The same forward and, from the gradient of the loss with respect to w·x, backward: with a list of the collectives,
   * and what happens where one is forgotten.
   */
  tensorParallelLinear(options: TensorParallelLinearOptions): TensorParallelLinearResult;
  /**
   * Runs a block of a transformer over `ranks` ranks, forward and backward, on numbers made from a seed. Gives the
   * collectives, what each rank holds, and the distance of output and gradients from those of the whole block.
   */
  tensorParallelBlock(options: TensorParallelBlockOptions): TensorParallelBlockResult;
  /** Lists the collectives that tensor parallelism makes a model call, and the bytes that a rank sends per token. */
  tensorParallelCost(options: TensorParallelCostOptions): TensorParallelCostResult;
  /**
   * Computes w2·GELU(w1·x) and its gradient with respect to x over `ranks` ranks, w1 split by columns and w2 by rows.
   * Gives the all-reduces of each direction and the bytes (8 an element) that the busiest rank sends in both.
   */
  tensorParallelMlp(options: TensorParallelMlpOptions): TensorParallelMlpResult;
  /** The idle share, 0 to 1, of all stages' time under GPipe and 1F1B: (P-1)/(M+P-1). */
  pipelineBubbleFraction(options: PipelineBubbleOptions): number;
  /** The idle share, 0 to 1, of all stages' time under interleaved 1F1B with V chunks a stage: (P-1)/(V·M+P-1). */
  interleavedBubbleFraction(options: InterleavedBubbleOptions): number;
  /**
   * Simulates a pipeline schedule. Times go in and come out in any one unit; bubbles are idle time over all time (0 to 1)
   * and over the time of work; `peakInFlight` counts micro-batches, `messages` what one stage sends another.
   */
  pipelineSchedule(options: PipelineScheduleOptions): PipelineScheduleResult;
  /** Simulates one-forward-one-backward, as `pipelineSchedule` does: times in any one unit. */
  pipelineSchedule1f1b(options: Pipeline1f1bOptions): PipelineScheduleResult;
  /** Reads a schedule as PyTorch writes it, and simulates it as `pipelineSchedule` does. */
  pipelineImport(options: PipelineImportOptions): PipelineImportResult;
  /** A schedule as the text of a file for PyTorch, or its simulation as one for Perfetto. */
  pipelineExport(options: PipelineExportOptions): string;
  /**
   * The bytes of training states that each of `ranks` data-parallel ranks holds under ZeRO stage 0 to 3, mixed-precision
   * Adam; for a number of parameters, or for the model that a config.json describes.
   */
  zeroMemoryPerGpu(options: ZeroMemoryOptions): ZeroMemoryResult;
  /** Pads a flat buffer of elements and cuts it into equal parts, one a rank: the padding stands on the last ranks. */
  zeroPartition(options: ZeroPartitionOptions): ZeroPartitionResult;
  /** Counts the parameters of the model that a Hugging Face config.json describes, part by part. */
  transformerParameters(options: TransformerParametersOptions): TransformerParametersResult;
  /**
   * The bytes of activations that one rank holds for `inFlight` micro-batches of `layers` transformer layers, 2 bytes an
   * element; sizes count tokens, sequences, features and heads.
   */
  activationMemoryBytes(options: ActivationMemoryOptions): number;
  /**
   * Describes a model: its parameters by part, its shape, and the FLOPs of training it, a multiply and an add being two,
   * for each token of sequences of `sequence` tokens.
   */
  transformer(options: TransformerOptions): TransformerResult;
  /** Lists the published models that are known by an id. */
  transformerPresets(options?: NoOptions): TransformerPreset[];
  /** Lists the cards that are known by an id, and the bytes of their memory. */
  accelerators(options?: NoOptions): Accelerator[];
  /** Lists the bytes of a parameter by optimizer and number formats. */
  precisionRecipes(options?: NoOptions): PrecisionRecipe[];
  /** Lists the bytes of each tensor that one rank keeps of a layer for the backward pass of one micro-batch. */
  layerActivations(options: LayerActivationsOptions): LayerActivationsResult;
  /**
   * The bytes that one rank of each pipeline stage holds in training, against those that the card has: states,
   * activations and what comes on top. Gives the smallest single changes with which it fits, and what a step costs.
   */
  footprint(options: FootprintOptions): FootprintResult;
  /**
   * The layout, ZeRO stage and recomputation of the fewest cards that hold the model, its sequence and micro-batch; null
   * where `mostRanks` cards do not. Options that the search sets are ignored.
   */
  smallestCluster(options: FootprintOptions): FittingSettings | null;
  /**
   * The settings that ask Megatron-LM, DeepSpeed, torchtitan or FSDP2 for what `footprint` sizes, as a text to be copied
   * and one by one. They decide memory, and are not a whole run: there is no data and no learning rate among them.
   */
  launchSettings(options: LaunchSettingsOptions): LaunchSettingsResult;
  /** Reads comma-separated numbers: a row of the matrix a line, no header. */
  parseCsv(options: ParseCsvOptions): Matrix;
  /** A matrix of numbers uniform in [-1, 1), the same for the same `seed` on every machine. */
  randomMatrix(options: RandomMatrixOptions): Matrix;
}

/** The same routines in a worker: each answers with a promise. */
export type AsyncLab = {
  [Routine in keyof Lab]: (...arguments_: Parameters<Lab[Routine]>) => Promise<ReturnType<Lab[Routine]>>;
} & {
  /** Stops the worker; calls under way are rejected. */
  close(): void;
};

export interface LoadOptions {
  /** The bytes of shardlab.wasm, or where to fetch them; beside this module when left out. */
  wasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of training.wasm. */
  trainingWasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of pipelines.wasm. */
  pipelinesWasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of memory.wasm. */
  memoryWasm?: ArrayBuffer | Uint8Array | URL | string;
}

export interface LoadInWorkerOptions extends LoadOptions {
  /** Where the worker's script is; `worker.js` beside this module when left out. */
  worker?: URL | string;
}
