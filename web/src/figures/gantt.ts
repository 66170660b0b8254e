/** A pipeline in time: a row a stage, a cell an operation, an empty dotted lane where a stage waits. */

import { svg, type Drawing } from "./markup.js";
import type { OperationColumns } from "shardlab";
import { significant } from "../format.js";
import { frame } from "./frame.js";

export interface GanttPicture {
  stages: number;
  makespan: number;
  operations: OperationColumns;
  peakInFlight: ArrayLike<number>;
  /** up to which moment the schedule has run, and what each stage then holds; all of it where left out */
  now?: { time: number; held: ArrayLike<number> };
  summary: string;
}

/** Beyond this many cells the lanes show how busy a stage is, not its single operations. */
export const mostCells = 600;
/** Beyond these nothing is drawn. */
export const mostStagesDrawn = 64;
export const mostOperationsDrawn = 1_000_000;

/** A figure that is wider scrolls in its own frame, and no further than this. */
const mostWidth = 1200;
const left = 66;
const right = 78;
const lane = 32;
const pitch = 40;

export function drawable(picture: GanttPicture): boolean {
  return picture.stages <= mostStagesDrawn && picture.operations.start.length <= mostOperationsDrawn;
}

/** Whether single operations are drawn. */
export function inCells(picture: GanttPicture): boolean {
  return picture.operations.start.length <= mostCells;
}

export function ganttFigure(picture: GanttPicture, width: number): Drawing {
  const cells = inCells(picture);
  const wide = cells ? Math.max(width, Math.min(mostWidth, left + right + widthToRead(picture))) : width;
  const scale = (wide - left - right) / picture.makespan;
  const height = picture.stages * pitch + 34;
  const stages = Array.from({ length: picture.stages }, (_, stage) => stage);
  return frame(
    wide,
    height,
    picture.summary,
    svg`
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
        </pattern>
      </defs>
      <text class="soft small end" x=${wide} y="12">${picture.now === undefined ? "most in flight" : "in flight"}</text>
      ${stages.map(
        (stage) => svg`
          <text class="soft" x="0" y=${laneTop(stage) + 21}>stage ${stage}</text>
          <rect class="bubble" x=${left} y=${laneTop(stage)} width=${wide - left - right} height=${lane} rx="4" />
          <text class="name end" x=${wide} y=${laneTop(stage) + 21}>${
            picture.now === undefined ? picture.peakInFlight[stage] : picture.now.held[stage]
          }</text>`,
      )}
      ${cells ? operationCells(picture.operations, scale) : lanes(picture, wide - left - right)}
      ${picture.now === undefined ? "" : playhead(picture, left + picture.now.time * scale, wide - right)}
      ${ticks(picture.makespan).map(
        (time) =>
          svg`<text class="soft small center" x=${left + time * scale} y=${height - 2}>${significant(time)}</text>`,
      )}
    `,
  );
}

/** A line at the moment, and a veil over what is still to come. */
function playhead({ stages }: GanttPicture, x: number, end: number): Drawing {
  const bottom = laneTop(stages - 1) + lane;
  return svg`<rect class="veil" x=${x} y=${laneTop(0) - 2} width=${Math.max(end - x, 0) + 2} height=${bottom - laneTop(0) + 4} />
    <path class="mark now" d="M${x} ${laneTop(0) - 4}V${bottom + 4}" />`;
}

/** The width at which the shortest operation still shows its number. */
function widthToRead(picture: GanttPicture): number {
  return (picture.makespan / shortest(picture)) * 15;
}

function shortest({ operations, makespan }: GanttPicture): number {
  return operations.start.reduce((least, start, index) => Math.min(least, operations.end[index]! - start), makespan);
}

function laneTop(stage: number): number {
  return 18 + stage * pitch;
}

function operationCells(operations: OperationColumns, scale: number): Drawing[] {
  return Array.from(operations.start, (start, index) => {
    const backward = operations.kind[index] === 1;
    const width = Math.max((operations.end[index]! - start) * scale - 1.5, 0.5);
    const x = left + start * scale;
    const y = laneTop(operations.stage[index]!);
    const text = `${backward ? "B" : ""}${operations.microBatch[index]}`;
    return svg`<g class=${backward ? "backward" : "forward"}>
      <rect x=${x} y=${y} width=${width} height=${lane} rx="3" />
      ${backward ? svg`<rect class="over hatched" fill="url(#hatch)" x=${x} y=${y} width=${width} height=${lane} rx="3" />` : ""}
      ${text.length * 8 + 2 <= width ? svg`<text x=${x + width / 2} y=${y + 21}>${text}</text>` : ""}
    </g>`;
  });
}

/** Operations too many to be numbered: their spans, or where these are too thin to be seen, how busy a stage is. */
function lanes(picture: GanttPicture, room: number): Drawing[] {
  const shapes = shortest(picture) * (room / picture.makespan) >= 2 ? spans(picture, room) : shares(picture, room);
  return shapes.map(
    ([forward, backward]) => svg`<path class="forward" d=${forward} /><path class="backward" d=${backward} />`,
  );
}

/** The paths of the forwards and of the backwards of one stage. */
type Lane = [string, string];

function spans({ stages, makespan, operations }: GanttPicture, room: number): Lane[] {
  const paths = Array.from({ length: stages }, (): Lane => ["", ""]);
  const scale = room / makespan;
  for (let index = 0; index < operations.start.length; index += 1) {
    const stage = operations.stage[index]!;
    const width = (operations.end[index]! - operations.start[index]!) * scale - 0.5;
    paths[stage]![operations.kind[index]!] += box(left + operations.start[index]! * scale, laneTop(stage), width, lane);
  }
  return paths;
}

/** For every slice of time the share spent on forwards, and above it the share spent on backwards. */
function shares({ stages, makespan, operations }: GanttPicture, room: number): Lane[] {
  const slices = Math.max(1, Math.floor(room / 4));
  const spent = [0, 1].map(() => new Float64Array(stages * slices));
  for (let index = 0; index < operations.start.length; index += 1) {
    const first = (operations.start[index]! / makespan) * slices;
    const last = Math.min((operations.end[index]! / makespan) * slices, slices);
    const row = operations.stage[index]! * slices;
    const share = spent[operations.kind[index]!]!;
    for (let slice = Math.floor(first); slice < last; slice += 1) {
      share[row + slice]! += Math.min(last, slice + 1) - Math.max(first, slice);
    }
  }
  const width = room / slices;
  return Array.from({ length: stages }, (_, stage): Lane => {
    const path: Lane = ["", ""];
    for (let slice = 0; slice < slices; slice += 1) {
      const [forward, backward] = spent.map((share) => share[stage * slices + slice]! * lane) as [number, number];
      const bottom = laneTop(stage) + lane;
      path[0] += box(left + slice * width, bottom - forward, width, forward);
      path[1] += box(left + slice * width, bottom - forward - backward, width, backward);
    }
    return path;
  });
}

function box(x: number, y: number, width: number, height: number): string {
  return height < 0.05 ? "" : `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}z`;
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function ticks(most: number): number[] {
  const rough = most / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough)!;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}
