/** What a routine is asked for: the schema from which the controls, the call and the errors derive. */

import type { Source } from "./routine.js";
import { typed, type Quantity } from "./units.js";
import { say, word, type Told } from "./words.js";

export interface Choice {
  value: string;
  label: string;
}

export const onOff: readonly Choice[] = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
];

/** The positions of a slider: a hint for the hand, not a limit. What is typed may lie outside. */
export interface Range {
  least: number;
  most: number;
  /** `decades` has the positions 1, 2 and 5 of every power of ten; `powers` those of two */
  scale?: "linear" | "decades" | "powers";
}

export interface Parameter {
  /** as in the package's option objects; the attribute of the element is the same in kebab-case */
  name: string;
  label: string;
  /**
   * `step` is the position in a schedule and is drawn as the transport under the figure; `kept` is a text that buttons
   * set and no control shows; `files` stands for files that the reader has chosen, which no link has
   */
  kind: "whole" | "real" | "choice" | "text" | "files" | "step" | "kept";
  /** a number of it may be typed with a unit */
  quantity?: Quantity;
  /** the text that the control starts with */
  initial: string;
  /** left empty, it is left out of the call */
  optional?: boolean;
  range?: Range;
  choices?: readonly Choice[];
  /** for a text or files: those that may be chosen */
  files?: string;
  description?: string;
  /** the names that it had in links of before */
  formerly?: readonly string[];
  /** where its default comes from */
  sources?: readonly Source[];
  /** the names that the core uses for it in errors, where they differ */
  aliases?: readonly string[];
  /** errors that name no control are shown here: a file has fields of its own */
  takesOthers?: boolean;
  /** less used: its control is folded away below the others */
  folded?: true;
  /** the control is there only where this holds, and the control that it names is there too */
  when?: { parameter: string; is: string | readonly string[] };
}

/** The text of every control, by parameter. */
export type Texts = Readonly<Record<string, string>>;

/** What a control starts with: what the page's author wrote on the element, or else the parameter's own. */
export function initialTexts(
  parameters: readonly Parameter[],
  written: (attribute: string) => string | null | undefined = () => null,
): Texts {
  const text = ({ name, kind, initial }: Parameter) => (kind === "files" ? initial : written(kebab(name)) ?? initial);
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, text(parameter)]));
}

/** An input that the page itself refuses: the same three fields as the core's own error. */
export class InputError extends RangeError {
  constructor(
    readonly parameter: string,
    readonly value: string,
    readonly rule: string,
    /** the same in the language that is spoken, where that is more than other numbers in one text */
    readonly told?: Told,
  ) {
    super(`${parameter} must ${rule}; it is ${value}`);
    this.name = "InputError";
  }
}

/** What is typed, as values for the core. */
export class Inputs {
  constructor(
    private readonly texts: Texts,
    private readonly parameters: readonly Parameter[] = [],
  ) {}

  text(name: string): string {
    return this.texts[name] ?? "";
  }

  /**
   * The number that was typed. What is no number goes on as the text it is: the core refuses it by name, and one
   * place decides what is allowed.
   */
  number(name: string): number {
    const text = this.text(name).trim();
    const quantity = this.parameters.find((one) => one.name === name)?.quantity;
    const found = quantity === undefined ? undefined : typed(text, quantity);
    if (found !== undefined) return found.value;
    const number = Number(text);
    const isNumber = text !== "" && (!Number.isNaN(number) || text.toLowerCase() === "nan");
    return isNumber ? number : (text as unknown as number);
  }

  /** The same, or nothing where the control is empty. */
  optional(name: string): number | undefined {
    return this.text(name).trim() === "" ? undefined : this.number(name);
  }
}

/** What a page sets from a script, as texts: of the parameters that there are, what can stand in their controls. */
export function textsFrom(values: unknown, parameters: readonly Parameter[]): Texts {
  if (typeof values !== "object" || values === null) return {};
  const given = new Map(Object.entries(values));
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value: unknown = given.get(parameter.name);
      if (!["string", "number", "boolean"].includes(typeof value)) return [];
      const text = String(value);
      return refusal(parameter, text) === undefined ? [[parameter.name, text]] : [];
    }),
  );
}

/** Most lines of a text in a control: a browser lays out all of them, seen or not, which holds the page. */
export const mostLines = 10_000;

/** The last one need not end. */
export function linesOf(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The rule that a text breaks by itself, as one from a link may; the core decides about numbers. */
export function refusal({ kind, choices = [] }: Parameter, text: string): Told | undefined {
  if (kind === "text" && linesOf(text) > mostLines) return () => say`have at most ${mostLines} lines`;
  if (kind === "choice" && !choices.some(({ value }) => value === text)) {
    return () => say`be one of ${choices.map(({ value }) => value).join(", ")}`;
  }
  if (kind === "files" && text !== "") return () => word("be opened from this device");
  return kind === "step" && !/^\d{1,9}$/.test(text) ? () => word("be a whole number") : undefined;
}

/** The same as an error. */
export function refused(parameter: Parameter, text: string): InputError | undefined {
  const rule = refusal(parameter, text);
  const value = parameter.kind === "text" ? `a text of ${linesOf(text)} lines` : text;
  return rule && new InputError(parameter.name, value, rule());
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The parameter that an error of the core names. */
export function named(parameters: readonly Parameter[], name: string): Parameter | undefined {
  const wanted = camel(name);
  return parameters.find((parameter) => parameter.name === wanted || parameter.aliases?.includes(wanted));
}

/** The parameters whose controls are there for these texts. */
export function active(parameters: readonly Parameter[], texts: Texts): Parameter[] {
  const shown = ({ when }: Parameter): boolean => {
    if (when === undefined) return true;
    const deciding = parameters.find(({ name }) => name === when.parameter);
    return [when.is].flat().includes(texts[when.parameter]!) && (deciding === undefined || shown(deciding));
  };
  return parameters.filter(shown);
}

/** The numbers that a slider can stand on. */
export function positions(range: Range): number[] {
  const inside = (value: number) => value >= range.least && value <= range.most;
  if (range.scale === "powers") {
    return Array.from({ length: 64 }, (_, exponent) => 2 ** exponent).filter(inside);
  }
  if (range.scale === "decades") {
    const exponents = Array.from({ length: 40 }, (_, index) => index - 20);
    return exponents.flatMap((exponent) => [1, 2, 5].map((digit) => Number(`${digit}e${exponent}`))).filter(inside);
  }
  return Array.from({ length: range.most - range.least + 1 }, (_, index) => range.least + index);
}

/** The index of the position nearest to a value, on the slider's own scale. */
export function nearest(values: readonly number[], range: Range, value: number): number {
  const place = (number: number) => (range.scale === undefined ? number : Math.log(Math.max(number, 1e-300)));
  let best = 0;
  values.forEach((candidate, index) => {
    if (Math.abs(place(candidate) - place(value)) < Math.abs(place(values[best]!) - place(value))) best = index;
  });
  return best;
}
