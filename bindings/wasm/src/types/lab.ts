// The routines, and how they are loaded.

import type {
  AllReduceCostOptions,
  AllReduceCostResult,
  AllReduceOptions,
  AllReduceTimesOptions,
  CollectiveOptions,
  CrossoverOptions,
  CrossoverResult,
  EvenElementsOptions,
  FitAllReduceOptions,
  FitAllReduceResult,
  NcclTuningOptions,
  NcclTuningResult,
  RingAllReduceOptions,
  RingAllReduceResult,
  RunResult,
  TreeAllReduceCostOptions,
  TreeAllReduceCostResult,
} from "./collectives.js";
import type {
  DataParallelOptions,
  DataParallelResult,
  DataParallelTrainOptions,
  DataParallelTrainResult,
  GradientBucketsOptions,
  GradientBucketsResult,
} from "./data-parallel.js";
import type {
  Accelerator,
  ActivationMemoryOptions,
  FittingSettings,
  FootprintOptions,
  FootprintResult,
  LaunchSettingsOptions,
  LaunchSettingsResult,
  LayerActivationsOptions,
  LayerActivationsResult,
  PrecisionRecipe,
  TransformerOptions,
  TransformerParametersOptions,
  TransformerParametersResult,
  TransformerPreset,
  TransformerResult,
  ZeroMemoryOptions,
  ZeroMemoryResult,
  ZeroPartitionOptions,
  ZeroPartitionResult,
  ZeroStatesOptions,
  ZeroStatesResult,
} from "./memory.js";
import type { Matrix, NoOptions, ParseCsvOptions, RandomMatrixOptions } from "./numbers.js";
import type {
  InterleavedBubbleOptions,
  Pipeline1f1bOptions,
  PipelineBubbleOptions,
  PipelineExportOptions,
  PipelineImportOptions,
  PipelineImportResult,
  PipelineScheduleOptions,
  PipelineScheduleResult,
} from "./pipelines.js";
import type {
  TensorParallelBlockOptions,
  TensorParallelBlockResult,
  TensorParallelCostOptions,
  TensorParallelCostResult,
  TensorParallelLinearOptions,
  TensorParallelLinearResult,
  TensorParallelMatmulOptions,
  TensorParallelMatmulResult,
  TensorParallelMlpOptions,
  TensorParallelMlpResult,
} from "./tensor-parallel.js";
import type { MeasureTracesOptions, MeasureTracesResult } from "./traces.js";
import type { VerifyOptions, VerifyResult } from "./verify.js";

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
   * The even share of training states that each of `ranks` data-parallel ranks holds under ZeRO stage 0 to 3, in bytes, by
   * the paper's mixed-precision Adam (`zeroStates` takes any recipe and layout); for a number of parameters, or for the model that a config.json describes.
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
   * The bytes of training states that the most loaded rank holds under ZeRO, in any recipe and layout, and those that it
   * sends for them in a step, collective by collective; for a number of parameters, or for a model.
   */
  zeroStates(options: ZeroStatesOptions): ZeroStatesResult;
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
  /**
   * Computes the cells of published tables anew, and compares each with what is printed, in the unit of its column; with
   * the source of each table, and of each cell the formula, the assumption and the reason of what it may differ by.
   */
  verify(options: VerifyOptions): VerifyResult;
  /**
   * Measures where the time of a training step went by the traces that torch.profiler left, one for each rank: compute,
   * communication that it hid and that it did not, idle time; and each collective with its size. Files are read piece by
   * piece, unpacked where gzip has packed them, and never held whole. Rejects with a ShardlabError for what is no trace,
   * with the signal's reason where that stops it.
   */
  measureTraces(options: MeasureTracesOptions): Promise<MeasureTracesResult>;
  /** Reads comma-separated numbers: a row of the matrix a line, no header. */
  parseCsv(options: ParseCsvOptions): Matrix;
  /** A matrix of numbers uniform in [-1, 1), the same for the same `seed` on every machine. */
  randomMatrix(options: RandomMatrixOptions): Matrix;
}

/** The same routines in a worker: each answers with a promise. */
export type AsyncLab = {
  [Routine in keyof Lab]: (...arguments_: Parameters<Lab[Routine]>) => Promise<Awaited<ReturnType<Lab[Routine]>>>;
} & {
  /** Stops the worker; calls under way are rejected. */
  close(): void;
};

/** A part of the lab with a WebAssembly file of its own. */
export type ModuleName = "shardlab" | "training" | "pipelines" | "memory" | "verify" | "traces";

export interface LoadOptions {
  /** The modules that are to be had; all when left out. A routine of another throws a ShardlabError that names it. */
  modules?: readonly ModuleName[];
  /** The bytes of shardlab.wasm, or where to fetch them; beside this module when left out. */
  wasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of training.wasm. */
  trainingWasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of pipelines.wasm. */
  pipelinesWasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of memory.wasm. */
  memoryWasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of verify.wasm. */
  verifyWasm?: ArrayBuffer | Uint8Array | URL | string;
  /** The same of traces.wasm. */
  tracesWasm?: ArrayBuffer | Uint8Array | URL | string;
}

export interface LoadInWorkerOptions extends LoadOptions {
  /** Where the worker's script is; `worker.js` beside this module when left out. */
  worker?: URL | string;
  /** `classic` for a script that imports nothing, as one made from text must be in some browsers; `module` when left out. */
  workerType?: "module" | "classic";
}
