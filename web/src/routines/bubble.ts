import { presets } from "../presets/bubble.js";
import type { AsyncLab } from "shardlab";
import { bars, type Bar } from "../figures/frame.js";
import { exact, inText, percent } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Routine, View } from "../routine.js";
import { say, word } from "../words.js";

/** Sizes to compare the user's with. */
const otherMicroBatches = [1, 4, 8, 16, 32];
const otherStages = [2, 4, 8, 16];

interface Size {
  stages: number;
  microBatches: number;
}

interface Sized extends Size {
  fraction: number;
}

export interface Result extends Sized {
  /** the same stages with other numbers of micro-batches */
  byMicroBatches: readonly Sized[];
  /** the same micro-batches on other numbers of stages */
  byStages: readonly Sized[];
}

function withOwn(numbers: readonly number[], own: number): number[] {
  return [...new Set([...numbers, own])].sort((a, b) => a - b);
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const size = { stages: inputs.number("stages"), microBatches: inputs.number("microBatches") };
  const sized = async (one: Size) => ({ ...one, fraction: await lab.pipelineBubbleFraction(one) });
  const own = await sized(size);
  const byMicroBatches = withOwn(otherMicroBatches, size.microBatches).map((microBatches) => ({ ...size, microBatches }));
  const byStages = withOwn(otherStages, size.stages).map((stages) => ({ ...size, stages }));
  return {
    ...own,
    byMicroBatches: await Promise.all(byMicroBatches.map(sized)),
    byStages: await Promise.all(byStages.map(sized)),
  };
}

/** Bars under a heading, one for each size. */
function group(heading: string, sizes: readonly Sized[], own: Size): Bar[] {
  return sizes.map(({ stages, microBatches, fraction }, index) => ({
    ...(index === 0 && { heading }),
    label: `P ${exact(stages)}, M ${exact(microBatches)}`,
    value: say`${inText(percent(fraction))} idle`,
    parts: [
      { length: 1 - fraction, kind: "work" },
      { length: fraction, kind: "idle" },
    ],
    current: stages === own.stages && microBatches === own.microBatches,
  }));
}

function view(result: Result, width: number): View {
  const { stages, microBatches, fraction, byMicroBatches, byStages } = result;
  const total = percent(fraction);
  const ideal = percent((stages - 1) / microBatches);
  const [p, m] = [exact(stages), exact(microBatches)];
  const rows = [
    ...group(word("The same stages, more micro-batches"), byMicroBatches, result),
    ...group(word("The same micro-batches, more stages"), byStages, result),
  ];
  return {
    figure: bars(
      {
        rows,
        most: 1,
        legend: [
          { kind: "work", label: word("work") },
          { kind: "idle", label: word("idle") },
        ],
        summary: say`Idle share of all time, for P stages and M micro-batches. ${rows
          .map(({ label, value }) => `${label}: ${value}`)
          .join("; ")}.`,
      },
      width,
    ),
    caption: say`${p!} stages and ${m!} micro-batches: ${inText(total)} of all time is idle, or ${inText(ideal)} of the time that the work itself needs.`,
    readouts: [
      { id: "bubble-of-total", label: word("Bubble / total time"), ...total },
      { id: "bubble-of-ideal", label: word("Bubble / ideal time"), ...ideal },
    ],
  };
}

export const bubble: Routine<Result> = {
  id: "bubble",
  title: "Bubble fraction",
  claim: "More micro-batches shrink the bubble; more stages grow it.",
  question: async () => (await import("../questions/bubble.js")).question,
  tryNext: "Double the stages, then double the micro-batches.",
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
  presets,
  run,
  view,
  details: async () => (await import("../details/bubble.js")).details,
};
