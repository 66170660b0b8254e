/** The public types of the package: one options object in, one plain result out, for every routine. */

/** Rows of equal length, one a rank: arrays of numbers or typed arrays. */
export type Rows = readonly (readonly number[] | Float64Array)[];

/** Row-major numbers with their shape. */
export interface Matrix {
  rows: number;
  columns: number;
  /** rows * columns numbers, row after row */
  data: Float64Array;
}

export type Split = "column" | "row";
export type PipelineScheduleName = "1f1b" | "gpipe";
export type Recomputation = "none" | "selective" | "full";
export type ZeroStage = 0 | 1 | 2 | 3;
export type Phase = "reduce-scatter" | "all-gather" | "reduce" | "broadcast";

export interface RingAllReduceOptions {
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
  bytes: number;
  /** with bytesPerSecond: adds `seconds` */
  latencySeconds?: number;
  /** per direction */
  bytesPerSecond?: number;
}

export interface AllReduceCostResult {
  steps: number;
  bytesSentPerRank: number;
  busFactor: number;
  /** null where no link was given */
  seconds: number | null;
}

export interface TreeAllReduceCostOptions extends AllReduceCostOptions {
  tree?: "binomial";
}

export interface DataParallelOptions {
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
  stages: number;
  microBatches: number;
}

export interface InterleavedBubbleOptions extends PipelineBubbleOptions {
  chunks: number;
}

export interface Pipeline1f1bOptions extends PipelineBubbleOptions {
  forward?: number;
  backward?: number;
  communication?: number;
}

export interface PipelineScheduleOptions extends Pipeline1f1bOptions {
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
  makespan: number;
  bubbleOfTotal: number;
  bubbleOfIdeal: number;
  peakInFlight: Int32Array;
  messages: number;
  operations: OperationColumns;
}

/** The top level of a Hugging Face config.json. */
export type ModelConfig = Readonly<Record<string, unknown>>;

export interface ZeroMemoryOptions {
  /** parameters of the model; or `config` */
  params?: number;
  config?: ModelConfig;
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
  sequence: number;
  microBatch: number;
  hidden: number;
  heads: number;
  tp?: number;
  sequenceParallel?: boolean;
  recompute?: Recomputation;
  layers?: number;
  inFlight?: number;
}

export interface ParseCsvOptions {
  text: string;
}

export interface RandomMatrixOptions {
  rows: number;
  columns: number;
  seed?: number;
}

/** The routines, as `load()` gives them. Each throws a ShardlabError for bad input. */
export interface Lab {
  ringAllReduce(options: RingAllReduceOptions): RingAllReduceResult;
  allReduceCost(options: AllReduceCostOptions): AllReduceCostResult;
  treeAllReduceCost(options: TreeAllReduceCostOptions): AllReduceCostResult;
  dataParallelGradientAverage(options: DataParallelOptions): DataParallelResult;
  tensorParallelMatmul(options: TensorParallelMatmulOptions): TensorParallelMatmulResult;
  tensorParallelMlp(options: TensorParallelMlpOptions): TensorParallelMlpResult;
  pipelineBubbleFraction(options: PipelineBubbleOptions): number;
  interleavedBubbleFraction(options: InterleavedBubbleOptions): number;
  pipelineSchedule(options: PipelineScheduleOptions): PipelineScheduleResult;
  pipelineSchedule1f1b(options: Pipeline1f1bOptions): PipelineScheduleResult;
  zeroMemoryPerGpu(options: ZeroMemoryOptions): ZeroMemoryResult;
  transformerParameters(options: TransformerParametersOptions): TransformerParametersResult;
  activationMemoryBytes(options: ActivationMemoryOptions): number;
  parseCsv(options: ParseCsvOptions): Matrix;
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
