/** What can be taken away from a widget, made in the page: pictures, tables, states, citations. */

import type { Express } from "./expression.js";
import { explain } from "./fault.js";
import { sharedLab } from "./lab.js";
import type { Details, Routine } from "./routine.js";
import type { Texts } from "./parameter.js";
import type { Export } from "./toolbar.js";
import { say, word } from "./words.js";

/** A widget, as it is taken from. */
export interface Taken {
  routine: Routine;
  state: Texts;
  /** nothing while it is kept back until a question is answered */
  result: unknown;
  express: Express;
  drawing(): SVGSVGElement | null;
  /** the colour that a picture lies on */
  paper(): string;
  details(): Promise<Details>;
  permalink(): string;
}

const saving = () => import("./save.js");

export async function svg(from: Taken): Promise<string> {
  const drawing = from.drawing();
  if (drawing === null) throw new Error("There is no picture: the result is too large to draw, or there is none yet.");
  return (await saving()).svgText(drawing, from.paper());
}

export async function png(from: Taken, scale?: number): Promise<Blob> {
  const text = await svg(from);
  const { width, height } = from.drawing()!.viewBox.baseVal;
  return (await saving()).png(text, width, height, scale);
}

export async function csv(from: Taken): Promise<string> {
  const { csvText } = await saving();
  const details = await from.details();
  return from.express(() => csvText(details.table(from.result)));
}

export async function json(from: Taken): Promise<string> {
  const { routine, state, result } = from;
  return (await saving()).jsonText({ title: from.express(() => word(routine.title)), link: from.permalink(), state, result });
}

export function citation(from: Taken): string {
  return from.express(() => say`Shardlab: a distributed-training lab. “${word(from.routine.title)}”. ${from.permalink()}`);
}

/** Saves one of the files that a widget offers. @throws Error where it cannot be made, in a sentence */
export async function save(what: Export, from: Taken): Promise<void> {
  const { download } = await saving();
  const name = `shardlab-${from.routine.id}`;
  if (what === "JSON") download(`${name}.json`, await json(from), "application/json");
  else if (what === "CSV") download(`${name}.csv`, await csv(from), "text/csv");
  else if (what === "SVG") download(`${name}.svg`, await svg(from), "image/svg+xml");
  else if (what === "PNG") download(`${name}.png`, await png(from));
  else await saveOwn(what, name, from);
}

async function saveOwn(what: string, name: string, { routine, result, express }: Taken): Promise<void> {
  const file = routine.files!.find(({ label }) => label === what)!;
  const { download } = await saving();
  try {
    download(`${name}${file.extension}`, await file.text(await sharedLab(), result), file.type);
  } catch (error) {
    throw new Error(express(explain(error, []).message));
  }
}
