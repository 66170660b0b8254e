/** Errors of the core, in the words of the controls. */

import { cut } from "./format.js";
import { named, type InputError, type Parameter } from "./parameter.js";
import { rule as ruled, say, word, type Told } from "./words.js";

/** What is wrong with an input, and with which. */
export interface Fault {
  parameter: string | undefined;
  message: Told;
}

/** An error as it is shown at one of these controls, or below the figure where it belongs to none. */
export function explain(error: unknown, controls: readonly Parameter[]): Fault {
  const { parameter, value, rule, told, message } = error as Error & Partial<Pick<InputError, "parameter" | "rule" | "told">> & { value?: unknown };
  if (parameter === undefined || rule === undefined) return { parameter: undefined, message: () => word(message) };
  const found = named(controls, parameter);
  const place = found ?? controls.find(({ takesOthers }) => takesOthers);
  const label = found?.label ?? parameter;
  return { parameter: place?.name, message: () => say`${word(label)} must ${told?.() ?? ruled(rule)}. ${given(String(value ?? ""))}` };
}

/** The core tells in a sentence what is wrong with a schedule; a long word is what was typed. */
function given(value: string): string {
  const shown = value.includes(" ") ? cut(value, 600) : cut(value);
  return shown.trim() === "" ? word("Nothing is given.") : say`It is ${inWords.test(shown) ? ruled(shown) : shown}.`;
}

/** What the core says in place of a value, or of a part of one. */
const inWords = / |^(empty|missing)$/;
