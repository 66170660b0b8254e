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

export type Tree = "binomial";
export type Split = "column" | "row";
export type PipelineScheduleName = "1f1b" | "gpipe";
export type Recomputation = "none" | "selective" | "full";
export type Phase = "reduce-scatter" | "all-gather" | "reduce" | "broadcast";

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

export interface AllReduceCostOptions {
  ranks: number;
  /** of each rank's tensor */
  bytes: number;
  /** with bytesPerSecond: adds `seconds` */
  latencySeconds?: number;
  /** with latencySeconds; per direction */
  bytesPerSecond?: number;
}

export interface AllReduceCostResult {
  steps: number;
  /** of the busiest rank */
  bytesSentPerRank: number;
  /** bus bandwidth over algorithm bandwidth */
  busFactor: number;
  /** null where no link was given */
  seconds: number | null;
}

export interface TreeAllReduceCostOptions extends AllReduceCostOptions {
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

export interface Pipeline1f1bOptions extends PipelineBubbleOptions {
  /** time of one forward, in any one unit; 1 when left out */
  forward?: number;
  /** time of one backward; 2 when left out */
  backward?: number;
  /** time from the end of an operation to its result's arrival on another stage; 0 when left out */
  communication?: number;
}

export interface PipelineScheduleOptions extends Pipeline1f1bOptions {
  /** "1f1b" when left out */
  schedule?: PipelineScheduleName;
}

/** A pipeline's operations, one typed array a column, stage after stage in order of execution. */
export interface OperationColumns {
  stage: Int32Array;
  /** 0 forward, 1 backward */
  kind: Uint8Array;
  microBatch: Int32Array;
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
  /** for each stage, the most micro-batches whose backward is still to come */
  peakInFlight: Int32Array;
  /** activations and gradients sent from stage to stage */
  messages: number;
  operations: OperationColumns;
}

/** The top level of a Hugging Face config.json. */
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

export interface TransformerParametersOptions {
  config: ModelConfig;
}

export interface TransformerParametersResult {
  tokenEmbedding: number;
  positionEmbedding: number;
  attention: number;
  mlp: number;
  norms: number;
  outputHead: number;
  total: number;
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
   * The closed form of the ring all-reduce on a tensor of `bytes` bytes: 2(N-1) steps, and 2·bytes·(N-1)/N bytes sent by
   * each rank. With a link (seconds, and bytes per second in one direction) also its time in seconds.
   */
  allReduceCost(options: AllReduceCostOptions): AllReduceCostResult;
  /**
   * The closed form of the all-reduce along a tree on a tensor of `bytes` bytes: its steps, and the bytes that the
   * busiest rank sends. With a link, or with the seconds of a step alone, also its time in seconds.
   */
  treeAllReduceCost(options: TreeAllReduceCostOptions): AllReduceCostResult;
  /**
   * Averages the gradients of all ranks by a ring all-reduce, beside the mean that is summed in one place. Gives the
   * bytes sent (8 an element) by each rank.
   */
  dataParallelGradientAverage(options: DataParallelOptions): DataParallelResult;
  /**
   * Computes w·x over `ranks` ranks, `w` split by Megatron's columns (`out`) or rows (`in`). Gives every rank's part, the
   * bytes (8 an element) that the busiest rank sends, and the distance from the unsharded product.
   */
  tensorParallelMatmul(options: TensorParallelMatmulOptions): TensorParallelMatmulResult;
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
  /**
   * The bytes of training states that each of `ranks` data-parallel ranks holds under ZeRO stage 0 to 3, mixed-precision
   * Adam; for a number of parameters, or for the model that a config.json describes.
   */
  zeroMemoryPerGpu(options: ZeroMemoryOptions): ZeroMemoryResult;
  /** Counts the parameters of the model that a Hugging Face config.json describes (`llama`, `gpt2`), part by part. */
  transformerParameters(options: TransformerParametersOptions): TransformerParametersResult;
  /**
   * The bytes of activations that one rank holds for `inFlight` micro-batches of `layers` transformer layers, 2 bytes an
   * element; sizes count tokens, sequences, features and heads.
   */
  activationMemoryBytes(options: ActivationMemoryOptions): number;
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
}

export interface LoadInWorkerOptions extends LoadOptions {
  /** Where the worker's script is; `worker.js` beside this module when left out. */
  worker?: URL | string;
}
