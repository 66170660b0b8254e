/** A pipeline in time: a row a stage, a cell an operation, an empty dotted lane where a stage waits. */

import type { OperationColumns } from "shardlab";
import { significant } from "../format.js";
import type { Amounts } from "../pipeline-amounts.js";
import type { Zoom } from "../pipeline-zoom.js";
import { say, word } from "../words.js";
import { frame, hatch, legendRows, type Legend, type LegendRoom } from "./frame.js";
import { heldBand, heldHeight, heldPlot } from "./held.js";
import { letters } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";
import { cells, collected, lanes, lastEnds, outlined, shortest, syncs, within, type Lanes } from "./operations.js";

/** A schedule that was executed, and what is written about it. */
export interface Executed {
  name: string;
  /** the idle share of all time, with its unit */
  idle: string;
  makespan: number;
  operations: OperationColumns;
  peakInFlight: ArrayLike<number>;
  /** what a chunk's activations count for in the picture's amounts */
  chunkSize: number;
  /** a makespan that no order of these operations can beat */
  lowerBound: number;
  /** operations that are outlined, by their index */
  marked?: ArrayLike<number>;
  /** what each stage holds at the moment that is shown */
  held?: ArrayLike<number>;
}

export interface GanttPicture {
  stages: number;
  /** one above the other, on one axis of time */
  schedules: readonly Executed[];
  /** whether each stage's work is pushed together, and its idle time slid to the end */
  collected: boolean;
  /** up to which moment the schedules have run; all of them where left out */
  now?: number;
  zoom: Zoom;
  /** what a stage takes after its last operation */
  sync: number;
  /** how activations are written */
  amounts: Amounts;
  /** what the operations take */
  legend: readonly Legend[];
  summary: string;
}

/** Beyond this many cells in all operations are not numbered. */
export const mostCells = 600;
/** Beyond these nothing is drawn. */
export const mostStagesDrawn = 64;
export const mostOperationsDrawn = 1_000_000;

/** A figure that is wider scrolls in its own frame, and no further than this. */
const mostWidth = 1200;
/** The shortest operation that can still be read. */
const leastCell = 10.5;

/** Where a schedule's lanes are in the figure. */
export interface Place {
  narrow: boolean;
  wide: number;
  left: number;
  right: number;
  /** of a block, above its lanes */
  head: number;
  pitch: number;
  lane: number;
  block: number;
  scale: number;
  /** the most that any stage of any schedule holds, as an amount */
  mostHeld: number;
}

const head = 26;
/** Above the lanes, where a line has a name. */
const boundHeight = 18;
const axis = 22;

export function drawable({ stages, schedules }: GanttPicture): boolean {
  return stages <= mostStagesDrawn && schedules.every(({ operations }) => operations.start.length <= mostOperationsDrawn);
}

/** Whether single operations are seen in the part of the time that is shown. */
export function numbered(picture: GanttPicture): boolean {
  return inCells(zoomed(picture));
}

/** Whether single operations are drawn. */
export function inCells({ schedules }: GanttPicture): boolean {
  return schedules.reduce((sum, { operations }) => sum + operations.start.length, 0) <= mostCells;
}

/** The longest of the schedules, which share one axis. */
export function longest({ schedules }: Pick<GanttPicture, "schedules">): number {
  return Math.max(...schedules.map(({ makespan }) => makespan));
}

/** The picture of a part of the time: its operations begin with it. */
function zoomed(picture: GanttPicture): GanttPicture {
  const { share, from } = picture.zoom;
  if (share === 1) return picture;
  const [start, room] = [from * longest(picture), share * longest(picture)];
  return {
    ...picture,
    ...(picture.now !== undefined && { now: Math.min(Math.max(picture.now - start, 0), room) }),
    schedules: picture.schedules.map((one) => ({
      ...one,
      operations: within(one.operations, start, start + room),
      makespan: Math.min(Math.max(one.makespan - start, 0), room),
      lowerBound: one.lowerBound - start,
      marked: [],
    })),
  };
}

