/** Who has contributed to what: a ring all-reduce's schedule, replayed on sets of ranks. */

import type { TransferColumns } from "shardlab";

/** Where the chunks lie: the offset of each, as the core cut them. */
export function chunkOffsets(chunkElements: ArrayLike<number>): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (let chunk = 0; chunk < chunkElements.length; chunk += 1) {
    offsets.push(offset);
    offset += chunkElements[chunk]!;
  }
  return offsets;
}

/** A chunk on a link. */
export interface Sending {
  source: number;
  destination: number;
  chunk: number;
  reduce: boolean;
}

/** The way of one chunk: its transfers in the first `steps` steps, one after the other. An empty chunk has none. */
export function journey(
  schedule: TransferColumns,
  chunkElements: ArrayLike<number>,
  chunk: number,
  steps: number,
): Sending[] {
  const offset = chunkOffsets(chunkElements)[chunk];
  const way: Sending[] = [];
  for (let index = 0; index < schedule.step.length && schedule.step[index]! < steps; index += 1) {
    if (schedule.sourceOffset[index] !== offset || schedule.count[index] === 0) continue;
    way.push({
      source: schedule.source[index]!,
      destination: schedule.destination[index]!,
      chunk,
      reduce: schedule.reduce[index] === 1,
    });
  }
  return way;
}

/** What stands where after some steps of a schedule. */
export interface RingState {
  /** for each rank and chunk: which ranks' numbers it holds */
  holds(rank: number, chunk: number): readonly number[];
  /** the transfers of the last step that ran */
  sendings: readonly Sending[];
}

/** Replays the first `steps` steps. Empty chunks move nothing and are left out. */
export function replay(
  schedule: TransferColumns,
  ranks: number,
  chunkElements: ArrayLike<number>,
  steps: number,
): RingState {
  const chunks = chunkElements.length;
  const chunkAt = new Map<number, number>();
  chunkOffsets(chunkElements).forEach((offset, chunk) => {
    if (chunkElements[chunk]! > 0) chunkAt.set(offset, chunk);
  });
  const sets = new Uint8Array(ranks * chunks * ranks);
  const at = (rank: number, chunk: number) => (rank * chunks + chunk) * ranks;
  for (let rank = 0; rank < ranks; rank += 1) {
    for (let chunk = 0; chunk < chunks; chunk += 1) sets[at(rank, chunk) + rank] = 1;
  }

  const sendings: Sending[] = [];
  for (let index = 0; index < schedule.step.length && schedule.step[index]! < steps; index += 1) {
    const chunk = chunkAt.get(schedule.sourceOffset[index]!);
    if (chunk === undefined || schedule.count[index] === 0) continue;
    const source = schedule.source[index]!;
    const destination = schedule.destination[index]!;
    const reduce = schedule.reduce[index] === 1;
    const from = at(source, chunk);
    const to = at(destination, chunk);
    for (let rank = 0; rank < ranks; rank += 1) {
      sets[to + rank] = sets[from + rank]! | (reduce ? sets[to + rank]! : 0);
    }
    if (schedule.step[index] === steps - 1) sendings.push({ source, destination, chunk, reduce });
  }
  return {
    holds: (rank, chunk) =>
      [...sets.subarray(at(rank, chunk), at(rank, chunk) + ranks).keys()].filter(
        (other) => sets[at(rank, chunk) + other] === 1,
      ),
    sendings,
  };
}
