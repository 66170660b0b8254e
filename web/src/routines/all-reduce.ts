import type { AllReduceCostResult, AsyncLab, Matrix, RingAllReduceResult } from "shardlab";
import { mostRanksDrawn, ringFigure } from "../figures/ring.js";
import { bytes, count, exact, inText, list, plural, significant } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import { chunkOffsets, replay, type RingState } from "../ring-state.js";
import type { Reason, Readout, Routine, View } from "../routine.js";
import { columnsOf, matrixFromText, matrixTable, naming, requireDrawable } from "../rows.js";
import { busBandwidth, ringPaper } from "../sources.js";

const elementBytes = 8;

interface Result {
  ranks: number;
  elements: number;
  /** whether rank r started with 10^r */
  powersOfTen: boolean;
  step: number;
  /** the whole schedule */
  whole: RingAllReduceResult;
  /** what stands after `step` steps */
  now: RingAllReduceResult;
  formula: AllReduceCostResult;
}

/** Up to so many ranks a sum of 10^r is exact in a double, and its digits say who is in it. */
const mostPowersOfTen = 16;

/** Most ranks that the core builds a collective for. */
const mostRanks = 1024;

async function startingBuffers(lab: AsyncLab, inputs: Inputs): Promise<Matrix> {
  if (inputs.text("source") === "csv") return matrixFromText(lab, "csv", inputs.text("csv"));
  const ranks = inputs.number("ranks");
  const elements = inputs.number("elements");
  await naming({ bytes: "elements" }, () => lab.allReduceCost({ ranks, bytes: elements }));
  // The core's own rule, asked before the buffers are made.
  if (ranks > mostRanks) throw new InputError("ranks", exact(ranks), `be a whole number from 1 to ${mostRanks}`);
  requireDrawable("elements", elements, ranks * elements);
  return Array.from({ length: ranks }, (_, rank) =>
    new Float64Array(elements).fill(ranks <= mostPowersOfTen ? 10 ** rank : rank + 1),
  );
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const buffers = await startingBuffers(lab, inputs);
  const ranks = buffers.length;
  const elements = columnsOf(buffers);
  const formula = await lab.allReduceCost({ ranks, bytes: elements * elementBytes });
  const whole = await lab.ringAllReduce({ buffers });
  const step = Math.min(inputs.number("step"), whole.steps);
  const now = step === whole.steps ? whole : await lab.ringAllReduce({ buffers, stopAfter: step });
  const powersOfTen = inputs.text("source") !== "csv" && ranks <= mostPowersOfTen;
  return { ranks, elements, powersOfTen, step, whole, now, formula };
}

function cellText(result: Result): (rank: number, chunk: number) => string {
  const { now, ranks, powersOfTen, whole } = result;
  const offsets = chunkOffsets(whole.chunkElements);
  return (rank, chunk) => {
    if (whole.chunkElements[chunk] === 0) return "";
    const value = now.result[rank]![offsets[chunk]!]!;
    return powersOfTen ? String(value).padStart(ranks, "0") : significant(value, 4);
  };
}

function caption(result: Result, state: RingState): string {
  const { ranks, step, whole } = result;
  if (ranks === 1) return "One rank has nobody to add to: no step, nothing sent.";
  if (step === 0) return "Before the first step every rank holds its own numbers only. Move the step to begin.";
  const [first] = state.sendings;
  if (first === undefined) return `Step ${step} of ${whole.steps}: nothing moves, since there are no elements.`;
  const { source, destination, chunk, reduce } = first;
  const holds = state.holds(destination, chunk);
  const names = holds.length === ranks ? "all ranks" : `ranks ${list(holds.map(String))}`;
  const end = step === whole.steps ? " Every rank now holds the whole sum." : "";
  const done = step === ranks - 1 ? " The reduce-scatter is done: each rank has one finished chunk." : "";
  const what = reduce ? `there it now holds the sum of ${names}` : "a finished chunk, which replaces what stood there";
  const busy = state.sendings.length;
  const links =
    busy === ranks ? `all ${ranks} links carry one chunk at once` : `${busy} of ${ranks} links carry a chunk`;
  return `Step ${step}: ${links}. Rank ${source} sends chunk ${chunk} to rank ${destination}; ${what}.${done}${end}`;
}

function sent(values: Float64Array): string {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return least === most ? exact(most) : `${exact(least)} to ${exact(most)}`;
}

function readouts({ step, whole, now, formula }: Result): Readout[] {
  return [
    { id: "steps", label: "Steps", value: `${step} / ${whole.steps}` },
    { id: "sent", label: "Sent per rank so far", value: sent(now.bytesSentPerRank), unit: "B" },
    { id: "bytes", label: "Sent per rank at the end", value: sent(whole.bytesSentPerRank), unit: "B" },
    { id: "factor", label: "That is, of its tensor", value: `${significant(formula.busFactor, 6)}×` },
  ];
}

