/** Times that are made of parts, in bars below their names; a group of them has a scale of its own. */

import { frame, legendRows, type Legend } from "./frame.js";
import { letters } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";

export interface TimedRow {
  label: string;
  /** written at the end of its line */
  value: string;
  parts: readonly { seconds: number; kind: string; sign: string }[];
}

export interface TimedGroup {
  heading: string;
  rows: readonly TimedRow[];
}

export interface BreakdownPicture {
  groups: readonly TimedGroup[];
  legend: readonly Legend[];
  summary: string;
}

const [headingHeight, line, thickness, gap, between] = [24, 21, 20, 9, 10];

export function breakdownFigure({ groups, legend, summary }: BreakdownPicture, width: number): Figure {
  let top = 0;
  const drawn = groups.map(({ heading, rows }) => {
    const most = Math.max(...rows.map(({ parts }) => lengthOf(parts)), 1e-12);
    const title = svg`<text class="soft" x="0" y=${top + 16}>${heading}</text>`;
    const first = top + headingHeight;
    // Where a name and a value have no room beside each other, they stand below each other in all rows.
    const lines = rows.every((row) => isOneLine(row, width)) ? 1 : 2;
    const pitch = lines * line + thickness + gap;
    top = first + rows.length * pitch + between;
    return svg`${title}${rows.map((row, index) => drawnRow(row, first + index * pitch, lines, (width - 2) / most, width))}`;
  });
  const key = legendRows(legend, { left: 0, top, width });
  return frame(width, top + key.height + 2, summary, svg`<g class="bars">${drawn}</g>${key.content}`);
}

function lengthOf(parts: TimedRow["parts"]): number {
  return parts.reduce((sum, { seconds }) => sum + seconds, 0);
}

function isOneLine({ label, value }: TimedRow, width: number): boolean {
  return letters(label) * 8.2 + letters(value) * 7 + 10 <= width;
}

function drawnRow({ label, value, parts }: TimedRow, top: number, lines: number, scale: number, width: number): Drawing {
  const bar = top + lines * line;
  let end = 1;
  const pieces = parts.map(({ seconds, kind, sign }) => {
    const start = end;
    end += seconds * scale;
    const room = end - start;
    if (room < 0.05) return svg``;
    return svg`<rect class=${`piece ${kind}`} x=${start} y=${bar} width=${room} height=${thickness} />
      ${room > letters(sign) * 8 + 4 && sign !== "" ? svg`<text class="small center" x=${start + room / 2} y=${bar + 14}>${sign}</text>` : ""}`;
  });
  return svg`<text class="name" x="0" y=${top + 14}>${label}</text>
    <text class=${lines === 1 ? "soft small end" : "soft small"} x=${lines === 1 ? width : 0} y=${bar - 7}>${value}</text>${pieces}`;
}
