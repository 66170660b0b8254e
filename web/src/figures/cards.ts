/** A rank as a card, for the layouts in which ranks stand on a circle: with values where they fit, or with gauges. */

import { cells, digit, gauges, hopsAt, longestLabel, rankName, type CollectivePicture, type Travel } from "./chunks.js";
import { svg, type Drawing } from "./markup.js";

/** A rank: its card, and what is on it. */
export interface Card {
  width: number;
  height: number;
  /** false where there are bars in place of values */
  values: boolean;
  /** what a link needs for what it carries */
  badge: { width: number; height: number };
  /** of the whole circle */
  tall: number;
  draw(rank: number, travel?: Travel): Drawing;
}

/** The cards that a picture may have, the most telling first. */
export function cardsOf(picture: CollectivePicture): Card[] {
  return [valueCard(picture), gaugeCard(picture, true), gaugeCard(picture, false)];
}

function cardClass({ differs }: CollectivePicture, rank: number): string {
  return differs(rank) ? "card apart" : "card";
}

/** A rank's name with its sign, and beside it the hops of a followed chunk. */
const nameWidth = { alone: 96, withHops: 182 };

function valueCard(picture: CollectivePicture): Card {
  const least = picture.followed === undefined ? nameWidth.alone : nameWidth.withHops;
  const size = Math.max(38, longestLabel(picture) * digit + 10, (least - 17) / picture.chunks - 3);
  const width = picture.chunks * (size + 3) + 17;
  const draw = (rank: number, travel?: Travel) => svg`
    <rect class=${cardClass(picture, rank)} width=${width} height="74" rx="10" />
    ${rankName(picture, rank, 10, 17)}
    <text class="soft small end" x=${width - 10} y="17">${hopsAt(picture, rank)}</text>
    ${cells(picture, rank, { x: 10, y: 26 }, { width: size, values: true }, travel)}`;
  const badge = { width: longestLabel(picture) * digit + 16, height: 28 };
  return { width, height: 74, values: true, badge, tall: 400, draw };
}

/** @param large with room for the hops of a followed chunk */
function gaugeCard(picture: CollectivePicture, large: boolean): Card {
  const strip = large ? { width: picture.followed === undefined ? 144 : 168, height: 26 } : { width: 80, height: 18 };
  const pitch = strip.width / picture.chunks;
  const [width, height] = [strip.width + 15, strip.height + 30];
  const draw = (rank: number) => svg`
    <rect class=${cardClass(picture, rank)} width=${width} height=${height} rx="8" />
    ${rankName(picture, rank, 8, 17)}
    <text class="soft small end" x=${width - 8} y="17">${large ? hopsAt(picture, rank) : ""}</text>
    ${gauges(picture, rank, { x: 8, y: 24 }, pitch, strip.height)}`;
  return { width, height, values: false, badge: { width: 4, height: 4 }, tall: 520, draw };
}
