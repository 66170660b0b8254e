/** Arcs at the left of rows of ranks, from each that sends in a step to where it sends. */

import type { CollectivePicture } from "./chunks.js";
import { px, type Drawing } from "./markup.js";
import { curves, head, waysOf, type Curve } from "./ways.js";

/** From the middle of a row to where an arc to another row leaves it. */
const offset = 6;

/**
 * @param right where the arcs end
 * @param width that they have
 * @param middle of a rank's row
 */
export function arcs(picture: CollectivePicture, right: number, width: number, middle: (rank: number) => number): Drawing[] {
  const longest = Math.max(1, ...picture.pairs.map(([one, other]) => Math.abs(one - other)));
  const drawn = waysOf(picture).map(({ source, destination, both, look }): Curve => {
    const down = destination > source ? 1 : -1;
    const [from, to] = [middle(source) + down * offset, middle(destination) - down * offset];
    const share = 0.4 + (0.6 * Math.abs(destination - source)) / longest - (look.startsWith("collect") ? 0 : 0.12);
    const reach = px(right - (share * width * 4) / 3);
    const tip = (y: number) => head({ x: right, y }, { x: 1, y: 0 });
    return {
      look,
      line: `M${right} ${px(from)}C${reach} ${px(from)} ${reach} ${px(to)} ${right - 4} ${px(to)}`,
      heads: tip(to) + (both ? tip(from) : ""),
    };
  });
  return curves(drawn);
}
