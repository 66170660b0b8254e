/** Pipeline schedules that were executed, and what their stages do at a moment. */

import type { AsyncLab, PipelineExportOptions, PipelineImportResult, PipelineScheduleName, PipelineScheduleResult } from "shardlab";
import { InputError, type Inputs } from "./parameter.js";
import { activationBytes, type ActivationBytes } from "./pipeline-amounts.js";
import { zoomOf, type Zoom } from "./pipeline-zoom.js";
import { say, word } from "./words.js";

/** A schedule of the lab's own, or one that was read. */
export type Schedule = PipelineScheduleName | "own";

export interface Executed {
  schedule: Schedule;
  found: PipelineScheduleResult;
  /** what an operation on one of a stage's chunks takes */
  times: OperationTimes;
  /** into how many a stage's times were shared out */
  chunks: number;
  /** what the lab was asked for */
  options: Omit<PipelineExportOptions, "format">;
  /** what a chunk's activations count for: 1, or their bytes */
  chunkSize: number;
}

type Ran = Omit<Executed, "chunkSize">;

/** Times of operations, where all stages are equal. */
export interface OperationTimes {
  forward: number;
  backward: number;
  inputGradient: number;
  weightGradient: number;
}

export interface PipelineState {
  stages: number;
  microBatches: number;
  communication: number;
  /** left out where chunks are counted */
  activations?: ActivationBytes;
  /** the one that was chosen, and after it the one that it is compared with */
  executed: readonly [Executed, ...Executed[]];
  /** whether idle time is shown at the end, in one */
  collected: boolean;
  /** whether the operations that nothing may delay are marked */
  critical: boolean;
  zoom: Zoom;
  /** the moments at which the chosen schedule begins or ends something; none where they are too many to walk through */
  times: readonly number[];
  /** 0 shows the whole schedule, n the moment before `times[n]` */
  step: number;
}

/** What is to be known of a schedule before it is built. */
interface Known {
  label: string;
  /** chunks of the model on a stage; left out where the reader chooses */
  chunks?: number;
  /** whether its backwards are, all or some, two operations */
  splits?: true;
}

export const schedules: Readonly<Record<Schedule, Known>> = {
  "1f1b": { label: "1F1B", chunks: 1 },
  gpipe: { label: "GPipe", chunks: 1 },
  interleaved: { label: "Interleaved 1F1B" },
  "looped-bfs": { label: "Looped breadth-first" },
  "zb-h1": { label: "ZB-H1", chunks: 1, splits: true },
  "zb-h2": { label: "ZB-H2", chunks: 1, splits: true },
  "zb-1p": { label: "ZB-1P", chunks: 1, splits: true },
  "zb-2p": { label: "ZB-2P", chunks: 1, splits: true },
  "zb-v": { label: "ZB-V", chunks: 2, splits: true },
  dualpipe: { label: "DualPipe", chunks: 1, splits: true },
  "dualpipe-v": { label: "DualPipeV", chunks: 2, splits: true },
  own: { label: "Your own", chunks: 1, splits: true },
};

export function scheduleName(schedule: Schedule): string {
  return word(schedules[schedule].label);
}

/** What an imported schedule says of itself; nothing of one that was built. */
export function imported({ schedule, found }: Pick<Executed, "schedule" | "found">): PipelineImportResult | undefined {
  return schedule === "own" ? (found as PipelineImportResult) : undefined;
}

/** The schedules of which something holds. */
export function schedulesThat(holds: (known: Known) => boolean): Schedule[] {
  return (Object.keys(schedules) as Schedule[]).filter((name) => holds(schedules[name]));
}

/** Most operations of a schedule that is walked through. */
const mostWalked = 4096;

export async function execute(lab: AsyncLab, inputs: Inputs): Promise<PipelineState> {
  const chosen = inputs.text("schedule") as Schedule;
  const other = inputs.text("compare");
  if (chosen === "own") return stateOf(inputs, [await read(lab, inputs)]);
  const names = other === "none" || other === chosen ? [chosen] : [chosen, other as PipelineScheduleName];
  const executed = (await Promise.all(names.map((name) => run(lab, inputs, name)))) as [Ran, ...Ran[]];
  return stateOf(inputs, executed);
}

