/** A pipeline in time: a row a stage, a cell an operation, an empty dotted lane where a stage waits. */

import { svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { OperationColumns } from "shardlab";
import { significant } from "../format.js";
import { frame } from "./frame.js";

export interface GanttPicture {
  stages: number;
  makespan: number;
  operations: OperationColumns;
  peakInFlight: ArrayLike<number>;
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

export function ganttFigure(picture: GanttPicture, width: number): TemplateResult {
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
      <text class="soft small end" x=${wide} y="12">most in flight</text>
      ${stages.map(
        (stage) => svg`
          <text class="soft" x="0" y=${laneTop(stage) + 21}>stage ${stage}</text>
          <rect class="bubble" x=${left} y=${laneTop(stage)} width=${wide - left - right} height=${lane} rx="4" />
          <text class="name end" x=${wide} y=${laneTop(stage) + 21}>${picture.peakInFlight[stage]}</text>`,
      )}
      ${cells ? operationCells(picture.operations, scale) : busyLanes(picture, wide - left - right)}
      ${ticks(picture.makespan).map(
        (time) => svg`<text class="soft small center" x=${left + time * scale} y=${height - 2}>${significant(time)}</text>`,
      )}
    `,
  );
}

/** The width at which the shortest operation still shows its number. */
function widthToRead({ operations, makespan }: GanttPicture): number {
  const shortest = operations.start.reduce((least, start, index) => Math.min(least, operations.end[index]! - start), makespan);
  return (makespan / shortest) * 15;
}

function laneTop(stage: number): number {
  return 18 + stage * pitch;
}

function operationCells(operations: OperationColumns, scale: number): SVGTemplateResult[] {
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

/** For every stage and slice of time the share spent on forwards, and above it the share spent on backwards. */
function busyLanes({ stages, makespan, operations }: GanttPicture, room: number): SVGTemplateResult[] {
  const bins = Math.max(1, Math.floor(room / 3));
  const shares = [0, 1].map(() => new Float64Array(stages * bins));
  for (let index = 0; index < operations.start.length; index += 1) {
    const first = (operations.start[index]! / makespan) * bins;
    const last = (operations.end[index]! / makespan) * bins;
    const row = operations.stage[index]! * bins;
    const share = shares[operations.kind[index]!]!;
    for (let bin = Math.floor(first); bin < Math.min(last, bins); bin += 1) {
      share[row + bin]! += Math.min(last, bin + 1) - Math.max(first, bin);
    }
  }
  const path = (stage: number, kind: number) => {
    let d = "";
    for (let bin = 0; bin < bins; bin += 1) {
      const forward = shares[0]![stage * bins + bin]! * lane;
      const height = shares[kind]![stage * bins + bin]! * lane;
      const bottom = laneTop(stage) + lane - (kind === 1 ? forward : 0);
      if (height > 0.05) d += `M${px(left + (bin * room) / bins)} ${px(bottom)}v${px(-height)}h${px(room / bins)}v${px(height)}z`;
    }
    return d;
  };
  return Array.from(
    { length: stages },
    (_, stage) => svg`
      <path class="forward" d=${path(stage, 0)} />
      <path class="backward" d=${path(stage, 1)} />
      <path fill="url(#hatch)" d=${path(stage, 1)} />`,
  );
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
