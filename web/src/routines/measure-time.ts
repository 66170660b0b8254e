/** Where the time of traces went. */

import type { CommunicationKind, MeasuredKind, MeasuredTrace } from "shardlab";
import { breakdownFigure, type TimedGroup, type TimedRow } from "../figures/breakdown.js";
import { bytes, count, inText, percent, plural, seconds } from "../format.js";
import type { MeasureState } from "../measure-state.js";
import type { Readout, View } from "../routine.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

export const kindNames: Readonly<Record<CommunicationKind, string>> = {
  all_reduce: "all-reduce",
  reduce_scatter: "reduce-scatter",
  all_gather: "all-gather",
  all_to_all: "all-to-all",
  broadcast: "broadcast",
  reduce: "reduce",
  send_receive: "send, receive",
  barrier: "barrier",
  other: "of no known kind",
};

/** Of more ranks, or runs, only these are shown. */
export const mostDrawn = 16;

export function rankName({ names, traces }: MeasureState, index: number): string {
  const rank = traces!.traces[index]!.rank;
  return rank === null ? names[index] ?? say`file ${index + 1}` : say`rank ${rank}`;
}

export function bandwidth(value: number): string {
  return `${inText(bytes(value))}/s`;
}

function share(part: number, whole: number): string {
  return inText(percent(whole === 0 ? 0 : part / whole));
}

const signs = { computing: "C", hiding: "H", exposing: "E", copying: "M", idle: "" };

function timeRow(label: string, trace: MeasuredTrace): TimedRow {
  const { spanSeconds, computeSeconds, overlapSeconds, exposedSeconds, otherSeconds, idleSeconds } = trace;
  const part = (kind: keyof typeof signs, seconds: number) => ({ kind: kind === "idle" ? kind : `part ${kind}`, seconds, sign: signs[kind] });
  return {
    label,
    value: say`${inText(seconds(spanSeconds))}, ${share(idleSeconds, spanSeconds)} idle`,
    parts: [
      part("computing", computeSeconds - overlapSeconds),
      part("hiding", overlapSeconds),
      part("exposing", exposedSeconds),
      part("copying", otherSeconds),
      part("idle", idleSeconds),
    ],
  };
}

function kindRow({ kind, count: times, seconds: time, bytes: size, withoutBytes, overlappedSeconds, busBandwidth }: MeasuredKind): TimedRow {
  const sized = withoutBytes === times ? word("no size told") : inText(bytes(size));
  return {
    label: `${word(kindNames[kind])} ×${count(times)}`,
    value: [sized, inText(seconds(time)), ...(busBandwidth === null ? [] : [bandwidth(busBandwidth)])].join(word(", ")),
    parts: [
      { kind: "part hiding", seconds: overlappedSeconds, sign: signs.hiding },
      { kind: "part exposing", seconds: time - overlappedSeconds, sign: signs.exposing },
    ],
  };
}

function timeGroups(state: MeasureState): TimedGroup[] {
  const { traces, together } = state.traces!;
  const rows = traces.slice(0, mostDrawn).map((trace, index) => timeRow(rankName(state, index), trace));
  const kinds = together.kinds.map(kindRow);
  return [
    { heading: together.devices === 0 ? word("Time of each host") : word("Time of each device"), rows },
    ...(kinds.length === 0 ? [] : [{ heading: word("Collectives by kind"), rows: kinds }]),
  ];
}

/** How many devices, or hosts where these computed, the times are the sums of. */
function counted({ traces, together }: NonNullable<MeasureState["traces"]>): number {
  return together.devices === 0 ? traces.length : together.devices;
}

function summed({ traces }: MeasureState): string {
  const { together } = traces!;
  const [span, times] = [inText(seconds(together.spanSeconds)), counted(traces!)];
  if (times === 1) return span;
  return together.devices === 0 ? say`${span}, the sum of ${times} hosts` : say`${span}, the sum of ${times} devices`;
}

function timeCaption(state: MeasureState): string {
  const { traces, together, matched } = state.traces!;
  const { spanSeconds, computeSeconds, exposedSeconds, idleSeconds, overlapFraction, communicationSeconds } = together;
  const span = summed(state);
  const divided = say`Of ${span}, ${share(computeSeconds, spanSeconds)} is compute, ${share(exposedSeconds, spanSeconds)} communication that nothing hides, ${share(idleSeconds, spanSeconds)} idle.`;
  const hidden = communicationSeconds === 0 ? word("There is no communication.") : say`Compute hides ${inText(percent(overlapFraction))} of the communication.`;
  const waited = matched === null || matched.collectives.length === 0 ? "" : say`In the collectives that they have with each other, ranks wait ${inText(seconds(matched.waitedSeconds))} for those that come later.`;
  const cut = traces.length > mostDrawn ? say`Drawn are ${mostDrawn} of ${traces.length} ranks.` : "";
  return sentences(divided, hidden, waited, cut, used(state));
}

/** What counts of the files, and what does not. */
export function used({ traces, run }: MeasureState): string {
  if (traces === undefined) {
    return run!.linesUsed === 1
      ? say`${run!.linesUsed} line of the text used, ${run!.linesIgnored} ignored.`
      : say`${count(run!.linesUsed)} lines of the text used, ${run!.linesIgnored} ignored.`;
  }
  const { events, eventsUsed } = traces.together;
  const isBroken = traces.traces.some(({ brokenAtByte }) => brokenAtByte !== null);
  return sentences(
    say`${count(eventsUsed)} of ${plural(events, "event")} used.`,
    isBroken ? word("A file breaks off, or is no JSON from some place on: what stands before it counts.") : "",
  );
}

export function timeReadouts({ traces }: MeasureState): Readout[] {
  const { together } = traces!;
  const of = (part: number) => percent(together.spanSeconds === 0 ? 0 : part / together.spanSeconds);
  return [
    { id: "hidden", label: word("Communication hidden"), ...percent(together.overlapFraction) },
    { id: "exposed", label: counted(traces!) === 1 ? word("Communication exposed") : word("Communication exposed, in sum"), ...seconds(together.exposedSeconds) },
    { id: "compute", label: word("Compute, of the time"), ...of(together.computeSeconds) },
    { id: "idle", label: word("Idle, of the time"), ...of(together.idleSeconds) },
    { id: "collectives", label: word("Collectives"), value: count(together.collectives.length) },
  ];
}

export function timeView(state: MeasureState, width: number): View {
  const caption = timeCaption(state);
  const legend = [
    { kind: "part computing", label: word("compute"), sign: signs.computing },
    { kind: "part hiding", label: word("communication, hidden"), sign: signs.hiding },
    { kind: "part exposing", label: word("communication, exposed"), sign: signs.exposing },
    { kind: "part copying", label: word("copies alone"), sign: signs.copying },
    { kind: "idle", label: word("idle") },
  ];
  const picture = { groups: timeGroups(state), legend, summary: sentences(word("Where the time of a training step went."), caption) };
  return { figure: breakdownFigure(picture, width), caption, readouts: timeReadouts(state) };
}
