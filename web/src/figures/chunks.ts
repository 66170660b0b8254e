/** What the two layouts of the ring all-reduce share: ranks' names, and their chunks as cells. */

import type { RingState, Sending } from "../ring-state.js";
import { rankClass } from "./frame.js";
import { box, px, svg, type Drawing } from "./markup.js";
import type { SentPicture } from "./sent.js";

/** One chunk that stands out from the others. */
export interface Followed {
  chunk: number;
  /** the rank that sends it first */
  origin: number | undefined;
  /** its transfers so far */
  way: readonly Sending[];
}

export interface RingPicture {
  ranks: number;
  chunks: number;
  step: number;
  steps: number;
  phase: string;
  state: RingState;
  followed?: Followed;
  sent: SentPicture;
  /** the text in a cell; empty for a chunk without elements */
  label(rank: number, chunk: number): string;
  summary: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface CellSize {
  width: number;
  /** false where the values would not fit: the cell then counts the ranks whose numbers it holds */
  values: boolean;
}

/** Width of a digit in a cell. */
export const digit = 8.6;
export const cellHeight = 40;

export function longestLabel({ ranks, chunks, label }: RingPicture): number {
  let longest = 1;
  for (let rank = 0; rank < ranks; rank += 1) {
    for (let chunk = 0; chunk < chunks; chunk += 1) longest = Math.max(longest, label(rank, chunk).length);
  }
  return longest;
}

export function rankName(rank: number, x: number, y: number): Drawing {
  return svg`<rect class=${rankClass(rank)} x=${x} y=${y - 9} width="9" height="9" rx="2.5" />
    <text class="name" x=${x + 14} y=${y}>rank ${rank}</text>`;
}

/** When the followed chunk came to a rank: "start", "hop 3", "hops 3, 7". */
export function hopsAt({ followed }: RingPicture, rank: number): string {
  if (followed === undefined) return "";
  const hops = followed.way.flatMap(({ destination }, index) => (destination === rank ? [index + 1] : []));
  const named = hops.length === 0 ? "" : `${hops.length === 1 ? "hop" : "hops"} ${hops.join(", ")}`;
  return rank === followed.origin ? ["start", named].filter(Boolean).join(", ") : named;
}

/** Whether a chunk stands back or out while one is followed. */
export function standing({ followed }: RingPicture, chunk: number): string {
  return followed === undefined ? "" : followed.chunk === chunk ? "followed" : "aside";
}

function cellClass(picture: RingPicture, rank: number, chunk: number): string {
  const { sendings, holds } = picture.state;
  const sent = sendings.some((one) => one.source === rank && one.chunk === chunk && one.reduce);
  const received = sendings.some((one) => one.destination === rank && one.chunk === chunk);
  const whole = picture.ranks > 1 && holds(rank, chunk).length === picture.ranks;
  return [sent && "sent", received && "received", whole && "whole", standing(picture, chunk)].filter(Boolean).join(" ");
}

/** @param pitch between the rows of two ranks, where ranks stand below each other */
export function cells(picture: RingPicture, rank: number, at: Point, size: CellSize, pitch?: number): Drawing[] {
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
    return svg`<rect class="empty" x=${px(x)} y=${y} width=${px(size.width)} height=${cellHeight} rx="6" />`;
  }
  const received = picture.state.sendings.find((one) => one.destination === rank && one.chunk === chunk);
  const arrives = received !== undefined && pitch !== undefined;
  const holds = picture.state.holds(rank, chunk);
  return svg`<g class=${cellClass(picture, rank, chunk)}
    data-from=${arrives ? `0 ${(received.source - rank) * pitch}` : undefined}>
    ${arrives ? svg`<path class="arrow" d="M${px(x + size.width / 2 - 5)} ${y - 7}h10l-5 6z" />` : ""}
    <rect class="cell" x=${px(x)} y=${y} width=${px(size.width)} height=${cellHeight} rx="6" />
    <text class="value ${size.values ? "" : "tiny"}" x=${px(x + size.width / 2)} y=${y + 22}>${
      size.values ? label : holds.length
    }</text>
    ${contributions(holds, picture.ranks, { x: x + 4, y: y + cellHeight - 9 }, size.width - 8)}
  </g>`;
}

/** A small bar for each rank whose numbers are in a cell; where they would be too thin, one for their number. */
function contributions(
  holds: readonly number[],
  ranks: number,
  { x, y }: Point,
  width: number,
): Drawing | Drawing[] {
  const bar = Math.min(width / ranks, 16);
  if (bar < 4) {
    return svg`<rect class="share" x=${px(x)} y=${y} width=${px((width * holds.length) / ranks)} height="4" rx="1.5" />`;
  }
  const start = x + (width - bar * ranks) / 2;
  return holds.map(
    (rank) =>
      svg`<rect class="part ${rankClass(rank)}" x=${px(start + rank * bar)} y=${y} width=${px(bar - 1)} height="4" rx="1.5" />`,
  );
}

/** Cells without text, filled as far as their chunk is summed. Those that look alike are one path: it is drawn sooner. */
export function gauges(picture: RingPicture, rank: number, { x, y }: Point, pitch: number, height: number): Drawing[] {
  const alike = new Map<string, { outlines: string; fillings: string }>();
  for (let chunk = 0; chunk < picture.chunks; chunk += 1) {
    const empty = picture.label(rank, chunk) === "";
    const look = empty ? "empty" : cellClass(picture, rank, chunk);
    const paths = alike.get(look) ?? { outlines: "", fillings: "" };
    const [left, width] = [x + chunk * pitch, pitch - 1];
    const filled = empty ? 0 : (height * picture.state.holds(rank, chunk).length) / picture.ranks;
    paths.outlines += box(left, y, width, height);
    paths.fillings += box(left, y + height - filled, width, filled);
    alike.set(look, paths);
  }
  return [...alike].map(([look, { outlines, fillings }]) =>
    look === "empty"
      ? svg`<path class="empty" d=${outlines} />`
      : svg`<g class=${look}><path class="cell" d=${outlines} /><path class="share" d=${fillings} /></g>`,
  );
}
