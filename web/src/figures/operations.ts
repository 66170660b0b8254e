/** The operations of a pipeline in its lanes: as cells with numbers, or where they are too many, as runs or shares. */

import type { OperationColumns } from "shardlab";
import { word } from "../words.js";
import { letters } from "./lettering.js";
import { box, px, svg, type Drawing } from "./markup.js";

/** Lanes below each other, and their scale of time. */
export interface Lanes {
  left: number;
  top: number;
  pitch: number;
  lane: number;
  scale: number;
  stages: number;
}

const gap = 1.5;

/** Kinds of operations in the order of their numbers: how each is drawn, and its letter; a forward needs none. */
const styles = [
  { name: "forward", letter: "" },
  { name: "backward", letter: "B" },
  { name: "backward input", letter: "I" },
  { name: "weight", letter: "W" },
] as const;

/** The time of the shortest operation. */
export function shortest({ operations, makespan }: { operations: OperationColumns; makespan: number }): number {
  return operations.start.reduce((least, start, index) => Math.min(least, operations.end[index]! - start), makespan);
}

/** The same operations, each stage's without a pause between them. */
export function collected(operations: OperationColumns): OperationColumns {
  const { stage, overlapsNext } = operations;
  const start = new Float64Array(operations.start.length);
  const end = new Float64Array(start.length);
  for (let index = 0; index < start.length; index += 1) {
    const follows = index > 0 && stage[index] === stage[index - 1];
    const together = follows && overlapsNext[index - 1] === 1;
    start[index] = together ? start[index - 1]! : follows ? end[index - 1]! : 0;
    end[index] = start[index]! + operations.end[index]! - operations.start[index]!;
  }
  return { ...operations, start, end };
}

/** What of the operations lies between two times, counted from the first of them; what goes beyond is cut off. */
export function within(operations: OperationColumns, from: number, to: number): OperationColumns {
  const kept: number[] = [];
  operations.start.forEach((start, index) => {
    if (operations.end[index]! > from && start < to) kept.push(index);
  });
  const pick = <Column extends Int32Array | Uint8Array>(column: Column) =>
    (column.constructor as unknown as { from(values: number[]): Column }).from(kept.map((index) => column[index]!));
  return {
    stage: pick(operations.stage),
    kind: pick(operations.kind),
    modelPart: pick(operations.modelPart),
    microBatch: pick(operations.microBatch),
    overlapsNext: pick(operations.overlapsNext),
    start: Float64Array.from(kept, (index) => Math.max(operations.start[index]! - from, 0)),
    end: Float64Array.from(kept, (index) => Math.min(operations.end[index]!, to) - from),
  };
}

/** The shapes of a kind of operation, and what is written on them; those of later chunks are darker. */
interface Shapes {
  path: string;
  later: string;
  texts: Drawing[];
}

/** @param style `cells` have an outline, for which there is no room in lanes */
function shown(style: "cells" | "lanes", shapes: readonly Shapes[]): Drawing[] {
  return shapes.map(({ path, later, texts }, kind) => {
    const { name } = styles[kind]!;
    const stripes = name.startsWith("backward") ? "hatch" : "";
    const one = (d: string, layer: string) =>
      d === ""
        ? ""
        : svg`<path class=${layer} d=${d} />${stripes === "" ? "" : svg`<path class="hatched" fill=${`url(#${stripes})`} d=${d} />`}`;
    return path === "" && later === ""
      ? svg``
      : svg`<g class=${`${name} ${style}`}>${one(path, "first")}${one(later, "later")}${texts}</g>`;
  });
}

function noShapes(): Shapes[] {
  return styles.map(() => ({ path: "", later: "", texts: [] }));
}

export function cells(operations: OperationColumns, { left, top, pitch, lane, scale, stages }: Lanes): Drawing[] {
  const shapes = noShapes();
  operations.start.forEach((start, index) => {
    const kind = operations.kind[index]!;
    const width = Math.max((operations.end[index]! - start) * scale - gap, 0.5);
    const x = left + start * scale;
    const half = halfOf(operations, index);
    const height = half === undefined ? lane : lane / 2 - 0.5;
    const y = top + operations.stage[index]! * pitch + (half === 1 ? lane / 2 + 0.5 : 0);
    const own = shapes[kind]!;
    own[operations.modelPart[index]! < stages ? "path" : "later"] += rounded(x, y, width, height);
    const written = label(String(operations.microBatch[index]), styles[kind]!.letter, width);
    if (written === undefined || height < 12) return;
    const style = written.small ? "tiny" : "";
    own.texts.push(svg`<text class=${style} x=${px(x + width / 2)} y=${px(y + height / 2 + 4.5)}>${written.text}</text>`);
  });
  // A few numbers among many cells say less than none.
  const written = shapes.reduce((sum, { texts }) => sum + texts.length, 0);
  const few = written * 2 < operations.start.length;
  return shown("cells", few ? shapes.map((one) => ({ ...one, texts: [] })) : shapes);
}

/** Of two that overlap the first is in the upper half of the lane, the second in the lower. */
function halfOf({ overlapsNext, stage }: OperationColumns, index: number): 0 | 1 | undefined {
  if (overlapsNext[index] === 1) return 0;
  return index > 0 && overlapsNext[index - 1] === 1 && stage[index - 1] === stage[index] ? 1 : undefined;
}

/** Whether it shares its time with another one. */
export function isPaired(operations: OperationColumns, index: number): boolean {
  return halfOf(operations, index) !== undefined;
}

