/** The ring all-reduce: every rank with its chunks, and the chunks that the last step moved. */

import { svg, type Drawing } from "./markup.js";
import type { RingState, Sending } from "../ring-state.js";
import { frame, rankClass } from "./frame.js";

export interface RingPicture {
  ranks: number;
  chunks: number;
  step: number;
  steps: number;
  phase: string;
  state: RingState;
  /** the text in a cell; empty for a chunk without elements */
  label(rank: number, chunk: number): string;
  summary: string;
}

/** Most ranks that are drawn. */
export const mostRanksDrawn = 16;

const digit = 8.6;
const cellHeight = 40;

interface CellSize {
  width: number;
  /** false where the values would not fit: the cell then counts the ranks whose numbers it holds */
  values: boolean;
}

export function ringFigure(picture: RingPicture, width: number): Drawing {
  const size = Math.max(38, longestLabel(picture) * digit + 10);
  const card = picture.chunks * (size + 3) + 17;
  const fits = picture.ranks > 1 && picture.ranks <= 6 && 2 * card + 150 <= width;
  return fits ? ring(picture, width, size, card) : rows(picture, width);
}

function longestLabel({ ranks, chunks, label }: RingPicture): number {
  let longest = 1;
  for (let rank = 0; rank < ranks; rank += 1) {
    for (let chunk = 0; chunk < chunks; chunk += 1) longest = Math.max(longest, label(rank, chunk).length);
  }
  return longest;
}

