/** What ranks hold, twice: as it is and as it must be. A row a rank, a column a chunk; what differs is framed. */

import { cellHeight, cells, digit, longestLabel, rankName, type Holdings } from "./chunks.js";
import { frame } from "./frame.js";
import { px, svg, type Drawing, type Figure } from "./markup.js";

export interface Side {
  heading: string;
  holdings: Holdings;
  /** whether a cell is to be framed */
  isWrong(rank: number, chunk: number): boolean;
}

/** Beside each other from this width on, and else one below the other. */
const leastBeside = 720;
const [headingHeight, nameWidth, gap, pitch] = [30, 78, 32, cellHeight + 10];
const widestCell = 84;
const signWidth = 14;

/** Nothing where the numbers have no room. */
export function twoHoldings(sides: readonly [Side, Side], width: number, summary: string): Figure | undefined {
  const isBeside = width >= leastBeside;
  const room = isBeside ? (width - gap) / 2 : width;
  const chunks = Math.max(...sides.map(({ holdings }) => holdings.chunks));
  const needed = Math.max(...sides.map(({ holdings }) => longestLabel(holdings))) * digit + 8;
  const cell = Math.min((room - nameWidth) / chunks - 3, Math.max(widestCell, needed));
  if (cell < needed) return undefined;
  const tall = headingHeight + Math.max(...sides.map(({ holdings }) => holdings.ranks)) * pitch;
  const placed = sides.map((side, index) => {
    const at = isBeside ? `${px(index * (room + gap))} 0` : `0 ${index * (tall + gap / 2)}`;
    return svg`<g transform="translate(${at})">${drawn(side, cell)}</g>`;
  });
  return frame(width, isBeside ? tall : 2 * tall + gap / 2, summary, placed);
}

function drawn({ heading, holdings, isWrong }: Side, width: number): Drawing {
  const signed = width - longestLabel(holdings) * digit >= 2 * signWidth;
  const rows = Array.from({ length: holdings.ranks }, (_, rank) => {
    const top = headingHeight + rank * pitch;
    const frames = Array.from({ length: holdings.chunks }, (_, chunk) =>
      isWrong(rank, chunk) ? framed(nameWidth + chunk * (width + 3), top, width, signed) : "",
    );
    return svg`${rankName(holdings, rank, 0, top + 25)}
      ${cells(holdings, rank, { x: nameWidth, y: top }, { width, values: true })}${frames}`;
  });
  return svg`<text class="name" x="0" y="16">${heading}</text>${rows}`;
}

/** @param signed whether there is room for a sign beside the number */
function framed(x: number, y: number, width: number, signed: boolean): Drawing {
  return svg`<rect class="wrong" x=${px(x)} y=${y} width=${px(width)} height=${cellHeight} rx="6" />
    ${signed ? svg`<text class="wrong small end" x=${px(x + width - 4)} y=${y + 12}>≠</text>` : ""}`;
}
