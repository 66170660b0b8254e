// Options and results of pipelines.

import type { Rows } from "./numbers.js";

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
