/** Numbers of all ranks on a line each, and their mean. */

import { svg, type TemplateResult } from "lit";
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

const pitch = 74;

export function stripFigure({ values, mean, summary }: StripPicture, width: number): TemplateResult {
  const elements = mean.length;
  const all = values.flatMap((row) => Array.from(row));
  const least = Math.min(0, ...all);
  const most = Math.max(0, ...all);
  const left = elements > 1 ? 92 : 14;
  const room = width - left - 22;
  const at = (value: number) => left + (most === least ? 0.5 : (value - least) / (most - least)) * room;
  const line = (element: number) => {
    const y = 44 + element * pitch;
    const center = mean[element]!;
    return svg`
      ${elements > 1 ? svg`<text class="soft" x="0" y=${y + 5}>element ${element}</text>` : ""}
      <path class="axis" d="M${left} ${y}H${left + room}" />
      <path class="zero" d="M${at(0)} ${y - 6}v12" />
      <text class="soft small center" x=${at(0)} y=${y + 26}>0</text>
      <path class="mean" d="M${at(center)} ${y - 17}v34" />
      <text class="name center" x=${inside(at(center), width)} y=${y - 23}>mean ${significant(center, 5)}</text>
      ${values.map(
        (row, rank) => svg`
          <circle class="dot ${rankClass(rank)}" cx=${at(row[element]!)} cy=${y} r="7" />
          ${
            values.length <= 8 && row[element] !== 0
              ? svg`<text class="soft small center" x=${at(row[element]!)} y=${y + 26}>${significant(row[element]!)}</text>`
              : ""
          }`,
      )}`;
  };
  const legend = values.length <= 8 ? legendRow(values.length, 44 + elements * pitch - 14, width) : "";
  return frame(
    width,
    44 + elements * pitch + (values.length <= 8 ? 34 : -20),
    summary,
    svg`${Array.from({ length: elements }, (_, element) => line(element))}${legend}`,
  );
}

/** Keeps a centred label of usual length inside the figure. */
function inside(x: number, width: number): number {
  return Math.min(Math.max(x, 46), width - 46);
}

function legendRow(ranks: number, y: number, width: number) {
  const room = Math.min(78, (width - 8) / Math.min(ranks, 4));
  return svg`${Array.from({ length: ranks }, (_, rank) => {
    const x = (rank % 4) * room + Math.floor(rank / 4) * 4 * room;
    const wraps = ranks > 4 && width < ranks * room;
    const place = wraps ? { x: (rank % 4) * room, y: y + Math.floor(rank / 4) * 20 } : { x, y };
    return svg`<circle class="dot ${rankClass(rank)}" cx=${place.x + 8} cy=${place.y} r="5" />
      <text class="soft" x=${place.x + 18} y=${place.y + 5}>rank ${rank}</text>`;
  })}`;
}
