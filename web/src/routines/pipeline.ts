import type { AsyncLab, PipelineImportResult } from "shardlab";
import {
  drawable,
  ganttFigure,
  longest,
  mostCells,
  mostOperationsDrawn,
  mostStagesDrawn,
  numbered,
  type GanttPicture,
} from "../figures/gantt.js";
import type { Legend } from "../figures/frame.js";
import { count, exact, inText, list, percent, significant } from "../format.js";
import type { FindGrip } from "../hand.js";
import { magnifier } from "../magnify.js";
import type { Inputs } from "../parameter.js";
import { Part } from "../part.js";
import {
  bubbleByFormula,
  execute,
  imported,
  scheduleName,
  syncOf,
  stagesAt,
  type Executed,
  type PipelineState,
} from "../pipeline-state.js";
import { amountsOf, withUnit } from "../pipeline-amounts.js";
import { zoomed } from "../pipeline-zoom.js";
import { presets } from "../presets/pipeline.js";
import type { Readout, Routine, View } from "../routine.js";
import { say, word } from "../words.js";
import { parameters } from "./pipeline-parameters.js";
import chunksStyle from "../figure/chunks.css";
import sentStyle from "../figure/sent.css";
import operationsStyle from "../figure/operations.css";

/** What the schedules show that have more to say than the widget's own claim. */
const claims = new Part(() => import("./pipeline-claims.js"));