function stateOf(inputs: Inputs, ran: readonly [Ran, ...Ran[]]): PipelineState {
  const activations = activationBytes(inputs);
  // A stage's layers are the same in every schedule: in more chunks, each has less of them.
  const chunksOf = ({ found }: Ran) => found.placement.length / found.replicas;
  const sized = (one: Ran): Executed => {
    const chunkSize = activations === undefined ? 1 : (activations.ofChunk * chunksOf(ran[0])) / chunksOf(one);
    return { ...one, chunkSize };
  };
  const executed = ran.map(sized) as [Executed, ...Executed[]];
  const own = imported(executed[0]);
  const collected = inputs.text("bubbles") === "collected";
  const walked = collected ? [] : moments(executed[0]);
  return {
    stages: own?.stages ?? inputs.number("stages"),
    microBatches: own?.microBatches ?? inputs.number("microBatches"),
    communication: inputs.number("communication"),
    ...(activations !== undefined && { activations }),
    executed,
    collected,
    critical: inputs.text("mark") === "critical",
    zoom: zoomOf(inputs),
    times: walked,
    step: Math.min(inputs.number("step"), Math.max(walked.length - 1, 0)),
  };
}

async function run(lab: AsyncLab, inputs: Inputs, schedule: PipelineScheduleName): Promise<Ran> {
  const known = schedules[schedule];
  const chunks = known.chunks ?? inputs.number("chunks");
  const times = chunkTimes(inputs, chunks);
  const chosen = schedule === inputs.text("schedule");
  const stages = inputs.number("stages");
  const optional = (name: string) => {
    const value = inputs.optional(name);
    return value === undefined ? {} : { [name]: value };
  };
  const options = {
    schedule,
    stages,
    microBatches: inputs.number("microBatches"),
    ...asked(inputs, times),
    communication: inputs.number("communication"),
    gradientSync: inputs.number("gradientSync"),
    recompute: inputs.text("recompute") === "on",
    ...(known.chunks === undefined && { chunks }),
    ...(schedule === "interleaved" && optional("groupSize")),
    ...((schedule === "zb-1p" || schedule === "zb-2p") && optional("memoryLimit")),
    ...(schedule.startsWith("dualpipe") && overlapped(inputs, chunks)),
    ...partTimes(inputs, stages, chunks, schedule, times),
    rules: chosen ? (inputs.text("rules") as "none") : ("none" as const),
  };
  return { schedule, found: await lab.pipelineSchedule(options), times, chunks, options };
}

/** The reader's own schedule: every chunk takes the times as they are given. */
async function read(lab: AsyncLab, inputs: Inputs): Promise<Ran> {
  const times = chunkTimes(inputs, 1);
  const notation = inputs.text("notation");
  const options = {
    csv: inputs.text("csv"),
    ...(notation !== "found" && { notation: notation as "pytorch" }),
    ...asked(inputs, times),
    communication: inputs.number("communication"),
    gradientSync: inputs.number("gradientSync"),
    recompute: inputs.text("recompute") === "on",
  };
  return { schedule: "own", found: await lab.pipelineImport(options), times, chunks: 1, options };
}

/** A stage's times, shared out to its chunks; a weight gradient that is not given is half of the backward. */
function chunkTimes(inputs: Inputs, chunks: number): OperationTimes {
  const backward = inputs.number("backward");
  const given = inputs.optional("weightGradient");
  if (given !== undefined && given >= backward) {
    throw new InputError("weightGradient", inputs.text("weightGradient"), "be less than the backward that it is part of");
  }
  const weightGradient = given ?? backward / 2;
  // What is no number goes on as the text that it is, for the core to refuse.
  const part = (time: number) => (typeof time === "number" ? time / chunks : time);
  return {
    forward: part(inputs.number("forward")),
    backward: part(backward),
    inputGradient: part(backward - weightGradient),
    weightGradient: part(weightGradient),
  };
}

