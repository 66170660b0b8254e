/** Bars on one scale, one of them chosen, against a line that not all stay below; and what each sends, as blocks. */

import { frame, hatch, legendRows, type Legend } from "./frame.js";
import { layersDrawing, layersHeight, type LayersPicture } from "./layers.js";
import { letters } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";
import { patterns } from "./patterns.js";
import { say } from "../words.js";

export interface Rung {
  label: string;
  value: string;
  /** what is said of one that goes beyond the line */
  beyond: string;
  parts: readonly { length: number; kind: string }[];
  chosen: boolean;
}

/** A row of blocks of one size. */
export interface Sent {
  label: string;
  value: string;
  blocks: readonly { name: string; size: string; kind: string }[];
  /** what they come to, in two lines beside them where a block fewer leaves room */
  sum?: readonly [string, string];
  chosen: boolean;
}

export interface LadderPicture {
  rungs: readonly Rung[];
  /** on the same scale, what is not part of the ladder */
  aside: readonly Rung[];
  /** what the line stands at; left out, there is none */
  limit?: { at: number; label: string };
  /** what comes on top of each bar and is not measured; left out where it is */
  unmeasured?: string;
  legend: readonly Legend[];
  /** lines of sentences, which a narrow figure writes below each other */
  sentTitle: readonly (readonly string[])[];
  sent: readonly Sent[];
  layers: LayersPicture;
  summary: string;
}

const bar = 24;
/** The height of what is sent: a name, and below it a size. */
const block = 36;
/** The mark of what is not measured, at the end of a bar. */
const extra = 22;
/** Between what follows each other. */
const apart = 28;

/** Where bars are: beside their text, or in a narrow figure below it. */
interface Place {
  width: number;
  narrow: boolean;
  left: number;
  right: number;
  pitch: number;
  offset: number;
}

function place(width: number): Place {
  const narrow = width < 560;
  return narrow
    ? { width, narrow, left: 6, right: width - 6, pitch: 56, offset: 25 }
    : { width, narrow, left: 98, right: width - 192, pitch: 40, offset: 6 };
}

export function ladderFigure(picture: LadderPicture, width: number): Figure {
  const { rungs, aside, limit, unmeasured, legend, sentTitle, sent, layers, summary } = picture;
  const at = place(width);
  const all = [...rungs, ...aside];
  const lengths = all.map(({ parts }) => parts.reduce((sum, { length }) => sum + length, 0));
  const most = Math.max(...lengths, limit?.at ?? 0);
  const scale = (at.right - at.left - extra - 4) / most;
  const top = limit === undefined ? 4 : 24;
  const bottom = top + all.length * at.pitch + 8;
  const measured = unmeasured === undefined ? legend : [...legend, { kind: "unmeasured", label: unmeasured }];
  const key = legendRows(measured, { left: at.narrow ? 0 : at.left, top: bottom, width });
  const titles = at.narrow ? sentTitle.flat() : sentTitle.map((line) => line.reduce((before, one) => say`${before}. ${one}`));
  const title = bottom + key.height + apart;
  const below = title + (titles.length - 1) * 17 + 8;
  const timeline = below + sent.length * (at.pitch + block - bar) + apart;
  const marked = (one: Rung) => unmeasured !== undefined && rungs.includes(one);
  return frame(
    width,
    timeline + layersHeight(layers, at.narrow),
    summary,
    svg`${hatch}${patterns}
      ${limit === undefined ? "" : limitLabel(limit.label, at.left + limit.at * scale, width)}
      ${all.map((one, index) => rung(one, { length: lengths[index]!, limit: limit?.at, scale, marked: marked(one) }, at, top + index * at.pitch))}
      ${key.content}
      ${titles.map((text, index) => svg`<text class="soft small" x=${at.narrow ? 0 : 8} y=${title + index * 17}>${text}</text>`)}
      ${sent.map((one, index) => sentRow(one, at, below + index * (at.pitch + block - bar)))}
      ${layersDrawing(layers, { left: at.narrow ? 28 : at.left, right: width - 4, top: timeline, narrow: at.narrow })}`,
  );
}

