/** What all figures share: the outer element, the ranks' colours and bars with a label. */

import { svg, type Drawing } from "./markup.js";

/** A picture in CSS pixels: one unit is one pixel, so that text keeps its size at any width. */
export function frame(
  width: number,
  height: number,
  summary: string,
  content: Drawing | readonly Drawing[],
): Drawing {
  return svg`<svg
    role="img"
    aria-label=${summary}
    width=${width}
    height=${height}
    viewBox="0 0 ${width} ${height}"
  >${content}</svg>`;
}

/** Colours repeat after eight; the name beside them does not. */
export function rankClass(rank: number): string {
  return `r${rank % 8}`;
}

export interface Bar {
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
}

export interface Bars {
  rows: readonly Bar[];
  /** the scale's end */
  most: number;
  marks?: readonly Mark[];
  legend?: readonly Legend[];
  summary: string;
}

/** Horizontal bars on one scale from 0, with a dashed line for each mark. */
export function bars({ rows, most, marks = [], legend = [], summary }: Bars, width: number): Drawing {
  const narrow = width < 560;
  const left = narrow ? 0 : 96;
  const right = narrow ? 1 : 150;
  const pitch = narrow ? 52 : 40;
  const top = marks.length > 0 ? 26 : 4;
  const scale = (width - left - right) / most;
  const bottom = top + rows.length * pitch;
  const shown = rows.map((bar, index) => {
    const y = top + index * pitch + (narrow ? 22 : 6);
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
    return { pieces: group(pieces), texts: group(texts) };
  });
  const lines = marks.map(({ at, label }) => {
    const x = left + at * scale;
    return svg`<path class="mark" d="M${x} ${top - 6}V${bottom}" />
      <text class="soft small ${x > width / 2 ? "end" : ""}" x=${x} y="13">${label}</text>`;
  });
  return frame(
    width,
    bottom + (legend.length > 0 ? 30 : 4),
    summary,
    svg`<g class="bars">${shown.map(({ pieces }) => pieces)}${lines}${shown.map(({ texts }) => texts)}</g>
      ${legendRow(legend, left, bottom + 22)}`,
  );
}

function legendRow(legend: readonly Legend[], left: number, y: number): Drawing[] {
  let x = left;
  return legend.map(({ kind, label }) => {
    const at = x;
    x += 34 + label.length * 7.4;
    return svg`<rect class="piece ${kind}" x=${at} y=${y - 11} width="14" height="14" rx="3" />
      <text class="soft" x=${at + 20} y=${y + 1}>${label}</text>`;
  });
}
