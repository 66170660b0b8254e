/** Numbers of all ranks on a line each, and their mean. */

import { significant } from "../format.js";
import { say } from "../words.js";
import { frame, rankClass } from "./frame.js";
import { letters } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";

export interface StripPicture {
  /** a row per rank */
  values: readonly ArrayLike<number>[];
  mean: ArrayLike<number>;
  /** what went wrong, if anything */
  broken?: Broken;
  summary: string;
}

export interface Broken {
  rank: number;
  /** whether its values are missing from the sum; else they are in it twice */
  lost: boolean;
  /** of all values, each once */
  mean: ArrayLike<number>;
}

/** Beyond these nothing is drawn. */
export const mostElementsDrawn = 12;
export const mostRanksDrawn = 32;

/** Up to so many ranks each has a colour of its own, and a name below. */
const mostRanksNamed = 8;

const pitch = 78;
const legendPitch = 78;

/** Numbers on one line. */
interface Line {
  name: string;
  values: readonly number[];
  mean: number;
  broken?: { rank: number; lost: boolean; mean: number };
}

export function stripFigure({ values, mean, broken, summary }: StripPicture, width: number): Figure {
  const elements = mean.length;
  const legend = values.length <= mostRanksNamed;
  const over = (elements > 1 && width < 560 ? 20 : 0) + (broken === undefined ? 0 : 18);
  const y = (element: number) => 44 + over + element * (pitch + over);
  const lines = Array.from({ length: elements }, (_, element) => {
    const one = {
      name: elements > 1 ? say`element ${element}` : "",
      values: values.map((row) => row[element]!),
      mean: mean[element]!,
      ...(broken !== undefined && { broken: { ...broken, mean: broken.mean[element]! } }),
    };
    return line(one, y(element), y(element) - 43 - (broken === undefined ? 0 : 18), width);
  });
  const bottom = y(elements) - over;
  return frame(
    width,
    bottom + (legend ? 34 : -20),
    summary,
    svg`${lines}${legend ? legendRow(values.length, bottom - 14, width, broken) : ""}`,
  );
}

/** One element: its value on every rank, from zero, each line with a scale of its own. */
function line({ name, values, mean, broken }: Line, y: number, nameY: number, width: number): Drawing {
  const narrow = width < 560;
  const left = name !== "" && !narrow ? 92 : 14;
  const room = width - left - 22;
  const marked = [...values, mean, broken?.mean ?? 0];
  const least = Math.min(0, ...marked);
  const most = Math.max(0, ...marked);
  const at = (value: number) => left + (most === least ? 0.5 : (value - least) / (most - least)) * room;
  const label = (value: number) => (broken === undefined ? significant(value) : fate(value, values, broken));
  const applied = significant(mean, 5);
  return svg`<g class="strip">
    ${name === "" ? "" : svg`<text class="soft" x="0" y=${narrow ? nameY : y + 5}>${name}</text>`}
    <path class="axis" d="M${left} ${y}H${left + room}" />
    <path class="axis" d="M${at(0)} ${y - 6}v12" />
    ${broken === undefined ? "" : trueMean(broken.mean, at(broken.mean), y, width)}
    <path class="mean" d="M${at(mean)} ${y - 17}v34" />
    ${centered(broken === undefined ? say`mean ${applied}` : say`applied ${applied}`, at(mean), y - 23, width, "name")}
    ${values.map((value, rank) => dot(rank, at(value), y, 7, broken))}
    ${apart([0, ...values], at, label).map((value) => centered(label(value), at(value), y + 27, width, "soft small"))}
  </g>`;
}

/** A rank's number: hollow where it is missing from the sum, with a second circle where it is in it twice. */
function dot(rank: number, x: number, y: number, r: number, broken?: { rank: number; lost: boolean }): Drawing {
  if (broken?.rank !== rank) return svg`<circle class="dot ${rankClass(rank)}" cx=${x} cy=${y} r=${r} />`;
  return broken.lost
    ? svg`<circle class="dot lost ${rankClass(rank)}" cx=${x} cy=${y} r=${r} />`
    : svg`<circle class="dot twice ${rankClass(rank)}" cx=${x} cy=${y} r=${1.5 * r} />
        <circle class="dot ${rankClass(rank)}" cx=${x} cy=${y} r=${r - 1} />`;
}

/** A value, and what became of it if one rank alone has it. */
function fate(value: number, values: readonly number[], { rank, lost }: { rank: number; lost: boolean }): string {
  const text = significant(value);
  if (values[rank] !== value || values.filter((one) => one === value).length > 1) return text;
  return lost ? say`${text}, lost` : say`${text}, twice`;
}

/** The mean that should have been applied, above the one that was. */
function trueMean(mean: number, x: number, y: number, width: number): Drawing {
  return svg`<path class="mark" d="M${x} ${y - 36}v53" />
    ${centered(say`mean of all ${significant(mean, 5)}`, x, y - 41, width, "soft")}`;
}

/** The values whose labels do not run into each other, from left to right. */
function apart(values: readonly number[], at: (value: number) => number, label: (value: number) => string): number[] {
  const kept: number[] = [];
  let end = -Infinity;
  for (const value of [...new Set(values)].sort((a, b) => a - b)) {
    const half = labelWidth(label(value)) / 2;
    if (at(value) - half < end + 6) continue;
    kept.push(value);
    end = at(value) + half;
  }
  return kept;
}

function labelWidth(text: string): number {
  return letters(text) * 7.6;
}

/** A label over its place, moved inside the figure where it would run out of it. */
function centered(text: string, x: number, y: number, width: number, style: string): Drawing {
  const half = (labelWidth(text) * (style === "name" ? 1.2 : 1)) / 2;
  return svg`<text class="${style} center" x=${Math.min(Math.max(x, half), width - half)} y=${y}>${text}</text>`;
}

function legendRow(ranks: number, y: number, width: number, broken?: Broken): Drawing[] {
  const perRow = width < mostRanksNamed * legendPitch ? mostRanksNamed / 2 : mostRanksNamed;
  const room = Math.min(legendPitch, width / perRow);
  return Array.from({ length: ranks }, (_, rank) => {
    const x = (rank % perRow) * room;
    const top = y + Math.floor(rank / perRow) * 20;
    return svg`${dot(rank, x + 8, top, 5, broken)}
      <text class="soft" x=${x + 18} y=${top + 5}>${say`rank ${rank}`}</text>`;
  });
}
