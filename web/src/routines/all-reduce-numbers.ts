/** The numbers of a ring all-reduce, as they are read. */

import type { AllReduceCostResult, RingAllReduceResult } from "shardlab";
import { inText, inUnitOf, seconds, significant, type Quantity } from "../format.js";
import type { Readout } from "../routine.js";
import type { Link } from "./alpha-beta.js";

export const elementBytes = 8;

export interface Result {
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
  /** the chunk that is followed */
  chunk: number | undefined;
  step: number;
  /** the whole schedule */
  whole: RingAllReduceResult;
  /** what stands after `step` steps */
  now: RingAllReduceResult;
  link: Link;
  cost: AllReduceCostResult;
}

/** The least and the most that a rank has sent, in parts of its tensor, as the schedule booked it. */
export function shares({ elements }: Result, { bytesSentPerRank }: RingAllReduceResult): [number, number] {
  const size = elements * elementBytes;
  let [least, most] = [Infinity, 0];
  for (const sent of bytesSentPerRank) [least, most] = [Math.min(least, sent), Math.max(most, sent)];
  return [least / size, most / size];
}

/** "0.5 GiB", or "0.33 to 0.42 GiB" where the ranks differ. */
export function ranged([least, most]: [number, number], write: (share: number) => Quantity): Quantity {
  const [low, high] = [write(least), write(most)];
  if (least === most) return high;
  return { value: low.unit === high.unit ? `${low.value} to ${high.value}` : `${inText(low)} to ${high.value}`, unit: high.unit };
}

export function amounts({ bytes, binary }: Result): (share: number) => Quantity {
  const write = inUnitOf(bytes, binary);
  return (share) => write(share * bytes);
}

/** Every step takes as long: the whole, as the core prices it, grows evenly. */
export function secondsSoFar({ step, whole, cost }: Result): number {
  return whole.steps === 0 ? 0 : ((cost.seconds ?? 0) * step) / whole.steps;
}

export function readouts(result: Result): Readout[] {
  const { step, whole, now, cost } = result;
  const [least, most] = shares(result, whole);
  const times = ranged([least, most], (share) => ({ value: significant(share, least === most ? 6 : 4), unit: "" }));
  const end = ranged(shares(result, whole), amounts(result));
  return [
    { id: "steps", label: "Steps", value: `${step} / ${whole.steps}` },
    { id: "sent", label: "Sent per rank so far", ...ranged(shares(result, now), amounts(result)) },
    { id: "factor", label: "At the end, of its tensor", value: `${times.value}×`, unit: `= ${inText(end)}` },
    { id: "seconds", label: "Time so far", ...seconds(secondsSoFar(result)), unit: soFar(result, cost) },
  ];
}

function soFar(result: Result, { seconds: all }: AllReduceCostResult): string {
  return `${seconds(secondsSoFar(result)).unit} of ${inText(seconds(all ?? 0))}`;
}