/** The times that the core is asked for: the gradients where the reader has told them apart. */
function asked(inputs: Inputs, { forward, backward, inputGradient, weightGradient }: OperationTimes) {
  return inputs.optional("weightGradient") === undefined
    ? { forward, backward }
    : { forward, inputGradient, weightGradient };
}

function overlapped(inputs: Inputs, chunks: number): { overlapped?: number } {
  const time = inputs.optional("overlapped");
  return time === undefined ? {} : { overlapped: time / chunks };
}

/** How many times as long as the others each stage takes, for the parts of the model that are on it. */
function partTimes(
  inputs: Inputs,
  stages: number,
  chunks: number,
  schedule: PipelineScheduleName,
  times: OperationTimes,
): { partTimes?: number[][] } {
  const text = inputs.text("stageFactors").trim();
  if (text === "") return {};
  const factors = text.split(/[\s,;]+/).map(Number);
  if (factors.length !== stages || !factors.every((factor) => factor > 0 && factor < 1e6)) {
    throw new InputError("stageFactors", text, `be ${stages} numbers above 0, one for each stage`);
  }
  const isV = schedule === "zb-v" || schedule === "dualpipe-v";
  const parts = Array.from({ length: stages * chunks }, (_, part) => {
    const place = part % stages;
    return factors[isV && part >= stages ? stages - 1 - place : place]!;
  });
  const row = (factor: number) => [times.forward, times.inputGradient, times.weightGradient].map((time) => time * factor);
  return { partTimes: parts.map(row) };
}

function moments(executed: Executed): number[] {
  const { start, end } = executed.found.operations;
  if (start.length > mostWalked) return [];
  const sync = syncOf(executed);
  const stages = executed.found.peakInFlight.length;
  const synced = sync === 0 ? [] : spans(stages, executed.found).map(({ last }) => last + sync);
  const all = Float64Array.from([...start, ...end, ...synced]).sort();
  return Array.from(all.filter((time, index) => index === 0 || time !== all[index - 1]));
}

/** What a stage takes after its last operation. */
export function syncOf({ options }: Executed): number {
  return options.gradientSync ?? 0;
}

const letters = ["F", "B", "I", "W"] as const;

/** What each stage does up to a moment, and how many activations it then holds. */
export function stagesAt(
  stages: number,
  executed: Executed,
  time: number,
): { busy: string[]; held: Int32Array } {
  const { operations } = executed.found;
  const busy = spans(stages, executed.found).map(({ last }): string =>
    last > 0 && last < time && time <= last + syncOf(executed) ? word("its gradient sync") : "",
  );
  const held = new Int32Array(stages);
  operations.start.forEach((start, index) => {
    const [stage, end, kind] = [operations.stage[index]!, operations.end[index]!, operations.kind[index]!];
    if (start < time && time <= end) {
      const one = `${letters[kind as 0]}${operations.microBatch[index]}`;
      busy[stage] = busy[stage] === "" ? one : say`${busy[stage]!} with ${one}`;
    }
    if (kind === 0 && start < time) held[stage]! += 1;
    if ((kind === 1 || kind === 2) && end < time) held[stage]! -= 1;
  });
  return { busy, held };
}

/** When each stage starts its first operation and ends its last. */
export function spans(stages: number, { operations }: PipelineScheduleResult): { first: number; last: number }[] {
  const found = Array.from({ length: stages }, () => ({ first: Infinity, last: 0 }));
  operations.stage.forEach((stage, index) => {
    const own = found[stage]!;
    own.first = Math.min(own.first, operations.start[index]!);
    own.last = Math.max(own.last, operations.end[index]!);
  });
  return found;
}

/** Idle time of a stage. */
export function idleOf({ idle }: PipelineScheduleResult, stage: number): number {
  return idle.warmUp[stage]! + idle.steady[stage]! + idle.drain[stage]!;
}

/** The bubble of total that the closed form gives: the same work in its makespan. */
export function bubbleByFormula({ closedForm, makespan, bubbleOfTotal }: PipelineScheduleResult): number | undefined {
  if (closedForm === null || !closedForm.applies) return undefined;
  return 1 - (makespan * (1 - bubbleOfTotal)) / closedForm.makespan;
}
