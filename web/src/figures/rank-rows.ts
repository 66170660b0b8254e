/** An all-reduce with its ranks below each other: a row a rank, a column a chunk; nodes stand apart where they count. */

import { say, word } from "../words.js";
import { arcs } from "./arcs.js";
import { cellHeight, cells, digit, gauges, hopsAt, isThin, longestLabel, rankName, type CollectivePicture } from "./chunks.js";
import { counts } from "./counts.js";
import { frame } from "./frame.js";
import { svg, type Drawing, type Figure } from "./markup.js";
import { sentBar, sentHeight } from "./sent.js";

/** Above a node's first row, its name with it. */
const nodeHead = 30;
/** Cells narrower than this have no room for a count. */
const leastCell = 16;
const widestCell = 110;

/** Where the rows are, and what is in them. */
interface Rows {
  narrow: boolean;
  /** from the figure's edge to names, to arcs, and to cells; and to the cells' end */
  names: number;
  left: number;
  right: number;
  arcs: number;
  pitch: number;
  /** of a rank's row */
  top(rank: number): number;
  bottom: number;
}

function rowsOf({ ranks, isRing, perNode }: CollectivePicture, width: number): Rows {
  const narrow = width < 560;
  const names = perNode === undefined ? 0 : 10;
  const arcs = isRing ? 0 : narrow ? 30 : 44;
  const pitch = cellHeight + (narrow ? 26 : 10);
  const heads = (rank: number) => (perNode === undefined ? 0 : (Math.floor(rank / perNode) + 1) * nodeHead);
  const top = (rank: number) => 26 + rank * pitch + heads(rank);
  const left = names + (narrow ? 0 : 84) + arcs;
  return { narrow, names, left, right: width - names, arcs, pitch, top, bottom: top(ranks - 1) + pitch };
}

export function rowsFigure(picture: CollectivePicture, width: number): Figure {
  const rows = rowsOf(picture, width);
  const room = (rows.right - rows.left + 1) / picture.chunks;
  const needed = longestLabel(picture) * digit + 6;
  const values = needed <= room - 3;
  const size = { width: Math.min(room - 3, Math.max(widestCell, needed)), values };
  const cellTop = (rank: number) => rows.top(rank) + (rows.narrow ? 20 : 0);
  const travel = (source: number, destination: number) => ({ x: 0, y: rows.top(source) - rows.top(destination) });
  const held = (rank: number) => {
    const at = { x: rows.left, y: cellTop(rank) };
    if (room < leastCell) return gauges(picture, rank, at, room, cellHeight);
    return (values || !isThin(picture, size) ? cells : counts)(picture, rank, at, size, travel);
  };
  const middle = (rank: number) => cellTop(rank) + cellHeight / 2;
  return frame(
    width,
    rows.bottom + 8 + sentHeight,
    picture.summary,
    svg`
      <text class="soft small" x=${picture.isRing ? rows.left : 0} y="14">${heading(picture, rows, values, room)}</text>
      ${nodes(picture, rows, width)}
      ${picture.isRing ? "" : arcs(picture, rows.left - 5, rows.arcs - 6, middle)}
      ${Array.from({ length: picture.ranks }, (_, rank) => svg`${name(picture, rows, rank)}${held(rank)}`)}
      ${sentBar(picture.sent, rows.bottom + 8, width)}
    `,
  );
}

function heading({ step, steps, phase }: CollectivePicture, { narrow }: Rows, values: boolean, room: number): string {
  const position = say`step ${step} of ${steps}, ${phase}`;
  if (values) return position;
  const instead = room < leastCell ? word("cells fill up as they are reduced") : word("cells count ranks");
  return narrow ? instead : say`${position}; ${instead}`;
}

/** Beside the cells, or above them where it is narrow. */
function name(picture: CollectivePicture, { narrow, names, left, top }: Rows, rank: number): Drawing {
  const hops = hopsAt(picture, rank);
  const x = narrow ? left : names;
  const y = top(rank) + (narrow ? 9 : hops === "" ? 24 : 18);
  return svg`${rankName(picture, rank, x, y)}
    <text class="soft small" x=${narrow ? x + 96 : x} y=${narrow ? y : y + 16}>${hops}</text>`;
}

function nodes({ ranks, perNode }: CollectivePicture, { top, pitch }: Rows, width: number): Drawing[] {
  if (perNode === undefined) return [];
  return Array.from({ length: ranks / perNode }, (_, node) => {
    const y = top(node * perNode) - 22;
    return svg`<rect class="card" x="0.5" y=${y} width=${width - 1} height=${perNode * pitch + 20} rx="10" />
      <text class="soft small" x="10" y=${y + 15}>${say`node ${node}`}</text>`;
  });
}
