import type { PricedAlgorithm } from "shardlab";
import { algorithmNames, execute, type CrossoverState, type Priced } from "../crossover-state.js";
import { curvesFigure, decades, fromZero, type CurvesPicture, type Panel, type Point } from "../figures/curves.js";
import { linesOfFit } from "../fitted-lines.js";
import { bytes, inText, list, percent, plural, seconds } from "../format.js";
import type { Parameter } from "../parameter.js";
import { presets } from "../presets/crossover.js";
import type { Readout, Routine, View } from "../routine.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";
import { linkParameters } from "./alpha-beta.js";
import curvesStyle from "../figure/curves.css";

export function nameOf({ algorithm }: Priced): string {
  return word(algorithmNames[algorithm]);
}

export function size(value: number, digits = 4): string {
  return inText(bytes(value, digits));
}

/** Bytes in a second over the bus, as nccl-tests counts them. */
function busRate(size: number, time: number, factor: number): number {
  return time === 0 ? 0 : (size / time) * factor;
}

/** Who is faster from which size to which, in words. */
function ranges({ first, second, found }: CrossoverState): string {
  const names = { first: nameOf(first), second: nameOf(second), equal: word("Neither") };
  const parts = found.ranges.map(({ fromBytes, toBytes, faster }, index) => {
    const name = names[faster];
    if (found.ranges.length === 1) return say`${name} at every size`;
    if (index === 0) return say`${name} below ${size(toBytes)}`;
    return index === found.ranges.length - 1 ? say`${name} above ${size(fromBytes)}` : say`${name} up to ${size(toBytes)}`;
  });
  return say`Faster: ${list(parts)}.`;
}

function atProbe({ probe, first, second }: CrossoverState): string {
  const time = (one: Priced) => `${nameOf(one)} ${inText(seconds(one.atProbe))}`;
  return say`At ${size(probe)}: ${time(first)}, ${time(second)}.`;
}

function measured({ fitted }: CrossoverState): string {
  if (fitted === undefined) return "";
  const { regimes, relativeError, run, points } = fitted;
  const [median, p90] = [relativeError.median, relativeError.p90].map((fraction) => inText(percent(fraction))) as [string, string];
  const [lines, sizes] = [plural(regimes.length, "line"), plural(points.bytes.length, "size")];
  return regimes.length === 1
    ? say`Measured (${run}): ${lines} through ${sizes} is off by ${median} at the median size, by ${p90} at the 90th percentile.`
    : say`Measured (${run}): ${lines} through ${sizes} are off by ${median} at the median size, by ${p90} at the 90th percentile.`;
}

/** Seconds over sizes, on a scale of powers of ten. */
function timePanel(state: CrossoverState): Panel {
  const { sizes, first, second, fitted } = state;
  const curve = (kind: string, { seconds }: Priced) => ({ kind, points: points(sizes, (index) => seconds[index]!) });
  const all = [...first.seconds, ...second.seconds, ...(fitted?.points.measuredSeconds ?? [])].filter((time) => time > 0);
  const [from, to] = [10 ** Math.floor(Math.log10(Math.min(...all, 1))), 10 ** Math.ceil(Math.log10(Math.max(...all, 1e-9)))];
  return {
    title: word("Time"),
    axis: { from, to: Math.max(to, 10 * from), ticks: decades(from, Math.max(to, 10 * from), 6, (time) => inText(seconds(time))) },
    scale: "logarithmic",
    curves: [curve("first", first), curve("second", second), ...fittedCurve(state, (_, time) => time)],
    dots: dots(state, (_, time) => time),
  };
}

/** Bus bandwidth over sizes, the view that nccl-tests prints. */
function busPanel(state: CrossoverState): Panel {
  const { sizes, first, second, busFactor, fittedBusFactor } = state;
  const curve = (kind: string, one: Priced) => ({
    kind,
    points: points(sizes, (index) => busRate(sizes[index]!, one.seconds[index]!, busFactor)),
  });
  const rate = (bytes: number, time: number) => busRate(bytes, time, fittedBusFactor);
  const curves = [curve("first", first), curve("second", second), ...fittedCurve(state, rate)];
  const seen = dots(state, rate);
  const most = Math.max(...[...curves.flatMap((one) => one.points), ...seen].map(({ y }) => y));
  return {
    title: word("Bus bandwidth"),
    axis: fromZero(most, (value) => (value === 0 ? "0" : `${inText(bytes(value))}/s`)),
    scale: "linear",
    curves,
    dots: seen,
  };
}

function points(sizes: readonly number[], value: (index: number) => number): Point[] {
  return sizes.map((x, index) => ({ x, y: value(index) }));
}

function fittedCurve({ fitted }: CrossoverState, value: (bytes: number, seconds: number) => number): Panel["curves"] {
  if (fitted === undefined) return [];
  const { bytes, fittedSeconds } = fitted.points;
  return [{ kind: "fitted", points: Array.from(bytes, (x, index) => ({ x, y: value(x, fittedSeconds[index]!) })) }];
}

function dots({ fitted }: CrossoverState, value: (bytes: number, seconds: number) => number): Point[] {
  if (fitted === undefined) return [];
  const { bytes, measuredSeconds } = fitted.points;
  return Array.from(bytes, (x, index) => ({ x, y: value(x, measuredSeconds[index]!) }));
}

