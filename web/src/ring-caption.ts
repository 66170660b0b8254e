/** What a step of a sound ring all-reduce does, in a sentence or two. */

import type { CollectiveState, Sending } from "./collective-state.js";
import { alone, named } from "./said.js";

/** Of the step that ran last, by its first transfer. */
export function stepCaption(ranks: number, step: number, steps: number, state: CollectiveState): string {
  if (ranks === 1) return alone;
  if (step === 0) {
    return "Every rank holds its own numbers only. No rank is special: in a step all do the same, each with another chunk.";
  }
  const { source, destination, cells, reduce } = state.sendings[0]!;
  const chunk = cells[0]!;
  const what = reduce
    ? `there it now holds the sum of ${named(state.holds(destination, chunk), ranks)}`
    : "a finished chunk, which replaces what stood there";
  const busy = state.sendings.length;
  const links =
    busy === ranks ? `all ${ranks} links carry one chunk at once` : `${busy} of ${ranks} links carry a chunk`;
  const done = step === ranks - 1 ? " The reduce-scatter is done: each rank has one finished chunk." : "";
  const end = step === steps ? " Every rank now holds the whole sum." : "";
  return `Step ${step}: ${links}. Rank ${source} sends chunk ${chunk} to rank ${destination}; ${what}.${done}${end}`;
}

/** Of one chunk's way: `whole` to the end, of which `hops` are done. A chunk hops once in each step. */
export function journeyCaption(ranks: number, chunk: number, whole: readonly Sending[], hops: number): string {
  if (ranks === 1) return alone;
  if (whole.length === 0) return `Chunk ${chunk} is empty, and nothing of it moves.`;
  const collect = ranks - 1;
  const origin = whole[0]!.source;
  if (hops === 0) {
    return (
      `Chunk ${chunk} sets out from rank ${origin}. It takes ${counted(collect)}, N − 1, to collect every rank's part ` +
      `of it, and as many to hand the finished chunk to everyone.`
    );
  }
  const { source, destination } = whole[hops - 1]!;
  if (hops === collect) {
    return (
      `Step ${hops}: chunk ${chunk} is complete on rank ${destination}, after ${counted(hops)}. ` +
      `It takes ${collect} more until everyone has it.`
    );
  }
  if (hops === whole.length) {
    return (
      `Step ${hops}: chunk ${chunk} is complete on every rank, after ${counted(collect)} to collect it and ` +
      `${collect} to hand it round.`
    );
  }
  const from = `Step ${hops}: chunk ${chunk} comes from rank ${source} to rank ${destination}`;
  if (hops > collect) {
    return `${from}, finished. ${hops - collect + 1} of ${ranks} ranks have it; ${counted(whole.length - hops)} to go.`;
  }
  const holds = [origin, ...whole.slice(0, hops).map((hop) => hop.destination)].sort((a, b) => a - b);
  return `${from}, where it is now the sum of ${named(holds, ranks)}. ${counted(collect - hops)} to go until it is complete.`;
}

function counted(hops: number): string {
  return hops === 1 ? "1 hop" : `${hops} hops`;
}
