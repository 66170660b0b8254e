/** A sharded block of a transformer: what each rank has, line by line, and what opens and closes the block. */

import { say, word } from "../words.js";
import { frame, rankClass } from "./frame.js";
import { letters, shortened } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";

/** What the ranks hold or compute, each its own part or all the same. */
export interface Held {
  kind: "held";
  name: string;
  /** what a rank has of it, in a word */
  parts: readonly string[];
  /** whether the ranks have different parts */
  own: boolean;
}

/** What happens at f or g in one direction. */
export interface Crossing {
  text: string;
  /** what is sent, where there is room for it */
  amount?: string;
  kind: "nothing" | "collective" | "forgotten";
}

/** One end of a block. */
export interface Gate {
  kind: "gate";
  sign: "f" | "g";
  forward: Crossing;
  backward: Crossing;
}

export type BlockRow = Held | Gate;

/** Beyond it nothing is drawn. */
export const mostBlockRanks = 8;

const rowPitch = 50;
const gatePitch = 38;
const gap = 4;
const letter = 7.4;

export function blockFigure(rows: readonly BlockRow[], ranks: number, summary: string, width: number): Figure {
  const pitch = (width + gap) / ranks;
  const content: Drawing[] = [];
  let y = 0;
  if (ranks > 1) {
    content.push(svg`${Array.from({ length: ranks }, (_, rank) => rankHead(rank, pitch))}`);
    y += 24;
  }
  for (const row of rows) {
    content.push(row.kind === "held" ? held(row, y, pitch, width) : gate(row, y, width));
    y += row.kind === "held" ? rowPitch : gateHeight(width);
  }
  return frame(width, y, summary, content);
}

function rankHead(rank: number, pitch: number): Drawing {
  const name = pitch > 60 ? say`rank ${rank}` : String(rank);
  return svg`<text class="name center" x=${rank * pitch + (pitch - gap) / 2} y="15">${name}</text>`;
}

function held({ name, parts, own }: Held, y: number, pitch: number, width: number): Drawing {
  const cells = parts.map((part, rank) => cell(part, own ? rankClass(rank) : "", rank * pitch, y + 18, pitch - gap));
  const label = shortened(name, Math.floor(width / 6.6));
  return svg`<text class="soft small" x="0" y=${y + 12}>${label}</text>${cells}`;
}

function cell(text: string, rank: string, x: number, y: number, width: number): Drawing {
  return svg`<rect class=${rank === "" ? "cell" : `shard ${rank}`} x=${x} y=${y} width=${width} height="24" rx="4" />
    <text class="value ${letters(text) * letter + 8 > width ? "tiny" : "small"}" x=${x + width / 2} y=${y + 17}>${text}</text>`;
}

/** Side by side where there is room, else one below the other. */
function gateHeight(width: number): number {
  return width < 560 ? gatePitch + 18 : gatePitch;
}

function gate({ sign, forward, backward }: Gate, y: number, width: number): Drawing {
  const narrow = width < 560;
  const height = gateHeight(width) - 8;
  const kinds = [forward.kind, backward.kind];
  const tone = kinds.includes("forgotten") ? "apart" : kinds.includes("collective") ? "strong" : "";
  const second = narrow ? { x: 34, y: y + 38 } : { x: width / 2 + 10, y: y + 20 };
  return svg`<rect class=${`card ${tone}`} x="0.5" y=${y} width=${width - 1} height=${height} rx="8" />
    <text class="name" x="12" y=${y + (narrow ? 29 : 20)}>${sign}</text>
    ${crossing(word("↓ forward"), forward, { x: 34, y: y + 20 }, width)}${crossing(word("↑ backward"), backward, second, width)}`;
}

function crossing(direction: string, { text, amount, kind }: Crossing, at: { x: number; y: number }, width: number): Drawing {
  const said = say`${direction}: ${text}`;
  const whole = amount === undefined ? said : say`${direction}: ${text}, ${amount}`;
  const room = (width < 560 ? width : width / 2) - 46;
  return svg`<text class=${kind === "nothing" ? "soft small" : "name small"} x=${at.x} y=${at.y}>${
    letters(whole) * letter < room ? whole : said
  }</text>`;
}