function drawn(state: CrossoverState, summary: string): CurvesPicture {
  const { sizes, found, probe, first, second, fitted } = state;
  const [from, to] = [sizes[0]!, sizes[sizes.length - 1]!];
  return {
    sizes: { from, to, ticks: decades(from, to, 8, (value) => inText(bytes(value))) },
    panels: [timePanel(state), busPanel(state)],
    marks: [...found.crossings].map((at) => ({ at, label: size(at) })),
    bands: found.ranges.flatMap(({ fromBytes, toBytes, faster }) =>
      faster === "equal" ? [] : [{ from: Math.max(fromBytes, from), to: Math.min(toBytes, to), kind: faster }],
    ),
    probe: { at: probe, label: size(probe) },
    legend: [
      { kind: "first", label: nameOf(first) },
      { kind: "second", label: nameOf(second) },
      ...(fitted === undefined ? [] : [{ kind: "fitted", label: word("measured, and its fit") }]),
    ],
    summary,
  };
}

function readouts(state: CrossoverState): Readout[] {
  const { found, first, second, probe, busFactor, fitted } = state;
  const [crossing] = found.crossings;
  const faster = first.atProbe <= second.atProbe ? first : second;
  const rate = bytes(busRate(probe, faster.atProbe, busFactor));
  return [
    { id: "crossover", label: word("Same time at"), ...(crossing === undefined ? { value: word("no size") } : bytes(crossing, 4)) },
    { id: "first", label: say`${nameOf(first)}, here`, ...seconds(first.atProbe) },
    { id: "second", label: say`${nameOf(second)}, here`, ...seconds(second.atProbe) },
    { id: "bus", label: word("Bus bandwidth of the faster"), value: rate.value, unit: `${rate.unit}/s` },
    ...(fitted === undefined
      ? []
      : [{ id: "error", label: word("Fit is off by (median)"), ...percent(fitted.relativeError.median) }]),
  ];
}

function view(state: CrossoverState, width: number): View {
  const said = sentences(ranges(state), atProbe(state), measured(state));
  const what = say`Time and bus bandwidth of an all-reduce on ${plural(state.ranks, "rank")} over the tensor's size.`;
  const picture = drawn(state, sentences(what, said));
  return { figure: curvesFigure(picture, width), caption: said, readouts: readouts(state) };
}

const choices = (Object.keys(algorithmNames) as PricedAlgorithm[]).map((value) => ({ value, label: algorithmNames[value] }));
const several = { parameter: "nodes", is: "several" };
const published = [
  { value: "aws_p5_8xH100_1node", label: "8 × H100, one node" },
  { value: "mleng_8xA100_1node", label: "8 × A100, one node" },
  { value: "aws_2xp4de_16xA100", label: "16 × A100, two nodes" },
  { value: "nccltests290_16xH100_2node_RING", label: "16 × H100, two nodes, ring" },
];

const parameters: readonly Parameter[] = [
  { name: "first", label: "Algorithm", kind: "choice", initial: "ring", choices, aliases: ["algorithm"] },
  { name: "second", label: "against", kind: "choice", initial: "tree", choices },
  { name: "ranks", label: "Ranks", kind: "whole", initial: "8", range: { least: 2, most: 1024, scale: "powers" } },
  {
    name: "bytes",
    label: "Look at",
    kind: "real",
    quantity: "bytes",
    initial: "1MB",
    range: { least: 1e3, most: 1e10, scale: "decades" },
  },
  ...linkParameters,
  {
    name: "slices",
    label: "Slices",
    kind: "whole",
    initial: "1",
    range: { least: 1, most: 1024, scale: "powers" },
    description: "Parts of the tensor that follow each other through a tree; 1 is whole messages.",
  },
  {
    name: "nodes",
    label: "Links",
    kind: "choice",
    initial: "one",
    choices: [
      { value: "one", label: "All alike" },
      { value: "several", label: "Nodes" },
    ],
  },
  { name: "perNode", label: "Ranks in a node", kind: "whole", initial: "4", range: { least: 1, most: 16 }, when: several },
  {
    name: "interLatencySeconds",
    label: "Latency between nodes",
    kind: "real",
    quantity: "seconds",
    initial: "10us",
    range: { least: 1e-7, most: 1e-2, scale: "decades" },
    when: several,
  },
  {
    name: "interBytesPerSecond",
    label: "Link between nodes",
    kind: "real",
    quantity: "rate",
    initial: "25GB/s",
    range: { least: 1e8, most: 1e12, scale: "decades" },
    when: several,
  },
  {
    name: "measured",
    label: "Measured",
    kind: "choice",
    initial: "none",
    choices: [{ value: "none", label: "Nothing" }, ...published, { value: "own", label: "My own run" }],
    aliases: ["run"],
  },
  {
    name: "text",
    label: "What all_reduce_perf printed, or a CSV",
    kind: "text",
    initial: "size_B,oop_time_us\n1024,14.2\n65536,22.1\n1048576,41.0\n16777216,152\n268435456,1630\n",
    files: ".csv,.txt,.log,text/csv,text/plain",
    description: "As a CSV: columns size_B and oop_time_us.",
    when: { parameter: "measured", is: "own" },
  },
  linesOfFit({ parameter: "measured", is: [...published.map(({ value }) => value), "own"] }),
];

export const crossover: Routine<CrossoverState> = {
  id: "crossover",
  title: "Ring against tree",
  claim: "Below some size latency wins and the tree is faster; above it bandwidth wins and the ring is. That size moves with the ranks.",
  question: async () => (await import("../questions/crossover.js")).question,
  tryNext: "Take 64 ranks, then the double binary tree with 16 slices; then a measured run with three lines.",
  parameters,
  presets,
  styles: [curvesStyle],
  run: execute,
  view,
  details: async () => (await import("../details/crossover.js")).details,
};