function hasClaim({ executed: [{ schedule }] }: PipelineState): boolean {
  return schedule !== "1f1b" && schedule !== "gpipe";
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<PipelineState> {
  const state = await execute(lab, inputs);
  if (hasClaim(state)) await claims.loaded();
  return state;
}

/** The moment that is walked to, or nothing where the whole schedule is shown. */
function moment({ times, step }: PipelineState): number | undefined {
  return step > 0 ? times[step] : undefined;
}

/** What each stage of the chosen schedule holds at the end, or at most, as a list that ends a sentence. */
function held(state: PipelineState, amounts: ArrayLike<number>): string {
  const { unit, write } = amountsOf(state);
  const { chunkSize } = state.executed[0];
  const shown = Array.from({ length: Math.min(amounts.length, 8) }, (_, stage) => write(chunkSize * amounts[stage]!)).join(", ");
  const inUnit = unit === undefined ? "" : `\u00a0${unit}`;
  return amounts.length > 8 ? `${shown}, …${inUnit}` : say`${shown + inUnit}.`;
}

function walkedTo(state: PipelineState, time: number): string {
  const { stages, executed } = state;
  const { busy, held: now } = stagesAt(stages, executed[0], time);
  const doing =
    stages <= 4
      ? busy.map((one, stage) => (one === "" ? say`stage ${stage} waits` : say`stage ${stage} runs ${one}`)).join(word(", "))
      : say`${busy.filter((one) => one !== "").length} of ${stages} stages work`;
  const amounts = held(state, now);
  const inBytes = state.activations !== undefined;
  const flight = inBytes ? say`Activations held, from stage 0: ${amounts}` : say`Activations in flight, from stage 0: ${amounts}`;
  return executed.length > 1
    ? say`${scheduleName(executed[0].schedule)}, up to time ${exact(time)}: ${doing}. ${flight}`
    : say`Up to time ${exact(time)}: ${doing}. ${flight}`;
}

const slid = () => word("Each stage's idle time is slid to the end: the block is that share of the whole.");

function whole(state: PipelineState): string {
  const { executed: [{ schedule, found }], collected } = state;
  const [total, ideal] = [found.bubbleOfTotal, found.bubbleOfIdeal].map((fraction) => inText(percent(fraction)));
  const idle = say`${scheduleName(schedule)}: idle ${total!} of the time (bubble / total), ${ideal!} of the work (bubble / ideal).`;
  return say`${idle} ${collected ? slid() : mostHeld(state, held(state, found.peakInFlight))}`;
}

function mostHeld({ activations }: PipelineState, amounts: string): string {
  return activations === undefined
    ? say`Most activations in flight, from stage 0: ${amounts}`
    : say`Most activations held, from stage 0: ${amounts}`;
}

function sameOrEach(values: readonly string[]): string {
  return new Set(values).size === 1 ? say`both ${values[0]!}` : list(values);
}

function compared(state: PipelineState): string {
  const { executed, collected } = state;
  const amounts = amountsOf(state);
  const names = list(executed.map(({ schedule }) => scheduleName(schedule)));
  const of = (text: (found: Executed["found"], chunkSize: number) => string) =>
    sameOrEach(executed.map(({ found, chunkSize }) => text(found, chunkSize)));
  const [makespan, idle, most] = [
    of(({ makespan }) => exact(makespan)),
    of(({ bubbleOfTotal }) => inText(percent(bubbleOfTotal))),
    of(({ peakInFlight }, chunkSize) => withUnit(amounts, chunkSize * (peakInFlight[0] ?? 0))),
  ];
  const both =
    amounts.unit === undefined
      ? say`${names}: makespan ${makespan}, idle ${idle} of the time; in flight on stage 0 at most ${most}.`
      : say`${names}: makespan ${makespan}, idle ${idle} of the time; held on stage 0 at most ${most}.`;
  return collected ? say`${both} ${slid()}` : both;
}

/** How a schedule was read, and what of it was left out. */
function asRead(executed: Executed): string {
  const read = imported(executed);
  if (read === undefined) return "";
  const left = read.communicationActions + read.shardingActions;
  return left === 0 ? lettersRead(read) : say`${lettersRead(read)} Left out: ${count(left)} sends, receives and the like.`;
}

function lettersRead({ notation, notationFound }: PipelineImportResult): string {
  const letters =
    notation === "pytorch"
      ? word("B is the whole backward, I the input gradient")
      : word("B is the input gradient, BW the whole backward");
  if (notation === "pytorch") {
    return notationFound
      ? say`Read with PyTorch's newer letters, as its cells show: ${letters}.`
      : say`Read with PyTorch's newer letters: ${letters}.`;
  }
  return notationFound
    ? say`Read with PyTorch's older letters, as its cells show: ${letters}.`
    : say`Read with PyTorch's older letters: ${letters}.`;
}

function said(state: PipelineState): string {
  const time = moment(state);
  if (time !== undefined) return walkedTo(state, time);
  return state.executed.length > 1 ? compared(state) : joined(whole(state), asRead(state.executed[0]));
}

/** Sentences of which the second may be missing. */
function joined(first: string, second: string): string {
  return second === "" ? first : say`${first} ${second}`;
}

/** Why single operations are not seen, where they are not. */
function leftOut(picture: GanttPicture): string {
  if (!drawable(picture)) return say`Drawn up to ${mostStagesDrawn} stages and ${count(mostOperationsDrawn)} operations.`;
  if (numbered(picture)) return "";
  return say`Beyond ${mostCells} operations the numbers are left out, and where cells would be too thin, a lane shows shares of time: zoom in for them.`;
}

/** What operations take, those of the chosen schedule first. */
function legend({ executed, communication }: PipelineState): Legend[] {
  const sync = syncOf(executed[0]);
  const kinds = new Set(executed.flatMap(({ found }) => Array.from(new Set(found.operations.kind))));
  const { times, found } = executed[0];
  const parts = found.placement.length / found.replicas;
  const take = (label: (time: string) => string, time: number) =>
    parts > found.peakInFlight.length ? say`${label(exact(time))} a chunk` : label(exact(time));
  const all: (Legend | undefined)[] = [
    { kind: "forward", sign: "0", label: take((time) => say`forward takes ${time}`, times.forward) },
    kinds.has(1) ? { kind: "backward", sign: "B0", label: take((time) => say`backward takes ${time}`, times.backward) } : undefined,
    kinds.has(2)
      ? { kind: "backward", sign: "I0", label: take((time) => say`input gradient takes ${time}`, times.inputGradient) }
      : undefined,
    kinds.has(3)
      ? { kind: "weight", sign: "W0", label: take((time) => say`weight gradient takes ${time}`, times.weightGradient) }
      : undefined,
    sync > 0 ? { kind: "sync", sign: "S", label: say`gradient sync takes ${exact(sync)}` } : undefined,
    { kind: "idle", label: communication === 0 ? word("idle") : say`idle; sending on takes ${exact(communication)}` },
  ];
  return all.filter((one) => one !== undefined) as Legend[];
}

/** The picture of a state; `summary` is said of it to those who do not see it. */
export function drawn(state: PipelineState, summary: string): GanttPicture {
  const { stages, executed, collected, critical, zoom } = state;
  const now = moment(state);
  return {
    stages,
    collected,
    summary,
    zoom: collected ? { from: 0, share: 1 } : zoom,
    amounts: amountsOf(state),
    ...(now !== undefined && { now }),
    sync: syncOf(executed[0]),
    schedules: executed.map((one) => ({
      name: scheduleName(one.schedule),
      idle: inText(percent(one.found.bubbleOfTotal)),
      makespan: one.found.makespan,
      operations: one.found.operations,
      peakInFlight: one.found.peakInFlight,
      chunkSize: one.chunkSize,
      lowerBound: one.found.lowerBound,
      ...(critical && { marked: one.found.criticalPath }),
      ...(now !== undefined && { held: stagesAt(stages, one, now).held }),
    })),
    legend: legend(state),
  };
}

/** Which part of the time is drawn. */
function shownPart(picture: GanttPicture): string {
  const { from, share } = picture.zoom;
  if (share === 1) return word("all of the time");
  const [start, end] = [from, from + share].map((part) => significant(part * longest(picture), 6));
  return say`time ${start!} to ${end!}, ${1 / share} times`;
}

function peak(state: PipelineState): Readout {
  const { unit, write } = amountsOf(state);
  const { found, chunkSize } = state.executed[0];
  const label = unit === undefined ? word("In flight, stage 0") : word("Held, stage 0");
  return { id: "peak", label, value: write(chunkSize * (found.peakInFlight[0] ?? 0)), ...(unit !== undefined && { unit }) };
}

function readouts(state: PipelineState): Readout[] {
  const { found } = state.executed[0];
  const formula = bubbleByFormula(found);
  const none = { value: "–", unit: found.closedForm === null ? word("there is none") : word("does not apply") };
  return [
    { id: "makespan", label: word("Makespan"), value: exact(found.makespan) },
    { id: "bubble-of-total", label: word("Bubble, measured"), ...percent(found.bubbleOfTotal) },
    { id: "formula", label: word("Bubble, by formula"), ...(formula === undefined ? none : percent(formula)) },
    { id: "bubble-of-ideal", label: word("Bubble / ideal time"), ...percent(found.bubbleOfIdeal) },
    peak(state),
    { id: "messages", label: word("Messages"), value: count(found.messages) },
    { id: "lower-bound", label: word("No order ends before"), value: exact(found.lowerBound) },
  ];
}

function view(state: PipelineState, width: number, scale?: number): View {
  const { stages, microBatches, times, step, collected } = state;
  const caption = said(state);
  const picture = drawn(state, say`Schedule, stages: ${count(stages)}, micro-batches: ${count(microBatches)}. ${caption}`);
  const shows = hasClaim(state) ? claims.there.claims[state.executed[0].schedule] : undefined;
  return {
    ...(drawable(picture) && { figure: ganttFigure(picture, width, scale), ...(!collected && { magnified: shownPart(picture) }) }),
    caption: joined(caption, leftOut(picture)),
    readouts: readouts(state),
    ...(shows && { claim: word(shows.claim), tryNext: word(shows.tryNext) }),
    ...(!collected && {
      steps: {
        at: step,
        count: Math.max(times.length - 1, 0),
        label: step === 0 ? word("all of it; play to walk through") : say`time ${exact(times[step]!)}`,
        phases: [],
      },
    }),
  };
}

export const pipeline: Routine<PipelineState> = {
  id: "pipeline",
  modules: ["pipelines"],
  title: "Pipeline schedule",
  claim: "More micro-batches shrink the bubble; more stages do not. Nor does 1F1B: what it shrinks is memory.",
  question: async () => (await import("../questions/pipeline.js")).question,
  tryNext: "Take 16 micro-batches; then compare both schedules.",
  parameters,
  presets,
  styles: [chunksStyle, sentStyle, operationsStyle],
  run,
  view,
  magnifier: magnifier(zoomed),
  hand: async () => {
    const [{ attachHand }, { findGrip }] = await Promise.all([import("../hand.js"), import("../pipeline-hand.js")]);
    return (figure, widget) => attachHand(figure, widget, findGrip as FindGrip);
  },
  files: [
    {
      label: "PyTorch",
      extension: "-schedule.csv",
      type: "text/csv",
      text: (lab, { executed: [{ options }] }) => lab.pipelineExport({ ...options, format: "csv" }),
    },
    {
      label: "Perfetto",
      extension: "-trace.json",
      type: "application/json",
      text: (lab, { executed: [{ options }] }) => lab.pipelineExport({ ...options, format: "trace" }),
    },
  ],
  details: async () => (await import("../details/pipeline.js")).details,
};
