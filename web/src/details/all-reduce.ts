/** Where the numbers of an all-reduce come from. */

import type { DType } from "shardlab";
import { count, exact, inText, inUnitOf, plural, seconds } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import {
  amounts,
  elementBytes,
  ranged,
  secondsInAll,
  secondsSoFar,
  shares,
  tensorBytes,
  type Result,
} from "../routines/all-reduce-numbers.js";
import { rate } from "../routines/alpha-beta.js";
import { sentences } from "../said.js";
import { busBandwidth, linkModel, mpich, ncclFaults, ringPaper, twoTrees } from "../sources.js";
import { say, word } from "../words.js";
import { bound, busiestLink } from "./all-reduce-bound.js";
import { formNotes, sentForm, stepsForm } from "./all-reduce-forms.js";
import { timeReason } from "./alpha-beta.js";
import { matrixTable } from "./matrix-table.js";

const closedForms = "the closed forms have the steps and the busiest rank's bytes of the schedule, over 500 even shapes each";
const soundFault = (result: Result) => result.fault === undefined || result.fault.kind === "slow";

function reasons(result: Result): Reason[] {
  return [
    ...(result.algorithm === "ring" ? ringReasons(result) : otherReasons(result, formNotes[result.algorithm]())),
    ...bound(result),
    ...busiestLink(result),
    ...(result.powersOfTen && result.op === "sum" && soundFault(result) ? [digits(result.ranks)] : []),
    ...order(result),
    ...breakage(result),
  ];
}

function ringReasons(result: Result): Reason[] {
  const { ranks, elements, bytes, binary, dtype, cost, link, fault, whole } = result;
  const amount = inUnitOf(bytes, binary);
  const chunk = amount(bytes / ranks);
  const even = elements % ranks === 0;
  const end = inText(ranged(shares(result, whole), amounts(result)));
  return [
    {
      name: word("Steps"),
      guard: "ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements",
      equals: stepsForm(result),
      note: word(
        "N − 1 to collect every chunk's sum (reduce-scatter), N − 1 to hand the sums round (all-gather): a chunk goes " +
          "from rank to rank, and comes past all the others twice.",
      ),
    },
    {
      name: word("Chunk"),
      guard: "chunks tile a tensor, the longer ones first",
      equals: ["c", "S / N", `${inText(amount(bytes))} / ${ranks}`, inText(chunk)],
      note: standing(elements, elementBytes[dtype], even),
    },
    booked(result, even ? word("Sent by each rank so far") : word("Sent by the busiest rank so far")),
    {
      name: word("Sent by each rank at the end"),
      guard: "ring cost: 2(N-1) steps and 2 S (N-1)/N bytes",
      equals: sentForm(result),
      note: even
        ? say`The executed schedule sent ${end}: the same.`
        : say`${ranks} ranks do not divide ${plural(elements, "number")}: the executed schedule sent ${end}.`,
    },
    fault?.kind === "slow" ? slowTime(result) : even ? evenTime(result, inText(chunk)) : scheduleTime(result),
    timeReason(cost, link, amount),
    {
      name: word("Elements moved over all ranks"),
      guard: "ring: 73 elements on 4 ranks take 6 steps and move 438 elements",
      equals: ["2 (N − 1) · elements", `2 (${ranks} − 1) · ${count(elements)}`, count(whole.elementsMoved)],
    },
  ];
}

/** The numbers that stand for a tensor. */
function standing(elements: number, size: number, even: boolean): string {
  const numbers = plural(elements, "number");
  if (elements === 1) {
    return even ? say`${numbers} of ${size} bytes stands for the tensor.` : say`${numbers} of ${size} bytes stands for the tensor; its chunks differ by one.`;
  }
  return even ? say`${numbers} of ${size} bytes stand for the tensor.` : say`${numbers} of ${size} bytes stand for the tensor; its chunks differ by one.`;
}

function evenTime(result: Result, chunk: string): Reason {
  const { link, step } = result;
  return {
    name: word("Time so far"),
    guard: "ring cost: with a link, latency and bandwidth terms add up",
    equals: [
      "k · (α + c / β)",
      `${step} · (${inText(seconds(link.latencySeconds))} + ${chunk} / (${rate(link)}))`,
      inText(seconds(secondsSoFar(result))),
    ],
    note: word("k is the number of steps that ran. All links carry a chunk at once, so that a step takes as long as one."),
  };
}

function otherReasons(result: Result, note: string): Reason[] {
  const { whole } = result;
  const [, most] = shares(result, whole);
  const end = inText(amounts(result)(most));
  return [
    { name: word("Steps"), guard: closedForms, equals: stepsForm(result), note },
    booked(result, word("Sent by the busiest rank so far")),
    {
      name: word("Sent by the busiest rank at the end"),
      guard: closedForms,
      equals: sentForm(result),
      note: sentences(say`The executed schedule sent ${end}.`, word("The form is exact where all chunks and slices are equal.")),
    },
    result.fault?.kind === "slow" ? slowTime(result) : scheduleTime(result),
  ];
}

