/** An all-reduce with its ranks on a circle and a chord for whatever goes from one to another. */

import { say, word } from "../words.js";
import type { CollectivePicture, Point } from "./chunks.js";
import type { Card } from "./cards.js";
import { frame } from "./frame.js";
import type { Circle } from "./layouts.js";
import { px, svg, type Drawing, type Figure } from "./markup.js";
import { sentBar, sentHeight } from "./sent.js";
import { curves, head, waysOf, type Curve } from "./ways.js";

export const chords: Circle = { hasRoom: chordsHaveRoom, draw: chordsFigure };

/** How far a chord bends to the middle, of the way there. */
const bend = { collect: 0.3, "hand-round": 0.42 };
/** Between a card and the tip of an arrow. */
const clearance = 4;
/** The least that is to be seen of a chord. */
const leastSeen = 22;
const samples = 40;

interface Chord {
  from: Point;
  over: Point;
  to: Point;
}

function places(ranks: number, card: Card, width: number): Point[] {
  const radius = { x: (width - card.width) / 2 - 6, y: (card.tall - card.height) / 2 - 5 };
  return Array.from({ length: ranks }, (_, rank) => {
    const angle = (2 * Math.PI * rank) / ranks - Math.PI / 2;
    return { x: width / 2 + radius.x * Math.cos(angle), y: card.tall / 2 + radius.y * Math.sin(angle) };
  });
}

function chord(from: Point, to: Point, center: Point, share: number): Chord {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return { from, over: { x: middle.x + (center.x - middle.x) * share, y: middle.y + (center.y - middle.y) * share }, to };
}

function along({ from, over, to }: Chord, at: number): Point {
  const [a, b, c] = [(1 - at) ** 2, 2 * at * (1 - at), at ** 2];
  return { x: a * from.x + b * over.x + c * to.x, y: a * from.y + b * over.y + c * to.y };
}

function covers(card: Card, middle: Point, { x, y }: Point, margin: number): boolean {
  return Math.abs(x - middle.x) < card.width / 2 + margin && Math.abs(y - middle.y) < card.height / 2 + margin;
}

/** Where a chord leaves the card that it ends under: a fraction of its way. */
function arrival(card: Card, way: Chord): number {
  let at = samples * 2;
  while (at > 0 && covers(card, way.to, along(way, at / (samples * 2)), clearance)) at -= 1;
  return at / (samples * 2);
}

/** Whether the cards, the text in the corner and all chords of the schedule stand clear of each other. */
function chordsHaveRoom(picture: CollectivePicture, card: Card, width: number): boolean {
  const points = places(picture.ranks, card, width);
  const text = { x: 66, y: card.values ? 18 : 34 };
  const clear = (one: Point, index: number) =>
    points.slice(index + 1).every((other) => Math.abs(one.x - other.x) >= card.width + 6 || Math.abs(one.y - other.y) >= card.height + 6) &&
    (Math.abs(one.x - text.x) >= card.width / 2 + 66 || Math.abs(one.y - text.y) >= card.height / 2 + text.y + 2);
  return points.every(clear) && picture.pairs.every(([source, destination]) => isSeen(points, source, destination, card, width));
}

/** Whether no other card lies over a chord, and enough of it is between its own. */
function isSeen(points: readonly Point[], source: number, destination: number, card: Card, width: number): boolean {
  const center = { x: width / 2, y: card.tall / 2 };
  return Object.values(bend).every((share) => {
    const way = chord(points[source]!, points[destination]!, center, share);
    const spots = Array.from({ length: samples + 1 }, (_, index) => along(way, index / samples));
    const others = points.filter((_, rank) => rank !== source && rank !== destination);
    const [start, end] = [arrival(card, { ...way, from: way.to, to: way.from }), arrival(card, way)];
    const [first, last] = [along(way, 1 - start), along(way, end)];
    return (
      1 - start < end &&
      Math.hypot(first.x - last.x, first.y - last.y) >= leastSeen &&
      others.every((middle) => spots.every((spot) => !covers(card, middle, spot, 3)))
    );
  });
}

function chordsFigure(picture: CollectivePicture, card: Card, width: number): Figure {
  const points = places(picture.ranks, card, width);
  const center = { x: width / 2, y: card.tall / 2 };
  const drawn = waysOf(picture).map(({ source, destination, both, look }): Curve => {
    const share = look.startsWith("collect") ? bend.collect : bend["hand-round"];
    const way = chord(points[source]!, points[destination]!, center, share);
    const back = { from: way.to, over: way.over, to: way.from };
    return { look, line: line(way), heads: arrowhead(card, way) + (both ? arrowhead(card, back) : "") };
  });
  const travel = (source: number, destination: number) => ({
    x: points[source]!.x - points[destination]!.x,
    y: points[source]!.y - points[destination]!.y,
  });
  return frame(
    width,
    card.tall + 8 + sentHeight,
    picture.summary,
    svg`${passed(picture, points, center)}
      ${corner(picture, card)}
      ${curves(drawn)}
      ${points.map(
        ({ x, y }, rank) =>
          svg`<g transform="translate(${px(x - card.width / 2)} ${px(y - card.height / 2)})">${card.draw(rank, travel)}</g>`,
      )}
      ${sentBar(picture.sent, card.tall + 8, width)}`,
  );
}

function corner({ step, steps, phase }: CollectivePicture, { values }: Card): Drawing[] {
  const lines = [say`step ${step} of ${steps}`, phase, ...(values ? [] : [word("each bar is a chunk,"), word("full when complete")])];
  return lines.map((text, index) => svg`<text class="soft small" x="0" y=${14 + 16 * index}>${text}</text>`);
}

function line({ from, over, to }: Chord): string {
  return `M${px(from.x)} ${px(from.y)}Q${px(over.x)} ${px(over.y)} ${px(to.x)} ${px(to.y)}`;
}

function arrowhead(card: Card, way: Chord): string {
  const at = arrival(card, way);
  const [tip, before] = [along(way, at), along(way, Math.max(0, at - 0.02))];
  return head(tip, { x: tip.x - before.x, y: tip.y - before.y });
}

/** Where the followed chunk has been. */
function passed({ followed, step }: CollectivePicture, points: readonly Point[], center: Point): Drawing | string {
  const before = (followed?.way ?? []).filter((one) => one.step < step - 1);
  if (before.length === 0) return "";
  const lines = before.map(({ source, destination }) => line(chord(points[source]!, points[destination]!, center, bend.collect)));
  return svg`<path class="link" d=${lines.join("")} />`;
}
