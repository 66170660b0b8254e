/** What a rank has sent, as a bar that grows from step to step, beside twice its tensor and the least possible. */

import { significant } from "../format.js";
import { say } from "../words.js";
import { frame } from "./frame.js";
import { svg, type Drawing, type Figure } from "./markup.js";

/** What goes out in a step, in parts of the tensor. */
export interface SentStep {
  /** what is to be reduced, and what is handed round */
  collect: number;
  handRound: number;
}

export interface SentPicture {
  /** whether each rank sends as much, and not the busiest one alone; where there is no room it is not said */
  alike: boolean;
  perStep: readonly SentStep[];
  /** steps that ran */
  done: number;
  /** what the two parts of the bar are called */
  collect: string;
  handRound: string;
  /** what the busiest rank of any algorithm sends at least, in parts of the tensor */
  least: number;
}

export const sentHeight = 84;

const bar = { y: 22, height: 18 };
/** Where the steps are narrower than this, no line parts them. */
const leastStep = 5;

interface Piece {
  kind: "collect" | "hand-round";
  from: number;
  to: number;
}

/** The bar's pieces one after the other, as long as its kind stays the same. */
function piecesOf(perStep: readonly SentStep[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (kind: Piece["kind"], length: number) => {
    if (length === 0) return;
    const last = pieces[pieces.length - 1];
    if (last?.kind === kind) last.to += length;
    else pieces.push({ kind, from: end, to: end + length });
    end += length;
  };
  for (const { collect, handRound } of perStep) {
    add("collect", collect);
    add("hand-round", handRound);
  }
  return pieces;
}

/** The bar as a part of a figure, its top at `top`. */
export function sentBar(picture: SentPicture, top: number, width: number): Drawing {
  const { perStep, done, least } = picture;
  const ends = [0];
  for (const { collect, handRound } of perStep) ends.push(ends[ends.length - 1]! + collect + handRound);
  const all = ends[perStep.length]!;
  const scale = (width - 2) / Math.max(2, all);
  const at = (share: number) => 1 + share * scale;
  const piece = (kind: string, from: number, to: number) =>
    from >= to ? "" : svg`<rect class=${kind} x=${at(from)} y=${bar.y} width=${(to - from) * scale} height=${bar.height} />`;
  const distinct = [...new Set(ends)];
  const wide = all > 0 && (all * scale) / distinct.length >= leastStep;
  const parted = wide ? distinct.slice(1, -1).map((end) => `M${at(end)} ${bar.y}v${bar.height}`) : [];
  return svg`<g class="sent-bar" transform="translate(0 ${top})">
    <text class="soft small" x="0" y="12">${said(picture, ends[done]!, all, width)}</text>
    ${piece("unsent", 0, all)}
    ${piecesOf(perStep.slice(0, done)).map(({ kind, from, to }) => piece(kind, from, to))}
    <path class="parting" d=${parted.join("")} />
    ${marks(at(2), at(least), least, width)}
    ${legend("collect", picture.collect, 0)} ${legend("hand-round", picture.handRound, 124)}
  </g>`;
}

function said({ alike }: SentPicture, done: number, all: number, width: number): string {
  const [now, end] = [significant(done, 4), significant(all, 4)];
  if (width < 360) return say`sent: ${now} of ${end} S`;
  return alike ? say`sent by each rank: ${now} of ${end} S` : say`sent by the busiest rank: ${now} of ${end} S`;
}

/** Labels of the two marks that would run into each other are one, of at most so many pixels. */
const [apart, mergedLabel] = [36, 146];

interface Label {
  x: number;
  text: string;
  /** whether it ends there, or begins */
  end: boolean;
}

function labels(twice: number, bound: number, least: number, width: number): Label[] {
  const [bare, two] = [say`least ${significant(least, 4)} S`, "2 S"];
  if (least === 0) return [{ x: twice, text: two, end: true }];
  if (twice - bound >= apart) return [{ x: bound, text: bare, end: true }, { x: twice, text: two, end: twice > width - 24 }];
  const text = say`${bare}, below ${two}`;
  const end = twice >= Math.max(mergedLabel, width - mergedLabel);
  return [{ x: end ? twice : Math.min(bound, width - mergedLabel), text, end }];
}

function marks(twice: number, bound: number, least: number, width: number): Drawing {
  const line = (x: number, kind: string) => svg`<path class=${kind} d="M${x} ${bar.y - 5}v${bar.height + 10}" />`;
  const written = labels(twice, bound, least, width).map(
    ({ x, text, end }) => svg`<text class=${`soft small${end ? " end" : ""}`} x=${x} y="62">${text}</text>`,
  );
  return svg`${line(twice, "mark")}${least > 0 ? line(bound, "mark least") : ""}${written}`;
}

function legend(kind: string, label: string, x: number): Drawing {
  return svg`<rect class=${kind} x=${x} y="69" width="10" height="10" /><text class="soft small" x=${x + 16} y="78">${label}</text>`;
}

/** The bar by itself. */
export function sentFigure(picture: SentPicture, width: number, summary: string): Figure {
  return frame(width, sentHeight, summary, sentBar(picture, 0, width));
}