/** What was sent so far, as it was counted. */
function booked(result: Result, name: string): Reason {
  const { step, now, bytes, binary } = result;
  const amount = inUnitOf(bytes, binary);
  const size = tensorBytes(result);
  const [, most] = shares(result, now);
  return {
    name,
    guard: "ring: stopping after a step books the steps that ran and no others",
    equals: ["S · sent / held", `${inText(amount(bytes))} · ${exact(most * size)} / ${exact(size)}`, inText(amount(most * bytes))],
    note: say`Counted while the schedule ran: ${plural(step, "step")} sent ${exact(most * size)} bytes; a rank holds ${exact(size)}.`,
  };
}

function scheduleTime(result: Result): Reason {
  const { link } = result;
  return {
    name: word("Time to the end"),
    guard: "the price of a schedule is its closed form on one kind of link, over 500 even shapes each",
    equals: ["Σ (α + b / β)", inText(seconds(secondsInAll(result)))],
    note: say`The schedule's steps, added up: α is ${inText(seconds(link.latencySeconds))}, β ${rate(link)} in one direction, and b what the rank that sends or receives most in a step sends or receives.`,
  };
}

function slowTime(result: Result): Reason {
  return {
    name: word("Time to the end, with a slow rank"),
    guard: "a slow rank takes longer over what it sends and receives, and over nothing else",
    equals: [word("Σ the longest of each step"), inText(seconds(secondsInAll(result)))],
    note: word("In every step in which the slow rank takes part, the others wait for it."),
  };
}

function digits(ranks: number): Reason {
  const powers = Array.from({ length: ranks }, (_, rank) => `1${"0".repeat(rank)}`);
  const terms = ranks > 4 ? [...powers.slice(0, 2), "…", powers[ranks - 1]] : powers;
  return {
    name: word("What the digits say"),
    guard: "ring: 10^r adds up exactly on 16 ranks",
    equals: [terms.join(" + "), "1".repeat(ranks)],
    note: word("Rank r starts with 1 and r zeros: a 1 in a sum is a rank that is in it, and a 0 one that is missing."),
  };
}

/** What the order of summation did to the sums. */
function order({ whole, dtype }: Result): Reason[] {
  const off = whole.maxDifferenceToExactSum;
  if (off === null) return [];
  const first = whole.result[0]?.[0];
  const agree = whole.result.every((row) => row.every((value, element) => Object.is(value, whole.result[0]![element])));
  return [
    {
      name: word("Largest difference to the exact sum, at the end"),
      guard: "the order of summation shows in the bits of float32, but halving a power of two adds as the tree does",
      equals: [word("max |sum − exact sum|"), exact(off)],
      note: sentences(
        say`Each addition is rounded to ${dtype}, in the order in which this algorithm adds: another one may end in other bits.`,
        first === undefined ? "" : say`Here element 0 ends as ${exact(first)}, bits ${bitsOf(first, dtype)}.`,
        agree ? word("All ranks end with the same bits, since each element is summed on one way and then copied.") : word("The ranks do not agree."),
      ),
    },
  ];
}

/** The bits of a number in hexadecimal, the sign and the exponent first. */
function bitsOf(value: number, dtype: DType): string {
  const view = new DataView(new ArrayBuffer(8));
  if (dtype === "float32") view.setFloat32(0, value);
  else view.setFloat64(0, value);
  const hex = view.getBigUint64(0).toString(16).padStart(16, "0");
  return `0x${hex.slice(0, 2 * elementBytes[dtype])}`;
}

function breakage({ fault, now, ranks }: Result): Reason[] {
  if (fault === undefined) return [];
  const [off, all, apart] = [now.divergedRanks.length, plural(ranks, "rank"), exact(now.maxReplicaDifference)];
  return [
    {
      name: word("Largest difference, with the fault and without"),
      guard: "faults in every algorithm: who is said to have diverged has, and nobody else",
      equals: ["max |faulty − sound|", exact(now.maxAbsDifference)],
      note: sentences(
        off === 1
          ? say`${off} of ${all} differs; between two ranks the largest difference is ${apart}.`
          : say`${off} of ${all} differ; between two ranks the largest difference is ${apart}.`,
        word("The fault is hypothetical."),
        word(now.consequence!),
      ),
    },
  ];
}

/** What each rank holds, and where ranks differ in it, the bytes that it has sent and received for that. */
function table({ algorithm, step, now }: Result): DataTable {
  const held = matrixTable(
    say`What each rank holds after step ${step}`,
    word("element"),
    now.result.map((row, rank) => [say`rank ${rank}`, row] as const),
  );
  if (algorithm === "ring") return held;
  return {
    caption: say`${held.caption}, and the bytes that it has sent and received`,
    head: [...held.head, word("sent"), word("received")],
    rows: held.rows.map((row, rank) => [...row, exact(now.bytesSentPerRank[rank]!), exact(now.bytesReceivedPerRank[rank]!)]),
  };
}

export const details: Details<Result> = {
  reasons,
  sources: [ringPaper, mpich, twoTrees, busBandwidth, linkModel, ncclFaults],
  table,
};