function reasons({ ranks, elements, whole, formula }: Result): Reason[] {
  const size = elements * elementBytes;
  const divides = ranks > 0 && elements % ranks === 0;
  return [
    {
      name: "Steps",
      guard: "ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements",
      equals: ["2 (N − 1)", `2 (${ranks} − 1)`, String(whole.steps)],
      note: "N − 1 to collect every chunk's sum (reduce-scatter), N − 1 to hand the sums round (all-gather).",
    },
    {
      name: "Tensor",
      equals: ["S", `${plural(elements, "element")} · 8 B`, inText(bytes(size))],
    },
    {
      name: "Bytes sent by each rank",
      guard: "ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements",
      equals: [
        "2 · S · (N − 1) / N",
        `2 · ${count(size)} · (${ranks} − 1) / ${ranks}`,
        `${exact(formula.bytesSentPerRank)} B`,
      ],
      note: divides
        ? `The executed schedule sent ${sent(whole.bytesSentPerRank)} B from every rank: the same.`
        : `${ranks} ranks do not divide ${plural(elements, "element")}, so chunks differ by one element; ` +
          `the executed schedule sent ${sent(whole.bytesSentPerRank)} B.`,
    },
    {
      name: "Elements moved over all ranks",
      guard: "ring: 73 elements on 4 ranks take 6 steps and move 438 elements",
      equals: ["2 (N − 1) · elements", `2 (${ranks} − 1) · ${count(elements)}`, count(whole.elementsMoved)],
    },
  ];
}

function view(result: Result, width: number): View {
  const { ranks, elements, step, whole, now } = result;
  const phase = step === 0 ? "at the start" : whole.phases[step - 1]!;
  const drawn = ranks <= mostRanksDrawn;
  const state = replay(whole.schedule, drawn ? ranks : 0, whole.chunkElements, drawn ? step : 0);
  const said = drawn
    ? caption(result, state)
    : `Drawn up to ${mostRanksDrawn} ranks; the numbers are those of ${plural(ranks, "rank")}, executed.`;
  const more = drawn && !result.powersOfTen && elements > ranks ? " A cell shows the first element of its chunk." : "";
  return {
    ...(drawn && {
      figure: ringFigure(
        {
          ranks,
          chunks: whole.chunkElements.length,
          step,
          steps: whole.steps,
          phase,
          state,
          label: cellText(result),
          summary: `Ring of ${plural(ranks, "rank")} after step ${step} of ${whole.steps}, ${phase}. ${said}`,
        },
        width,
      ),
    }),
    caption: said + more,
    readouts: readouts(result),
    reasons: reasons(result),
    sources: [ringPaper, busBandwidth],
    table: matrixTable(
      `What each rank holds after step ${step}`,
      "element",
      now.result.map((row, rank) => [`rank ${rank}`, row] as const),
    ),
    steps: {
      at: step,
      count: whole.steps,
      label: phase,
      phases: [
        { from: 0, label: "reduce-scatter" },
        { from: ranks - 1, label: "all-gather" },
      ],
    },
  };
}

export const allReduce: Routine<Result> = {
  id: "all-reduce",
  title: "Ring all-reduce",
  claim: "Each rank sends just under 2× its tensor, however many ranks there are, in 2(N−1) small steps.",
  question: {
    text: "Of 16 ranks, each with a tensor of its own: how much does one rank send until all have the sum?",
    answers: [
      {
        label: "16× its tensor",
        because: "That is what N ranks would send if each handed its whole tensor to all the others. A chunk is summed on its way instead.",
      },
      {
        label: "1× its tensor",
        because: "That is the way of one phase only: once the sums are collected, they still have to be handed round.",
      },
      {
        label: "1.875× its tensor",
        right: true,
        because: "15 steps to collect and 15 to hand round, each with one sixteenth of the tensor: 30/16.",
      },
      {
        label: "1/16 of its tensor",
        because: "That is one step; there are 30.",
      },
    ],
  },
  parameters: [
    {
      name: "source",
      label: "Numbers",
      kind: "choice",
      initial: "powers",
      choices: [
        { value: "powers", label: "10ʳ on rank r" },
        { value: "csv", label: "My own" },
      ],
    },
    {
      name: "ranks",
      label: "Ranks",
      kind: "whole",
      initial: "4",
      range: { least: 1, most: 16 },
      aliases: ["buffers"],
      description: "Beyond 16 ranks, rank r starts with r + 1.",
      when: { parameter: "source", is: "powers" },
    },
    {
      name: "elements",
      label: "Elements",
      kind: "whole",
      initial: "4",
      range: { least: 0, most: 64 },
      description: "Numbers in each rank's tensor, 8 bytes each.",
      when: { parameter: "source", is: "powers" },
    },
    {
      name: "csv",
      label: "Tensors, a row per rank",
      kind: "text",
      initial: "1, 2, 3, 4\n10, 20, 30, 40\n100, 200, 300, 400\n",
      files: ".csv,.txt,text/csv,text/plain",
      description: "Comma-separated numbers, without a header.",
      aliases: ["text", "input", "buffers"],
      when: { parameter: "source", is: "csv" },
    },
    { name: "step", label: "Step", kind: "step", initial: "0", aliases: ["stopAfter"] },
  ],
  run,
  view,
};
