/** What a step of a sound ring all-reduce does, in a sentence or two. */

import type { CollectiveState, Sending } from "./collective-state.js";
import { plural } from "./format.js";
import { alone, named, sentences } from "./said.js";
import { say, word } from "./words.js";

/** Of the step that ran last, by its first transfer. */
export function stepCaption(ranks: number, step: number, steps: number, state: CollectiveState): string {
  if (ranks === 1) return alone();
  if (step === 0) {
    return word("Every rank holds its own numbers only. No rank is special: in a step all do the same, each with another chunk.");
  }
  const { source, destination, cells, reduce } = state.sendings[0]!;
  const chunk = cells[0]!;
  const busy = state.sendings.length;
  return sentences(
    busy === ranks ? say`Step ${step}: all ${ranks} links carry one chunk at once.` : say`Step ${step}: ${busy} of ${ranks} links carry a chunk.`,
    reduce
      ? say`Rank ${source} sends chunk ${chunk} to rank ${destination}; there it now holds the sum of ${named(state.holds(destination, chunk), ranks)}.`
      : say`Rank ${source} sends chunk ${chunk} to rank ${destination}; a finished chunk, which replaces what stood there.`,
    step === ranks - 1 ? word("The reduce-scatter is done: each rank has one finished chunk.") : "",
    step === steps ? word("Every rank now holds the whole sum.") : "",
  );
}

/** Of one chunk's way: `whole` to the end, of which `hops` are done. A chunk hops once in each step. */
export function journeyCaption(ranks: number, chunk: number, whole: readonly Sending[], hops: number): string {
  if (ranks === 1) return alone();
  if (whole.length === 0) return say`Chunk ${chunk} is empty, and nothing of it moves.`;
  const collect = ranks - 1;
  const origin = whole[0]!.source;
  if (hops === 0) {
    return sentences(
      say`Chunk ${chunk} sets out from rank ${origin}.`,
      say`It takes ${plural(collect, "hop")}, N − 1, to collect every rank's part of it, and as many to hand the finished chunk to everyone.`,
    );
  }
  const { source, destination } = whole[hops - 1]!;
  if (hops === collect) {
    return sentences(
      say`Step ${hops}: chunk ${chunk} is complete on rank ${destination}, after ${plural(hops, "hop")}.`,
      say`It takes ${collect} more until everyone has it.`,
    );
  }
  if (hops === whole.length) {
    return say`Step ${hops}: chunk ${chunk} is complete on every rank, after ${plural(collect, "hop")} to collect it and ${collect} to hand it round.`;
  }
  const from = say`Step ${hops}: chunk ${chunk} comes from rank ${source} to rank ${destination}`;
  if (hops > collect) {
    const have = say`${hops - collect + 1} of ${ranks} ranks have it; ${plural(whole.length - hops, "hop")} to go.`;
    return sentences(say`${from}, finished.`, have);
  }
  const holds = [origin, ...whole.slice(0, hops).map((hop) => hop.destination)].sort((a, b) => a - b);
  return sentences(say`${from}, where it is now the sum of ${named(holds, ranks)}.`, say`${plural(collect - hops, "hop")} to go until it is complete.`);
}
