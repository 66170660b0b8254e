/** How many activations each stage holds over time, under the lanes of its pipeline. */

import type { OperationColumns } from "shardlab";
import { withUnit, type Amounts } from "../pipeline-amounts.js";
import { say, word } from "../words.js";
import { px, svg, type Drawing } from "./markup.js";
import type { Lanes } from "./operations.js";

/** Beyond this many stages only some are drawn: they lie within each other. */
const mostDrawn = 16;

const head = 30;
const body = 64;
export const heldHeight = head + body + 6;

/** From where to where a plot that starts at `top` has its steps. */
export function heldBand(top: number): [number, number] {
  return [top + head, top + head + body];
}

interface Held {
  operations: OperationColumns;
  peakInFlight: ArrayLike<number>;
  /** what a chunk's activations count for */
  chunkSize: number;
}

/** Where the plot is in the figure. */
interface Room {
  top: number;
  right: number;
  narrow: boolean;
  /** the amount at the end of the axis, which plots under each other share */
  most: number;
  /** the time at the left */
  from: number;
}

/**
 * Steps within steps: where a stage's micro-batches all come through the stage before, and leave through it, stage 0 is
 * the outermost.
 */
export function heldPlot(
  { operations, peakInFlight, chunkSize }: Held,
  { left, scale, stages }: Lanes,
  { top, right, narrow, most, from }: Room,
  amounts: Amounts,
): Drawing {
  const [, base] = heldBand(top);
  const peaks = Array.from(peakInFlight).slice(0, stages);
  const peak = Math.max(...peaks);
  const nested = peaks.every((one, stage) => stage === 0 || one <= peaks[stage - 1]!) && new Set(peaks).size > 1;
  const unit = (body / most) * chunkSize;
  const limit = base - peak * unit;
  const every = Math.ceil(stages / mostDrawn);
  const last = stages - 1;
  const order = nested || stages === 1 ? word("stage 0 outermost") : word("every stage");
  const said = (chunks: number) => withUnit(amounts, chunks * chunkSize);
  const outer = outermost(amounts, order, said(peak), narrow);
  const title = !nested || narrow ? outer : say`${outer}; stage ${last} innermost: ${said(peakInFlight[last]!)}`;
  const paths = outlines(operations, stages, { left, right, base, scale, unit, from });
  return svg`
    <text class="soft small" x=${narrow ? 0 : left} y=${top + head - 12}>${title}</text>
    <g class="held ${stages > 8 ? "many" : ""}">${paths
      .filter((_, stage) => stage % every === 0 || stage === last)
      .map((path) => svg`<path d=${path} />`)}</g>
    <path class="mark limit" d="M${left} ${px(limit)}H${right}" />
    <text class="soft small end" x=${left - 8} y=${px(limit) + 5}>${amounts.write(peak * chunkSize)}</text>
    ${base - limit < 14 ? "" : svg`<text class="soft small end" x=${left - 8} y=${base + 3}>0</text>`}
    <path class="axis" d="M${left} ${base}H${right}" />`;
}

function outermost({ unit }: Amounts, order: string, most: string, narrow: boolean): string {
  if (unit === undefined) {
    return narrow ? say`in flight, ${order}: at most ${most}` : say`activations in flight, ${order}: at most ${most}`;
  }
  return narrow ? say`held, ${order}: at most ${most}` : say`activations held, ${order}: at most ${most}`;
}

/** Where times and counts are in the figure; what lies before or after is at its edge. */
interface Axes {
  left: number;
  right: number;
  base: number;
  scale: number;
  unit: number;
  from: number;
}

/** A path for each stage: up where a forward starts, down where its backward has ended. */
function outlines(
  { stage, kind, start, end }: OperationColumns,
  stages: number,
  { left, right, base, scale, unit, from }: Axes,
): string[] {
  const paths = Array.from({ length: stages }, () => `M${left} ${base}`);
  const held = new Int32Array(stages);
  const at = new Float64Array(stages).fill(left);
  const go = (own: number, x: number) => {
    paths[own] += `V${px(base - held[own]! * unit)}H${px(x)}`;
    at[own] = x;
  };
  for (let index = 0; index < start.length; index += 1) {
    const own = stage[index]!;
    if (kind[index] === 3) continue;
    const backward = kind[index] !== 0;
    const time = (backward ? end : start)[index]! - from;
    const x = Math.min(Math.max(left + time * scale, left), right);
    // Of changes that are too close to be told apart only the last is drawn.
    if (x - at[own]! >= 0.4) go(own, x);
    held[own]! += backward ? -1 : 1;
  }
  return paths.map((path, own) => (held[own] === 0 ? `${path}V${base}Z` : `${path}V${px(base - held[own]! * unit)}H${right}V${base}Z`));
}
