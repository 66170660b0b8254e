/**
 * How high each widget is as it starts, so that a page or a frame can keep that room until it is there. The controls stand
 * beside the figure in a wide window, and below it in a narrow one. A test measures them.
 */

/** In CSS pixels. */
export interface Room {
  /** in a window of 390 pixels */
  phone: number;
  /** in one of 720, as a frame in a column of notes is */
  narrow: number;
  /** in a column of 720 pixels in a wide window */
  column: number;
  /** in all of 1200 pixels */
  wide: number;
}

/** By widget. */
export const rooms: Readonly<Record<string, Room>> = {
  "all-reduce": { phone: 2310, narrow: 2110, column: 1700, wide: 1380 },
  "all-reduce-cost": { phone: 1390, narrow: 1130, column: 810, wide: 660 },
  crossover: { phone: 2010, narrow: 1920, column: 1630, wide: 1390 },
  "nccl-tuning": { phone: 1860, narrow: 1570, column: 1020, wide: 990 },
  "data-parallel": { phone: 1300, narrow: 1080, column: 1030, wide: 910 },
  "tensor-parallel": { phone: 2120, narrow: 1540, column: 1290, wide: 1130 },
  "tensor-parallel-cost": { phone: 2530, narrow: 2230, column: 1700, wide: 1240 },
  bubble: { phone: 1320, narrow: 1120, column: 1010, wide: 850 },
  pipeline: { phone: 2810, narrow: 2460, column: 1990, wide: 1490 },
  zero: { phone: 2200, narrow: 1840, column: 1660, wide: 1300 },
  memory: { phone: 2510, narrow: 2160, column: 1670, wide: 1280 },
  measure: { phone: 1420, narrow: 1110, column: 1080, wide: 810 },
  verify: { phone: 1560, narrow: 1310, column: 1220, wide: 1020 },
};

/** From this width of a window on, controls stand beside the figure: as in widget/widths.css. */
const wideFrom = 861;
/** Of a frame that is as wide as its column. */
const columnWidth = 720;
const phoneWidth = 390;

/** The height of a frame of a width, or of a column's where none is given. */
export function frameHeight(id: string, width = columnWidth): number {
  const { phone, narrow, wide } = roomOf(id);
  if (width >= wideFrom) return wide;
  const part = Math.min(Math.max((width - phoneWidth) / (columnWidth - phoneWidth), 0), 1);
  return Math.round((phone + part * (narrow - phone)) / 10) * 10;
}

export function roomOf(id: string): Room {
  const room = rooms[id];
  if (room === undefined) throw new Error(`How high ${id} is has not been measured.`);
  return room;
}
