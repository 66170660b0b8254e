/** Curves over sizes that span powers of ten, in panels below each other that share the axis of sizes. */

import { frame, legendRows, type Legend } from "./frame.js";
import { letters } from "./lettering.js";
import { px, svg, type Drawing, type Figure } from "./markup.js";

export interface Curve {
  /** `first` and `second` are compared; `fitted` is a line through measurements */
  kind: string;
  /** from the smallest size to the largest */
  points: readonly Point[];
}

export interface Point {
  x: number;
  y: number;
}

/** A scale from one value to another, with the values that are written at it. */
export interface Axis {
  from: number;
  to: number;
  ticks: readonly { at: number; label: string }[];
}

export interface Panel {
  title: string;
  axis: Axis;
  /** a scale of powers of ten, or one that starts at 0 */
  scale: "logarithmic" | "linear";
  curves: readonly Curve[];
  /** what was measured */
  dots: readonly Point[];
}

export interface CurvesPicture {
  sizes: Axis;
  panels: readonly Panel[];
  /** sizes at which something happens, such as a crossing */
  marks: readonly { at: number; label: string }[];
  /** ranges of size with what is the fastest there, for a strip along the axis */
  bands: readonly { from: number; to: number; kind: string }[];
  /** the size that is looked at, where there is one */
  probe?: { at: number; label: string };
  legend: readonly Legend[];
  summary: string;
}

const [head, strip] = [32, 10];

/** Where a panel's plot is, and how values are placed in it. */
interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x(size: number): number;
  y(value: number): number;
}

/** Keeps places inside a plot: where a value is 0, its logarithm is far below. */
function clamped(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function plot(sizes: Axis, { axis, scale }: Panel, top: number, body: number, width: number): Plot {
  const [left, right, bottom] = [68, width - 10, top + body];
  const share = (value: number, { from, to }: Axis) => Math.log(value / from) / Math.log(to / from);
  const height = (value: number) =>
    scale === "logarithmic" ? share(value, axis) : (value - axis.from) / (axis.to - axis.from);
  return {
    left,
    right,
    top,
    bottom,
    x: (size) => left + clamped(share(size, sizes), 0, 1) * (right - left),
    y: (value) => bottom - clamped(height(value), 0, 1) * body,
  };
}

export function curvesFigure(picture: CurvesPicture, width: number): Figure {
  const { sizes, panels, marks, bands, probe, legend, summary } = picture;
  const body = width < 560 ? 170 : 225;
  const plots = panels.map((panel, index) => plot(sizes, panel, 18 + index * (head + body) + head, body, width));
  const [first, last] = [plots[0]!, plots[plots.length - 1]!];
  const key = legendRows(legend, { left: 0, top: last.bottom + strip + 40, width });
  const across = (size: number) => `M${px(first.x(size))} ${first.top}V${last.bottom}`;
  return frame(
    width,
    last.bottom + strip + 40 + key.height,
    summary,
    svg`
      ${panels.map((panel, index) => drawn(panel, sizes, plots[index]!))}
      ${marks.map(({ at, label }) => mark(label, first.x(at), across(at), width))}
      ${probe === undefined ? "" : looked(probe, first, across(probe.at))}
      ${bands.map(({ from, to, kind }) => band(kind, first.x(from), first.x(to), last.bottom + 3))}
      ${labels(sizes, last)}
      ${key.content}`,
  );
}

function drawn({ title, axis, curves, dots }: Panel, sizes: Axis, at: Plot): Drawing {
  const columns = sizes.ticks.map(({ at: size }) => `M${px(at.x(size))} ${at.top}V${at.bottom}`);
  const rows = axis.ticks.map(({ at: value }) => `M${at.left} ${px(at.y(value))}H${at.right}`);
  return svg`<text class="name" x="0" y=${at.top - 12}>${title}</text>
    <path class="grid" d=${[...columns, ...rows].join("")} />
    ${axis.ticks.map(
      ({ at: value, label }) => svg`<text class="soft small end" x=${at.left - 7} y=${at.y(value) + 4}>${label}</text>`,
    )}
    ${curves.map(({ kind, points }) => svg`<path class="curve ${kind}" d=${line(points, at)} />`)}
    ${dots.length === 0 ? "" : svg`<path class="dots" d=${dots.map((dot) => circle(at.x(dot.x), at.y(dot.y))).join("")} />`}`;
}

function line(points: readonly Point[], { x, y }: Plot): string {
  return points.map((point, index) => `${index === 0 ? "M" : "L"}${px(x(point.x))} ${px(y(point.y))}`).join("");
}

function circle(x: number, y: number): string {
  return `M${px(x - 3)} ${px(y)}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z`;
}

/** A dashed line with what happens there above it. */
function mark(label: string, x: number, across: string, width: number): Drawing {
  const half = letters(label) * 3.6;
  return svg`<path class="mark" d=${across} />
    <text class="small center" x=${clamped(x, half, width - half)} y="12">${label}</text>`;
}

/** The size that is looked at, named on the side of its line that has room. */
function looked(probe: { at: number; label: string }, { x, right, top }: Plot, across: string): Drawing {
  const at = x(probe.at);
  const after = at + 6 + letters(probe.label) * 7 < right;
  return svg`<path class="probe" d=${across} />
    <text class=${after ? "soft small" : "soft small end"} x=${after ? at + 6 : at - 6} y=${top + 15}>${probe.label}</text>`;
}

function band(kind: string, from: number, to: number, y: number): Drawing {
  return svg`<rect class="piece ${kind}" x=${from} y=${y} width=${Math.max(to - from, 0)} height=${strip} />`;
}

function labels({ ticks }: Axis, { x, bottom, right }: Plot): Drawing[] {
  const placed = ticks
    .filter(({ label }) => label !== "")
    .map(({ at, label }) => {
      const half = letters(label) * 3.8;
      return { label, half, middle: Math.min(x(at), right + 6 - half) };
    });
  const shown = apart(placed);
  return shown.map(({ label, middle }) => svg`<text class="soft small center" x=${middle} y=${bottom + strip + 20}>${label}</text>`);
}

/** All of them, or every second, third and so on: as many as do not run into each other. */
function apart<Label extends { half: number; middle: number }>(all: readonly Label[]): readonly Label[] {
  for (let every = 1; ; every += 1) {
    const some = all.filter((_, index) => index % every === 0);
    const isFree = (one: Label, next: Label) => one.middle + one.half + 4 <= next.middle - next.half;
    if (some.every((one, index) => index === 0 || isFree(some[index - 1]!, one))) return some;
  }
}

/** Ticks at powers of ten; of more than `most` only every second or third has its label. */
export function decades(from: number, to: number, most: number, label: (value: number) => string): Axis["ticks"] {
  const [first, last] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first + 1) / most));
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => {
    const at = Number(`1e${first + index}`);
    return { at, label: (first + index) % every === 0 ? label(at) : "" };
  });
}

/** An axis from 0 to a round number above the largest value. */
export function fromZero(largest: number, label: (value: number) => string): Axis {
  const power = 10 ** Math.floor(Math.log10(largest || 1));
  const step = [0.5, 1, 2, 5].map((digit) => digit * power).find((size) => 4 * size >= largest) ?? 10 * power;
  const steps = Math.max(1, Math.ceil(largest / step - 1e-9));
  return {
    from: 0,
    to: steps * step,
    ticks: Array.from({ length: steps + 1 }, (_, index) => ({ at: index * step, label: label(index * step) })),
  };
}
