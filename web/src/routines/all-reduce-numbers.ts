/** The numbers of a ring all-reduce, as they are read and as they come about. */

import type { AllReduceCostResult, RingAllReduceResult } from "shardlab";
import { count, exact, inText, inUnitOf, plural, seconds, significant, type Quantity } from "../format.js";
import type { Reason, Readout } from "../routine.js";
import { rate, timeReason, type Link } from "./alpha-beta.js";

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
function shares({ elements }: Result, { bytesSentPerRank }: RingAllReduceResult): [number, number] {
  const size = elements * elementBytes;
  let [least, most] = [Infinity, 0];
  for (const sent of bytesSentPerRank) [least, most] = [Math.min(least, sent), Math.max(most, sent)];
  return [least / size, most / size];
}

/** "0.5 GiB", or "0.33 to 0.42 GiB" where the ranks differ. */
function ranged([least, most]: [number, number], write: (share: number) => Quantity): Quantity {
  const [low, high] = [write(least), write(most)];
  if (least === most) return high;
  return { value: low.unit === high.unit ? `${low.value} to ${high.value}` : `${inText(low)} to ${high.value}`, unit: high.unit };
}

function amounts({ bytes, binary }: Result): (share: number) => Quantity {
  const write = inUnitOf(bytes, binary);
  return (share) => write(share * bytes);
}

/** Every step takes as long: the whole, as the core prices it, grows evenly. */
function secondsSoFar({ step, whole, cost }: Result): number {
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

export function reasons(result: Result): Reason[] {
  const { ranks, elements, bytes, binary, powersOfTen, step, whole, now, cost, link } = result;
  const amount = inUnitOf(bytes, binary);
  const size = elements * elementBytes;
  const [, booked] = shares(result, now);
  const end = inText(ranged(shares(result, whole), amounts(result)));
  const even = elements % ranks === 0;
  const chunk = amount(bytes / ranks);
  return [
    {
      name: "Steps",
      guard: "ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements",
      equals: ["2 (N − 1)", `2 (${ranks} − 1)`, String(whole.steps)],
      note:
        "N − 1 to collect every chunk's sum (reduce-scatter), N − 1 to hand the sums round (all-gather): a chunk goes " +
        "from rank to rank, and comes past all the others twice.",
    },
    {
      name: "Chunk",
      guard: "chunks tile a tensor, the longer ones first",
      equals: ["c", "S / N", `${inText(amount(bytes))} / ${ranks}`, inText(chunk)],
      note: `${plural(elements, "number")} of 8 bytes ${elements === 1 ? "stands" : "stand"} for the tensor${even ? "" : "; its chunks differ by one"}.`,
    },
    {
      name: even ? "Sent by each rank so far" : "Sent by the busiest rank so far",
      guard: "ring: stopping after a step books the steps that ran and no others",
      equals: [
        "S · sent / held",
        `${inText(amount(bytes))} · ${exact(booked * size)} / ${exact(size)}`,
        inText(amount(booked * bytes)),
      ],
      note: `Counted while the schedule ran: ${plural(step, "step")} sent ${exact(booked * size)} bytes; a rank holds ${exact(size)}.`,
    },
    {
      name: "Sent by each rank at the end",
      guard: "ring cost: 2(N-1) steps and 2 S (N-1)/N bytes",
      equals: [
        "2 · S · (N − 1) / N",
        `2 · ${inText(amount(bytes))} · (${ranks} − 1) / ${ranks}`,
        inText(amount(cost.bytesSentPerRank)),
      ],
      note: even
        ? `The executed schedule sent ${end}: the same.`
        : `${ranks} ranks do not divide ${plural(elements, "number")}: the executed schedule sent ${end}.`,
    },
    {
      name: "Time so far",
      guard: "ring cost: with a link, latency and bandwidth terms add up",
      equals: [
        "k · (α + c / β)",
        `${step} · (${inText(seconds(link.latencySeconds))} + ${inText(chunk)} / (${rate(link)}))`,
        inText(seconds(secondsSoFar(result))),
      ],
      note: "k is the number of steps that ran. All links carry a chunk at once, so that a step takes as long as one.",
    },
    timeReason(cost, link, amount),
    {
      name: "Elements moved over all ranks",
      guard: "ring: 73 elements on 4 ranks take 6 steps and move 438 elements",
      equals: ["2 (N − 1) · elements", `2 (${ranks} − 1) · ${count(elements)}`, count(whole.elementsMoved)],
    },
    ...(powersOfTen ? [digits(ranks)] : []),
  ];
}

function digits(ranks: number): Reason {
  const powers = Array.from({ length: ranks }, (_, rank) => `1${"0".repeat(rank)}`);
  const terms = ranks > 4 ? [...powers.slice(0, 2), "…", powers[ranks - 1]] : powers;
  return {
    name: "What the digits say",
    guard: "ring: 10^r adds up exactly on 16 ranks",
    equals: [terms.join(" + "), "1".repeat(ranks)],
    note: "Rank r starts with 1 and r zeros: a 1 in a sum is a rank that is in it, and a 0 one that is missing.",
  };
}
