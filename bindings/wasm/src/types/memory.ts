// Options and results of models and of the memory of a rank.

import type { NumberArray } from "./numbers.js";
import type { PipelineScheduleName } from "./pipelines.js";

export type Recomputation = "none" | "selective" | "full";

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
  /** where training drops features */
  dropout: { scores: boolean; attentionOutput: boolean; mlpOutput: boolean; embedding: boolean };
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
  /** what the sequence asks of the model, in sentences */
  notes: string[];
  /** of the configuration: fields that are not known to matter, nor to leave a shape alone */
  unknownFields: string[];
  shape: TransformerShape;
}

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

/** Bytes of a parameter, and which of them are where. */
export interface StatesOptions {
  /** which states are sharded: none, optimizer, gradients too, parameters too; 0 when left out */
  zeroStage?: number;
  /** ranks that share one set of states, at most dp · cp; all of these when left out */
  shardRanks?: number;
  /** states in the host's memory, and from ZeRO stage 2 on the gradients with them; "none" when left out */
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
}

export interface ZeroStatesOptions extends StatesOptions {
  /** parameters of the model; or `config` or `preset` */
  params?: number;
  config?: ModelConfig;
  /** the id of a published model */
  preset?: string;
  /** data-parallel ranks */
  ranks: number;
  zeroStage: number;
  /** tensor-parallel ranks; 1 when left out, as are the three below */
  tp?: number;
  /** pipeline stages */
  pp?: number;
  /** context-parallel ranks, which share the states with the data-parallel ones */
  cp?: number;
  /** expert-parallel ranks, which are taken from those of `ranks` and cp; of a model alone */
  ep?: number;
  /** in a step, whose gradients are accumulated; 1 when left out */
  microBatches?: number;
  /**
   * what stage 3 does with the weights that it has gathered for a forward: frees them and gathers them again for the
   * backward, or keeps them until then, when all are on the rank; "freed" when left out
   */
  gathered?: "freed" | "kept";
}

/** Collectives of a step that are alike. */
export interface StateCollective {
  /** the last between groups of `shardRanks` ranks */
  collective: "reduce-scatter" | "all-gather" | "all-reduce";
  /** "step" is what follows the last backward */
  pass: "forward" | "backward" | "step";
  /** in a step */
  times: number;
  /** of what is on its way: a weight's, or a gradient's, of which 4 at most are sent */
  bytesPerParam: number;
  /** that a rank sends in one of them */
  bytes: number;
}

/** What the most loaded rank holds and sends. Shards are rounded up to whole elements. */
export interface ZeroStatesResult {
  /** of the model */
  params: number;
  parameterBytes: number;
  gradientBytes: number;
  optimizerBytes: number;
  /** of the states, what is in the host's memory and not part of the total */
  hostBytes: number;
  /** before ZeRO shards them */
  paramsOnRank: number;
  /** of the recipe */
  bytesPerParam: number;
  /** in a step */
  sentBytes: number;
  totalBytes: number;
  /** what sentBytes are made of; the all-reduce of stage 0 is the two collectives that a ring makes it of */
  sent: StateCollective[];
  /** what the request does that may not be expected, in sentences */
  notes: string[];
}

export interface FootprintOptions extends ModelOptions, StatesOptions {
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
  /** what tensor parallelism leaves whole is cut by tokens, which `tp` 1 has nothing of; false when left out */
  sequenceParallel?: boolean;
  /** what is computed again in the backward; "none" when left out */
  recompute?: Recomputation;
  /** layers that full recomputation keeps one input for; 1 when left out, and with any other recomputation */
  recomputeEvery?: number;
  /** fused attention, which keeps no scores; false when left out */
  flash?: boolean;
  /** of the CUDA context; 987 842 478 when left out: 0.92 GiB */
  contextBytes?: number;
  /** of the communication library, where there is more than one rank; 1 GiB when left out */
  communicationBytes?: number;
  /** of gradients on their way to other ranks or the host; 50 MiB when left out: two of PyTorch's buckets */
  bucketBytes?: number;
  /** layers that stage 3 gathers ahead of the layer, embedding or head at work; 1 when left out */
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
  /** what stage 3 gathers, from ranks that share it or host memory, for the layer, embedding or head at work and ahead */
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
  recomputeEvery: number;
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
