/** Bars on one scale, one of them chosen, against a line that not all stay below; and what each sends, as blocks. */

import { frame, hatch, legendRows, type Legend } from "./frame.js";
import { svg, type Drawing, type Figure } from "./markup.js";
import { patterns } from "./patterns.js";

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
  /** what the line stands at; left out, there is none */
  limit?: { at: number; label: string };
  /** what comes on top of each bar and is not measured */
  unmeasured: string;
  legend: readonly Legend[];
  /** lines of sentences, which a narrow figure writes below each other */
  sentTitle: readonly (readonly string[])[];
  sent: readonly Sent[];
  summary: string;
}

const bar = 24;
/** The height of what is sent: a name, and below it a size. */
const block = 36;
/** The mark of what is not measured, at the end of a bar. */
const extra = 22;

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
    : { width, narrow, left: 98, right: width - 178, pitch: 40, offset: 6 };
}

export function ladderFigure(picture: LadderPicture, width: number): Figure {
  const { rungs, limit, unmeasured, legend, sentTitle, sent, summary } = picture;
  const at = place(width);
  const lengths = rungs.map(({ parts }) => parts.reduce((sum, { length }) => sum + length, 0));
  const most = Math.max(...lengths, limit?.at ?? 0);
  const scale = (at.right - at.left - extra - 4) / most;
  const top = limit === undefined ? 4 : 24;
  const key = legendRows([...legend, { kind: "unmeasured", label: unmeasured }], {
    left: at.narrow ? 0 : at.left,
    top: top + rungs.length * at.pitch + 8,
    width,
  });
  const titles = at.narrow ? sentTitle.flat() : sentTitle.map((line) => line.join(". "));
  const title = top + rungs.length * at.pitch + 8 + key.height + 28;
  const below = title + (titles.length - 1) * 17 + 8;
  return frame(
    width,
    below + sent.length * (at.pitch + block - bar),
    summary,
    svg`${hatch}${patterns}
      ${limit === undefined ? "" : limitLabel(limit.label, at.left + limit.at * scale, width)}
      ${rungs.map((one, index) => rung(one, lengths[index]!, limit?.at, scale, at, top + index * at.pitch))}
      ${key.content}
      ${titles.map((text, index) => svg`<text class="soft small" x=${at.narrow ? 0 : 8} y=${title + index * 17}>${text}</text>`)}
      ${sent.map((one, index) => sentRow(one, sent, at, below + index * (at.pitch + block - bar)))}`,
  );
}

function limitLabel(label: string, x: number, width: number): Drawing {
  const half = label.length * 3.6;
  return svg`<text class="soft small center" x=${Math.min(Math.max(x, half), width - half)} y="13">${label}</text>`;
}

function rung(
  { label, value, beyond, parts, chosen }: Rung,
  length: number,
  limit: number | undefined,
  scale: number,
  at: Place,
  top: number,
): Drawing {
  const y = top + at.offset;
  const over = limit !== undefined && length > limit;
  const end = at.left + length * scale;
  let x = at.left;
  const pieces = parts.map(({ length: own, kind }) => {
    const start = x;
    x += own * scale;
    return svg`<rect class="piece ${kind}" x=${start} y=${y} width=${own * scale} height=${bar} />`;
  });
  const line = limit === undefined ? 0 : at.left + limit * scale;
  return svg`<g class=${chosen ? "current" : "other"}>
    ${chosen ? band(at, top, at.pitch) : ""}
    ${pieces}
    ${over ? svg`<rect class="beyond" fill="url(#beyond)" x=${line} y=${y} width=${end - line} height=${bar} />` : ""}
    <rect class="piece unmeasured" x=${end + 2} y=${y} width=${extra} height=${bar} />
    <rect class="piece hatched" fill="url(#unmeasured)" x=${end + 2} y=${y} width=${extra} height=${bar} />
    ${limit === undefined ? "" : svg`<path class="mark" d="M${line} ${y - 4}v${bar + 8}" />`}
    ${texts(label, over ? `${value}, ${beyond}` : value, at, top)}
  </g>`;
}

function texts(label: string, value: string, { narrow, width, right }: Place, top: number): Drawing {
  return narrow
    ? svg`<text class="name" x="6" y=${top + 17}>${label}</text>
        <text class="amount end" x=${width - 6} y=${top + 17}>${value}</text>`
    : svg`<text class="name" x="8" y=${top + 23}>${label}</text>
        <text class="amount" x=${right + 10} y=${top + 23}>${value}</text>`;
}

function sentRow({ label, value, blocks, sum, chosen }: Sent, all: readonly Sent[], at: Place, top: number): Drawing {
  const room = (at.right - at.left) / Math.max(...all.map((one) => one.blocks.length));
  const y = top + at.offset;
  const shown = blocks.map(({ name, size, kind }, index) => {
    const x = at.left + index * room;
    const middle = x + (room - 3) / 2;
    const shape = (fill?: string) =>
      svg`<rect class="block" fill=${fill ?? undefined} x=${x} y=${y} width=${room - 3} height=${block} rx="3" />`;
    return svg`<g class=${kind}>${shape()}${kind === "backward" ? shape("url(#hatch)") : ""}
      <text class="small center" x=${middle} y=${y + 15}>${name}</text>
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
