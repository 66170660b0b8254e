/**
 * What the author of a page says about a widget: the attributes of its element, which are the keys of an embed's address
 * as well.
 */

import { cut, type Units } from "./format.js";
import { readOne } from "./link.js";
import { kebab, refusal, type Parameter, type Texts } from "./parameter.js";
import { speeds, type Speed } from "./player.js";
import type { Routine } from "./routine.js";
import { say, type Told } from "./words.js";

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
export const settings = ["preset", "src", "state", "hide", "lock", "predict", "theme", "units", "speed", "no-motion", "heading-level"] as const;
/** Those that are there or not. */
export const flags: readonly string[] = ["predict", "no-motion"];
export type Setting = (typeof settings)[number];
/** What every element has, and means something to a widget. */
const ofElements = ["lang"];

export interface Author {
  /** what the controls start with */
  texts: Texts;
  /** pieces and parameters that are not shown */
  hidden: ReadonlySet<string>;
  /** parameters that the reader may not change */
  locked: ReadonlySet<string>;
  predict: boolean;
  speed: Speed;
  /** of the title, from 1 to 6: that after the page's own headings around it */
  headingLevel: number;
  /** of all bytes; where it is not given, each number is in those of its subject */
  units: Units | undefined;
  /** nothing moves, whatever the reader's system says */
  still: boolean;
  /** what was written in vain */
  notices: readonly Told[];
}

/**
 * Reads an author's attributes. Whatever they hold, what is known of it is kept.
 * @param file what `src` stands for
 */
export function authored(routine: Routine, written: (attribute: string) => string | null, file: Texts = {}): Author {
  const notices: Told[] = [];
  const { parameters } = routine;
  const list = (attribute: string, known: readonly string[]) => words(attribute, written(attribute), known, parameters, notices);
  const hidden = list("hide", pieces);
  const locked = list("lock", ["all"]);
  const isAllLocked = written("lock") === "" || locked.includes("all");
  return {
    texts: textsOf(routine, written, file, notices),
    hidden: new Set(hidden),
    locked: new Set(isAllLocked ? parameters.map(({ name }) => name) : locked),
    predict: written("predict") !== null,
    speed: speeds.find((speed) => String(speed) === written("speed")?.replace(/[x×]$/, "")) ?? 1,
    still: written("no-motion") !== null,
    headingLevel: /^[1-6]$/.test(written("heading-level") ?? "") ? Number(written("heading-level")) : 3,
    units: units(written("units"), notices),
    notices,
  };
}

function textsOf(routine: Routine, written: (attribute: string) => string | null, file: Texts, notices: Told[]): Texts {
  const { parameters } = routine;
  const state = written("state");
  const own = Object.fromEntries(parameters.map(({ name, initial }) => [name, initial]));
  const preset = presetOf(routine, written("preset"), notices);
  const stated = state === null ? {} : readOne(state, routine, notices);
  return { ...own, ...preset, ...file, ...stated, ...attributes(parameters, written, notices) };
}

function units(text: string | null, notices: Told[]): Units | undefined {
  if (text === "iec" || text === "si") return text;
  if (text !== null && text !== "") notices.push(() => say`units="${text}" must be iec or si.`);
  return undefined;
}

function presetOf({ presets }: Routine, name: string | null, notices: Told[]): Texts {
  if (name === null || name === "") return {};
  const found = presets.find((preset) => preset.name === name);
  if (found === undefined) notices.push(() => say`preset="${name}" must be one of ${presets.map((preset) => preset.name).join(", ")}.`);
  return found?.texts ?? {};
}

function attributes(parameters: readonly Parameter[], written: (attribute: string) => string | null, notices: Told[]): Texts {
  const texts: Record<string, string> = {};
  for (const parameter of parameters) {
    const [text] = attributesFor(parameter).flatMap((attribute) => written(attribute) ?? []);
    if (text === undefined) continue;
    const rule = refusal(parameter, text);
    if (rule === undefined) texts[parameter.name] = text;
    else notices.push(() => say`${kebab(parameter.name)}="${cut(text)}" must ${rule()}; shown is ${parameter.initial}.`);
  }
  return texts;
}

/** What an element has of its own, or every widget: no parameter can be written by such a name. */
const taken = new Set<string>(["hidden", ...settings]);

/** The attribute that a parameter has, and those that it had; files have none. */
export function attributesFor({ name, kind, formerly = [] }: Parameter): string[] {
  if (kind === "files") return [];
  return [name, ...formerly].map(kebab).filter((attribute) => !taken.has(attribute));
}

/** All that an author may write. */
export function authorsAttributes({ parameters }: Routine): ReadonlySet<string> {
  return new Set([...settings, ...ofElements, ...parameters.flatMap(attributesFor)]);
}

/** The words of a list that are known, where a parameter is meant by its name. */
function words(
  attribute: string,
  text: string | null,
  known: readonly string[],
  parameters: readonly Parameter[],
  notices: Told[],
): string[] {
  const named = (word: string) => (known.includes(word) ? word : parameters.find(({ name }) => kebab(name) === word)?.name);
  const all = (text ?? "").split(/[\s,]+/).filter((word) => word !== "");
  const unknown = all.filter((word) => named(word) === undefined);
  if (unknown.length > 0) {
    const possible = [...known, ...parameters.map(({ name }) => kebab(name))].join(", ");
    notices.push(() => say`${attribute}="${unknown.join(" ")}" names nothing of this widget. It has: ${possible}.`);
  }
  return all.flatMap((word) => named(word) ?? []);
}
