/** How many activations each stage holds over time, under the lanes of its pipeline. */

import type { OperationColumns } from "shardlab";
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
}

/** Where the plot is in the figure. */
interface Room {
  top: number;
  right: number;
  narrow: boolean;
  /** the end of the axis, which plots under each other share */
  most: number;
}

/**
 * Steps within steps: a stage's micro-batches all come through the stage before, and leave through it, so that stage 0
 * is always the outermost.
 */
export function heldPlot(
  { operations, peakInFlight }: Held,
  { left, scale, stages }: Lanes,
  { top, right, narrow, most }: Room,
): Drawing {
  const [, base] = heldBand(top);
  const peak = peakInFlight[0]!;
  const unit = body / most;
  const limit = base - peak * unit;
  const every = Math.ceil(stages / mostDrawn);
  const last = stages - 1;
  const outer = `${narrow ? "" : "activations "}in flight, stage 0 outermost: at most ${peak}`;
  const inner = stages === 1 || narrow ? "" : `; stage ${last} innermost: ${peakInFlight[last]}`;
  const paths = outlines(operations, stages, { left, base, scale, unit });
  return svg`
    <text class="soft small" x=${narrow ? 0 : left} y=${top + head - 12}>${outer}${inner}</text>
    <g class="held ${stages > 8 ? "many" : ""}">${paths
      .filter((_, stage) => stage % every === 0 || stage === last)
      .map((path) => svg`<path d=${path} />`)}</g>
    <path class="mark limit" d="M${left} ${px(limit)}H${right}" />
    <text class="soft small end" x=${left - 8} y=${px(limit) + 5}>${peak}</text>
    ${base - limit < 14 ? "" : svg`<text class="soft small end" x=${left - 8} y=${base + 3}>0</text>`}
    <path class="axis" d="M${left} ${base}H${right}" />`;
}

/** A path for each stage: up where a forward starts, down where its backward has ended. */
function outlines(
  { stage, kind, start, end }: OperationColumns,
  stages: number,
  { left, base, scale, unit }: { left: number; base: number; scale: number; unit: number },
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
    const backward = kind[index] === 1;
    const x = left + (backward ? end : start)[index]! * scale;
    // Of changes that are too close to be told apart only the last is drawn.
    if (x - at[own]! >= 0.4) go(own, x);
    held[own]! += backward ? -1 : 1;
  }
  return paths.map((path) => `${path}V${base}Z`);
}
