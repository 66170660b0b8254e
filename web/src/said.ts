/** How ranks and cells are named in a sentence. */

import { list } from "./format.js";
import { say, word } from "./words.js";

export function alone(): string {
  return word("One rank has nobody to add to: no step, nothing sent.");
}

/** Names of up to so many ranks are said, beyond that their number. */
const mostNamed = 6;

/** "rank 2", "ranks 0 and 1", "9 of 16 ranks", "all ranks". */
export function named(some: readonly number[], ranks: number): string {
  if (some.length === ranks) return word("all ranks");
  if (some.length > mostNamed) return say`${some.length} of ${ranks} ranks`;
  return some.length === 1 ? say`rank ${some[0]!}` : say`ranks ${list(some.map(String))}`;
}

/** "chunk 2", "chunks 4 to 7", and where it is all of them "its whole tensor". */
export function namedCells(cells: readonly number[], all: number): string {
  if (cells.length === all) return word("its whole tensor");
  if (cells.length === 1) return say`chunk ${cells[0]!}`;
  if (cells.length === 2) return say`chunks ${cells[0]!} and ${cells[1]!}`;
  return say`chunks ${cells[0]!} to ${cells[cells.length - 1]!}`;
}

/** One sentence after the other; what is empty is left out. */
export function sentences(...all: readonly string[]): string {
  return all.filter((one) => one !== "").join(word(" "));
}

/** A sentence that comes from elsewhere, with a full stop where it has no end of its own. */
export function closed(sentence: string): string {
  return /^$|[.?!…。？！]$/.test(sentence) ? sentence : sentence + word(".");
}

export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
