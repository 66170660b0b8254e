/** How printed numbers compare with computed ones: a bar for each table, or the cells of one. */

import { frame, legendRows, type Legend } from "./frame.js";
import { letters, shortened } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";

/** How a cell compares. `assumed` agrees, but for an assumption. */
export type Look = "agrees" | "assumed" | "known" | "differs";

export interface TableBar {
  name: string;
  value: string;
  parts: readonly { look: Look; cells: number }[];
}

export interface TablesPicture {
  tables: readonly TableBar[];
  legend: readonly Legend[];
  summary: string;
}

const pitch = 40;
const barHeight = 14;

/** A bar a table, all as long as each other: what is compared are shares. */
export function tablesFigure({ tables, legend, summary }: TablesPicture, width: number): Figure {
  const rows = tables.map(({ name, value, parts }, index) => {
    const y = index * pitch;
    const all = parts.reduce((sum, { cells }) => sum + cells, 0);
    let before = 0;
    const pieces = parts.map(({ look, cells }) => {
      const [x, length] = [(before / all) * (width - 1), (cells / all) * (width - 1)];
      before += cells;
      return svg`<rect class="piece match ${look}" x=${x + 0.5} y=${y + 20} width=${length} height=${barHeight} />`;
    });
    return svg`<text class="name" x="0" y=${y + 13}>${name}</text>
      <text class="small end" x=${width} y=${y + 13}>${value}</text>${pieces}`;
  });
  const bottom = tables.length * pitch;
  const key = legendRows(legend, { left: 0, top: bottom + 8, width });
  return frame(width, bottom + 8 + key.height, summary, svg`<g class="matches">${rows}</g>${key.content}`);
}

export interface GridCell {
  id: string;
  look: Look;
  /** one of a few letters, since colours alone do not tell */
  sign: string;
  expected: string;
  got: string;
  chosen: boolean;
}

export interface GridPicture {
  columns: readonly { name: string; unit: string }[];
  rows: readonly { name: string; cells: readonly (GridCell | undefined)[] }[];
  legend: readonly Legend[];
  summary: string;
}

/** The part of a table that a width has room for. */
export interface GridRoom {
  rows: number;
  columns: number;
}

const leastCell = 112;
const mostCell = 220;

export function gridRoom(width: number): GridRoom {
  return { rows: width < 560 ? 6 : 8, columns: Math.max(1, Math.floor(width / leastCell)) };
}

/** Sentences in lines of so many letters at most, two at most. */
function lines(text: string, most: number): string[] {
  const found = [""];
  for (const word of text.split(" ")) {
    const last = found[found.length - 1]!;
    if (last === "" || letters(`${last} ${word}`) <= most) found[found.length - 1] = last === "" ? word : `${last} ${word}`;
    else found.push(word);
  }
  return found.length <= 2 ? found : [found[0]!, shortened(found.slice(1).join(" "), most)];
}

const rowName = 18;
const cellHeight = 40;
const rowPitch = rowName + cellHeight + 6;

function cellDrawing({ id, look, sign, expected, got, chosen }: GridCell, x: number, y: number, width: number): Drawing {
  return svg`<g class="match-cell ${look} ${chosen ? "picked" : ""}" data-cell=${id}>
    <rect class="piece match ${look}" x=${x + 1} y=${y} width=${width - 4} height=${cellHeight} rx="4" />
    <text class="small soft" x=${x + 9} y=${y + 16}>${expected}</text>
    <text class="small" x=${x + 9} y=${y + 33}>${got}</text>
    <text class="small soft end" x=${x + width - 9} y=${y + 16}>${sign}</text>
  </g>`;
}

/** Cells below the name of their row: what is printed, and under it what is computed. */
export function gridFigure({ columns, rows, legend, summary }: GridPicture, width: number): Figure {
  const cell = Math.min(mostCell, width / columns.length);
  const headings = columns.map(({ name, unit }) => [...lines(name, Math.floor(cell / 7)), ...(unit === "" ? [] : [unit])]);
  const deepest = Math.max(...headings.map(({ length }) => length));
  const head = headings.map((heading, index) =>
    heading.map((line, at) => svg`<text class="small ${at === 0 ? "" : "soft"}" x=${index * cell + 3} y=${13 + at * 15}>${line}</text>`),
  );
  const top = deepest * 15 + 8;
  const body = rows.map(({ name, cells }, index) => {
    const y = top + index * rowPitch;
    return svg`<text class="small row" x="3" y=${y + 12}>${shortened(name, Math.floor(width / 7.2))}</text>
      ${cells.map((one, column) => (one === undefined ? "" : cellDrawing(one, column * cell, y + rowName, cell)))}`;
  });
  const bottom = top + rows.length * rowPitch;
  const key = legendRows(legend, { left: 3, top: bottom + 6, width });
  return frame(width, bottom + 6 + key.height, summary, svg`<g class="matches">${head}${body}</g>${key.content}`);
}
