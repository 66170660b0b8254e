/** Measured all-reduces, the model that is fitted to them, and the link that it tells. */

import { curvesFigure, decades, fromZero, type CurvesPicture, type Panel, type Point } from "../figures/curves.js";
import { bytes, inText, percent, plural, seconds } from "../format.js";
import type { Fitted, MeasureState } from "../measure-state.js";
import type { Offers } from "../offers.js";
import type { Readout, View, WidgetLink } from "../routine.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";
import { bandwidth, mostDrawn, timeReadouts, used } from "./measure-time.js";

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

export function modelView(state: MeasureState, width: number): View {
  const { fitted } = state;
  if (fitted === undefined) {
    const caption = sentences(word("Too few all-reduces with a size and ranks to fit a model to: three sizes at least are needed."), used(state));
    return { caption, readouts: state.traces === undefined ? [] : timeReadouts(state), ...otherRuns(state) };
  }
  const caption = sentences(fitCaption(fitted), used(state));
  const summary = sentences(word("Time and bandwidth of measured all-reduces over the tensor's size, and the model that is fitted to them."), caption);
  return { figure: curvesFigure(curves(fitted, summary, width), width), caption, readouts: fitReadouts(fitted), links: links(fitted), ...otherRuns(state) };
}

/** The other runs of a file that holds several. */
function otherRuns({ run }: MeasureState): Pick<View, "offers"> {
  const others = run?.runs.filter((id) => id !== run.run) ?? [];
  if (others.length === 0) return {};
  const actions = others.slice(0, mostDrawn).map((id) => ({ label: id, isName: true, texts: { run: id } }));
  const offers: Offers = { title: say`Shown is ${run!.run}. The others of the file:`, items: [], rest: { title: "", items: [] }, actions };
  return { offers };
}
