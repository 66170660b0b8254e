/** Two trainings step by step, how far apart they are, and what each rank holds. */

import { plural, significant, superscript } from "../format.js";
import { say, word } from "../words.js";
import { fromZero } from "./curves.js";
import { frame, rankClass } from "./frame.js";
import { letters } from "./lettering.js";
import { px, svg, type Drawing, type Figure } from "./markup.js";

/** What all ranks hold of one kind. */
export interface HeldColumn {
  name: string;
  /** where there is little room for its name */
  short?: string;
  /** how many numbers there are for each parameter */
  vectors: number;
  /** whether a rank holds a part of its own, or a whole copy */
  shards: boolean;
  /** of each rank */
  amounts: readonly number[];
}

export interface TrainingPicture {
  serial: ArrayLike<number>;
  parallel: ArrayLike<number>;
  /** after each step, the largest difference of weights to the serial ones, and of replicas to each other */
  weights: ArrayLike<number>;
  replicas: ArrayLike<number>;
  /** a step, counted from 1, in which something happens */
  mark?: { step: number; label: string };
  ranks: number;
  /** parameters of the model */
  elements: number;
  columns: readonly HeldColumn[];
  summary: string;
}

/** Of more ranks the first are drawn. */
export const mostRanksHeld = 8;

const head = 34;

/** Where a plot is, and how steps are placed in it. */
interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** of a step, counted from 1 */
  x(step: number): number;
}

type Scale = (value: number) => number;

export function trainingFigure(picture: TrainingPicture, width: number): Figure {
  const narrow = width < 560;
  const steps = picture.serial.length;
  const [left, right] = [44, width - 12];
  const x = (step: number) => left + (steps === 1 ? 0.5 : (step - 1) / (steps - 1)) * (right - left);
  const top = 26 + (picture.mark === undefined ? 0 : 14);
  const losses: Plot = { left, right, top, bottom: top + (narrow ? 130 : 160), x };
  const keyTop = losses.bottom + head + 4;
  const differences: Plot = { left, right, top: keyTop + 22, bottom: keyTop + 22 + 78, x };
  const heldTop = differences.bottom + 44;
  const held = heldStrip(picture, heldTop, width);
  return frame(
    width,
    heldTop + held.height,
    picture.summary,
    svg`${lossPlot(picture, losses, width)}${differencePlot(picture, differences, keyTop, width)}${held.content}`,
  );
}

/** A broad line below and a thin dashed one upon it: where both are seen, they agree. */
function lossPlot({ serial, parallel, mark, ranks }: TrainingPicture, at: Plot, width: number): Drawing {
  const most = Math.max(...Array.from(serial), ...Array.from(parallel));
  const axis = fromZero(most, (value) => significant(value));
  const y: Scale = (value) => at.bottom - (value / axis.to) * (at.bottom - at.top);
  return svg`<text class="name" x="0" y="14">${word("loss")}</text>
    ${keys(
      [
        { kind: "serial", label: word("serial") },
        { kind: "parallel", label: plural(ranks, "rank") },
      ],
      { x: 44, y: 14 },
    )}
    <path class="grid" d=${axis.ticks.map(({ at: value }) => `M${at.left} ${px(y(value))}H${at.right}`).join("")} />
    ${axis.ticks.map(({ at: value, label }) => svg`<text class="soft small end" x=${at.left - 7} y=${y(value) + 4}>${label}</text>`)}
    ${mark === undefined ? "" : marked(mark, at, width)}
    <path class="curve serial" d=${line(serial, at, y)} />
    <path class="curve parallel" d=${line(parallel, at, y)} />
    ${stepLabels(serial.length, at)}`;
}

function marked({ step, label }: { step: number; label: string }, at: Plot, width: number): Drawing {
  const text = say`step ${step}: ${label}`;
  const half = letters(text) * 3.4;
  return svg`<path class="mark" d="M${px(at.x(step))} ${at.top - 4}V${at.bottom}" />
    <text class="small center" x=${Math.min(Math.max(at.x(step), half + at.left), width - half)} y=${at.top - 8}>${text}</text>`;
}

/** Steps along an axis, the first and the last among them. */
function stepLabels(steps: number, { bottom, x }: Plot): Drawing[] {
  const every = Math.max(1, Math.ceil(steps / 5));
  const round = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000].find((size) => size >= every) ?? every;
  const shown = [1, ...Array.from({ length: Math.floor(steps / round) }, (_, index) => (index + 1) * round)];
  const apart = shown.filter((step, index) => index < 2 ? index === 0 || x(step) - x(1) > 44 : true);
  return apart.map(
    (step, index) => svg`<text class="soft small center" x=${x(step)} y=${bottom + 17}>${index === 0 ? say`step ${1}` : step}</text>`,
  );
}

/** The exponents between which differences lie; what is 0 stands at the foot. */
const [foot, roof] = [-17, 1];