function ring(picture: RingPicture, width: number, size: number, card: number): Drawing {
  const height = picture.ranks > 4 ? 480 : 400;
  const center = { x: width / 2, y: height / 2 };
  const radius = { x: (width - card) / 2 - 6, y: height / 2 - 42 };
  const place = (turns: number) => {
    const angle = (2 * Math.PI * turns) / picture.ranks - Math.PI / 2;
    return { x: center.x + radius.x * Math.cos(angle), y: center.y + radius.y * Math.sin(angle) };
  };
  const ranks = Array.from({ length: picture.ranks }, (_, rank) => rank);
  const arc = (rank: number) => {
    const [from, over, to] = [place(rank), place(rank + 0.5), place(rank + 1)];
    const bend = { x: 2 * over.x - (from.x + to.x) / 2, y: 2 * over.y - (from.y + to.y) / 2 };
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`;
  };
  return frame(
    width,
    height,
    picture.summary,
    svg`
      ${ranks.map((rank) => svg`<path class="link" d=${arc(rank)} />`)}
      <text class="middle" x=${center.x} y=${center.y - 4}>step ${picture.step} of ${picture.steps}</text>
      <text class="middle soft" x=${center.x} y=${center.y + 18}>${picture.phase}</text>
      ${ranks.map((rank) => {
        const { x, y } = place(rank);
        return svg`<g transform="translate(${x - card / 2} ${y - 37})">
          <rect class="card" width=${card} height="74" rx="10" />
          ${rankName(rank, 10, 17)}
          ${cells(picture, rank, { x: 10, y: 26 }, { width: size, values: true })}
        </g>`;
      })}
      ${picture.state.sendings.map((sending) => {
        const [from, at, to] = [place(sending.source), place(sending.source + 0.5), place(sending.source + 1)];
        return badge(picture, sending, at, { x: from.x - at.x, y: from.y - at.y }, { x: to.x - from.x, y: to.y - from.y });
      })}
    `,
  );
}

interface Point {
  x: number;
  y: number;
}

/** A chunk on its link, with an arrow that way. @param from where it comes from, relative to where it is */
function badge(picture: RingPicture, sending: Sending, { x, y }: Point, from: Point, way: Point): Drawing {
  const text = picture.label(sending.source, sending.chunk);
  const width = text.length * digit + 16;
  const length = Math.hypot(way.x, way.y) || 1;
  const [dx, dy] = [way.x / length, way.y / length];
  const reach = Math.min(width / 2 / Math.max(Math.abs(dx), 1e-9), 14 / Math.max(Math.abs(dy), 1e-9)) + 9;
  const turned = (Math.atan2(dy, dx) * 180) / Math.PI;
  return svg`<g class="badge ${rankClass(sending.source)}" data-from="${px(from.x)} ${px(from.y)}">
    <path class="arrow" d="M-3 -5L11 0L-3 5z" transform="translate(${px(x + dx * reach)} ${px(y + dy * reach)}) rotate(${px(turned)})" />
    <rect x=${x - width / 2} y=${y - 14} width=${width} height="28" rx="7" />
    <text class="value" x=${x} y=${y + 5}>${text}</text>
  </g>`;
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function rows(picture: RingPicture, width: number): Drawing {
  const narrow = width < 560;
  const left = narrow ? 0 : 80;
  const room = (width - left - 2) / picture.chunks;
  const values = longestLabel(picture) * digit + 6 <= room - 3;
  const size = { width: Math.min(room - 3, 110), values };
  const pitch = cellHeight + (narrow ? 26 : 10);
  const top = 26;
  const position = `step ${picture.step} of ${picture.steps}, ${picture.phase}`;
  const ranks = Array.from({ length: picture.ranks }, (_, rank) => rank);
  return frame(
    width,
    top + picture.ranks * pitch + 4,
    picture.summary,
    svg`
      <text class="soft small" x=${left} y="14">${values ? position : `${position}; cells count ranks`}</text>
      ${ranks.map((rank) => {
        const y = top + rank * pitch;
        return svg`
          ${narrow ? rankName(rank, 0, y + 9) : rankName(rank, 0, y + 24)}
          ${cells(picture, rank, { x: left, y: narrow ? y + 20 : y }, size, pitch)}
        `;
      })}
    `,
  );
}

function rankName(rank: number, x: number, y: number): Drawing {
  return svg`<rect class=${rankClass(rank)} x=${x} y=${y - 9} width="9" height="9" rx="2.5" />
    <text class="name" x=${x + 14} y=${y}>rank ${rank}</text>`;
}

/** @param pitch between the rows of two ranks, where ranks stand below each other */
function cells(picture: RingPicture, rank: number, at: Point, size: CellSize, pitch?: number): Drawing[] {
  return Array.from({ length: picture.chunks }, (_, chunk) => {
    const x = at.x + chunk * (size.width + 3);
    return cell(picture, rank, chunk, { x, y: at.y }, size, pitch);
  });
}

function cell(
  picture: RingPicture,
  rank: number,
  chunk: number,
  { x, y }: Point,
  size: CellSize,
  pitch: number | undefined,
): Drawing {
  const label = picture.label(rank, chunk);
  if (label === "") {
    return svg`<rect class="empty" x=${x} y=${y} width=${size.width} height=${cellHeight} rx="6" />`;
  }
  const sent = picture.state.sendings.some((one) => one.source === rank && one.chunk === chunk && one.reduce);
  const received = picture.state.sendings.find((one) => one.destination === rank && one.chunk === chunk);
  const arrives = received !== undefined && pitch !== undefined;
  const holds = picture.state.holds(rank, chunk);
  return svg`<g class="${sent ? "sent" : ""} ${received === undefined ? "" : "received"}"
    data-from=${arrives ? `0 ${(received.source - rank) * pitch}` : undefined}>
    ${arrives ? svg`<path class="arrow" d="M${px(x + size.width / 2 - 5)} ${y - 7}h10l-5 6z" />` : ""}
    <rect class="cell" x=${x} y=${y} width=${size.width} height=${cellHeight} rx="6" />
    <text class="value ${size.values ? "" : "tiny"}" x=${x + size.width / 2} y=${y + 22}>${
      size.values ? label : holds.length
    }</text>
    ${contributions(holds, picture.ranks, { x: x + 4, y: y + cellHeight - 9 }, size.width - 8)}
  </g>`;
}

/** A small bar for each rank whose numbers are in a cell; where they would be too thin, one for their number. */
function contributions(
  holds: readonly number[],
  ranks: number,
  { x, y }: { x: number; y: number },
  width: number,
): Drawing | Drawing[] {
  const bar = Math.min(width / ranks, 16);
  if (bar < 4)
    return svg`<rect class="share" x=${x} y=${y} width=${(width * holds.length) / ranks} height="4" rx="1.5" />`;
  const start = x + (width - bar * ranks) / 2;
  return holds.map(
    (rank) =>
      svg`<rect class=${rankClass(rank)} x=${start + rank * bar} y=${y} width=${bar - 1} height="4" rx="1.5" />`,
  );
}
