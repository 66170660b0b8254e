/** What the times of a trace mean, how a model is fitted, and what of the files counts. */

import { count, exact, inText, percent, seconds } from "../format.js";
import type { Fitted, MeasureState } from "../measure-state.js";
import type { DataTable, Details, More, Reason } from "../routine.js";
import { bandwidth, kindNames, rankName } from "../routines/measure-time.js";
import { busBandwidth, kinetoFormat, linkModel, ncclTests } from "../sources.js";
import { say, word } from "../words.js";
import { fittedLines } from "./fit.js";

function times({ traces }: MeasureState): Reason[] {
  if (traces === undefined) return [];
  const { spanSeconds, computeSeconds, exposedSeconds, otherSeconds, idleSeconds, overlapSeconds, communicationSeconds, overlapFraction } = traces.together;
  const text = (value: number) => inText(seconds(value));
  return [
    {
      name: word("The time, divided"),
      guard: "A trace: where the time of a device went",
      equals: [word("compute + exposed + copies + idle"), `${text(computeSeconds)} + ${text(exposedSeconds)} + ${text(otherSeconds)} + ${text(idleSeconds)}`, text(spanSeconds)],
      note: word("From a device's first activity to its last. Whatever runs at once on several streams counts once; the times of several devices are added up. A kernel that waits for its memory counts as compute: busy is not efficient."),
    },
    {
      name: word("Communication that compute hides"),
      guard: "A trace: where the time of a device went",
      equals: [word("both / communication"), `${text(overlapSeconds)} / ${text(communicationSeconds)}`, inText(percent(overlapFraction))],
      note: word("A fraction of the communication, not of the step."),
    },
    ...waiting(traces),
  ];
}

function waiting({ matched }: NonNullable<MeasureState["traces"]>): Reason[] {
  if (matched === null) return [];
  return [
    {
      name: word("Waiting for the others"),
      guard: "Traces of ranks: the shortest time is the transfer's, the rest is waiting",
      equals: [word("each time − the shortest of the ranks, added up"), inText(seconds(matched.waitedSeconds))],
      note: say`A collective's kernel runs from when its rank comes until all have been served: the rank that came last did not wait. Clocks of ranks are not aligned, so that only durations are compared. ${count(matched.collectives.length)} matched, ${count(matched.unmatched)} without a counterpart.`,
    },
  ];
}

function fit(fitted: Fitted | undefined): Reason[] {
  if (fitted === undefined) return [];
  const note = word("With the least mean relative error. Of a size that was measured more than once, the median of runs counts, and the shortest time of a trace.");
  return [...fittedLines(fitted.regimes, () => note), ...link(fitted), ...heldOut(fitted)];
}

function link({ link: found, ranks }: Fitted): Reason[] {
  if (found === undefined || ranks === null) return [];
  return [
    {
      name: word("The link of a ring with these times"),
      guard: "ring cost: 2(N-1) steps and 2 S (N-1)/N bytes",
      equals: ["α = latency / (2 (N − 1)), β = 2 (N − 1) / N · bandwidth", `α = ${inText(seconds(found.latencySeconds))}, β = ${bandwidth(found.bytesPerSecond)}`],
      note: say`N is ${exact(ranks)}. NCCL need not have used a ring: this is the link with which the lab's ring takes as long.`,
    },
  ];
}

function heldOut({ heldOut: found }: Fitted): Reason[] {
  if (found === null) return [];
  return [
    {
      name: word("What the model says of sizes that it has not seen"),
      guard: "Published runs: half of the sizes predict the others",
      equals: ["|fitted − measured| / measured", `${inText(percent(found.relativeError.median))}, ${inText(percent(found.relativeError.p90))}`],
      note: word("One line through every other size, and its error at those between: at the median and the 90th percentile."),
    },
  ];
}

function table(state: MeasureState): DataTable {
  if (state.show === "model" && state.fitted !== undefined) return measurements(state.fitted);
  return state.traces === undefined ? { caption: word("Measured and fitted"), head: [], rows: [] } : collectives(state);
}

function measurements({ points }: Fitted): DataTable {
  const off = (column: Float64Array | null, index: number) => (column === null ? "–" : inText(percent(column[index]!)));
  return {
    caption: word("Measured and fitted"),
    head: [word("bytes"), word("measured"), word("fitted"), word("off by"), word("off by, if left out")],
    rows: Array.from(points.bytes, (size, index) => [
      exact(size),
      inText(seconds(points.measuredSeconds[index]!)),
      inText(seconds(points.fittedSeconds[index]!)),
      off(points.relativeError, index),
      off(points.leftOutRelativeError, index),
    ]),
  };
}

/** Rows of a table that a page can still show. */
const mostRows = 1000;

function collectives(state: MeasureState): DataTable {
  const or = (value: number | null, write: (value: number) => string) => (value === null ? "–" : write(value));
  const all = state.traces!.traces.flatMap((trace, index) => trace.collectives.map((one) => [rankName(state, index), one] as const));
  return {
    caption: all.length > mostRows ? say`The first ${count(mostRows)} of ${count(all.length)} collectives` : word("Collectives, one by one"),
    head: [word("of"), word("kind"), word("bytes"), word("ranks"), word("time"), word("hidden"), word("bus bandwidth")],
    rows: all.slice(0, mostRows).map(([name, one]) => [
      name,
      word(kindNames[one.kind]),
      or(one.bytes, exact),
      or(one.ranks, exact),
      inText(seconds(one.seconds)),
      inText(seconds(one.overlappedSeconds)),
      or(one.busBandwidth, bandwidth),
    ]),
  };
}

/** Reasons are the core's, as the lab's other words are. */
function more({ traces, run }: MeasureState): More {
  if (traces === undefined) {
    const rows = run!.ignored.map(({ reason, lines, firstLine }) => [word(reason), count(lines), count(firstLine)]);
    return {
      note: say`${count(run!.linesUsed)} used, ${count(run!.linesIgnored)} ignored.`,
      table: { caption: word("Ignored"), head: [word("reason"), word("lines"), word("first")], rows },
      rest: { title: word("Not in this table"), items: [word("lines that became measurements")] },
    };
  }
  const { events, eventsUsed, ignored, amended } = traces.together;
  const broken = traces.traces.flatMap(({ brokenAtByte }) => (brokenAtByte === null ? [] : [say`a file was read up to byte ${count(brokenAtByte)}`]));
  return {
    note: say`${count(eventsUsed)} of ${count(events)} events used.`,
    table: {
      caption: word("Ignored"),
      head: [word("reason"), word("events")],
      rows: ignored.map(({ reason, events: number }) => [word(reason), count(number)]),
    },
    rest: {
      title: word("Used, but not just as they stand"),
      items: [...amended.map(({ reason, events: number }) => `${count(number)}: ${word(reason)}`), ...broken],
    },
  };
}

export const details: Details<MeasureState> = {
  reasons: (state) => [...times(state), ...fit(state.fitted)],
  sources: [kinetoFormat, ncclTests, busBandwidth, linkModel],
  table,
  more,
};
