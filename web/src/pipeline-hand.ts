/** The ends of a pipeline's operations, and of their samples below it, by which a hand makes them take longer. */

import { collected, isPaired } from "./figures/operations.js";
import { legendPlaces } from "./figures/frame.js";
import { ganttLayout, inCells, lanesOf, type GanttLayout } from "./figures/gantt.js";
import type { FindGrip, Grip, Held } from "./hand.js";
import type { Texts } from "./parameter.js";
import type { Executed, PipelineState } from "./pipeline-state.js";
import { drawn } from "./routines/pipeline.js";

/** Pixels by which a sample's end is moved for a step of its time: the sample itself stays as it is. */
const pixelsOfStep = 10;

/** How the samples are signed, in the order of the kinds of operations. */
const signs = ["0", "B0", "I0", "W0"];

/** A picture is looked into as often as a pointer moves, and may have very many operations. */
const layouts = new WeakMap<PipelineState, Omit<Held, "result"> & { layout: GanttLayout }>();

/** The samples are where the words beside them leave them. */
function layoutOf({ result, width, express }: Held<PipelineState>): GanttLayout {
  const known = layouts.get(result);
  if (known?.width === width && known.express === express) return known.layout;
  const layout = express(() => ganttLayout(drawn(result, ""), width));
  layouts.set(result, { width, express, layout });
  return layout;
}

export const findGrip: FindGrip<PipelineState> = (picture, place, reach) => {
  const state = picture.result;
  const layout = layoutOf(picture);
  return gripOfCell(state, layout, place, reach) ?? gripOfSample(state, layout, place, reach);
};

function gripOfCell(state: PipelineState, layout: GanttLayout, { x, y }: { x: number; y: number }, reach: number): Grip | undefined {
  const { picture, at } = layout;
  if (!inCells(picture)) return undefined;
  for (const [index, { operations }] of picture.schedules.entries()) {
    const { left, top, pitch, lane, scale, stages } = lanesOf(layout, index);
    const stage = Math.floor((y - top) / pitch);
    if (stage < 0 || stage >= stages || y - top - stage * pitch > lane) continue;
    const { start, end, ...of } = picture.collected ? collected(operations) : operations;
    const found = end.findIndex((time, one) => {
      const edge = left + time * scale;
      const seen = picture.zoom.share === 1 || edge < at.right - 0.5;
      const wide = (time - start[one]!) * scale >= 2 * reach + 2;
      return of.stage[one] === stage && Math.abs(x - edge) <= reach && wide && seen && !isPaired(operations, one);
    });
    if (found < 0) continue;
    const executed = state.executed[index]!;
    const unit = executed.chunks / factorOf(executed, of.modelPart[found]!);
    return { scale, texts: (pixels) => longer(executed, of.kind[found]!, () => (pixels / scale) * unit) };
  }
  return undefined;
}

function gripOfSample(state: PipelineState, { picture, at, key }: GanttLayout, { x, y }: { x: number; y: number }, reach: number): Grip | undefined {
  const { places } = legendPlaces(picture.legend, key);
  const found = places.findIndex(
    (one) => Math.abs(x - one.x - one.sample) <= 2 * reach && y >= one.y - reach && y <= one.y + 14 + reach,
  );
  const kind = signs.indexOf(picture.legend[found]?.sign ?? "");
  if (kind < 0) return undefined;
  return { scale: at.scale, texts: (pixels) => longer(state.executed[0], kind, (step) => (pixels / pixelsOfStep) * step) };
}

/** How many times as long as the others this part of the model takes. */
function factorOf({ options, times }: Executed, part: number): number {
  const row = options.partTimes?.[part] as readonly number[] | undefined;
  return row === undefined ? 1 : row[0]! / times.forward;
}

/**
 * The texts where operations of a kind take longer, all others as long as before.
 *
 * @param by how much longer on a whole stage, with steps of that size
 */
function longer({ times, chunks, options }: Executed, kind: number, by: (step: number) => number): Texts {
  const [forward, backward, input, weight] = [times.forward, times.backward, times.inputGradient, times.weightGradient].map(
    (time) => time * chunks,
  ) as [number, number, number, number];
  const next = (time: number, least = 0) => stepped(time, by(stepOf(time)), least);
  switch (kind) {
    case 0:
      return { forward: text(next(forward)) };
    case 1:
      return { backward: text(next(backward, "weightGradient" in options ? weight : 0)) };
    case 2:
      return { backward: text(next(input) + weight), weightGradient: text(weight) };
    default:
      return { backward: text(input + next(weight)), weightGradient: text(next(weight)) };
  }
}

/** A quarter of the first digit's unit; below 1 a tenth, a hundredth and so on. */
function stepOf(time: number): number {
  const power = Math.floor(Math.log10(time));
  return time >= 1 ? 0.25 * 10 ** power : 10 ** power;
}

/** The nearest multiple of the step that is above `least`; the time itself as long as nothing has moved. */
function stepped(time: number, by: number, least: number): number {
  const step = stepOf(time);
  if (Math.abs(by) < step / 2) return time;
  return Math.max(Math.round((time + by) / step), Math.floor(least / step) + 1) * step;
}

function text(time: number): string {
  return String(Number(time.toPrecision(12)));
}
