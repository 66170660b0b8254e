/** How a widget puts what it says: in which language, and in which units. */

import { inUnits, type Units } from "./format.js";
import { speaking, type Catalogue } from "./words.js";

/** Runs what makes texts, so that they come out in a widget's language and units. */
export type Express = <Result>(run: () => Result) => Result;

export function expression(words: Catalogue | undefined, units: Units | undefined): Express {
  return (run) => speaking(words, () => inUnits(units, run));
}