/** @param held pixels of a unit of time; as many as the width has room for where left out */
function place(picture: GanttPicture, whole: GanttPicture, width: number, held?: number): Place {
  const { stages, schedules } = picture;
  const narrow = width < 560;
  const ofBytes = picture.amounts.unit === undefined ? 0 : 16;
  const [left, right] = narrow ? [54, 26 + ofBytes] : [66, 44 + ofBytes];
  const most = whole.zoom.share * longest(whole);
  const least = Math.min(...schedules.map((one) => shortest(one)));
  const readable = left + right + (most / least) * leastCell;
  // A share of the whole is to be seen at once.
  const scrolls = !picture.collected && inCells(picture) && readable <= mostWidth;
  const wide = Math.max(width, held !== undefined ? left + right + most * held : scrolls ? Math.ceil(readable) : 0);
  const single = schedules.length === 1 && !narrow;
  const pitch = stages <= 4 ? (single ? 52 : 36) : stages <= 8 ? (single ? 38 : 30) : stages <= 16 ? 22 : 14;
  const plot = picture.collected ? 0 : heldHeight;
  const top = head + (schedules.some((one) => hasBound(picture, one)) ? boundHeight : 0);
  return {
    narrow,
    wide,
    left,
    right: wide - right,
    head: top,
    pitch,
    lane: pitch - (stages <= 8 ? 6 : 3),
    block: top + stages * pitch + plot + 14,
    scale: held ?? (wide - left - right) / most,
    mostHeld: Math.max(...schedules.map(({ peakInFlight, chunkSize }) => chunkSize * Math.max(...Array.from(peakInFlight)))),
  };
}

/** What is drawn of a picture, and where. */
export interface GanttLayout {
  picture: GanttPicture;
  at: Place;
  key: LegendRoom;
}

export function ganttLayout(whole: GanttPicture, width: number, held?: number): GanttLayout {
  const picture = zoomed(whole);
  const at = place(picture, whole, width, held);
  return { picture, at, key: { left: 0, top: picture.schedules.length * at.block + axis, width: at.wide } };
}

/** The lanes of one of the schedules. */
export function lanesOf({ picture, at }: GanttLayout, index: number): Lanes {
  const { left, pitch, lane, scale } = at;
  return { left, top: index * at.block + at.head, pitch, lane, scale, stages: picture.stages };
}

/** @param held pixels of a unit of time, where the picture keeps its scale whatever it shows */
export function ganttFigure(whole: GanttPicture, width: number, held?: number): Figure {
  const layout = ganttLayout(whole, width, held);
  const { picture, at } = layout;
  const start = whole.zoom.from * longest(whole);
  const { schedules, legend, summary } = picture;
  const bottom = schedules.length * at.block;
  const key = legendRows(legend, layout.key);
  return frame(
    at.wide,
    bottom + axis + key.height,
    summary,
    svg`${hatch}
      ${schedules.map((_, index) => block(layout, index, whole.schedules[index]!, start))}
      ${ticks(start, (at.right - at.left) / at.scale).map(
        (time) => svg`<text class="soft small center" x=${at.left + (time - start) * at.scale} y=${bottom + 4}>${significant(time, 6)}</text>`,
      )}
      ${key.content}`,
  );
}

/** One schedule: its name, its lanes and what its stages hold. */
function block(layout: GanttLayout, index: number, whole: Executed, start: number): Drawing {
  const { picture, at } = layout;
  const { stages, collected: pushed, now } = picture;
  const schedule = picture.schedules[index]!;
  const room = lanesOf(layout, index);
  const top = room.top - at.head;
  const operations = pushed ? collected(schedule.operations) : schedule.operations;
  const bottom = room.top + stages * at.pitch;
  return svg`
    <text class="name" x="0" y=${top + 14}>${say`${schedule.name}: ${schedule.idle} idle`}</text>
    <text class="soft small end" x=${at.wide} y=${top + 14}>${heading(picture.amounts, schedule.held !== undefined)}</text>
    ${rows(schedule, room, at, picture.amounts)}
    ${inCells(picture) ? cells(operations, room) : lanes(schedule, operations, room)}
    ${syncs(lastEnds(pushed ? operations : whole.operations, stages), start, schedule.makespan, picture.sync, room)}
    ${schedule.marked === undefined || schedule.marked.length === 0 || pushed ? "" : outlined(operations, schedule.marked, room)}
    ${hasBound(picture, schedule) ? boundLine(schedule, whole, room, at) : ""}
    ${pushed ? idleBlock(schedule, operations, picture.sync, room) : heldPlot(whole, room, { ...at, top: bottom, most: at.mostHeld, from: start }, picture.amounts)}
    ${now === undefined || pushed ? "" : playhead(at, now, [[room.top, bottom], heldBand(bottom)])}`;
}

