/** What ZeRO leaves on a rank and has it send, stage by stage. */

import type { AsyncLab, FootprintOptions, PrecisionRecipe, StageFootprint, ZeroStatesOptions, ZeroStatesResult } from "shardlab";
import { readConfig } from "./config.js";
import { count } from "./format.js";
import { models, yours } from "./memory-choices.js";
import { InputError, type Inputs } from "./parameter.js";

export const stages = [0, 1, 2, 3] as const;

const byteNames = ["weightBytes", "gradientBytes", "masterBytes", "momentBytes"] as const;

export type BytesEach = Pick<PrecisionRecipe, (typeof byteNames)[number]>;

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
  /** what a rank holds and sends at each stage */
  ladder: readonly ZeroStatesResult[];
  shaped: Shaped | undefined;
}

interface Model {
  name: string;
  layers: number;
  /** how the lab is asked for it */
  options: Pick<ZeroStatesOptions, "params" | "config" | "preset">;
  /** whether it is a number of parameters, of which no more is known */
  bare: boolean;
}

export async function run(lab: AsyncLab, inputs: Inputs): Promise<ZeroState> {
  const model = await modelOf(lab, inputs);
  const ranks = inputs.number("ranks");
  const zeroStage = inputs.number("zeroStage");
  const capacity = readCapacity(inputs);
  const microBatches = inputs.number("microBatches");
  const kept = zeroStage === 3 && inputs.text("reshard") === "kept";
  const formats = { recipe: inputs.text("recipe"), ...ownBytes(inputs) };
  const at = (stage: number) =>
    lab.zeroStates({ ...model.options, ...formats, ranks, microBatches, zeroStage: stage, ...(kept && stage === 3 && { gathered: "kept" as const }) });
  // First for the stage that was asked for, which may be refused; then for all.
  const { params } = await at(zeroStage);
  const recipe = (await lab.precisionRecipes()).find(({ name }) => name === formats.recipe)!;
  return {
    params,
    counted: !model.bare,
    ranks,
    zeroStage,
    kept,
    capacity,
    each: { ...recipe, ...ownBytes(inputs) },
    recipe,
    microBatches,
    layers: model.layers,
    ladder: await Promise.all(stages.map(at)),
    shaped: await shapedOf(lab, inputs, model, { kept, microBatches, ranks }),
  };
}

async function modelOf(lab: AsyncLab, inputs: Inputs): Promise<Model> {
  const source = inputs.text("source");
  if (source === "params") {
    return { name: "", layers: wholeLayers(inputs), options: { params: inputs.number("params") }, bare: true };
  }
  const preset = inputs.text("model");
  const options = source === "config" ? { config: readConfig(inputs.text("config")) } : { preset };
  const { shape } = await lab.transformer(options);
  const name = source === "config" ? yours.label : models.find(({ value }) => value === preset)!.label;
  return { name, layers: shape.layers, options, bare: false };
}

function readCapacity(inputs: Inputs): number | undefined {
  const capacity = inputs.optional("capacity");
  if (capacity === undefined) return undefined;
  if (!(Number.isFinite(capacity) && capacity > 0)) {
    throw new InputError("capacity", inputs.text("capacity"), "be a number of bytes above 0");
  }
  return capacity;
}

const mostLayers = 65536;

function wholeLayers(inputs: Inputs): number {
  const value = inputs.number("layers");
  if (!(Number.isInteger(value) && value >= 1 && value <= mostLayers)) {
    throw new InputError("layers", inputs.text("layers"), `be a whole number from 1 to ${count(mostLayers)}`);
  }
  return value;
}

/** Those of a parameter's bytes that are given in place of the recipe's. */
function ownBytes(inputs: Inputs): Partial<BytesEach> {
  const given = byteNames.map((name) => [name, inputs.optional(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** So large that everything fits, and no changes are sought that would make it fit. */
const endlessCard = `custom:${Number.MAX_SAFE_INTEGER}`;

async function shapedOf(
  lab: AsyncLab,
  inputs: Inputs,
  { name, options, bare }: Model,
  { kept, microBatches, ranks }: Pick<ZeroState, "kept" | "microBatches" | "ranks">,
): Promise<Shaped | undefined> {
  if (bare) return undefined;
  const common = {
    ...(options as Pick<FootprintOptions, "config" | "preset">),
    ...ownBytes(inputs),
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

/** How often all parameters are sent. */
export function timesSent({ ladder }: ZeroState, stage: number): number {
  return ladder[stage]!.sent.reduce((sum, { times }) => sum + times, 0);
}

/** Whether weights and gradients travel in as many bytes: stage 1 sends both. */
export function alikeSent({ ladder }: ZeroState): boolean {
  return new Set(ladder[1]!.sent.map(({ bytesPerParam }) => bytesPerParam)).size === 1;
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
