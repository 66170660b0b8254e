/** The part of all time in which a schedule is shown. */

import type { Way } from "./magnify.js";
import { InputError, type Inputs, type Texts } from "./parameter.js";

const mostTimes = 1024;

/** How many times as large the picture can be. */
export const zooms = Array.from({ length: Math.log2(mostTimes) + 1 }, (_, power) => String(2 ** power));

/** Shares of all time, 0 to 1. */
export interface Zoom {
  from: number;
  share: number;
}

export function zoomOf(inputs: Inputs): Zoom {
  const share = 1 / Number(inputs.text("zoom"));
  const percent = inputs.number("from");
  if (!(percent >= 0 && percent <= 100)) throw new InputError("from", inputs.text("from"), "be from 0 to 100");
  return { share, from: Math.min(percent / 100, 1 - share) };
}

/** What the controls say after a way is gone; nothing where it leads nowhere. The middle stays the middle. */
export function zoomed(texts: Texts, way: Way): Texts | undefined {
  const times = Number(texts.zoom);
  const share = 100 / times;
  const from = Math.min(Math.max(Number(texts.from) || 0, 0), 100 - share);
  const resized = (next: number) => window(next, from + (share - 100 / next) / 2);
  switch (way) {
    case "in":
      return times < mostTimes ? resized(times * 2) : undefined;
    case "out":
      return times > 1 ? resized(times / 2) : undefined;
    case "whole":
      return times > 1 ? window(1, 0) : undefined;
    case "back":
      return from > 0 ? window(times, from - share / 4) : undefined;
    case "on":
      return from < 100 - share ? window(times, from + share / 4) : undefined;
  }
}

/** @param from in percent, which may lie beyond what there is */
function window(times: number, from: number): Texts {
  const inside = Math.min(Math.max(from, 0), 100 - 100 / times);
  return { zoom: String(times), from: String(Number(inside.toFixed(4))) };
}
