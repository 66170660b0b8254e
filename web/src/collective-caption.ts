/** What a step of any all-reduce does, in a sentence or two. */

import type { Reduction } from "shardlab";
import { outlines } from "./algorithms.js";
import type { CollectiveState, Sending } from "./collective-state.js";
import { plural } from "./format.js";
import type { Result } from "./routines/all-reduce-numbers.js";
import { alone, capital, named, namedCells } from "./said.js";

/** What is held of several ranks' numbers, and of all of them at the end. */
const held: Readonly<Record<Reduction, string>> = { sum: "the sum", average: "the sum", max: "the largest", min: "the smallest" };
const finished: Readonly<Record<Reduction, string>> = {
  sum: "the whole sum",
  average: "the average, its sum divided by N",
  max: "the largest of all",
  min: "the smallest of all",
};

/** Of the step that ran last, by what goes wrong in it, or else by its first transfer. */
export function stepCaption(result: Result, cells: number, state: CollectiveState): string {
  const { ranks, step, algorithm } = result;
  if (ranks === 1) return alone;
  if (step === 0) return `Every rank holds its own numbers only. ${outlines[algorithm]}`;
  const told = state.sendings.find(({ fate }) => fate !== "sound") ?? state.sendings[0];
  if (told === undefined) return `Step ${step}: nothing moves, for want of elements.`;
  return `Step ${step}: ${plural(state.sendings.length, "message")} at once. ${example(result, told, cells, state)}${milestone(result, cells, state)}`;
}

function example({ op, ranks }: Result, sending: Sending, all: number, { holds }: CollectiveState): string {
  const { source, destination, cells, reduce, fate } = sending;
  const old = fate === "old" ? ", as it stood a step before," : "";
  const sends = `Rank ${source} sends ${namedCells(cells, all)}${old} to rank ${destination}`;
  if (fate === "lost") return `${sends}, where it never arrives.`;
  if (!reduce) return `${sends}, where it replaces what stood there.`;
  return `${sends}, which then holds ${held[op]} of ${named(holds(destination, cells[0]!), ranks)}.`;
}

function milestone(result: Result, cells: number, state: CollectiveState): string {
  const { ranks, step, whole, op, fault } = result;
  const isWhole = (rank: number, cell: number) => state.holds(rank, cell).length === ranks;
  const everyRank = Array.from({ length: ranks }, (_, rank) => rank);
  const everyCell = Array.from({ length: cells }, (_, cell) => cell);
  if (step === whole.steps) return fault === undefined || fault.kind === "slow" ? ` Every rank now holds ${finished[op]}.` : "";
  if (!state.sendings.some(({ reduce }) => reduce)) return "";
  if (!everyCell.every((cell) => everyRank.some((rank) => isWhole(rank, cell)))) return "";
  const root = everyRank.find((rank) => everyCell.every((cell) => isWhole(rank, cell)));
  return root === undefined ? " Each chunk is now complete on one rank." : ` Rank ${root} has everyone's numbers.`;
}

/** Of one cell: where it went in the step that ran last, and who has it complete. */
export function followCaption(result: Result, chunk: number, way: readonly Sending[], state: CollectiveState): string {
  const { ranks, step, whole } = result;
  if (ranks === 1) return alone;
  if (way.length === 0) return `Chunk ${chunk} is empty, and nothing of it moves.`;
  const toReduce = way.filter(({ reduce }) => reduce).length;
  const copies = plural(way.length - toReduce, "message");
  if (step === 0) return `Chunk ${chunk} takes ${plural(toReduce, "message")} to be reduced, and ${copies} to be handed round.`;
  const moved = way.filter((one) => one.step === step - 1);
  const went = moved.length === 0 ? "stays where it is" : moved.slice(0, 3).map(hop).join(", ");
  const more = moved.length > 3 ? ` and ${moved.length - 3} more` : "";
  const complete = Array.from({ length: ranks }, (_, rank) => rank).filter((rank) => state.holds(rank, chunk).length === ranks);
  const have = complete.length === 0 ? "no rank has it complete yet" : `${named(complete, ranks)} ${complete.length === 1 ? "has" : "have"} it complete`;
  return `Step ${step} of ${whole.steps}: chunk ${chunk} ${went}${more}. ${capital(have)}.`;
}

function hop({ source, destination }: Sending, index: number): string {
  return `${index === 0 ? "goes " : ""}from rank ${source} to rank ${destination}`;
}
