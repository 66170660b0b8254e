/** Where the crossing of two algorithms comes from, and how far a fit is off. */

import { count, exact, inText, percent, plural, seconds } from "../format.js";
import type { CrossoverState, Priced } from "../crossover-state.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { rate } from "../routines/alpha-beta.js";
import { nameOf, size } from "../routines/crossover.js";
import { sentences } from "../said.js";
import { busBandwidth, linkModel, mpich, ringPaper, twoTrees } from "../sources.js";
import { say, word } from "../words.js";
import { fittedLines } from "./fit.js";

/** The time of each algorithm over one kind of link. */
const formulas: Readonly<Partial<Record<Priced["algorithm"], string>>> = {
  ring: "2 (N − 1) · α + 2 (N − 1) · S / (N · β)",
  naive: "2 (N − 1) · (α + S / β)",
  "halving-doubling": "2 log₂ N · α + 2 (N − 1) · S / (N · β)",
  "pipelined-tree-bound": "2 ⌈log₂ N⌉ · α + 2 · S / β",
};

function isPowerOfTwo(ranks: number): boolean {
  return Number.isInteger(Math.log2(ranks));
}

function formula({ algorithm }: Priced, { ranks, slices, inter }: CrossoverState): string {
  if (inter !== undefined || (algorithm === "halving-doubling" && !isPowerOfTwo(ranks))) return word("the schedule's steps, added up");
  if (algorithm === "tree" && slices === 1) return "2 ⌈log₂ N⌉ · (α + S / β)";
  return formulas[algorithm] ?? word("the schedule's steps, added up");
}

function time(one: Priced, state: CrossoverState): Reason {
  return {
    name: say`${nameOf(one)} at ${size(state.probe)}`,
    guard: "the price of a schedule is its closed form on one kind of link, over 500 even shapes each",
    equals: [formula(one, state), inText(seconds(one.atProbe))],
    note: sentences(
      say`N is ${exact(state.ranks)}, S the tensor, α ${inText(seconds(state.link.latencySeconds))} and β ${rate(state.link)}.`,
      word("A step lasts as long as its busiest port: one latency, and the bytes that pass it."),
    ),
  };
}

function crossing(state: CrossoverState): Reason {
  const { found, first, second } = state;
  const at = [...found.crossings].map((value) => size(value, 6)).join(word(", "));
  return {
    name: say`${nameOf(first)} and ${nameOf(second)} take the same time`,
    guard: "Crossover: ring against the whole-message binomial tree",
    equals: at === "" ? [word("at no size")] : ["S", at],
    note: word("Both times are straight lines over S, or bent ones where there are two kinds of link: every crossing is found."),
  };
}

function bus({ busFactor, ranks }: CrossoverState): Reason {
  return {
    name: word("Bus bandwidth"),
    guard: "ring cost: 2(N-1) steps and 2 S (N-1)/N bytes",
    equals: ["S / T · 2 (N − 1) / N", `S / T · ${exact(busFactor)}`],
    note: say`What a link would have to carry in a ring of ${exact(ranks)}: it comes close to β for large tensors only, and can be compared between worlds of different sizes, as S / T cannot.`,
  };
}

/** Where halving-doubling is never behind: on one kind of link, with a power of two of ranks. */
function dominated({ first, second, ranks, inter }: CrossoverState): Reason[] {
  const isCompared = [first.algorithm, second.algorithm].includes("halving-doubling");
  if (!isCompared || inter !== undefined || !isPowerOfTwo(ranks)) return [];
  return [
    {
      name: word("Why rings are used all the same"),
      equals: [word("2 log₂ N steps, 2 (N − 1) / N · S bytes")],
      note: word(
        "With a power of two of ranks, halving-doubling has the tree's steps and the ring's bytes. But from step to step its " +
          "partners are twice as far apart, and in a real network their messages come to share links, which this model gives to " +
          "each pair alone; a ring uses only neighbours, and the same ones in every step.",
      ),
    },
  ];
}

function fit({ fitted }: CrossoverState): Reason[] {
  if (fitted === undefined) return [];
  const lines = fittedLines(fitted.regimes, ({ points }) => say`Through ${plural(points, "size")}, with the least mean relative error.`);
  return [...lines, errors(fitted)];
}

function errors({ relativeError, leftOutRelativeError, linesUsed, linesIgnored }: NonNullable<CrossoverState["fitted"]>): Reason {
  const both = ({ median, p90 }: { median: number; p90: number }) => say`${inText(percent(median))}, ${inText(percent(p90))}`;
  return {
    name: word("Off by, at the median and the 90th percentile of sizes"),
    guard: "A fit of every published run of at least 11 sizes has a median error of 5.5 percent and a 90th percentile of 13 percent at most",
    equals: ["|fitted − measured| / measured", both(relativeError)],
    note: sentences(
      leftOutRelativeError === null ? "" : say`For sizes that the fit has not seen, each left out in turn: ${both(leftOutRelativeError)}.`,
      linesUsed === 1
        ? say`${linesUsed} line of the text used, ${linesIgnored} ignored.`
        : say`${count(linesUsed)} lines of the text used, ${linesIgnored} ignored.`,
    ),
  };
}

function reasons(state: CrossoverState): Reason[] {
  const { first, second } = state;
  return [time(first, state), time(second, state), crossing(state), bus(state), ...dominated(state), ...fit(state)];
}

function table(state: CrossoverState): DataTable {
  return state.fitted === undefined ? prices(state) : measurements(state.fitted);
}

/** Every power of ten. */
function prices({ sizes, first, second }: CrossoverState): DataTable {
  const shown = sizes.flatMap((bytes, index) => (Math.abs(Math.log10(bytes) % 1) < 1e-9 ? [index] : []));
  return {
    caption: word("Seconds by size of the tensor"),
    head: [word("bytes"), nameOf(first), nameOf(second)],
    rows: shown.map((index) => [exact(Math.round(sizes[index]!)), exact(first.seconds[index]!), exact(second.seconds[index]!)]),
  };
}

function measurements({ run, points }: NonNullable<CrossoverState["fitted"]>): DataTable {
  const off = (column: Float64Array | null, index: number) => (column === null ? "–" : inText(percent(column[index]!)));
  return {
    caption: say`Measured and fitted, ${run}`,
    head: [word("bytes"), word("measured"), word("fitted"), word("off by"), word("off by, if left out")],
    rows: Array.from(points.bytes, (bytes, index) => [
      exact(bytes),
      inText(seconds(points.measuredSeconds[index]!)),
      inText(seconds(points.fittedSeconds[index]!)),
      off(points.relativeError, index),
      off(points.leftOutRelativeError, index),
    ]),
  };
}

export const details: Details<CrossoverState> = {
  reasons,
  sources: [ringPaper, mpich, twoTrees, busBandwidth, linkModel],
  table,
};
