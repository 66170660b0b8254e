/** What a card holds: the reader's setting, and beside it another that was pinned. */

import type {
  Accelerator,
  AsyncLab,
  ClusterSettings,
  FittingSettings,
  FootprintOptions,
  FootprintResult,
  Framework,
  LaunchSettingsResult,
  PrecisionRecipe,
  TransformerResult,
} from "shardlab";
import { readConfig } from "./config.js";
import { memoryParameters } from "./memory-parameters.js";
import { cards, models, ownCard, yours } from "./memory-choices.js";
import { active, InputError, Inputs, kebab, refusal, type Texts } from "./parameter.js";

/** A model on cards, as it was asked for and found. */
export interface Sized {
  model: string;
  card: string;
  options: FootprintOptions;
  described: TransformerResult;
  recipe: PrecisionRecipe;
  /** the card by its id; nothing for one of the reader's own */
  accelerator: Accelerator | undefined;
  found: FootprintResult;
}

export interface MemoryState extends Sized {
  texts: Texts;
  /** what asks the chosen framework for it */
  launch: LaunchSettingsResult;
  /** the fewest cards that hold it, where these do not; null where none do */
  smallest?: FittingSettings | null;
  /** the setting that was pinned; or why it cannot be shown */
  pinned?: Sized | { trouble: string };
}

export async function run(lab: AsyncLab, inputs: Inputs): Promise<MemoryState> {
  const texts = Object.fromEntries(memoryParameters.map(({ name }) => [name, inputs.text(name)]));
  const sized = await sizedBy(lab, texts);
  return {
    ...sized,
    texts,
    launch: await lab.launchSettings({ ...sized.options, framework: texts.framework as Framework }),
    ...(!sized.found.fits && { smallest: await lab.smallestCluster(sized.options) }),
    ...(texts.pinned !== "" && { pinned: await pinnedBy(lab, texts.pinned!) }),
  };
}

async function sizedBy(lab: AsyncLab, texts: Texts): Promise<Sized> {
  const options = optionsOf(texts);
  const { config, preset, recompute = "none" } = options;
  const model = config === undefined ? { preset: preset! } : { config };
  const [found, allRecipes, accelerators, described] = await Promise.all([
    lab.footprint(options),
    lab.precisionRecipes(),
    lab.accelerators(),
    lab.transformer({ ...model, recompute, ...(options.sequence !== undefined && { sequence: options.sequence }) }),
  ]);
  const card = cards.find(({ value }) => value === options.gpu)?.label.replace(/^\w+ /, "") ?? ownCard.label;
  const name = models.find(({ value }) => value === texts.model)?.label ?? yours.label;
  const recipe = allRecipes.find((one) => one.name === options.recipe)!;
  const accelerator = accelerators.find(({ id }) => id === options.gpu);
  return { model: name, card, options, described, recipe, accelerator, found };
}

async function pinnedBy(lab: AsyncLab, text: string): Promise<Sized | { trouble: string }> {
  try {
    return await sizedBy(lab, unpinned(text));
  } catch (error) {
    return { trouble: (error as Error).message };
  }
}

/** The text of a setting that is put aside: what differs from a fresh widget. */
export function pinning(texts: Texts): string {
  const kept = active(memoryParameters, texts).filter(({ name, initial }) => name !== "pinned" && texts[name] !== initial);
  return new URLSearchParams([["pin", "1"], ...kept.map(({ name }) => [kebab(name), texts[name]!])]).toString();
}

/** The texts of a setting that was put aside; those that cannot be are left out. */
function unpinned(text: string): Texts {
  const given = new URLSearchParams(text);
  const taken = memoryParameters.map((parameter) => {
    const { name, initial } = parameter;
    const own = name === "pinned" ? null : given.get(kebab(name));
    return [name, own === null || refusal(parameter, own) !== undefined ? initial : own] as const;
  });
  return Object.fromEntries(taken);
}

/** The texts of the controls that a change sets, where they differ. */
export function textsOf(settings: ClusterSettings, texts: Texts): Texts {
  const written = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === "boolean" ? (value ? "on" : "off") : String(value),
  ]);
  return Object.fromEntries(written.filter(([name, text]) => texts[name as string] !== text));
}

/** What the lab is asked for: the controls that are there. */
function optionsOf(texts: Texts): FootprintOptions {
  const there = active(memoryParameters, texts);
  const inputs = new Inputs(texts, memoryParameters);
  const options: Record<string, unknown> = { ...modelOf(inputs), gpu: cardOf(inputs) };
  for (const { name, kind, optional } of there) {
    if (["model", "config", "gpu", "capacity", "layersPerPart", "framework", "pinned"].includes(name)) continue;
    const text = inputs.text(name);
    if (kind === "choice") options[name] = text === "on" || text === "off" ? text === "on" : text;
    else if (optional !== true || text.trim() !== "") options[name] = inputs.number(name);
  }
  return { ...options, ...layersOf(inputs) } as unknown as FootprintOptions;
}

function modelOf(inputs: Inputs): Pick<FootprintOptions, "config" | "preset"> {
  const model = inputs.text("model");
  return model === "config" ? { config: readConfig(inputs.text("config")) } : { preset: model };
}

function cardOf(inputs: Inputs): string {
  return inputs.text("gpu") === "custom" ? `custom:${inputs.number("capacity")}` : inputs.text("gpu");
}

function layersOf(inputs: Inputs): { layersPerPart?: number[] } {
  const text = inputs.text("layersPerPart").trim();
  if (text === "") return {};
  const layers = text.split(/[\s,;]+/).map(Number);
  if (layers.some((count) => Number.isNaN(count))) {
    throw new InputError("layersPerPart", text, "be whole numbers, one for each model part: 19, 20, 20, 21");
  }
  return { layersPerPart: layers };
}
