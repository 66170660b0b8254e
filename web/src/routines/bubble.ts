import type { AsyncLab } from "shardlab";
import { bars } from "../figures/frame.js";
import { exact, inText, percent } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Routine, View } from "../routine.js";
import { gpipe, megatronPipeline } from "../sources.js";

/** Numbers of micro-batches to compare the user's with. */
const compared = [1, 4, 8, 16, 32];

interface Result {
  stages: number;
  microBatches: number;
  fraction: number;
  others: readonly { microBatches: number; fraction: number }[];
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const stages = inputs.number("stages");
  const microBatches = inputs.number("microBatches");
  const fraction = await lab.pipelineBubbleFraction({ stages, microBatches });
  const numbers = [...new Set([...compared, microBatches])].sort((a, b) => a - b);
  const fractions = await Promise.all(
    numbers.map((number) => lab.pipelineBubbleFraction({ stages, microBatches: number })),
  );
  const others = numbers.map((number, index) => ({ microBatches: number, fraction: fractions[index]! }));
  return { stages, microBatches, fraction, others };
}

function view({ stages, microBatches, fraction, others }: Result, width: number): View {
  const total = percent(fraction);
  const ideal = percent((stages - 1) / microBatches);
  const [p, m] = [exact(stages), exact(microBatches)];
  return {
    figure: bars(
      {
        rows: others.map((one) => ({
          label: `M = ${exact(one.microBatches)}`,
          value: `${inText(percent(one.fraction))} idle`,
          parts: [
            { length: 1 - one.fraction, kind: "work" },
            { length: one.fraction, kind: "idle" },
          ],
          current: one.microBatches === microBatches,
        })),
        most: 1,
        legend: [
          { kind: "work", label: "work" },
          { kind: "idle", label: "idle" },
        ],
        summary: `Idle share of all time with ${p} stages. ${others
          .map((one) => `${exact(one.microBatches)} micro-batches: ${inText(percent(one.fraction))}`)
          .join("; ")}.`,
      },
      width,
    ),
    caption: `${p} stages and ${m} micro-batches: ${inText(total)} of all time is idle, or ${inText(ideal)} of the time that the work itself needs.`,
    readouts: [
      { id: "bubble-of-total", label: "Bubble / total time", ...total },
      { id: "bubble-of-ideal", label: "Bubble / ideal time", ...ideal },
    ],
    reasons: [
      {
        name: "Bubble of the total time",
      guard: "bubble fraction: (P-1)/(M+P-1)",
        equals: ["(P − 1) / (M + P − 1)", `(${p} − 1) / (${m} + ${p} − 1)`, exact(fraction)],
        note: "The idle share of everything that was paid for: 0 to 1.",
      },
      {
        name: "Bubble of the ideal time",
      guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
        equals: ["(P − 1) / M", `(${p} − 1) / ${m}`, exact((stages - 1) / microBatches)],
        note: "Idle time over the time of the work alone; it may exceed 1. Papers use either: ask which.",
      },
    ],
    sources: [gpipe, megatronPipeline],
    table: {
      caption: `Bubble with ${p} stages`,
      head: ["micro-batches", "of total", "of ideal"],
      rows: others.map((one) => [exact(one.microBatches), exact(one.fraction), exact((stages - 1) / one.microBatches)]),
    },
  };
}

export const bubble: Routine<Result> = {
  id: "bubble",
  title: "Bubble fraction",
  claim: "More micro-batches shrink the bubble; more stages grow it.",
  question: {
    text: "4 stages and 8 micro-batches are idle 27.3 % of the time. What of 8 stages, with the same micro-batches?",
    answers: [
      {
        label: "13.6 %",
        because: "More stages do the work faster, but each of them waits longer for its first and after its last micro-batch.",
      },
      { label: "27.3 %", because: "The bubble depends on the stages: filling and draining take P − 1 slots." },
      {
        label: "46.7 %",
        right: true,
        because: "7 / (8 + 7): only more micro-batches make it smaller.",
      },
      {
        label: "54.5 %",
        because: "Twice the stages is not twice the share: the total time has grown too.",
      },
    ],
  },
  parameters: [
    {
      name: "stages",
      label: "Stages",
      kind: "whole",
      initial: "4",
      range: { least: 1, most: 32 },
    },
    {
      name: "microBatches",
      label: "Micro-batches",
      kind: "whole",
      initial: "8",
      range: { least: 1, most: 64 },
      description: "Equal stages, and no time for communication.",
    },
  ],
  run,
  view,
};
