/** What a step of any all-reduce does, in a sentence or two. */

import type { Reduction } from "shardlab";
import type { CollectiveState, Sending } from "./collective-state.js";
import { plural } from "./format.js";
import { outlines } from "./outlines.js";
import type { Result } from "./routines/all-reduce-numbers.js";
import { alone, capital, named, namedCells, sentences } from "./said.js";
import { say, word, type Told } from "./words.js";

/** What is held of several ranks' numbers, and of all of them at the end. */
const held: Readonly<Record<Reduction, (ranks: string) => string>> = {
  sum: (ranks) => say`the sum of ${ranks}`,
  average: (ranks) => say`the sum of ${ranks}`,
  max: (ranks) => say`the largest of ${ranks}`,
  min: (ranks) => say`the smallest of ${ranks}`,
};
const finished: Readonly<Record<Reduction, Told>> = {
  sum: () => word("the whole sum"),
  average: () => word("the average, its sum divided by N"),
  max: () => word("the largest of all"),
  min: () => word("the smallest of all"),
};

/** Of the step that ran last, by what goes wrong in it, or else by its first transfer. */
export function stepCaption(result: Result, cells: number, state: CollectiveState): string {
  const { ranks, step, algorithm } = result;
  if (ranks === 1) return alone();
  if (step === 0) return sentences(word("Every rank holds its own numbers only."), outlines[algorithm]());
  const told = state.sendings.find(({ fate }) => fate !== "sound") ?? state.sendings[0];
  if (told === undefined) return say`Step ${step}: nothing moves, for want of elements.`;
  const messages = say`Step ${step}: ${plural(state.sendings.length, "message")} at once.`;
  return sentences(messages, example(result, told, cells, state), milestone(result, cells, state));
}

function example({ op, ranks }: Result, sending: Sending, all: number, { holds }: CollectiveState): string {
  const { source, destination, cells, reduce, fate } = sending;
  const what = namedCells(cells, all);
  const sends =
    fate === "old"
      ? say`Rank ${source} sends ${what}, as it stood a step before, to rank ${destination}`
      : say`Rank ${source} sends ${what} to rank ${destination}`;
  if (fate === "lost") return say`${sends}, where it never arrives.`;
  if (!reduce) return say`${sends}, where it replaces what stood there.`;
  return say`${sends}, which then holds ${held[op](named(holds(destination, cells[0]!), ranks))}.`;
}

function milestone(result: Result, cells: number, state: CollectiveState): string {
  const { ranks, step, whole, op, fault } = result;
  const isWhole = (rank: number, cell: number) => state.holds(rank, cell).length === ranks;
  const everyRank = Array.from({ length: ranks }, (_, rank) => rank);
  const everyCell = Array.from({ length: cells }, (_, cell) => cell);
  if (step === whole.steps) return fault === undefined || fault.kind === "slow" ? say`Every rank now holds ${finished[op]()}.` : "";
  if (!state.sendings.some(({ reduce }) => reduce)) return "";
  if (!everyCell.every((cell) => everyRank.some((rank) => isWhole(rank, cell)))) return "";
  const root = everyRank.find((rank) => everyCell.every((cell) => isWhole(rank, cell)));
  return root === undefined ? word("Each chunk is now complete on one rank.") : say`Rank ${root} has everyone's numbers.`;
}

/** Of one cell: where it went in the step that ran last, and who has it complete. */
export function followCaption(result: Result, chunk: number, way: readonly Sending[], state: CollectiveState): string {
  const { ranks, step, whole } = result;
  if (ranks === 1) return alone();
  if (way.length === 0) return say`Chunk ${chunk} is empty, and nothing of it moves.`;
  const toReduce = way.filter(({ reduce }) => reduce).length;
  const copies = plural(way.length - toReduce, "message");
  if (step === 0) return say`Chunk ${chunk} takes ${plural(toReduce, "message")} to be reduced, and ${copies} to be handed round.`;
  const moved = way.filter((one) => one.step === step - 1);
  const complete = Array.from({ length: ranks }, (_, rank) => rank).filter((rank) => state.holds(rank, chunk).length === ranks);
  return sentences(went(chunk, moved, step, whole.steps), haveComplete(complete, ranks));
}

function went(chunk: number, moved: readonly Sending[], step: number, steps: number): string {
  const hops = moved.slice(0, 3).map(({ source, destination }) => say`from rank ${source} to rank ${destination}`).join(word(", "));
  if (moved.length === 0) return say`Step ${step} of ${steps}: chunk ${chunk} stays where it is.`;
  if (moved.length <= 3) return say`Step ${step} of ${steps}: chunk ${chunk} goes ${hops}.`;
  return say`Step ${step} of ${steps}: chunk ${chunk} goes ${hops} and ${moved.length - 3} more.`;
}

function haveComplete(complete: readonly number[], ranks: number): string {
  if (complete.length === 0) return word("No rank has it complete yet.");
  const who = capital(named(complete, ranks));
  return complete.length === 1 ? say`${who} has it complete.` : say`${who} have it complete.`;
}
