/** Pipeline schedules that were executed, and what their stages do at a moment. */

import type { AsyncLab, PipelineScheduleName, PipelineScheduleResult } from "shardlab";
import type { Inputs } from "./parameter.js";

export interface Executed {
  schedule: PipelineScheduleName;
  found: PipelineScheduleResult;
}

export interface PipelineState {
  stages: number;
  microBatches: number;
  forward: number;
  backward: number;
  communication: number;
  /** the one that was chosen, and after it the one that it is compared with */
  executed: readonly [Executed, ...Executed[]];
  /** the idle share of all time by the closed form, which counts no communication */
  formula: number;
  /** whether idle time is shown at the end, in one */
  collected: boolean;
  /** the moments at which the chosen schedule begins or ends something; none where they are too many to walk through */
  times: readonly number[];
  /** 0 shows the whole schedule, n the moment before `times[n]` */
  step: number;
}

export const scheduleNames: Readonly<Record<PipelineScheduleName, string>> = { "1f1b": "1F1B", gpipe: "GPipe" };

/** Most operations of a schedule that is walked through. */
const mostWalked = 4096;

export async function execute(lab: AsyncLab, inputs: Inputs): Promise<PipelineState> {
  const chosen = inputs.text("schedule") as PipelineScheduleName;
  const other: PipelineScheduleName = chosen === "1f1b" ? "gpipe" : "1f1b";
  const schedules = inputs.text("compare") === "other" ? [chosen, other] : [chosen];
  const size = { stages: inputs.number("stages"), microBatches: inputs.number("microBatches") };
  const times = {
    forward: inputs.number("forward"),
    backward: inputs.number("backward"),
    communication: inputs.number("communication"),
  };
  const run = async (schedule: PipelineScheduleName) => ({
    schedule,
    found: await lab.pipelineSchedule({ schedule, ...size, ...times }),
  });
  const executed = (await Promise.all(schedules.map(run))) as [Executed, ...Executed[]];
  const collected = inputs.text("bubbles") === "collected";
  const walked = collected ? [] : moments(executed[0].found.operations);
  return {
    ...size,
    ...times,
    executed,
    formula: await lab.pipelineBubbleFraction(size),
    collected,
    times: walked,
    step: Math.min(inputs.number("step"), Math.max(walked.length - 1, 0)),
  };
}

function moments({ start, end }: PipelineScheduleResult["operations"]): number[] {
  if (start.length > mostWalked) return [];
  const all = new Float64Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  all.sort();
  return Array.from(all.filter((time, index) => index === 0 || time !== all[index - 1]));
}

/** Whether the closed forms hold: they count no time from stage to stage. */
export function closedFormHolds({ stages, communication }: PipelineState): boolean {
  return communication === 0 || stages === 1;
}

/** What each stage does up to a moment, and how many activations it then holds. */
export function stagesAt(
  stages: number,
  { operations }: PipelineScheduleResult,
  time: number,
): { busy: string[]; held: Int32Array } {
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
