import {
  drawable,
  ganttFigure,
  inCells,
  mostCells,
  mostOperationsDrawn,
  mostStagesDrawn,
  type GanttPicture,
} from "../figures/gantt.js";
import { count, exact, inText, list, percent } from "../format.js";
import {
  closedFormHolds,
  execute,
  scheduleNames,
  stagesAt,
  type Executed,
  type PipelineState,
} from "../pipeline-state.js";
import type { Readout, Routine, View } from "../routine.js";

/** The moment that is walked to, or nothing where the whole schedule is shown. */
function moment({ times, step }: PipelineState): number | undefined {
  return step > 0 ? times[step] : undefined;
}

/** What each stage holds, as the end of a sentence. */
function inFlight(held: ArrayLike<number>): string {
  const shown = Array.from({ length: Math.min(held.length, 8) }, (_, stage) => held[stage]).join(", ");
  return held.length > 8 ? `${shown}, …` : `${shown}.`;
}

function walkedTo(state: PipelineState, time: number): string {
  const { stages, executed } = state;
  const { busy, held } = stagesAt(stages, executed[0].found, time);
  const doing =
    stages <= 4
      ? busy.map((one, stage) => `stage ${stage} ${one === "" ? "waits" : `runs ${one}`}`).join(", ")
      : `${busy.filter((one) => one !== "").length} of ${stages} stages work`;
  const flight = `Activations in flight, from stage 0: ${inFlight(held)}`;
  const name = executed.length > 1 ? `${scheduleNames[executed[0].schedule]}, up` : "Up";
  return `${name} to time ${exact(time)}: ${doing}. ${flight}`;
}

const slid = "Each stage's idle time is slid to the end: the block is that share of the whole.";

function whole({ executed: [{ schedule, found }], collected }: PipelineState): string {
  const [total, ideal] = [found.bubbleOfTotal, found.bubbleOfIdeal].map((fraction) => inText(percent(fraction)));
  return (
    `${scheduleNames[schedule]}: idle ${total} of the time (bubble / total), ${ideal} of the work (bubble / ideal). ` +
    (collected ? slid : `Most activations in flight, from stage 0: ${inFlight(found.peakInFlight)}`)
  );
}

function sameOrEach(values: readonly string[]): string {
  return new Set(values).size === 1 ? `both ${values[0]}` : list(values);
}

function compared({ executed, collected }: PipelineState): string {
  const names = list(executed.map(({ schedule }) => scheduleNames[schedule]));
  const of = (text: (found: Executed["found"]) => string) => sameOrEach(executed.map(({ found }) => text(found)));
  return (
    `${names}: makespan ${of(({ makespan }) => exact(makespan))}, idle ${of(({ bubbleOfTotal }) => inText(percent(bubbleOfTotal)))} ` +
    `of the time; in flight on stage 0 at most ${of(({ peakInFlight }) => count(peakInFlight[0] ?? 0))}.` +
    (collected ? ` ${slid}` : "")
  );
}

function said(state: PipelineState): string {
  const time = moment(state);
  if (time !== undefined) return walkedTo(state, time);
  return state.executed.length > 1 ? compared(state) : whole(state);
}

/** Why single operations are not seen, where they are not. */
function leftOut(picture: GanttPicture): string {
  if (!drawable(picture)) return ` Drawn up to ${mostStagesDrawn} stages and ${count(mostOperationsDrawn)} operations.`;
  if (inCells(picture)) return "";
  return ` Beyond ${mostCells} operations the numbers are left out; where cells would be too thin, a lane shows shares of time.`;
}

function drawn(state: PipelineState, summary: string): GanttPicture {
  const { stages, executed, collected, forward, backward, communication } = state;
  const now = moment(state);
  return {
    stages,
    collected,
    summary,
    ...(now !== undefined && { now }),
    schedules: executed.map(({ schedule, found }) => ({
      name: scheduleNames[schedule],
      idle: inText(percent(found.bubbleOfTotal)),
      makespan: found.makespan,
      operations: found.operations,
      peakInFlight: found.peakInFlight,
      ...(now !== undefined && { held: stagesAt(stages, found, now).held }),
    })),
    legend: [
      { kind: "forward", sign: "0", label: `forward takes ${exact(forward)}` },
      { kind: "backward", sign: "B0", label: `backward takes ${exact(backward)}` },
      { kind: "idle", label: communication === 0 ? "idle" : `idle; sending on takes ${exact(communication)}` },
    ],
  };
}

