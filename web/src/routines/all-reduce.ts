import type { AsyncLab, Matrix } from "shardlab";
import type { Followed, RingPicture } from "../figures/chunks.js";
import { rowsFigure } from "../figures/rank-rows.js";
import { mostRanksDrawn, ringFigure } from "../figures/ring.js";
import { sentFigure, type SentPicture } from "../figures/sent.js";
import { plural, significant } from "../format.js";
import { InputError, type Inputs, type Parameter } from "../parameter.js";
import { journeyCaption, stepCaption } from "../ring-caption.js";
import { chunkOffsets, journey, replay, type RingState, type Sending } from "../ring-state.js";
import type { Routine, View } from "../routine.js";
import { columnsOf, matrixFromText, naming, requireDrawable } from "../rows.js";
import { elementBytes, readouts, type Result } from "./all-reduce-numbers.js";
import { linkOf, linkParameters } from "./alpha-beta.js";

/** Up to so many ranks a sum of 10^r is exact in a double, and its digits say who is in it. */
const mostPowersOfTen = 16;

/** Most ranks that the core builds a collective for. */
const mostRanks = 1024;

async function startingBuffers(lab: AsyncLab, inputs: Inputs): Promise<Matrix> {
  if (inputs.text("source") === "csv") return matrixFromText(lab, "csv", inputs.text("csv"));
  const ranks = inputs.number("ranks");
  // The core's own rule, asked before the buffers are made.
  if (!(Number.isInteger(ranks) && ranks >= 1 && ranks <= mostRanks)) {
    throw new InputError("ranks", inputs.text("ranks"), `be a whole number from 1 to ${mostRanks}`);
  }
  await lab.allReduceCost({ ranks, bytes: inputs.number("bytes") });
  const elements = inputs.optional("elements") ?? ranks;
  await naming({ bytes: "elements" }, () => lab.allReduceCost({ ranks, bytes: elements }));
  if (elements === 0) throw new InputError("elements", "0", "be at least 1, or left empty");
  requireDrawable("elements", elements, ranks * elements);
  return Array.from({ length: ranks }, (_, rank) =>
    new Float64Array(elements).fill(ranks <= mostPowersOfTen ? 10 ** rank : rank + 1),
  );
}

function followedChunk(inputs: Inputs, chunks: number): number | undefined {
  if (inputs.text("follow") !== "one") return undefined;
  const chunk = inputs.number("chunk");
  if (Number.isInteger(chunk) && chunk >= 0 && chunk < chunks) return chunk;
  throw new InputError("chunk", inputs.text("chunk"), `be a whole number from 0 to ${chunks - 1}`);
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const own = inputs.text("source") === "csv";
  const buffers = await startingBuffers(lab, inputs);
  const ranks = buffers.length;
  const elements = columnsOf(buffers);
  const bytes = own ? elements * elementBytes : inputs.number("bytes");
  const link = linkOf(inputs);
  const cost = await lab.allReduceCost({ ranks, bytes, ...link });
  const chunk = followedChunk(inputs, ranks);
  const whole = await lab.ringAllReduce({ buffers });
  const step = Math.min(inputs.number("step"), whole.steps);
  const now = step === whole.steps ? whole : await lab.ringAllReduce({ buffers, stopAfter: step });
  return {
    ranks,
    elements,
    bytes,
    binary: !own && /iB\s*$/.test(inputs.text("bytes")),
    powersOfTen: !own && ranks <= mostPowersOfTen,
    layout: inputs.text("layout"),
    chunk,
    step,
    whole,
    now,
    link,
    cost,
  };
}

function cellText({ now, ranks, powersOfTen, whole }: Result): (rank: number, chunk: number) => string {
  const offsets = chunkOffsets(whole.chunkElements);
  return (rank, chunk) => {
    if (whole.chunkElements[chunk] === 0) return "";
    const value = now.result[rank]![offsets[chunk]!]!;
    return powersOfTen ? String(value).padStart(ranks, "0") : significant(value, 4);
  };
}

/** The busiest rank's bytes in each step, in parts of its tensor. */
function sentPicture({ ranks, elements, step, whole }: Result): SentPicture {
  const busiest = whole.bytesSentPerRank.reduce((best, sent, rank, all) => (sent > all[best]! ? rank : best), 0);
  return {
    who: elements % ranks === 0 ? "each rank" : "the busiest rank",
    perStep: whole.bytesSent.map((row) => row[busiest]! / (elements * elementBytes)),
    done: step,
    collecting: ranks - 1,
  };
}

