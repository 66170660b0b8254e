/** The address of a widget's own page: the query is its author's, the fragment its reader's. */

import { authorsAttributes, flags } from "../author.js";
import { cut } from "../format.js";
import { version, versionOf } from "../link.js";
import type { Routine } from "../routine.js";
import { say, word, type Told } from "../words.js";

/**
 * The attributes that a query asks for. What the widget knows of them is its own matter. A page of its own asks for no file.
 * @returns by name; and what is told of the rest of the query
 */
export function attributesOf(query: string, routine: Routine): { attributes: Map<string, string>; notices: Told[] } {
  const known = authorsAttributes(routine);
  const attributes = new Map<string, string>();
  const notices: Told[] = [];
  const unknown: string[] = [];
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === "v") {
      const of = versionOf(value);
      if (of === undefined) notices.push(() => say`v=${cut(value)} in the address is left out: it must ${word("be a whole number of at least 1")}.`);
      else if (of > version) notices.push(() => say`The address is of version ${of}; this widget reads version ${version}.`);
    } else if (!known.has(key) || key === "src") unknown.push(key);
    else if (!flags.includes(key) || !/^(0|false|no)$/.test(value)) attributes.set(key, value);
  }
  if (unknown.length > 0) notices.push(() => say`The address has keys that this widget does not know: ${unknown.join(", ")}.`);
  return { attributes, notices };
}