function readouts(state: PipelineState): Readout[] {
  const { found } = state.executed[0];
  const formula = closedFormHolds(state) ? percent(state.formula) : { value: "–", unit: "not with communication" };
  return [
    { id: "makespan", label: "Makespan", value: exact(found.makespan) },
    { id: "bubble-of-total", label: "Bubble, measured", ...percent(found.bubbleOfTotal) },
    { id: "formula", label: "Bubble, by formula", ...formula },
    { id: "bubble-of-ideal", label: "Bubble / ideal time", ...percent(found.bubbleOfIdeal) },
    { id: "peak", label: "In flight, stage 0", value: count(found.peakInFlight[0] ?? 0) },
  ];
}

function view(state: PipelineState, width: number): View {
  const { stages, microBatches, times, step, collected } = state;
  const caption = said(state);
  const picture = drawn(state, `Schedule, stages: ${count(stages)}, micro-batches: ${count(microBatches)}. ${caption}`);
  return {
    ...(drawable(picture) && { figure: ganttFigure(picture, width) }),
    caption: caption + leftOut(picture),
    readouts: readouts(state),
    ...(!collected && {
      steps: {
        at: step,
        count: Math.max(times.length - 1, 0),
        label: step === 0 ? "all of it; play to walk through" : `time ${exact(times[step]!)}`,
        phases: [],
      },
    }),
  };
}

export const pipeline: Routine<PipelineState> = {
  id: "pipeline",
  title: "Pipeline schedule",
  claim: "More micro-batches shrink the bubble; more stages do not. Nor does 1F1B: what it shrinks is memory.",
  question: {
    text: "GPipe runs all forwards, then all backwards; 1F1B takes turns as soon as it can. What does 1F1B save?",
    answers: [
      {
        label: "Time",
        because:
          "That takes the order of the work for the work: both fill and drain the same pipeline, and with equal stages they end at the same moment.",
      },
      {
        label: "Memory",
        right: true,
        because:
          "A backward frees its activations, so that stage 0 holds as many as there are stages, not as there are micro-batches.",
      },
      {
        label: "Time and memory",
        because: "Half of it. That a backward comes earlier on a stage does not make the last one come earlier: the bubble is the same.",
      },
      {
        label: "Messages",
        because: "That takes fewer activations held for fewer sent: every micro-batch still crosses every border twice.",
      },
    ],
  },
  tryNext: "Take 16 micro-batches; then compare both schedules.",
  parameters: [
    {
      name: "schedule",
      label: "Schedule",
      kind: "choice",
      initial: "1f1b",
      choices: [
        { value: "1f1b", label: "1F1B" },
        { value: "gpipe", label: "GPipe" },
      ],
    },
    {
      name: "compare",
      label: "Compare",
      kind: "choice",
      initial: "none",
      choices: [
        { value: "none", label: "Off" },
        { value: "other", label: "Both" },
      ],
    },
    {
      name: "microBatches",
      label: "Micro-batches",
      kind: "whole",
      initial: "4",
      range: { least: 1, most: 64 },
      description: "Their number, not their size.",
    },
    { name: "stages", label: "Stages", kind: "whole", initial: "4", range: { least: 1, most: 16 } },
    {
      name: "bubbles",
      label: "Idle time",
      kind: "choice",
      initial: "in-place",
      choices: [
        { value: "in-place", label: "In place" },
        { value: "collected", label: "Collected" },
      ],
    },
    { name: "forward", label: "Forward takes", kind: "real", initial: "1", range: { least: 1, most: 10 } },
    {
      name: "backward",
      label: "Backward takes",
      kind: "real",
      initial: "2",
      range: { least: 1, most: 10 },
      description: "Input and weight gradient together.",
    },
    {
      name: "communication",
      label: "Communication takes",
      kind: "real",
      initial: "0",
      range: { least: 0, most: 10 },
      description: "From one stage to the next; it does not occupy the stage. Times are in any one unit.",
    },
    { name: "step", label: "Step", kind: "step", initial: "0" },
  ],
  run: execute,
  view,
  details: async () => (await import("../details/pipeline.js")).details,
};
