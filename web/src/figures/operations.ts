/** The operations of a pipeline in its lanes: as cells with numbers, or where they are too many, as runs or shares. */

import type { OperationColumns } from "shardlab";
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

/** The time of the shortest operation. */
export function shortest({ operations, makespan }: { operations: OperationColumns; makespan: number }): number {
  return operations.start.reduce((least, start, index) => Math.min(least, operations.end[index]! - start), makespan);
}

/** The same operations, each stage's without a pause between them. */
export function collected(operations: OperationColumns): OperationColumns {
  const start = new Float64Array(operations.start.length);
  const end = new Float64Array(start.length);
  for (let index = 0; index < start.length; index += 1) {
    const follows = index > 0 && operations.stage[index] === operations.stage[index - 1];
    start[index] = follows ? end[index - 1]! : 0;
    end[index] = start[index]! + operations.end[index]! - operations.start[index]!;
  }
  return { ...operations, start, end };
}

/** The paths of the forwards and of the backwards, and what is written on each. */
interface Shapes {
  paths: [string, string];
  texts: [Drawing[], Drawing[]];
}

/** @param style `cells` have an outline, for which there is no room in lanes */
function shown(style: "cells" | "lanes", { paths: [forward, backward], texts }: Shapes): Drawing {
  return svg`<g class="forward ${style}"><path d=${forward} />${texts[0]}</g>
    <g class="backward ${style}"><path d=${backward} /><path class="hatched" fill="url(#hatch)" d=${backward} />${texts[1]}</g>`;
}

export function cells(operations: OperationColumns, { left, top, pitch, lane, scale }: Lanes): Drawing {
  const shapes: Shapes = { paths: ["", ""], texts: [[], []] };
  operations.start.forEach((start, index) => {
    const kind = operations.kind[index]!;
    const width = Math.max((operations.end[index]! - start) * scale - gap, 0.5);
    const x = left + start * scale;
    const y = top + operations.stage[index]! * pitch;
    shapes.paths[kind] += rounded(x, y, width, lane);
    const written = label(String(operations.microBatch[index]), kind === 1, width);
    if (written === undefined) return;
    const style = written.small ? "tiny" : "";
    shapes.texts[kind]!.push(
      svg`<text class=${style} x=${px(x + width / 2)} y=${px(y + lane / 2 + 4.5)}>${written.text}</text>`,
    );
  });
  // Every stage has as many forwards as backwards. A few numbers among many cells say less than none.
  const few = (texts: readonly unknown[]) => texts.length * 4 < operations.start.length;
  shapes.texts = shapes.texts.map((texts) => (few(texts) ? [] : texts)) as Shapes["texts"];
  return shown("cells", shapes);
}

/** What fits into a cell: the number with its letter, or smaller, or the number alone. */
function label(number: string, backward: boolean, width: number): { text: string; small: boolean } | undefined {
  const full = backward ? `B${number}` : number;
  if (full.length * 9.2 + 2 <= width) return { text: full, small: false };
  const small = [full, number].find((text) => text.length * 7.8 + 1 <= width);
  return small === undefined ? undefined : { text: small, small: true };
}

/** Operations too many to be numbered: their spans, or where these are too thin to be seen, how busy a stage is. */
export function lanes(
  schedule: { operations: OperationColumns; makespan: number },
  operations: OperationColumns,
  room: Lanes,
): Drawing {
  const paths = shortest(schedule) * room.scale >= 2 ? runs(operations, room) : shares(operations, room, schedule.makespan);
  return shown("lanes", { paths, texts: [[], []] });
}

/** Operations of one kind that follow each other without a pause, as one box. */
function runs({ stage, kind, start, end }: OperationColumns, { left, top, pitch, lane, scale }: Lanes): [string, string] {
  const paths: [string, string] = ["", ""];
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

/** For every slice of time the share spent on forwards, and above it the share spent on backwards. */
function shares(
  operations: OperationColumns,
  { left, top, pitch, lane, scale, stages }: Lanes,
  makespan: number,
): [string, string] {
  const room = makespan * scale;
  const slices = Math.max(1, Math.floor(room / 4));
  const spent = sliced(operations, makespan / slices, stages, slices);
  const width = room / slices;
  const paths: [string, string] = ["", ""];
  for (let place = 0; place < stages * slices; place += 1) {
    const [forward, backward] = spent.map((share) => share[place]! * lane) as [number, number];
    const bottom = top + Math.floor(place / slices) * pitch + lane;
    const x = left + (place % slices) * width;
    paths[0] += box(x, bottom - forward, width, forward);
    paths[1] += box(x, bottom - forward - backward, width, backward);
  }
  return paths;
}

/** By kind, for every stage and slice, the share of the slice that is spent on it. */
function sliced(operations: OperationColumns, slice: number, stages: number, slices: number): Float64Array[] {
  const spent = [0, 1].map(() => new Float64Array(stages * slices));
  for (let index = 0; index < operations.start.length; index += 1) {
    const first = operations.start[index]! / slice;
    const last = Math.min(operations.end[index]! / slice, slices);
    const row = operations.stage[index]! * slices;
    const share = spent[operations.kind[index]!]!;
    for (let at = Math.floor(first); at < last; at += 1) {
      share[row + at]! += Math.min(last, at + 1) - Math.max(first, at);
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
