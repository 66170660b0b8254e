/** Progress as a file: what a person reads, and the state by which the page shows it again. */

import { jsonText } from "../save.js";
import { inWords } from "./answers.js";
import type { Person } from "./sheet.js";
import type { Work } from "./work.js";

/** What is meant by a field. When that changes this goes up, and older files are read as they were meant. */
const version = 1;

/** A larger one is none of ours. */
export const largestFile = 2 ** 20;

/** @param state of all, as a link has it */
export function fileText(works: readonly Work[], { name, date }: Person, state: string): string {
  return jsonText({ shardlab: "progress", version, name, date, criteria: works.map(recorded), state });
}

function recorded(work: Work): object {
  const { id, title, parts, routine } = work.criterion;
  const answers = parts.map((part) => ({
    part: part.id,
    ask: part.ask,
    answer: inWords(part, work.texts[part.id]!, routine),
    ...(part.kind !== "own" && { right: work.markOf(part.id)?.right ?? null }),
  }));
  return { id, title, attempts: work.attempts, predicted: work.predicted, answers };
}

/**
 * The state in a file. Its marks are not read: the answers are marked anew.
 * @throws Error in a sentence, if it is no file of this page
 */
export function stateIn(text: string): string {
  let found: { shardlab?: unknown; version?: unknown; state?: unknown } | null;
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    throw new Error("That file is no JSON.");
  }
  if (typeof found !== "object" || found === null || found.shardlab !== "progress" || typeof found.state !== "string") {
    throw new Error("That file holds no progress of this page.");
  }
  if (found.version !== version) throw new Error(`That file is of version ${String(found.version)}; this page reads version ${version}.`);
  return found.state;
}