function limitLabel(label: string, x: number, width: number): Drawing {
  const half = letters(label) * 3.6;
  return svg`<text class="soft small center" x=${Math.min(Math.max(x, half), width - half)} y="13">${label}</text>`;
}

/** How a bar is measured. */
interface Measure {
  length: number;
  limit: number | undefined;
  scale: number;
  /** whether what is not measured is marked at its end */
  marked: boolean;
}

function rung({ label, value, beyond, parts, chosen }: Rung, measure: Measure, at: Place, top: number): Drawing {
  const { length, limit, scale, marked } = measure;
  const y = top + at.offset;
  const over = limit !== undefined && length > limit;
  const end = at.left + length * scale;
  let x = at.left;
  const pieces = parts.map(({ length: own, kind }) => {
    const start = x;
    x += own * scale;
    return piece(kind, start, y, own * scale);
  });
  const line = limit === undefined ? 0 : at.left + limit * scale;
  return svg`<g class=${chosen ? "current" : "other"}>
    ${chosen ? band(at, top, at.pitch) : ""}
    ${pieces}
    ${over ? svg`<rect class="beyond" fill="url(#beyond)" x=${line} y=${y} width=${end - line} height=${bar} />` : ""}
    ${over ? svg`<rect class="casing" x=${line - 3} y=${y} width="6" height=${bar} />` : ""}
    ${marked ? piece("unmeasured", end + 2, y, extra) : ""}
    ${limit === undefined ? "" : svg`<path class="mark" d="M${line} ${y - 4}v${bar + 8}" />`}
    ${texts(label, over ? say`${value}, ${beyond}` : value, at, top)}
  </g>`;
}

/** What is no state, or is not known, has stripes. */
function piece(kind: string, x: number, y: number, width: number): Drawing {
  const striped = kind === "unmeasured" || kind.endsWith("activations");
  return svg`<rect class="piece ${kind}" x=${x} y=${y} width=${width} height=${bar} />${
    striped ? svg`<rect class="piece hatched" fill="url(#unmeasured)" x=${x} y=${y} width=${width} height=${bar} />` : ""
  }`;
}

function texts(label: string, value: string, { narrow, width, right }: Place, top: number): Drawing {
  return narrow
    ? svg`<text class="name" x="6" y=${top + 17}>${label}</text>
        <text class="amount end" x=${width - 6} y=${top + 17}>${value}</text>`
    : svg`<text class="name" x="8" y=${top + 23}>${label}</text>
        <text class="amount" x=${right + 10} y=${top + 23}>${value}</text>`;
}

/** Blocks that a row has room for. */
const mostBlocks = 3;

function sentRow({ label, value, blocks, sum, chosen }: Sent, at: Place, top: number): Drawing {
  const room = (at.right - at.left) / mostBlocks;
  const y = top + at.offset;
  const shown = blocks.map(({ name, size, kind }, index) => {
    const x = at.left + index * room;
    const middle = x + (room - 3) / 2;
    const shape = (fill?: string) =>
      svg`<rect class="block" fill=${fill ?? undefined} x=${x} y=${y} width=${room - 3} height=${block} rx="3" />`;
    return svg`<g class=${kind}>${shape()}${kind === "backward" ? shape("url(#hatch)") : ""}
      <text class=${letters(name) * 8 > room ? "tiny center" : "small center"} x=${middle} y=${y + 15}>${name}</text>
      <text class="small center" x=${middle} y=${y + 30}>${size}</text></g>`;
  });
  const end = at.left + blocks.length * room + 6;
  return svg`<g class=${chosen ? "current" : "other"}>
    ${chosen ? band(at, top, at.pitch + block - bar) : ""}${shown}
    ${sum?.map((text, index) => svg`<text class="small" x=${end} y=${y + 15 * (index + 1)}>${text}</text>`)}
    ${texts(label, value, at, top)}
  </g>`;
}

/** Behind what is chosen. */
function band({ width }: Place, top: number, height: number): Drawing {
  return svg`<rect class="chosen" x="0" y=${top} width=${width} height=${height - 4} rx="6" />`;
}
