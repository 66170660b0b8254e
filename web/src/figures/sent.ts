/** What a rank has sent, as a bar that grows from step to step and stays below twice its tensor. */

import { significant } from "../format.js";
import { frame } from "./frame.js";
import { svg, type Drawing, type Figure } from "./markup.js";

export interface SentPicture {
  /** whose bytes these are; where there is no room it is not said */
  who: string;
  /** what it sends in each step, in parts of its tensor */
  perStep: readonly number[];
  /** steps that ran */
  done: number;
  /** steps of the reduce-scatter, which comes first */
  collecting: number;
}

export const sentHeight = 68;

const bar = { y: 22, height: 18 };
/** Where the steps are narrower than this, no line parts them. */
const leastStep = 5;

/** The bar as a part of a figure, its top at `top`. */
export function sentBar(picture: SentPicture, top: number, width: number): Drawing {
  const { who, perStep, done, collecting } = picture;
  const scale = (width - 2) / 2;
  const ends = [0];
  for (const part of perStep) ends.push(ends[ends.length - 1]! + part);
  const at = (step: number) => 1 + ends[Math.min(step, perStep.length)]! * scale;
  const piece = (kind: string, from: number, to: number) =>
    from >= to ? "" : svg`<rect class=${kind} x=${at(from)} y=${bar.y} width=${at(to) - at(from)} height=${bar.height} />`;
  const wide = perStep.length > 0 && (at(perStep.length) - 1) / perStep.length >= leastStep;
  const parted = wide ? ends.slice(1, -1).map((end) => `M${1 + end * scale} ${bar.y}v${bar.height}`) : [];
  const [now, end] = [ends[done]!, ends[perStep.length]!].map((share) => significant(share, 4));
  return svg`<g class="sent-bar" transform="translate(0 ${top})">
    <text class="soft small" x="0" y="12">${width < 360 ? "sent" : `sent by ${who}`}: ${now} of ${end} S</text>
    <text class="soft small end" x=${width} y="12">2 S</text>
    ${piece("unsent", 0, perStep.length)}
    ${piece("collect", 0, Math.min(done, collecting))}
    ${piece("hand-round", collecting, done)}
    <path class="parting" d=${parted.join("")} />
    <path class="mark" d="M${width - 1} ${bar.y - 5}v${bar.height + 10}" />
    ${legend("collect", "reduce-scatter", 0)} ${legend("hand-round", "all-gather", 124)}
  </g>`;
}

function legend(kind: string, label: string, x: number): Drawing {
  return svg`<rect class=${kind} x=${x} y="51" width="10" height="10" /><text class="soft small" x=${x + 16} y="60">${label}</text>`;
}

/** The bar by itself. */
export function sentFigure(picture: SentPicture, width: number, summary: string): Figure {
  return frame(width, sentHeight, summary, sentBar(picture, 0, width));
}
