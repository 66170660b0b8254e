/** What goes from rank to rank in a step, as curves with a head at each end that something comes to. */

import type { CollectivePicture, Point } from "./chunks.js";
import { px, svg, type Drawing } from "./markup.js";

export interface Way {
  source: number;
  destination: number;
  /** whether as much goes the other way */
  both: boolean;
  /** `collect` where it is to be reduced, `hand-round` where it replaces, and how it stands out */
  look: string;
}

/** The ways of the last step, those between the same two ranks as one. */
export function waysOf({ state, followed }: CollectivePicture): Way[] {
  const found = new Map<string, Way>();
  for (const { source, destination, cells, reduce, fate } of state.sendings) {
    const aside = followed !== undefined && !cells.includes(followed.chunk);
    const look = [reduce ? "collect" : "hand-round", fate !== "sound" && fate, aside && "aside"].filter(Boolean).join(" ");
    const back = found.get(`${destination} ${source} ${look}`);
    if (back === undefined) found.set(`${source} ${destination} ${look}`, { source, destination, both: false, look });
    else back.both = true;
  }
  return [...found.values()];
}

/** A curve, and the triangles at its ends. */
export interface Curve {
  look: string;
  line: string;
  heads: string;
}

/** Curves that look alike are one path: it is drawn sooner. */
export function curves(all: readonly Curve[]): Drawing[] {
  const looks = [...new Set(all.map(({ look }) => look))];
  return looks.map((look) => {
    const alike = all.filter((one) => one.look === look);
    const [lines, heads] = [alike.map(({ line }) => line).join(""), alike.map((one) => one.heads).join("")];
    return svg`<g class="way ${look}"><path class="line" d=${lines} /><path class="head" d=${heads} /></g>`;
  });
}

/** A triangle with its tip at a point, as a part of a path. */
export function head(tip: Point, direction: Point): string {
  const length = Math.hypot(direction.x, direction.y) || 1;
  const [dx, dy] = [direction.x / length, direction.y / length];
  const corner = (side: number) => `${px(tip.x - 9 * dx - side * dy)} ${px(tip.y - 9 * dy + side * dx)}`;
  return `M${px(tip.x)} ${px(tip.y)}L${corner(4.5)}L${corner(-4.5)}z`;
}
