/** What the layouts of an all-reduce share: ranks' names, and the pieces of their tensors as cells. */

import type { CollectiveState, Sending } from "../collective-state.js";
import { say, word } from "../words.js";
import { rankClass } from "./frame.js";
import { box, px, svg, type Drawing } from "./markup.js";
import type { SentPicture } from "./sent.js";

/** One chunk that stands out from the others. */
export interface Followed {
  chunk: number;
  /** the rank that sends it first; nothing where several do */
  origin: number | undefined;
  /** its transfers so far */
  way: readonly Sending[];
}

/** What ranks hold at one moment: a cell for every rank and chunk. */
export interface Holdings {
  ranks: number;
  chunks: number;
  state: CollectiveState;
  /** whether every transfer goes to the next rank, and the last rank's to the first */
  isRing: boolean;
  /** whether a rank's numbers are not those of a run without a fault */
  differs(rank: number): boolean;
  followed?: Followed;
  /** the text in a cell; empty for a chunk without elements */
  label(rank: number, chunk: number): string;
}

export interface CollectivePicture extends Holdings {
  step: number;
  steps: number;
  phase: string;
  /** pairs of ranks of which one sends to the other in any step */
  pairs: readonly (readonly [number, number])[];
  /** ranks in a node, where nodes are drawn */
  perNode: number | undefined;
  sent: SentPicture;
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

export function longestLabel({ ranks, chunks, label }: Holdings): number {
  let longest = 1;
  for (let rank = 0; rank < ranks; rank += 1) {
    for (let chunk = 0; chunk < chunks; chunk += 1) longest = Math.max(longest, label(rank, chunk).length);
  }
  return longest;
}

/** A rank by its colour and number; one whose numbers differ has a sign as well. */
export function rankName({ differs }: Holdings, rank: number, x: number, y: number): Drawing {
  const sign = differs(rank) ? svg` <tspan class="differs">≠</tspan>` : "";
  return svg`<rect class=${rankClass(rank)} x=${x} y=${y - 9} width="9" height="9" rx="2.5" />
    <text class="name" x=${x + 14} y=${y}>${say`rank ${rank}`}${sign}</text>`;
}

/** When the followed chunk came to a rank: "start", "hop 3", "hops 3, 7"; off a ring it may come often: "steps 1 … 8". */
export function hopsAt({ followed, isRing }: CollectivePicture, rank: number): string {
  if (followed === undefined) return "";
  const hops = followed.way.flatMap(({ destination, step }) => (destination === rank ? [step + 1] : []));
  const named = hopsNamed(hops, isRing);
  return rank === followed.origin ? [word("start"), named].filter(Boolean).join(word(", ")) : named;
}

function hopsNamed(hops: readonly number[], isRing: boolean): string {
  if (hops.length === 0) return "";
  if (hops.length === 1) return isRing ? say`hop ${hops[0]!}` : say`step ${hops[0]!}`;
  const listed = hops.length > 2 ? `${hops[0]} … ${hops[hops.length - 1]}` : hops.join(word(", "));
  return isRing ? say`hops ${listed}` : say`steps ${listed}`;
}

/** Whether a chunk stands back or out while one is followed. */
export function standing({ followed }: Holdings, chunk: number): string {
  return followed === undefined ? "" : followed.chunk === chunk ? "followed" : "aside";
}

export function cellClass(picture: Holdings, rank: number, chunk: number): string {
  const { holds, gaveAway, arrivedFrom } = picture.state;
  const received = arrivedFrom(rank, chunk) !== undefined;
  const whole = picture.ranks > 1 && holds(rank, chunk).length === picture.ranks;
  const given = gaveAway(rank, chunk);
  return [given && "sent", received && "received", whole && "whole", standing(picture, chunk)].filter(Boolean).join(" ");
}

/** Where what a rank sends to another comes from, as seen from where it goes. */
export type Travel = (source: number, destination: number) => Point;

/** @param travel for what is to be shown moving */
export function cells(picture: Holdings, rank: number, at: Point, size: CellSize, travel?: Travel): Drawing[] {
  return Array.from({ length: picture.chunks }, (_, chunk) => {
    const x = at.x + chunk * (size.width + 3);
    return cell(picture, rank, chunk, { x, y: at.y }, size, travel);
  });
}

export function cell(
  picture: Holdings,
  rank: number,
  chunk: number,
  { x, y }: Point,
  size: CellSize,
  travel: Travel | undefined,
): Drawing {
  const label = picture.label(rank, chunk);
  if (label === "") {
    return svg`<rect class="empty" x=${px(x)} y=${y} width=${px(size.width)} height=${cellHeight} rx="6" />`;
  }
  const source = picture.state.arrivedFrom(rank, chunk);
  const from = source === undefined ? undefined : travel?.(source, rank);
  const holds = picture.state.holds(rank, chunk);
  return svg`<g class=${cellClass(picture, rank, chunk)}
    data-from=${from === undefined ? undefined : `${px(from.x)} ${px(from.y)}`}>
    ${from !== undefined && picture.isRing ? svg`<path class="arrow" d="M${px(x + size.width / 2 - 5)} ${y - 7}h10l-5 6z" />` : ""}
    <rect class="cell" x=${px(x)} y=${y} width=${px(size.width)} height=${cellHeight} rx="6" />
    <text class="value ${size.values ? "" : "tiny"}" x=${px(x + size.width / 2)} y=${y + 22}>${
      size.values ? label : holds.length
    }</text>
    ${contributions(holds, picture.ranks, { x: x + 4, y: y + cellHeight - 9 }, size.width - 8)}
  </g>`;
}

/** A bar for a rank is at most so wide, and as long as it is not thinner than this it is drawn. */
const [widestBar, leastBar] = [16, 4];

/** Whether the ranks in a cell have no room for a bar each. */
export function isThin({ ranks }: CollectivePicture, { width }: CellSize): boolean {
  return (width - 8) / ranks < leastBar;
}

/** A small bar for each rank whose numbers are in a cell; where they would be too thin, one for their number. */
function contributions(
  holds: readonly number[],
  ranks: number,
  { x, y }: Point,
  width: number,
): Drawing | Drawing[] {
  const bar = Math.min(width / ranks, widestBar);
  if (bar < leastBar) {
    return svg`<rect class="share" x=${px(x)} y=${y} width=${px((width * holds.length) / ranks)} height="4" rx="1.5" />`;
  }
  const start = x + (width - bar * ranks) / 2;
  return holds.map(
    (rank) =>
      svg`<rect class="part ${rankClass(rank)}" x=${px(start + rank * bar)} y=${y} width=${px(bar - 1)} height="4" rx="1.5" />`,
  );
}

/** Cells without text, filled as far as their chunk is summed. Those that look alike are one path: it is drawn sooner. */
export function gauges(picture: CollectivePicture, rank: number, { x, y }: Point, pitch: number, height: number): Drawing[] {
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