/** Over what stands at the lanes' ends. */
function heading({ unit }: Amounts, atMoment: boolean): string {
  if (unit === undefined) return atMoment ? word("in flight") : word("most in flight");
  return atMoment ? say`held, ${unit}` : say`most held, ${unit}`;
}

function rows(
  { makespan, held, peakInFlight, chunkSize }: Executed,
  { left, top, pitch, lane, scale, stages }: Lanes,
  { wide, narrow }: Place,
  { write }: Amounts,
): Drawing[] {
  return Array.from({ length: stages }, (_, stage) => {
    const y = top + stage * pitch;
    const text = pitch < 20 || narrow ? "small" : "";
    return svg`<text class="soft ${text}" x="0" y=${y + lane / 2 + 5}>${say`stage ${stage}`}</text>
      <rect class="bubble" x=${left} y=${y} width=${makespan * scale} height=${lane} rx="3" />
      <text class="name end ${text}" x=${wide} y=${y + lane / 2 + 5}>${write(chunkSize * (held?.[stage] ?? peakInFlight[stage]!))}</text>`;
  });
}

/** The idle time of all stages as one part of the whole, with its share written on it where there is room. */
function idleBlock(
  { idle, makespan }: Executed,
  { end }: OperationColumns,
  sync: number,
  { left, top, pitch, lane, scale, stages }: Lanes,
) {
  const work = end.reduce((most, time) => Math.max(most, time), 0) + sync;
  const width = (makespan - work) * scale;
  if (width < 0.5) return "";
  const height = (stages - 1) * pitch + lane;
  const [x, y] = [left + work * scale, top + height / 2];
  const flat = width >= idle.length * 11;
  const turned = !flat && width >= 18 && height >= idle.length * 11;
  const middle = x + width / 2;
  return svg`<rect class="bubble collected" x=${x} y=${top} width=${width} height=${height} rx="3" />
    ${flat ? svg`<text class="middle" x=${middle} y=${y + 6}>${idle}</text>` : ""}
    ${turned ? svg`<text class="middle" transform="translate(${middle + 6} ${y}) rotate(-90)">${idle}</text>` : ""}`;
}

/** Whether the schedule could end before it does, at a time that is shown. */
function hasBound({ collected: pushed }: GanttPicture, { lowerBound, makespan }: Executed): boolean {
  return !pushed && lowerBound >= 0 && lowerBound < makespan - 1e-9 * makespan;
}

/** Where the schedule could end at best, with its name in a row of its own: beside it stand others on either side. */
function boundLine({ lowerBound }: Executed, whole: Executed, { left, top, pitch, scale, stages }: Lanes, { wide }: Place): Drawing {
  const x = left + lowerBound * scale;
  const name = say`lower bound ${significant(whole.lowerBound, 6)}`;
  const half = letters(name) * 3.3;
  return svg`<path class="mark bound" d="M${x} ${top - 4}V${top + stages * pitch}" />
    <text class="soft small center" x=${Math.min(Math.max(x, half), wide - half)} y=${top - 9}>${name}</text>`;
}

/** A line at the moment, and a veil over what is still to come. */
function playhead({ left, right, scale }: Place, now: number, bands: readonly (readonly [number, number])[]) {
  const x = left + now * scale;
  return bands.map(
    ([top, bottom]) => svg`
      <rect class="veil" x=${x} y=${top - 2} width=${Math.max(right - x, 0) + 2} height=${bottom - top + 4} />
      <path class="mark now" d="M${x} ${top - 4}V${bottom + 2}" />`,
  );
}

/** Round times from `start` on. */
function ticks(start: number, length: number): number[] {
  const rough = length / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough)!;
  const first = Math.ceil(start / step - 1e-9);
  const last = Math.floor((start + length) / step + 1e-9);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => (first + index) * step);
}
