/** The numbers of an all-reduce, as they are read. */

import type { Algorithm, AllReduceCostResult, DType, Reduction, RunResult } from "shardlab";
import type { Breakage } from "../breakage.js";
import type { Cells } from "../collective-state.js";
import { exact, inText, inUnitOf, seconds, significant, type Quantity } from "../format.js";
import type { Readout } from "../routine.js";
import { say, word } from "../words.js";
import type { Link } from "./alpha-beta.js";

export const elementBytes: Readonly<Record<DType, number>> = { float64: 8, float32: 4 };

export interface Result {
  algorithm: Algorithm;
  /** parts that follow each other through a tree */
  slices: number;
  /** ranks in a node; nothing where nodes do not matter */
  perNode: number | undefined;
  op: Reduction;
  dtype: DType;
  ranks: number;
  /** numbers that stand for each rank's tensor */
  elements: number;
  /** of the tensor that they stand for */
  bytes: number;
  /** whether its size is said in GiB, as it was typed, and not in GB */
  binary: boolean;
  /** whether rank r started with 10^r */
  powersOfTen: boolean;
  layout: string;
  /** the cell that is followed */
  chunk: number | undefined;
  fault: Breakage | undefined;
  step: number;
  /** the whole schedule */
  whole: RunResult;
  /** what stands after `step` steps */
  now: RunResult;
  /** the pieces of the tensor that move as one; none where there are too many to draw */
  cells: Cells | undefined;
  link: Link;
  cost: AllReduceCostResult;
}

export function tensorBytes({ elements, dtype }: Result): number {
  return elements * elementBytes[dtype];
}

/** The least and the most that a rank has sent, in parts of its tensor, as the schedule booked it. */
export function shares(result: Result, { bytesSentPerRank }: RunResult): [number, number] {
  const size = tensorBytes(result);
  let [least, most] = [Infinity, 0];
  for (const sent of bytesSentPerRank) [least, most] = [Math.min(least, sent), Math.max(most, sent)];
  return [least / size, most / size];
}

/** The least that the busiest rank of any all-reduce sends, in parts of its tensor. */
export function leastShare({ cost }: Result): number {
  return cost.busFactor;
}

/** "0.5 GiB", or "0.33 to 0.42 GiB" where the ranks differ. */
export function ranged([least, most]: [number, number], write: (share: number) => Quantity): Quantity {
  const [low, high] = [write(least), write(most)];
  if (least === most) return high;
  return { value: low.unit === high.unit ? say`${low.value} to ${high.value}` : say`${inText(low)} to ${high.value}`, unit: high.unit };
}

export function amounts({ bytes, binary }: Result): (share: number) => Quantity {
  const write = inUnitOf(bytes, binary);
  return (share) => write(share * bytes);
}

export function secondsSoFar({ whole, step }: Result): number {
  return whole.secondsPerStep?.subarray(0, step).reduce((total, one) => total + one, 0) ?? 0;
}

export function secondsInAll(result: Result): number {
  return secondsSoFar({ ...result, step: result.whole.steps });
}

export function readouts(result: Result): Readout[] {
  const { step, whole, now } = result;
  const [least, most] = shares(result, whole);
  const times = ranged([least, most], (share) => ({ value: significant(share, least === most ? 6 : 4), unit: "" }));
  const end = inText(ranged([least, most], amounts(result)));
  const beaten = result.algorithm !== "ring" && most > leastShare(result) * (1 + 1e-9);
  return [
    { id: "steps", label: word("Steps"), value: `${step} / ${whole.steps}` },
    { id: "sent", label: word("Sent per rank so far"), ...ranged(shares(result, now), amounts(result)) },
    {
      id: "factor",
      label: word("At the end, of its tensor"),
      value: `${times.value}×`,
      unit: beaten ? say`= ${end}; at least ${significant(leastShare(result), 4)}×` : `= ${end}`,
    },
    { id: "seconds", label: word("Time so far"), ...seconds(secondsSoFar(result)), unit: soFar(result) },
    ...diverged(result),
  ];
}

function soFar(result: Result): string {
  return say`${seconds(secondsSoFar(result)).unit} of ${inText(seconds(secondsInAll(result)))}`;
}

function diverged({ fault, now, ranks }: Result): Readout[] {
  if (fault === undefined) return [];
  const { divergedRanks, maxAbsDifference } = now;
  const unit = divergedRanks.length === 0 ? say`of ${ranks}` : say`of ${ranks} by up to ${exact(maxAbsDifference)}`;
  return [{ id: "diverged", label: word("Ranks that differ"), value: String(divergedRanks.length), unit }];
}
