import type { AsyncLab, PipelineScheduleName, PipelineScheduleResult } from "shardlab";
import {
  drawable,
  ganttFigure,
  inCells,
  mostCells,
  mostOperationsDrawn,
  mostStagesDrawn,
  type GanttPicture,
} from "../figures/gantt.js";
import { count, exact, inText, percent, plural, significant } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Reason, Routine, View } from "../routine.js";
import { gpipe, megatronPipeline } from "../sources.js";

interface Result {
  schedule: PipelineScheduleName;
  stages: number;
  microBatches: number;
  forward: number;
  backward: number;
  communication: number;
  found: PipelineScheduleResult;
  /** the moments at which something begins or ends; none where they are too many to walk through */
  times: readonly number[];
  /** 0 shows the whole schedule, n the moment before `times[n]` */
  step: number;
}

/** Most operations of a schedule that is walked through. */
const mostWalked = 4096;

function moments({ start, end }: PipelineScheduleResult["operations"]): number[] {
  if (start.length > mostWalked) return [];
  const all = new Float64Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  all.sort();
  return Array.from(all.filter((time, index) => index === 0 || time !== all[index - 1]));
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const options = {
    schedule: inputs.text("schedule") as PipelineScheduleName,
    stages: inputs.number("stages"),
    microBatches: inputs.number("microBatches"),
    forward: inputs.number("forward"),
    backward: inputs.number("backward"),
    communication: inputs.number("communication"),
  };
  const found = await lab.pipelineSchedule(options);
  const times = moments(found.operations);
  return { ...options, found, times, step: Math.min(inputs.number("step"), Math.max(times.length - 1, 0)) };
}

/** What each stage does up to a moment, and how many activations it then holds. */
function at({ stages, found: { operations } }: Result, time: number): { busy: string[]; held: Int32Array } {
  const busy = Array.from({ length: stages }, () => "");
  const held = new Int32Array(stages);
  operations.start.forEach((start, index) => {
    const [stage, end] = [operations.stage[index]!, operations.end[index]!];
    const backward = operations.kind[index] === 1;
    if (start < time && time <= end) busy[stage] = `${backward ? "B" : "F"}${operations.microBatch[index]}`;
    if (!backward && start < time) held[stage]! += 1;
    if (backward && end < time) held[stage]! -= 1;
  });
  return { busy, held };
}

function moment(result: Result): string {
  const { stages, times, step } = result;
  const time = times[step]!;
  const { busy, held } = at(result, time);
  const working = busy.filter((one) => one !== "").length;
  const doing = busy
    .slice(0, 4)
    .map((one, stage) => `stage ${stage} ${one === "" ? "waits" : `runs ${one}`}`)
    .join(", ");
  const flight = `Activations in flight, from stage 0: ${inFlight(held)}${stages > 8 ? "" : "."}`;
  return stages <= 4
    ? `Up to time ${exact(time)}: ${doing}. ${flight}`
    : `Up to time ${exact(time)}: ${working} of ${stages} stages work. ${flight}`;
}

function inFlight(peaks: Int32Array): string {
  const shown = Array.from(peaks.subarray(0, 8)).join(", ");
  return peaks.length > 8 ? `${shown}, …` : shown;
}

function makespan({ stages, microBatches, forward, backward, communication, found }: Result): Reason {
  const [p, m, f, b] = [stages, microBatches, forward, backward].map(exact);
  return {
    name: "Makespan",
    guard: "1F1B and GPipe: makespan and bubble equal the closed forms for any operation times",
    equals:
      communication === 0
        ? ["(M + P − 1) (F + B)", `(${m} + ${p} − 1) (${f} + ${b})`, exact(found.makespan)]
        : ["the end of the last operation", exact(found.makespan)],
    note:
      communication === 0
        ? "The number shown is the simulated schedule's; the formula gives the same."
        : `Simulated. (M + P − 1) (F + B) does not count communication: it would give ${exact(
            (microBatches + stages - 1) * (forward + backward),
          )}.`,
  };
}

