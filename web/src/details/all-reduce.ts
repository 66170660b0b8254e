/** Where the numbers of a ring all-reduce come from. */

import { count, exact, inText, inUnitOf, plural, seconds } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { amounts, elementBytes, ranged, secondsSoFar, shares, type Result } from "../routines/all-reduce-numbers.js";
import { rate } from "../routines/alpha-beta.js";
import { busBandwidth, linkModel, ringPaper } from "../sources.js";
import { timeReason } from "./alpha-beta.js";
import { matrixTable } from "./matrix-table.js";

function reasons(result: Result): Reason[] {
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

function table({ step, now }: Result): DataTable {
  return matrixTable(
    `What each rank holds after step ${step}`,
    "element",
    now.result.map((row, rank) => [`rank ${rank}`, row] as const),
  );
}

export const details: Details<Result> = { reasons, sources: [ringPaper, busBandwidth, linkModel], table };
