/** Who has contributed to what: the schedule of an all-reduce, replayed on sets of ranks. */

import type { TransferColumns } from "shardlab";
import type { Breakage } from "./breakage.js";

/** The pieces of a tensor that move as one. */
export interface Cells {
  offsets: readonly number[];
  /** elements of each; 0 where there are fewer elements than pieces */
  counts: readonly number[];
}

/**
 * The pieces into which all transfers of a schedule cut the tensor, in order.
 * @param pieces as many as there are where the elements suffice; what is missing is filled up with empty ones
 */
export function cellsOf({ sourceOffset, count }: TransferColumns, elements: number, pieces: number): Cells {
  const cuts = new Set([0, elements]);
  sourceOffset.forEach((offset, index) => cuts.add(offset).add(offset + count[index]!));
  const offsets = [...cuts].sort((one, two) => one - two);
  const counts = offsets.slice(1).map((end, index) => end - offsets[index]!);
  while (counts.length < pieces) counts.push(0);
  return { offsets: counts.map((_, cell) => offsets[cell] ?? elements), counts };
}

/** What one rank sends another in a step. */
export interface Sending {
  step: number;
  source: number;
  destination: number;
  cells: readonly number[];
  reduce: boolean;
  /** whether it arrives as it should, never arrives, or is what stood there a step before */
  fate: "sound" | "lost" | "old";
}

/** What stands where after some steps of a schedule. */
export interface CollectiveState {
  /** for each rank and cell: which ranks' numbers it holds */
  holds(rank: number, cell: number): readonly number[];
  /** the transfers of the last step that ran */
  sendings: readonly Sending[];
  /** the rank from which the last step brought something into a cell */
  arrivedFrom(rank: number, cell: number): number | undefined;
  /** whether the last step took what stood in a cell to be reduced elsewhere */
  gaveAway(rank: number, cell: number): boolean;
}

/** Calls back for the transfers of the first `steps` steps. Empty ones move nothing and are left out. */
function eachSending(
  schedule: TransferColumns,
  cells: Cells,
  steps: number,
  fault: Breakage | undefined,
  see: (sending: Sending) => void,
): void {
  const cellAt = new Map(cells.offsets.map((offset, cell) => [offset, cell] as const).reverse());
  const unsound = fault?.kind === "miss-hop" ? "lost" : fault?.kind === "stale" ? "old" : "sound";
  for (let index = 0; index < schedule.step.length && schedule.step[index]! < steps; index += 1) {
    if (schedule.count[index] === 0) continue;
    const end = schedule.sourceOffset[index]! + schedule.count[index]!;
    const carried: number[] = [];
    for (let cell = cellAt.get(schedule.sourceOffset[index]!)!; cells.offsets[cell]! < end; cell += 1) carried.push(cell);
    const [step, source] = [schedule.step[index]!, schedule.source[index]!];
    const fate = fault?.rank === source && fault.step === step ? unsound : "sound";
    see({ step, source, destination: schedule.destination[index]!, cells: carried, reduce: schedule.reduce[index] === 1, fate });
  }
}

/** The way of one cell: the transfers that carry it, in order. An empty one has none. */
export function journey(schedule: TransferColumns, cells: Cells, cell: number, steps: number, fault?: Breakage): Sending[] {
  const way: Sending[] = [];
  eachSending(schedule, cells, steps, fault, (sending) => {
    if (sending.cells.includes(cell)) way.push(sending);
  });
  return way;
}

/** Replays the first `steps` steps, with what goes wrong in them. Sets of ranks are bits of a number: at most 32. */
export function replay(
  schedule: TransferColumns,
  ranks: number,
  cells: Cells,
  steps: number,
  fault?: Breakage,
): CollectiveState {
  const width = cells.counts.length;
  const sets = Uint32Array.from({ length: ranks * width }, (_, at) => startingSet(Math.floor(at / width), fault));
  const stale = fault?.kind === "stale" ? fault : undefined;
  let before: Uint32Array | undefined;
  const sendings: Sending[] = [];
  eachSending(schedule, cells, steps, fault, (sending) => {
    const { step, source, destination, reduce, fate } = sending;
    if (stale !== undefined && step >= stale.step - 1) before ??= sets.slice();
    const from = fate === "old" ? before! : sets;
    for (const cell of fate === "lost" ? [] : sending.cells) {
      const at = destination * width + cell;
      sets[at] = from[source * width + cell]! | (reduce ? sets[at]! : 0);
    }
    if (step === steps - 1) sendings.push(sending);
  });
  return { ...lastStep(sendings, width), holds: (rank, cell) => members(sets[rank * width + cell]!, ranks), sendings };
}

function startingSet(rank: number, fault: Breakage | undefined): number {
  return fault?.kind === "drop" && fault.rank === rank ? 0 : 1 << rank;
}

function members(set: number, ranks: number): number[] {
  const found: number[] = [];
  for (let rank = 0; rank < ranks; rank += 1) if ((set >>> rank) & 1) found.push(rank);
  return found;
}

function lastStep(sendings: readonly Sending[], width: number): Pick<CollectiveState, "arrivedFrom" | "gaveAway"> {
  const sources = new Map<number, number>();
  const given = new Set<number>();
  for (const { source, destination, cells, reduce, fate } of sendings) {
    for (const cell of cells) {
      if (fate !== "lost") sources.set(destination * width + cell, source);
      if (reduce) given.add(source * width + cell);
    }
  }
  return {
    arrivedFrom: (rank, cell) => sources.get(rank * width + cell),
    gaveAway: (rank, cell) => given.has(rank * width + cell),
  };
}