function sentence(result: Result, state: RingState, way: readonly Sending[]): string {
  const { ranks, elements, powersOfTen, chunk, step, whole } = result;
  if (ranks > mostRanksDrawn) {
    return `Ranks are drawn up to ${mostRanksDrawn}; the numbers are those of ${plural(ranks, "rank")}, executed.`;
  }
  const more = !powersOfTen && elements > ranks ? " A cell shows the first element of its chunk." : "";
  const said =
    chunk === undefined
      ? stepCaption(ranks, step, whole.steps, state)
      : journeyCaption(ranks, chunk, way, Math.min(step, way.length));
  return said + more;
}

function view(result: Result, width: number): View {
  const { ranks, chunk, step, whole } = result;
  const phase = step === 0 ? "at the start" : whole.phases[step - 1]!;
  const drawn = ranks <= mostRanksDrawn;
  const state = replay(whole.schedule, drawn ? ranks : 0, whole.chunkElements, drawn ? step : 0);
  const way = chunk === undefined || !drawn ? [] : journey(whole.schedule, whole.chunkElements, chunk, whole.steps);
  const said = sentence(result, state, way);
  const sent = sentPicture(result);
  const followed: Followed | undefined =
    chunk === undefined ? undefined : { chunk, origin: way[0]?.source, way: way.slice(0, step) };
  const picture: RingPicture = {
    ranks,
    chunks: whole.chunkElements.length,
    step,
    steps: whole.steps,
    phase,
    state,
    ...(followed !== undefined && { followed }),
    sent,
    label: cellText(result),
    summary: `Ring of ${plural(ranks, "rank")} after step ${step} of ${whole.steps}, ${phase}. ${said}`,
  };
  const draw = result.layout === "row" ? rowsFigure : ringFigure;
  return {
    figure: drawn ? draw(picture, width) : sentFigure(sent, width, picture.summary),
    caption: said,
    readouts: readouts(result),
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

const ownNumbers = { parameter: "source", is: "csv" };
const powers = { parameter: "source", is: "powers" };

const parameters: readonly Parameter[] = [
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
    range: { least: 2, most: 16 },
    aliases: ["buffers"],
    description: "Up to 1024 may be typed; beyond 16, rank r starts with r + 1.",
    when: powers,
  },
  {
    name: "bytes",
    label: "Tensor",
    kind: "whole",
    quantity: "bytes",
    initial: "1GiB",
    range: { least: 1e3, most: 1e12, scale: "decades" },
    when: powers,
  },
  {
    name: "csv",
    label: "Tensors, a row per rank",
    kind: "text",
    initial: "1, 2, 3, 4\n10, 20, 30, 40\n100, 200, 300, 400\n",
    files: ".csv,.txt,text/csv,text/plain",
    description: "Comma-separated numbers, without a header.",
    aliases: ["text", "input", "buffers"],
    when: ownNumbers,
  },
  ...linkParameters,
  {
    name: "layout",
    label: "Layout",
    kind: "choice",
    initial: "ring",
    choices: [
      { value: "ring", label: "Ring" },
      { value: "row", label: "Rows" },
    ],
    description: "Where a ring has no room, there are rows.",
  },
  {
    name: "follow",
    label: "Follow",
    kind: "choice",
    initial: "all",
    choices: [
      { value: "all", label: "All chunks" },
      { value: "one", label: "One chunk" },
    ],
  },
  {
    name: "chunk",
    label: "Chunk",
    kind: "whole",
    initial: "0",
    range: { least: 0, most: 15 },
    when: { parameter: "follow", is: "one" },
  },
  {
    name: "elements",
    label: "Elements",
    kind: "whole",
    initial: "",
    optional: true,
    range: { least: 1, most: 64 },
    description: "Numbers that stand for the tensor. Left empty, one per rank.",
    when: powers,
  },
  { name: "step", label: "Step", kind: "step", initial: "0", aliases: ["stopAfter"] },
];

export const allReduce: Routine<Result> = {
  id: "all-reduce",
  title: "Ring all-reduce",
  claim: "Each rank sends less than 2× its tensor, however many ranks there are, in 2(N−1) small steps.",
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
  tryNext: "Press Play; then take 16 ranks, and see that each still sends less than twice its tensor.",
  parameters,
  run,
  view,
  details: async () => (await import("../details/all-reduce.js")).details,
};
