/** What ZeRO leaves on a rank and has it send, stage by stage. */

import type { AsyncLab, FootprintOptions, PrecisionRecipe, StageFootprint } from "shardlab";
import { readConfig } from "./config.js";
import { count } from "./format.js";
import { models } from "./memory-choices.js";
import { InputError, type Inputs } from "./parameter.js";

export const stages = [0, 1, 2, 3] as const;

export type BytesEach = Pick<PrecisionRecipe, "weightBytes" | "gradientBytes" | "masterBytes" | "momentBytes">;

/** What a rank holds of the states. */
export interface Held {
  parameterBytes: number;
  gradientBytes: number;
  optimizerBytes: number;
  totalBytes: number;
}

/** A model of which more is known than its size. */
export interface Shaped {
  name: string;
  /** what comes on top of the states, for each stage of ZeRO */
  stages: readonly StageFootprint[];
}

export interface ZeroState {
  params: number;
  counted: boolean;
  ranks: number;
  zeroStage: number;
  /** stage 3 has the weights of all layers at once, between a step's forward and its backward */
  kept: boolean;
  /** bytes of a GPU; nothing where none are given */
  capacity: number | undefined;
  each: BytesEach;
  recipe: PrecisionRecipe;
  microBatches: number;
  layers: number;
  ladder: readonly Held[];
  /** what a rank sends when one byte of each parameter is gathered, or reduced and scattered */
  sentOfAByte: number;
  shaped: Shaped | undefined;
}

interface Model {
  name: string;
  params: number;
  layers: number;
  options: Pick<FootprintOptions, "config" | "preset"> | undefined;
}

export async function run(lab: AsyncLab, inputs: Inputs): Promise<ZeroState> {
  const model = await modelOf(lab, inputs);
  const { params, layers } = model;
  const ranks = inputs.number("ranks");
  const zeroStage = inputs.number("zeroStage");
  const capacity = readCapacity(inputs);
  const microBatches = whole(inputs, "microBatches");
  const recipe = (await lab.precisionRecipes()).find(({ name }) => name === inputs.text("recipe"))!;
  const each = bytesEach(inputs, recipe);
  // First for the stage that was asked for, which may be refused; then for all.
  await lab.zeroMemoryPerGpu({ params, ranks, zeroStage });
  const papers = await Promise.all(stages.map((stage) => lab.zeroMemoryPerGpu({ params, ranks, zeroStage: stage })));
  const byteOfAll = await lab.allReduceCost({ ranks, bytes: params });
  const kept = zeroStage === 3 && inputs.text("reshard") === "kept";
  const ladder = papers.map((memory) => scaled(memory, each));
  return {
    params,
    counted: model.options !== undefined,
    ranks,
    zeroStage,
    kept,
    capacity,
    each,
    recipe,
    microBatches,
    layers,
    ladder: kept ? [...ladder.slice(0, 3), withAllWeights(ladder)] : ladder,
    sentOfAByte: byteOfAll.bytesSentPerRank / 2,
    shaped: await shapedOf(lab, inputs, model, { kept, microBatches, ranks }),
  };
}

async function modelOf(lab: AsyncLab, inputs: Inputs): Promise<Model> {
  const source = inputs.text("source");
  if (source === "params") {
    return { name: "", params: inputs.number("params"), layers: whole(inputs, "layers"), options: undefined };
  }
  const preset = inputs.text("model");
  const options = source === "config" ? { config: readConfig(inputs.text("config")) } : { preset };
  const { parameters, shape } = await lab.transformer({ ...options, sequence: inputs.number("sequence") });
  const name = source === "config" ? "Your model" : models.find(({ value }) => value === preset)!.label;
  return { name, params: parameters, layers: shape.layers, options };
}

function readCapacity(inputs: Inputs): number | undefined {
  const capacity = inputs.optional("capacity");
  if (capacity === undefined) return undefined;
  if (!(Number.isFinite(capacity) && capacity > 0)) {
    throw new InputError("capacity", inputs.text("capacity"), "be a number of bytes above 0");
  }
  return capacity;
}

/** Of layers and micro-batches alike. */
const mostRepeated = 65536;

function whole(inputs: Inputs, name: string): number {
  const value = inputs.number(name);
  if (!(Number.isInteger(value) && value >= 1 && value <= mostRepeated)) {
    throw new InputError(name, inputs.text(name), `be a whole number from 1 to ${count(mostRepeated)}`);
  }
  return value;
}

function bytesEach(inputs: Inputs, recipe: PrecisionRecipe): BytesEach {
  const own = (name: keyof BytesEach): number => {
    const value = inputs.optional(name) ?? recipe[name];
    if (!(value >= 0 && value <= 64)) throw new InputError(name, inputs.text(name), "be a number from 0 to 64");
    return value;
  };
  return {
    weightBytes: own("weightBytes"),
    gradientBytes: own("gradientBytes"),
    masterBytes: own("masterBytes"),
    momentBytes: own("momentBytes"),
  };
}