function differencePlot({ weights, replicas, ranks }: TrainingPicture, at: Plot, keyTop: number, width: number): Drawing {
  const y: Scale = (value) => {
    const exponent = value <= 0 ? foot : Math.min(Math.max(Math.log10(value), foot), roof);
    return at.bottom - ((exponent - foot) / (roof - foot)) * (at.bottom - at.top);
  };
  const ticks = [0, -5, -10, -15].map((exponent) => ({ value: 10 ** exponent, label: exponent === 0 ? "1" : `10${superscript(exponent)}` }));
  const narrow = width < 560;
  return svg`<text class="name" x="0" y=${keyTop + 6}>${narrow ? word("apart") : word("weights apart")}</text>
    ${keys(
      [
        { kind: "serial-parallel", label: narrow ? word("from the serial ones") : word("a rank's from the serial ones") },
        ...(ranks > 1 ? [{ kind: "replicas", label: narrow ? word("among ranks") : word("ranks' from each other") }] : []),
      ],
      { x: narrow ? 48 : 114, y: keyTop + 6 },
    )}
    <path class="grid" d=${ticks.map(({ value }) => `M${at.left} ${px(y(value))}H${at.right}`).join("")} />
    <path class="axis" d="M${at.left} ${at.bottom}H${at.right}" />
    ${ticks.map(({ value, label }) => svg`<text class="soft small end" x=${at.left - 7} y=${y(value) + 4}>${label}</text>`)}
    <text class="soft small end" x=${at.left - 7} y=${at.bottom + 6}>0</text>
    <path class="curve serial-parallel" d=${line(weights, at, y)} />
    ${ranks > 1 ? svg`<path class="curve replicas" d=${line(replicas, at, y)} />` : ""}`;
}

function line(values: ArrayLike<number>, { x }: Plot, y: Scale): string {
  if (values.length === 1) return `M${px(x(1) - 4)} ${px(y(values[0]!))}h8`;
  return Array.from(values, (value, index) => `${index === 0 ? "M" : "L"}${px(x(index + 1))} ${px(y(value))}`).join("");
}

/** Samples of lines with what they are. */
function keys(all: readonly { kind: string; label: string }[], at: { x: number; y: number }): Drawing[] {
  let { x } = at;
  return all.map(({ kind, label }) => {
    const from = x;
    x += 38 + letters(label) * 6.6;
    return svg`<path class="curve ${kind}" d="M${from} ${at.y - 4}h20" />
      <text class="soft small" x=${from + 26} y=${at.y}>${label}</text>`;
  });
}

const [pitch, bar] = [19, 13];

/** A line a rank: a whole copy fills its column, a shard stands where it is cut from. */
function heldStrip(picture: TrainingPicture, top: number, width: number): { content: Drawing; height: number } {
  const { columns, elements } = picture;
  const narrow = width < 560;
  const ranks = Math.min(picture.ranks, mostRanksHeld);
  const [left, gap] = [56, narrow ? 10 : 18];
  const room = (width - left - 2 - (columns.length - 1) * gap) / columns.length;
  const first = top + 32;
  const content = columns.map(({ name, short = name, vectors, shards, amounts }, column) => {
    const x = left + column * (room + gap);
    const most = Math.max(0, ...amounts);
    const [own, all] = [significant(most, 6), significant(elements * vectors, 6)];
    const amount = vectors === 0 ? word("none") : most === elements * vectors ? own : say`${own} of ${all}`;
    const drawn = Array.from({ length: ranks }, (_, rank) => {
      const y = first + rank * pitch;
      return vectors === 0 ? "" : part(picture, { rank, shards: shards && picture.ranks > 1, vectors, x, y, room });
    });
    return svg`<text class="small" x=${x} y=${top + 8}>${narrow ? short : name}</text>
      <text class="soft small" x=${x} y=${top + 23}>${amount}</text>${drawn}`;
  });
  const names = Array.from(
    { length: ranks },
    (_, rank) => svg`<text class="soft small" x="0" y=${first + rank * pitch + 11}>${say`rank ${rank}`}</text>`,
  );
  return {
    content: svg`<text class="name" x="0" y=${top + 8}>${word("held")}</text>${names}${content}`,
    height: 32 + ranks * pitch,
  };
}

interface Part {
  rank: number;
  shards: boolean;
  vectors: number;
  x: number;
  y: number;
  room: number;
}

function part({ ranks }: TrainingPicture, { rank, shards, vectors, x, y, room }: Part): Drawing[] {
  const one = room / vectors;
  return Array.from({ length: vectors }, (_, vector) => {
    const from = x + vector * one;
    const inner = one - (vectors > 1 ? 3 : 0);
    if (!shards) return svg`<rect class="whole-copy" x=${from} y=${y} width=${inner} height=${bar} rx="2" />`;
    return svg`<rect class="empty" x=${from} y=${y} width=${inner} height=${bar} rx="2" />
      <rect class="own ${rankClass(rank)}" x=${from + (rank * inner) / ranks} y=${y} width=${Math.max(inner / ranks, 1.5)} height=${bar} />`;
  });
}
