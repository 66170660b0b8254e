/** Bars made of parts on one scale, in groups, against what there is room for. */

import { frame, legendRows, type Legend } from "./frame.js";
import { letters } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";
import { patterns } from "./patterns.js";
import { say } from "../words.js";

/** A part of a bar: its colour, and the sign that stands on it where there is room. */
export interface StackPart {
  length: number;
  kind: string;
  sign: string;
}

export interface Stack {
  label: string;
  /** stands after the label where there is room */
  detail: string;
  value: string;
  /** said of one that goes beyond the line */
  beyond: string;
  /** the same value more exactly */
  title: string;
  parts: readonly StackPart[];
  chosen: boolean;
}

export interface StackGroup {
  /** stands above its bars, the detail where there is room; left out where there is one group */
  heading?: { label: string; detail: string };
  /** drawn lighter, as what another is compared with */
  aside: boolean;
  stacks: readonly Stack[];
  /** what its bars are measured against, the first of them being what they must not exceed */
  lines: readonly [StackLine, ...StackLine[]];
}

export interface StackLine {
  at: number;
  /** left out where the group above has the same */
  label?: string;
}

export interface StacksPicture {
  groups: readonly StackGroup[];
  legend: readonly Legend[];
  summary: string;
}

const bar = 22;
const headingHeight = 26;
const linePitch = 16;
/** Room that a sign needs. */
const signRoom = 15;

/** Where bars are: beside their text, or in a narrow figure below it. */
interface Place {
  width: number;
  narrow: boolean;
  left: number;
  right: number;
  pitch: number;
  scale: number;
}

function lengthOf({ parts }: Stack): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function place({ groups }: StacksPicture, width: number): Place {
  const narrow = width < 560;
  const most = Math.max(...groups.flatMap(({ stacks, lines }) => [...stacks.map(lengthOf), ...lines.map(({ at }) => at)]));
  const left = narrow ? 6 : 152;
  const right = narrow ? width - 6 : width - 190;
  return { width, narrow, left, right, pitch: narrow ? 50 : 32, scale: (right - left) / most };
}

export function stacksFigure(picture: StacksPicture, width: number): Figure {
  const { groups, legend, summary } = picture;
  const at = place(picture, width);
  let bottom = 0;
  const shown = groups.map((one) => {
    const drawing = group(one, at, bottom);
    bottom = drawing.bottom;
    return drawing.content;
  });
  const key = legendRows(legend, { left: at.narrow ? 0 : 8, top: bottom + 12, width });
  return frame(width, bottom + 12 + key.height, summary, svg`${patterns}<g class="stacks">${shown}</g>${key.content}`);
}

/** A group's heading, the names of its lines below each other, and its bars. */
function group({ heading, aside, stacks, lines }: StackGroup, at: Place, start: number): { content: Drawing; bottom: number } {
  const names = start + (heading === undefined ? 0 : headingHeight);
  const top = names + lines.filter(({ label }) => label !== undefined).length * linePitch + 6;
  const bottom = top + stacks.length * at.pitch;
  const content = svg`<g class=${aside ? "lighter" : "fuller"}>
    ${heading === undefined ? "" : svg`<text class="soft small" x=${at.narrow ? 6 : 8} y=${start + 18}>${withDetail(heading, at)}</text>`}
    ${lines.map((line, row) => named(line, row, at, names))}
    ${stacks.map((stack, row) => drawn(stack, lines, at, top + row * at.pitch))}
  </g>`;
  return { content, bottom };
}

function named({ at, label }: StackLine, row: number, place: Place, y: number): Drawing | string {
  if (label === undefined) return "";
  const half = letters(label) * 3.3;
  const x = Math.min(Math.max(place.left + at * place.scale, half), place.width - half);
  return svg`<text class="soft small center" x=${x} y=${y + 12 + row * linePitch}>${label}</text>`;
}

function drawn(stack: Stack, lines: StackGroup["lines"], at: Place, top: number): Drawing {
  const length = lengthOf(stack);
  const limit = lines[0].at;
  const y = top + (at.narrow ? 22 : 5);
  const over = length > limit;
  const line = at.left + limit * at.scale;
  const { shapes, signs } = pieces(stack, at, y, line);
  return svg`<g class=${stack.chosen ? "current" : "rest"}>
    ${stack.chosen ? svg`<rect class="chosen" x="0" y=${top} width=${at.width} height=${at.pitch - 2} rx="6" />` : ""}
    ${shapes}
    ${over ? svg`<rect class="beyond" fill="url(#beyond)" x=${line} y=${y} width=${(length - limit) * at.scale} height=${bar} />` : ""}
    ${signs}
    ${lines.map((one, index) => {
      const [from, room] = at.narrow ? [y - 4, bar + 8] : [top - 1, at.pitch];
      return svg`<path class="mark ${index === 0 ? "" : "least"}" d="M${at.left + one.at * at.scale} ${from}v${room}" />`;
    })}
    ${texts(stack, over, at, top)}
    <title>${stack.title}</title>
  </g>`;
}

/** @param line where what is too much begins: signs on stripes stand out from them */
function pieces({ parts }: Stack, at: Place, y: number, line: number): { shapes: Drawing[]; signs: Drawing[] } {
  let end = at.left;
  const shapes: Drawing[] = [];
  const signs: Drawing[] = [];
  for (const { length, kind, sign } of parts) {
    const [start, width] = [end, length * at.scale];
    end += width;
    shapes.push(svg`<rect class="piece ${kind}" x=${start} y=${y} width=${width} height=${bar} />`);
    const fits = Math.min(end, line) - start >= signRoom;
    const [from, to] = fits ? [start, Math.min(end, line)] : [Math.max(start, line), end];
    const look = fits ? "small center" : "small center striped";
    if (to - from >= signRoom) signs.push(svg`<text class=${look} x=${(from + to) / 2} y=${y + 15}>${sign}</text>`);
  }
  return { shapes, signs };
}

/** A figure narrower than this has no room for details. */
const roomForDetails = 340;

function withDetail({ label, detail }: { label: string; detail: string }, { width }: Place): string {
  return width < roomForDetails ? label : `${label} · ${detail}`;
}

function texts({ label, detail, value, beyond }: Stack, over: boolean, place: Place, top: number): Drawing {
  const { narrow, width, right } = place;
  const said = over ? say`${value}, ${beyond}` : value;
  const name = withDetail({ label, detail }, place);
  return narrow
    ? svg`<text class="name" x="6" y=${top + 16}>${name}</text><text class="amount end" x=${width - 6} y=${top + 16}>${said}</text>`
    : svg`<text class="name" x="8" y=${top + 21}>${name}</text><text class="amount" x=${right + 10} y=${top + 21}>${said}</text>`;
}
