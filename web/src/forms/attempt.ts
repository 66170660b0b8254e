/** What the page around a frame wants to be shown: it is shown as a whole, or refused, and then all stays as it is. */

import { explain } from "../fault.js";
import { LabUnavailable, sharedLab } from "../lab.js";
import { readOne } from "../link.js";
import { active, InputError, Inputs, kebab, refused, type Texts } from "../parameter.js";
import type { Widget } from "../widget.js";
import { word, type Told } from "../words.js";

/** An error's three fields, with the parameter by its key in an address; and the sentence that they make. */
export interface Refused {
  parameter?: string | undefined;
  value?: string;
  rule?: string;
  message: string;
  hint: string;
}

/**
 * Shows a state, if it can be. Keys that the widget does not know are told to its reader, as those of a link are.
 * @returns why it cannot be; nothing if it is shown
 */
export async function attempt(widget: Widget, state: unknown): Promise<Refused | undefined> {
  const { routine } = widget;
  const notices: Told[] = [];
  let texts: Texts = {};
  try {
    texts = readOne(queryOf(state, widget), routine, notices);
    await tried(widget, { ...widget.state, ...texts });
  } catch (error) {
    return inWords(error, widget, { ...widget.state, ...texts });
  }
  widget.restore({ ...widget.state, ...texts }, notices);
  return undefined;
}

/** The state as a link has it. */
function queryOf(state: unknown, { routine: { parameters } }: Widget): string {
  if (typeof state !== "object" || state === null || Array.isArray(state)) {
    throw new InputError("state", String(state), "be an object of texts and numbers, by the keys of an address");
  }
  const entries = Object.entries(state).map(([name, value]): [string, string] => {
    const key = kebab(name);
    if (!["string", "number", "boolean"].includes(typeof value)) throw new InputError(key, typeof value, "be a text or a number");
    const parameter = parameters.find((one) => kebab(one.name) === key);
    const wrong = parameter && refused(parameter, String(value));
    if (wrong !== undefined) throw wrong;
    return [key, String(value)];
  });
  return new URLSearchParams(entries).toString();
}

/** Runs the routine beside what is shown. Where the lab does not run, the widget itself says so. */
async function tried({ routine: { run, parameters } }: Widget, texts: Texts): Promise<void> {
  try {
    await run(await sharedLab(), new Inputs(texts, parameters));
  } catch (error) {
    if (!(error instanceof LabUnavailable)) throw error;
  }
}

function inWords(error: unknown, widget: Widget, texts: Texts): Refused {
  const { routine, express } = widget;
  const { parameter: named, value, rule } = error as Partial<InputError>;
  const { parameter, message } = explain(error, active(routine.parameters, texts));
  return {
    parameter: parameter === undefined ? named : kebab(parameter),
    ...(value !== undefined && { value: String(value) }),
    ...(rule !== undefined && { rule }),
    message: express(message),
    hint: express(() => word("The last valid input is shown.")),
  };
}
