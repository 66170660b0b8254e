/** What all figures share: the outer element, the ranks' colours and bars with a label. */

import { letters } from "./lettering.js";
import { Figure, svg, type Drawing } from "./markup.js";

/** A picture in CSS pixels: one unit is one pixel, so that text keeps its size at any width. */
export function frame(
  width: number,
  height: number,
  summary: string,
  content: Drawing | readonly Drawing[],
): Figure {
  const { text } = svg`<svg
    role="img"
    aria-label=${summary}
    width=${width}
    height=${height}
    viewBox="0 0 ${width} ${height}"
  >${content}</svg>`;
  return new Figure(text, width);
}

/** Colours repeat after eight; the name beside them does not. */
export function rankClass(rank: number): string {
  return `r${rank % 8}`;
}

export interface Bar {
  /** what stands above it and those that follow */
  heading?: string;
  label: string;
  /** what is written at the bar's end */
  value: string;
  parts: readonly { length: number; kind: string }[];
  current: boolean;
}

/** A line that bars are measured against. */
export interface Mark {
  at: number;
  label: string;
}

/** What a part of a bar stands for. */
export interface Legend {
  kind: string;
  label: string;
  /** written on the sample */
  sign?: string;
}

export interface Bars {
  rows: readonly Bar[];
  /** the scale's end */
  most: number;
  marks?: readonly Mark[];
  legend?: readonly Legend[];
  summary: string;
}

const headingHeight = 26;

/** Horizontal bars on one scale from 0, with a dashed line for each mark. */
export function bars({ rows, most, marks = [], legend = [], summary }: Bars, width: number): Figure {
  const narrow = width < 560;
  const left = narrow ? 0 : 96;
  const right = narrow ? 1 : 150;
  const pitch = narrow ? 52 : 40;
  const top = marks.length > 0 ? 26 : 4;
  const scale = (width - left - right) / most;
  let bottom = top;
  const shown = rows.map((bar) => {
    const heading = bar.heading === undefined ? "" : svg`<text class="soft" x="0" y=${bottom + 17}>${bar.heading}</text>`;
    if (bar.heading !== undefined) bottom += headingHeight;
    const y = bottom + (narrow ? 22 : 6);
    bottom += pitch;
    let end = left;
    const pieces = bar.parts.map(({ length, kind }) => {
      const start = end;
      end += length * scale;
      return svg`<rect class="piece ${kind}" x=${start} y=${y} width=${length * scale} height="26" />`;
    });
    const textY = narrow ? y - 6 : y + 18;
    const texts = svg`<text class="name" x="0" y=${textY}>${bar.label}</text>
      <text class="amount ${narrow ? "end" : ""}" x=${narrow ? width : end + 10} y=${textY}>${bar.value}</text>`;
    const group = (content: Drawing | readonly Drawing[]) => svg`<g class=${bar.current ? "current" : "other"}>${content}</g>`;
    return { pieces: group(pieces), texts: [heading, group(texts)] };
  });
  const lines = marks.map(({ at, label }) => {
    const x = left + at * scale;
    return svg`<path class="mark" d="M${x} ${top - 6}V${bottom}" />
      <text class="soft small ${x > width / 2 ? "end" : ""}" x=${x} y="13">${label}</text>`;
  });
  const key = legendRows(legend, { left, top: bottom + 11, width });
  return frame(
    width,
    bottom + 4 + (legend.length > 0 ? key.height + 4 : 0),
    summary,
    svg`<g class="bars">${shown.map(({ pieces }) => pieces)}${lines}${shown.map(({ texts }) => texts)}</g>${key.content}`,
  );
}

const legendPitch = 22;

/** Where a legend is in a figure. */
export interface LegendRoom {
  left: number;
  top: number;
  width: number;
}

/** Where its samples are, in as many rows as the width asks for. */
export function legendPlaces(
  legend: readonly Legend[],
  { left, top, width }: LegendRoom,
): { places: { x: number; y: number; sample: number }[]; height: number } {
  let [x, y] = [left, top];
  const places = legend.map(({ label, sign = "" }) => {
    const sample = sign === "" ? 14 : 26;
    const room = sample + 6 + letters(label) * 7.8;
    if (x > left && x + room > width) [x, y] = [left, y + legendPitch];
    const at = x;
    x += room + 14;
    return { x: at, y, sample };
  });
  return { places, height: legend.length === 0 ? 0 : y - top + legendPitch };
}

/** Samples with their names. */
export function legendRows(legend: readonly Legend[], at: LegendRoom): { content: Drawing[]; height: number } {
  const { places, height } = legendPlaces(legend, at);
  const content = legend.map(({ kind, label, sign = "" }, index) => {
    const { x, y, sample } = places[index]!;
    const stripes = { backward: "hatch", unmeasured: "unmeasured", "part activations striped": "unmeasured" }[kind];
    return svg`<g class=${kind}><rect class="piece ${kind}" x=${x} y=${y} width=${sample} height="14" rx="3" />${
      stripes !== undefined
        ? svg`<rect class="piece hatched" fill=${`url(#${stripes})`} x=${x} y=${y} width=${sample} height="14" rx="3" />`
        : ""
    }${sign === "" ? "" : svg`<text class="small center" x=${x + sample / 2} y=${y + 11}>${sign}</text>`}</g>
      <text class="soft" x=${x + sample + 6} y=${y + 12}>${label}</text>`;
  });
  return { content, height };
}

/** The stripes of what is hatched, which a shape takes as its `fill`. */
export const hatch = svg`<defs>
  <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
  </pattern>
</defs>`;
