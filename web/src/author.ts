/**
 * What the author of a page says about a widget: the attributes of its element, which are the keys of an embed's address
 * as well.
 */

import { readOne } from "./link.js";
import { kebab, refusal, type Parameter, type Texts } from "./parameter.js";
import { speeds, type Speed } from "./player.js";
import type { Routine } from "./routine.js";

/** Parts of the frame that an author may leave out, beside controls, which go by their parameters' names. */
export const pieces = [
  "title",
  "claim",
  "controls",
  "play",
  "readouts",
  "try",
  "why",
  "data",
  "toolbar",
  "link",
  "embed",
  "export",
] as const;
export type Piece = (typeof pieces)[number];

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Attributes that every widget has, beside one for each of its parameters. */
export const settings = ["preset", "state", "hide", "lock", "predict", "theme", "speed", "no-motion"] as const;
export type Setting = (typeof settings)[number];

export interface Author {
  /** what the controls start with */
  texts: Texts;
  /** pieces and parameters that are not shown */
  hidden: ReadonlySet<string>;
  /** parameters that the reader may not change */
  locked: ReadonlySet<string>;
  predict: boolean;
  speed: Speed;
  /** nothing moves, whatever the reader's system says */
  still: boolean;
  /** what was written in vain, in sentences */
  notices: readonly string[];
}

/** Reads an author's attributes. Whatever they hold, what is known of it is kept. */
export function authored(routine: Routine, written: (attribute: string) => string | null): Author {
  const notices: string[] = [];
  const { parameters } = routine;
  const list = (attribute: string, known: readonly string[]) => words(attribute, written(attribute), known, notices);
  const names = parameters.map(({ name }) => kebab(name));
  const hidden = list("hide", [...pieces, ...names]);
  const locked = list("lock", ["all", ...names]);
  return {
    texts: textsOf(routine, written, notices),
    hidden: new Set(hidden),
    locked: new Set(written("lock") === "" || locked.includes("all") ? names : locked),
    predict: written("predict") !== null,
    speed: speeds.find((speed) => String(speed) === written("speed")?.replace(/[x×]$/, "")) ?? 1,
    still: written("no-motion") !== null,
    notices,
  };
}

function textsOf(routine: Routine, written: (attribute: string) => string | null, notices: string[]): Texts {
  const { parameters } = routine;
  const state = written("state");
  const own = Object.fromEntries(parameters.map(({ name, initial }) => [name, initial]));
  const preset = presetOf(routine, written("preset"), notices);
  const stated = state === null ? {} : readOne(state, routine, notices);
  return { ...own, ...preset, ...stated, ...attributes(parameters, written, notices) };
}

function presetOf({ presets = [] }: Routine, name: string | null, notices: string[]): Texts {
  if (name === null || name === "") return {};
  const found = presets.find((preset) => preset.name === name);
  if (found === undefined) notices.push(`preset="${name}" must be one of ${presets.map((preset) => preset.name).join(", ")}.`);
  return found?.texts ?? {};
}

function attributes(parameters: readonly Parameter[], written: (attribute: string) => string | null, notices: string[]): Texts {
  const texts: Record<string, string> = {};
  for (const parameter of parameters) {
    const text = written(kebab(parameter.name));
    if (text === null) continue;
    const rule = refusal(parameter, text);
    if (rule === undefined) texts[parameter.name] = text;
    else notices.push(`${kebab(parameter.name)}="${text}" must ${rule}; shown is ${parameter.initial}.`);
  }
  return texts;
}

function words(attribute: string, text: string | null, known: readonly string[], notices: string[]): string[] {
  const all = (text ?? "").split(/[\s,]+/).filter((word) => word !== "");
  const unknown = all.filter((word) => !known.includes(word));
  if (unknown.length > 0) notices.push(`${attribute}="${unknown.join(" ")}" names nothing of this widget. It has: ${known.join(", ")}.`);
  return all.filter((word) => known.includes(word));
}