function reasons(result: Result): Reason[] {
  const { schedule, stages, microBatches, forward, backward, found } = result;
  const [p, m] = [exact(stages), exact(microBatches)];
  const work = microBatches * (forward + backward);
  return [
    makespan(result),
    {
      name: "Bubble of the total time",
      guard: "1F1B and GPipe: makespan and bubble equal the closed forms for any operation times",
      equals: [
        "1 − M (F + B) / makespan",
        `1 − ${exact(work)} / ${exact(found.makespan)}`,
        inText(percent(found.bubbleOfTotal)),
      ],
      note: "Idle time of all stages over stages times makespan.",
    },
    {
      name: "Bubble of the ideal time",
      guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
      equals: [
        "makespan / (M (F + B)) − 1",
        `${exact(found.makespan)} / ${exact(work)} − 1`,
        inText(percent(found.bubbleOfIdeal)),
      ],
      note: "The same idle time over the time of the work; it may exceed 100 %.",
    },
    {
      name: "Steps, if each operation took one",
      guard: "1F1B: unit steps are 2(M+P-1) and stage s holds min(P-s, M) activations",
      equals: ["2 (M + P − 1)", `2 (${m} + ${p} − 1)`, count(found.steps)],
    },
    {
      name: "Most activations in flight on stage 0",
      guard: "1F1B has GPipe's bubble and less memory: 8 stages, 32 micro-batches, F=B=1",
      equals:
        schedule === "1f1b"
          ? ["min(P, M)", `min(${p}, ${m})`, String(found.peakInFlight[0])]
          : ["M", String(found.peakInFlight[0])],
      note:
        schedule === "1f1b"
          ? "Stage s starts its backwards after P − s forwards, and holds no more."
          : "GPipe runs all forwards first, and keeps them all.",
    },
    {
      name: "Messages between stages",
      equals: ["2 M (P − 1)", `2 · ${m} · (${p} − 1)`, count(found.messages)],
      note: "Activations one way, gradients the other.",
    },
  ];
}

function said(result: Result, picture: GanttPicture): string {
  const { schedule, found } = result;
  const name = schedule === "1f1b" ? "1F1B" : "GPipe";
  const [total, ideal] = [found.bubbleOfTotal, found.bubbleOfIdeal].map((fraction) => inText(percent(fraction)));
  const idle =
    `${name}: idle ${total} of the time (bubble / total), ${ideal} of the work (bubble / ideal). ` +
    `At most ${inFlight(found.peakInFlight)} activations in flight.`;
  if (!drawable(picture)) {
    return `${idle} Drawn up to ${mostStagesDrawn} stages and ${count(mostOperationsDrawn)} operations.`;
  }
  return inCells(picture)
    ? idle
    : `${idle} Beyond ${mostCells} operations the numbers are left out; where cells would be too thin, ` +
        "a lane shows shares of time.";
}

function view(result: Result, width: number): View {
  const { stages, microBatches, found } = result;
  const { makespan, operations, peakInFlight } = found;
  const title = `Schedule of ${plural(stages, "stage")} and ${plural(microBatches, "micro-batch").replace("batchs", "batches")}`;
  const { step, times } = result;
  const now = step > 0 ? { time: times[step]!, held: at(result, times[step]!).held } : undefined;
  const base = { stages, makespan, operations, peakInFlight, ...(now && { now }) };
  const caption = step > 0 ? moment(result) : said(result, { ...base, summary: "" });
  const picture: GanttPicture = { ...base, summary: `${title}. ${caption}` };
  return {
    ...(drawable(picture) && { figure: ganttFigure(picture, width) }),
    caption,
    readouts: [
      { id: "makespan", label: "Makespan", value: exact(makespan) },
      { id: "bubble-of-total", label: "Bubble / total time", ...percent(found.bubbleOfTotal) },
      { id: "bubble-of-ideal", label: "Bubble / ideal time", ...percent(found.bubbleOfIdeal) },
      { id: "peak", label: "In flight, stage 0", value: count(peakInFlight[0] ?? 0) },
      { id: "steps", label: "Unit steps", value: count(found.steps) },
      { id: "messages", label: "Messages", value: significant(found.messages, 6) },
    ],
    reasons: reasons(result),
    sources: [gpipe, megatronPipeline],
    table: {
      caption: "Most activations in flight, by stage",
      head: ["stage", "in flight"],
      rows: Array.from(peakInFlight.subarray(0, 64), (peak, stage) => [String(stage), String(peak)]),
    },
    steps: {
      at: step,
      count: Math.max(times.length - 1, 0),
      label: step === 0 ? "the whole schedule" : `time ${exact(times[step]!)}`,
      phases: [],
    },
  };
}

export const pipeline: Routine<Result> = {
  id: "pipeline",
  title: "Pipeline schedule",
  claim: "1F1B does not shrink the bubble: it shrinks memory.",
  question: {
    text: "GPipe runs all forwards, then all backwards; 1F1B takes turns as soon as it can. What does 1F1B save?",
    answers: [
      {
        label: "Time",
        because: "Both fill and drain the same pipeline: with equal stages they end at the same moment.",
      },
      {
        label: "Memory",
        right: true,
        because: "A backward frees its activations, so that stage 0 holds as many as there are stages, not as there are micro-batches.",
      },
      {
        label: "Time and memory",
        because: "The picture is rearranged, but every stage still waits as long: the bubble is the same.",
      },
      { label: "Messages", because: "Every micro-batch still crosses every border twice." },
    ],
  },
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
    { name: "stages", label: "Stages", kind: "whole", initial: "4", range: { least: 1, most: 16 } },
    { name: "microBatches", label: "Micro-batches", kind: "whole", initial: "8", range: { least: 1, most: 64 } },
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
  run,
  view,
};
