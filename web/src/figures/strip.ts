/** Numbers of all ranks on a line each, and their mean. */

import { svg, type Drawing } from "./markup.js";
import { significant } from "../format.js";
import { frame, rankClass } from "./frame.js";

export interface StripPicture {
  /** a row per rank */
  values: readonly ArrayLike<number>[];
  mean: ArrayLike<number>;
  summary: string;
}

/** Beyond these nothing is drawn. */
export const mostElementsDrawn = 12;
export const mostRanksDrawn = 32;

/** Up to so many ranks each has a colour of its own, and a name below. */
const mostRanksNamed = 8;

const pitch = 78;
const legendPitch = 78;

export function stripFigure({ values, mean, summary }: StripPicture, width: number): Drawing {
  const elements = mean.length;
  const legend = values.length <= mostRanksNamed;
  const over = elements > 1 && width < 560 ? 20 : 0;
  const y = (element: number) => 44 + over + element * (pitch + over);
  const lines = Array.from({ length: elements }, (_, element) => {
    const numbers = values.map((row) => row[element]!);
    return line(elements > 1 ? `element ${element}` : "", numbers, mean[element]!, y(element), width);
  });
  const bottom = y(elements) - over;
  return frame(
    width,
    bottom + (legend ? 34 : -20),
    summary,
    svg`${lines}${legend ? legendRow(values.length, bottom - 14, width) : ""}`,
  );
}

/** One element: its value on every rank, from zero, each line with a scale of its own. */
function line(name: string, values: readonly number[], mean: number, y: number, width: number): Drawing {
  const narrow = width < 560;
  const left = name !== "" && !narrow ? 92 : 14;
  const room = width - left - 22;
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const at = (value: number) => left + (most === least ? 0.5 : (value - least) / (most - least)) * room;
  return svg`
    ${name === "" ? "" : svg`<text class="soft" x="0" y=${narrow ? y - 43 : y + 5}>${name}</text>`}
    <path class="axis" d="M${left} ${y}H${left + room}" />
    <path class="axis" d="M${at(0)} ${y - 6}v12" />
    <path class="mean" d="M${at(mean)} ${y - 17}v34" />
    ${centered(`mean ${significant(mean, 5)}`, at(mean), y - 23, width, "name")}
    ${values.map((value, rank) => svg`<circle class="dot ${rankClass(rank)}" cx=${at(value)} cy=${y} r="7" />`)}
    ${apart([0, ...values], at).map((value) => centered(significant(value), at(value), y + 27, width, "soft small"))}`;
}

/** The values whose labels do not run into each other, from left to right. */
function apart(values: readonly number[], at: (value: number) => number): number[] {
  const kept: number[] = [];
  let end = -Infinity;
  for (const value of [...new Set(values)].sort((a, b) => a - b)) {
    const half = labelWidth(significant(value)) / 2;
    if (at(value) - half < end + 6) continue;
    kept.push(value);
    end = at(value) + half;
  }
  return kept;
}

function labelWidth(text: string): number {
  return text.length * 7.6;
}

/** A label over its place, moved inside the figure where it would run out of it. */
function centered(text: string, x: number, y: number, width: number, style: string): Drawing {
  const half = labelWidth(text) / 2;
  return svg`<text class="${style} center" x=${Math.min(Math.max(x, half), width - half)} y=${y}>${text}</text>`;
}

function legendRow(ranks: number, y: number, width: number): Drawing[] {
  const perRow = width < mostRanksNamed * legendPitch ? mostRanksNamed / 2 : mostRanksNamed;
  const room = Math.min(legendPitch, width / perRow);
  return Array.from({ length: ranks }, (_, rank) => {
    const x = (rank % perRow) * room;
    const top = y + Math.floor(rank / perRow) * 20;
    return svg`<circle class="dot ${rankClass(rank)}" cx=${x + 8} cy=${top} r="5" />
      <text class="soft" x=${x + 18} y=${top + 5}>rank ${rank}</text>`;
  });
}
