/** What a student has answered, in words: for the sheet, the file and the button that hands a setting in. */

import { readOne } from "../link.js";
import { active, initialTexts } from "../parameter.js";
import type { Routine } from "../routine.js";
import { ordered, ticked, type Part } from "./criterion.js";

/** An answer in a few words; empty where there is none. */
export function inWords(part: Part, text: string, routine: Routine): string {
  switch (part.kind) {
    case "choice":
      return part.statements.find(({ id }) => id === text)?.short ?? "";
    case "ticks":
      return ticked(part, text).map(({ short }) => short).join("; ");
    case "order":
      return ordered(part, text).map(({ short }) => short).join(" → ");
    case "task":
      return setting(text, routine);
    default:
      return text.trim();
  }
}

/** A setting of a widget, as `Ranks 8, Step 7`. */
function setting(text: string, { id, parameters }: Routine): string {
  if (text === "") return "";
  const initial = initialTexts(parameters);
  const texts = { ...initial, ...readOne(text, { id, parameters }, []) };
  const changed = active(parameters, texts).filter(({ name }) => texts[name] !== initial[name]);
  const said = changed.map(({ name, label, choices }) => {
    const shown = choices?.find(({ value }) => value === texts[name])?.label ?? texts[name]!.trim().replace(/\n/g, "; ");
    return `${label} ${shown}`;
  });
  return said.length === 0 ? "as it starts" : said.join(", ");
}
