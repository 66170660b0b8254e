import type { CommunicationKind, MeasuredKind, MeasuredTrace } from "shardlab";
import { breakdownFigure, type TimedGroup, type TimedRow } from "../figures/breakdown.js";
import { curvesFigure, decades, fromZero, type CurvesPicture, type Panel, type Point } from "../figures/curves.js";
import { linesOfFit } from "../fitted-lines.js";
import { bytes, count, inText, percent, plural, seconds } from "../format.js";
import { execute, type Fitted, type MeasureState } from "../measure-state.js";
import type { Offers } from "../offers.js";
import type { Parameter } from "../parameter.js";
import { presets } from "../presets/measure.js";
import type { Readout, Routine, View, WidgetLink } from "../routine.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";
import curvesStyle from "../figure/curves.css";

/** What collectives are called elsewhere stays as it is; what has no name there is said. */
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

/** Of more ranks only these are drawn. */
const mostDrawn = 16;

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

// Where the time went

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
function used({ traces, run }: MeasureState): string {
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

function timeReadouts({ traces }: MeasureState): Readout[] {
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

function timeView(state: MeasureState, width: number): View {
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

// All-reduces and the model

function points({ points: { bytes, measuredSeconds, fittedSeconds } }: Fitted, value: (bytes: number, seconds: number) => number) {
  const of = (column: Float64Array): Point[] => Array.from(bytes, (x, index) => ({ x, y: value(x, column[index]!) }));
  return { curves: [{ kind: "fitted", points: of(fittedSeconds) }], dots: of(measuredSeconds) };
}

function panels(fitted: Fitted): Panel[] {
  const times = points(fitted, (_, time) => time);
  const rates = points(fitted, (size, time) => (size / time) * fitted.busFactor);
  const all = [...times.dots, ...times.curves[0]!.points].map(({ y }) => y).filter((y) => y > 0);
  const from = 10 ** Math.floor(Math.log10(Math.min(...all)));
  const to = Math.max(10 ** Math.ceil(Math.log10(Math.max(...all))), 10 * from);
  const most = Math.max(...rates.dots.map(({ y }) => y));
  return [
    { title: word("Time"), axis: { from, to, ticks: decades(from, to, 6, (time) => inText(seconds(time))) }, scale: "logarithmic", ...times },
    {
      title: fitted.ranks === null ? word("Algorithm bandwidth") : word("Bus bandwidth"),
      axis: fromZero(most, (value) => (value === 0 ? "0" : bandwidth(value))),
      scale: "linear",
      ...rates,
    },
  ];
}

function curves(fitted: Fitted, summary: string, width: number): CurvesPicture {
  const sizes = [...fitted.points.bytes];
  const from = 10 ** Math.floor(Math.log10(Math.min(...sizes)));
  const to = Math.max(10 ** Math.ceil(Math.log10(Math.max(...sizes))), 10 * from);
  return {
    sizes: { from, to, ticks: decades(from, to, width < 480 ? 4 : 8, (value) => inText(bytes(value))) },
    panels: panels(fitted),
    marks: [],
    bands: [],
    legend: [{ kind: "fitted", label: word("measured, and its fit") }],
    summary,
  };
}

function fitCaption({ relativeError, heldOut, regimes, points: { bytes: sizes }, link }: Fitted): string {
  const [median, p90] = [inText(percent(relativeError.median)), inText(percent(relativeError.p90))];
  const [lines, all] = [plural(regimes.length, "line"), plural(sizes.length, "size")];
  const off =
    regimes.length === 1
      ? say`${lines} through ${all} is off by ${median} at the median size, by ${p90} at the 90th percentile.`
      : say`${lines} through ${all} are off by ${median} at the median size, by ${p90} at the 90th percentile.`;
  const seen = heldOut === null ? "" : say`One line through half of the sizes predicts the other half to ${inText(percent(heldOut.relativeError.median))} at the median.`;
  const none = link === undefined ? word("These times tell no link: they do not grow with the size, or the ranks are not known.") : "";
  return sentences(off, seen, none);
}

function fitReadouts({ regimes, relativeError, heldOut }: Fitted): Readout[] {
  const last = regimes[regimes.length - 1]!;
  const rate = last.bytesPerSecond === null ? undefined : bytes(last.bytesPerSecond);
  return [
    { id: "latency", label: word("Latency of the smallest sizes"), ...seconds(regimes[0]!.latencySeconds) },
    ...(rate === undefined ? [] : [{ id: "bandwidth", label: word("Bandwidth of the largest sizes"), value: rate.value, unit: `${rate.unit}/s` }]),
    { id: "error", label: word("Fit is off by (median)"), ...percent(relativeError.median) },
    ...(heldOut === null ? [] : [{ id: "heldOut", label: word("Off by, where not seen (median)"), ...percent(heldOut.relativeError.median) }]),
  ];
}

/** The link of a ring with these times, in the lab. */
function links({ link, ranks }: Fitted): WidgetLink[] {
  if (link === undefined || ranks === null) return [];
  const plain = (value: number) => String(Number(value.toPrecision(4)));
  const texts = { ranks: String(ranks), latencySeconds: plain(link.latencySeconds), bytesPerSecond: plain(link.bytesPerSecond) };
  return [
    { label: word("Use this link: ring against tree"), id: "crossover", texts },
    { label: word("Use this link: what an all-reduce costs"), id: "all-reduce-cost", texts },
  ];
}

function modelView(state: MeasureState, width: number): View {
  const { fitted } = state;
  if (fitted === undefined) {
    const caption = sentences(word("Too few all-reduces with a size and ranks to fit a model to: three sizes at least are needed."), used(state));
    return { caption, readouts: state.traces === undefined ? [] : timeReadouts(state) };
  }
  const caption = sentences(fitCaption(fitted), used(state));
  const summary = sentences(word("Time and bandwidth of measured all-reduces over the tensor's size, and the model that is fitted to them."), caption);
  return { figure: curvesFigure(curves(fitted, summary, width), width), caption, readouts: fitReadouts(fitted), links: links(fitted) };
}

/** The other runs of a file that holds several. */
function otherRuns({ run }: MeasureState): Pick<View, "offers"> {
  const others = run?.runs.filter((id) => id !== run.run) ?? [];
  if (others.length === 0) return {};
  const actions = others.slice(0, mostDrawn).map((id) => ({ label: id, isName: true, texts: { run: id } }));
  const offers: Offers = { title: say`Shown is ${run!.run}. The others of the file:`, items: [], rest: { title: "", items: [] }, actions };
  return { offers };
}

function view(state: MeasureState, width: number): View {
  const seen = state.show === "time" ? timeView(state, width) : { ...modelView(state, width), ...otherRuns(state) };
  return state.waits ? { ...seen, caption: sentences(word("No file is open yet: this is the sample."), seen.caption) } : seen;
}

const ofRuns = ["run", "files", "text"];

const parameters: readonly Parameter[] = [
  {
    name: "source",
    label: "Measured",
    kind: "choice",
    initial: "ranks",
    choices: [
      { value: "ranks", label: "Traces of two ranks, DLRM on 8 × V100" },
      { value: "run", label: "Runs of nccl-tests" },
      { value: "files", label: "My own files" },
      { value: "text", label: "Text that I paste" },
    ],
  },
  {
    name: "files",
    label: "Open files",
    kind: "files",
    initial: "",
    files: ".json,.gz,.txt,.log,.csv,application/json,application/gzip,text/plain,text/csv",
    description: "Traces of torch.profiler, one for each rank; or one run of nccl-tests or shardlab-mpi.",
    when: { parameter: "source", is: "files" },
  },
  {
    name: "text",
    label: "What nccl-tests printed or wrote, or a small trace",
    kind: "text",
    initial: "size_B,oop_time_us\n1024,14.2\n65536,22.1\n1048576,41.0\n16777216,152\n268435456,1630\n",
    aliases: ["files"],
    when: { parameter: "source", is: "text" },
  },
  {
    name: "show",
    label: "Of traces, show",
    kind: "choice",
    initial: "time",
    choices: [
      { value: "time", label: "Time" },
      { value: "model", label: "Model" },
    ],
    when: { parameter: "source", is: ["ranks", "files", "text"] },
  },
  linesOfFit({ parameter: "source", is: ofRuns }),
  { name: "run", label: "Run", kind: "kept", initial: "" },
];

export const measure: Routine<MeasureState> = {
  id: "measure",
  modules: ["traces"],
  title: "Compare with real runs",
  claim: "A trace tells how much of the communication compute hides; a run of all-reduces, which latency and bandwidth your links have.",
  question: async () => (await import("../questions/measure.js")).question,
  tryNext: "Look at the runs of nccl-tests with three lines; then open the traces of your own training.",
  parameters,
  presets,
  styles: [curvesStyle],
  run: execute,
  view,
  details: async () => (await import("../details/measure.js")).details,
  more: "Events and lines, used and ignored",
};