/** An outline around some of the operations. */
export function outlined(operations: OperationColumns, indices: ArrayLike<number>, { left, top, pitch, lane, scale }: Lanes): Drawing {
  let path = "";
  for (const index of Array.from(indices)) {
    const start = operations.start[index]!;
    const y = top + operations.stage[index]! * pitch;
    path += rounded(left + start * scale, y, Math.max((operations.end[index]! - start) * scale - gap, 0.5), lane);
  }
  return svg`<path class="critical" d=${path} />`;
}

/** What fits into a cell: the number with its letter, or smaller, or the number alone. */
function label(number: string, letter: string, width: number): { text: string; small: boolean } | undefined {
  const full = letter + number;
  // A W is wide.
  const room = width - (letter === "W" ? 3 : 0);
  if (full.length * 9.2 + 2 <= room) return { text: full, small: false };
  const small = [full, number].find((text) => text.length * 7.8 + 1 <= room);
  return small === undefined ? undefined : { text: small, small: true };
}

/** When each stage's last operation ends; 0 where it has none. */
export function lastEnds({ stage, end }: OperationColumns, stages: number): Float64Array {
  const last = new Float64Array(stages);
  stage.forEach((own, index) => {
    last[own] = Math.max(last[own]!, end[index]!);
  });
  return last;
}

/**
 * What stages do after their last operation, as far as it is seen.
 *
 * @param from the time at the left
 * @param room time that is seen from there on
 */
export function syncs(
  last: Float64Array,
  from: number,
  room: number,
  sync: number,
  { left, top, pitch, lane, scale }: Lanes,
): Drawing | string {
  const seen = (time: number) => Math.min(Math.max(time - from, 0), room);
  const all = Array.from(last, (end, stage) => ({ start: seen(end), end: end > 0 ? seen(end + sync) : 0, stage }));
  const shown = all.filter(({ start, end }) => (end - start) * scale > gap);
  if (shown.length === 0) return "";
  return svg`<g class="sync cells">${shown.map(({ start, end, stage }) => {
    const [x, y, width] = [left + start * scale, top + stage * pitch, (end - start) * scale - gap];
    const name = [word("sync"), "S"].find((text) => letters(text) * 8 + 4 <= width);
    return svg`<path d=${rounded(x, y, width, lane)} />
      ${name === undefined || lane < 12 ? "" : svg`<text x=${x + width / 2} y=${y + lane / 2 + 4.5}>${name}</text>`}`;
  })}</g>`;
}

/** Operations too many to be numbered: their spans, or where these are too thin to be seen, how busy a stage is. */
export function lanes(
  schedule: { operations: OperationColumns; makespan: number },
  operations: OperationColumns,
  room: Lanes,
): Drawing[] {
  const overlaps = operations.overlapsNext.includes(1);
  const wide = !overlaps && shortest(schedule) * room.scale >= 2;
  const paths = wide ? runs(operations, room) : shares(operations, room, schedule.makespan);
  return shown("lanes", paths.map((path) => ({ path, later: "", texts: [] })));
}

/** Operations of one kind that follow each other without a pause, as one box. */
function runs({ stage, kind, start, end }: OperationColumns, { left, top, pitch, lane, scale }: Lanes): string[] {
  const paths = styles.map(() => "");
  const pause = 0.25 / scale;
  let first = 0;
  for (let index = 0; index < start.length; index += 1) {
    const next = index + 1;
    const goesOn =
      next < start.length &&
      stage[next] === stage[index] &&
      kind[next] === kind[index] &&
      start[next]! - end[index]! <= pause;
    if (goesOn) continue;
    const width = (end[index]! - start[first]!) * scale - 0.5;
    paths[kind[index]!] += box(left + start[first]! * scale, top + stage[index]! * pitch, width, lane);
    first = next;
  }
  return paths;
}

/** For every slice of time the shares spent on each kind of operation, above each other. */
function shares(
  operations: OperationColumns,
  { left, top, pitch, lane, scale, stages }: Lanes,
  makespan: number,
): string[] {
  const room = makespan * scale;
  const slices = Math.max(1, Math.floor(room / 4));
  const spent = sliced(operations, makespan / slices, stages, slices);
  const width = room / slices;
  const paths = styles.map(() => "");
  for (let place = 0; place < stages * slices; place += 1) {
    let bottom = top + Math.floor(place / slices) * pitch + lane;
    const x = left + (place % slices) * width;
    spent.forEach((share, kind) => {
      const height = share[place]! * lane;
      if (height === 0) return;
      bottom -= height;
      paths[kind] += box(x, bottom, width, height);
    });
  }
  return paths;
}

/** By kind, for every stage and slice, the share of the slice that is spent on it; two that overlap share it. */
function sliced(operations: OperationColumns, slice: number, stages: number, slices: number): Float64Array[] {
  const spent = styles.map(() => new Float64Array(stages * slices));
  for (let index = 0; index < operations.start.length; index += 1) {
    const first = operations.start[index]! / slice;
    const last = Math.min(operations.end[index]! / slice, slices);
    const row = operations.stage[index]! * slices;
    const share = spent[operations.kind[index]!]!;
    const part = halfOf(operations, index) === undefined ? 1 : 0.5;
    for (let at = Math.floor(first); at < last; at += 1) {
      share[row + at]! += part * (Math.min(last, at + 1) - Math.max(first, at));
    }
  }
  return spent;
}

function rounded(x: number, y: number, width: number, height: number): string {
  const r = px(Math.min(3, width / 2));
  const [w, h] = [px(width - 2 * r), px(height - 2 * r)];
  return (
    `M${px(x + r)} ${px(y)}h${w}q${r} 0 ${r} ${r}v${h}q0 ${r} ${-r} ${r}` +
    `h${px(2 * r - width)}q${-r} 0 ${-r} ${-r}v${px(2 * r - height)}q0 ${-r} ${r} ${-r}z`
  );
}