/** The paper's bytes are 2, 2 and 12 a parameter; those of another recipe are in proportion. */
function scaled(paper: Held, { weightBytes, gradientBytes, masterBytes, momentBytes }: BytesEach): Held {
  return summed({
    parameterBytes: (paper.parameterBytes / 2) * weightBytes,
    gradientBytes: (paper.gradientBytes / 2) * gradientBytes,
    optimizerBytes: (paper.optimizerBytes / 12) * (masterBytes + momentBytes),
  });
}

function summed(parts: Omit<Held, "totalBytes">): Held {
  return { ...parts, totalBytes: parts.parameterBytes + parts.gradientBytes + parts.optimizerBytes };
}

/** Stage 3 at its worst moment, where it keeps what it has gathered. */
function withAllWeights(ladder: readonly Held[]): Held {
  return summed({ ...ladder[3]!, parameterBytes: ladder[0]!.parameterBytes });
}

/** So large that everything fits, and no changes are sought that would make it fit. */
const endlessCard = `custom:${Number.MAX_SAFE_INTEGER}`;

async function shapedOf(
  lab: AsyncLab,
  inputs: Inputs,
  { name, options }: Model,
  { kept, microBatches, ranks }: Pick<ZeroState, "kept" | "microBatches" | "ranks">,
): Promise<Shaped | undefined> {
  if (options === undefined) return undefined;
  const given = (["weightBytes", "gradientBytes", "masterBytes", "momentBytes"] as const)
    .map((field) => [field, inputs.optional(field)] as const)
    .filter(([, value]) => value !== undefined);
  const common = {
    ...options,
    ...Object.fromEntries(given),
    gpu: endlessCard,
    dp: ranks,
    microBatches,
    microBatch: inputs.number("microBatch"),
    sequence: inputs.number("sequence"),
    recipe: inputs.text("recipe"),
    recompute: inputs.text("recompute") as NonNullable<FootprintOptions["recompute"]>,
    flash: true,
  };
  // What stage 3 keeps of gathered weights leaves it with the memory of stage 2.
  const sized = stages.map((stage) => lab.footprint({ ...common, zeroStage: stage === 3 && kept ? 2 : stage }));
  return { name, stages: (await Promise.all(sized)).map(({ perStage }) => perStage[0]!) };
}

// What a rank sends

export type Collective = "all-gather" | "reduce-scatter";

/** Collectives of a step that are alike. */
export interface SentPart {
  name: string;
  collective: Collective;
  pass: "forward" | "backward" | "step";
  times: number;
  /** of one of them */
  bytes: number;
}

/** Gradients that are accumulated in more bits travel in no more than these. */
const widestGradient = 4;

/** A step's collectives at a stage. The all-reduce of stage 0 is the two that a ring makes it of. */
export function sentParts({ each, sentOfAByte, microBatches, kept }: ZeroState, stage: number): SentPart[] {
  const gradients = Math.min(each.gradientBytes, widestGradient) * sentOfAByte;
  const weights = each.weightBytes * sentOfAByte;
  const reduce: SentPart = {
    name: "RS bwd",
    collective: "reduce-scatter",
    pass: "backward",
    times: stage < 2 ? 1 : microBatches,
    bytes: gradients,
  };
  const gather = (name: string, pass: SentPart["pass"], times: number, bytes: number): SentPart => ({
    name,
    collective: "all-gather",
    pass,
    times,
    bytes,
  });
  if (stage < 3) return [reduce, gather("AG", "step", 1, stage === 0 ? gradients : weights)];
  const forward = gather("AG fwd", "forward", microBatches, weights);
  return kept ? [forward, reduce] : [forward, gather("AG bwd", "backward", microBatches, weights), reduce];
}

export function sentBytes(state: ZeroState, stage: number): number {
  return sentParts(state, stage).reduce((sum, { times, bytes }) => sum + times * bytes, 0);
}

/** How often all parameters are sent. */
export function timesSent(state: ZeroState, stage: number): number {
  return sentParts(state, stage).reduce((sum, { times }) => sum + times, 0);
}

/** Whether weights and gradients travel in as many bytes. */
export function alikeSent({ each }: ZeroState): boolean {
  return each.weightBytes === Math.min(each.gradientBytes, widestGradient);
}

// What comes on top

/** Kept for the backward, and made again for it: ZeRO shards none of it. */
export function activationBytes({ activationBytes, logitBytes, recomputedBytes }: StageFootprint): number {
  return activationBytes + logitBytes + recomputedBytes;
}

/** What every rank has, whatever it trains. */
export function contextBytes({ contextBytes, communicationBytes }: StageFootprint): number {
  return contextBytes + communicationBytes;
}

/** What is left at stage 3 on ever more ranks, but for what is lost between blocks. */
export function floorBytes({ stages }: Shaped): number {
  const three = stages[3]!;
  return activationBytes(three) + three.gatheredBytes + contextBytes(three);
}

/** The floor of stage 3 as it is known. One rank gathers nothing; and weights that are kept are no floor of shards. */
export function floorKnown({ shaped, ranks, kept }: ZeroState): Shaped | undefined {
  return ranks > 1 && !kept ? shaped : undefined;
}
