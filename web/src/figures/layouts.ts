/** Which layout an all-reduce is drawn in. */

import { cardsOf, type Card } from "./cards.js";
import type { CollectivePicture } from "./chunks.js";
import type { Figure } from "./markup.js";
import { rowsFigure } from "./rank-rows.js";

/** Narrower figures have rows, whatever is asked for. */
const leastWidth = 560;

/** Ranks on a circle: whether cards of this size have room there, and how it is drawn with them. */
export interface Circle {
  hasRoom(picture: CollectivePicture, card: Card, width: number): boolean;
  draw(picture: CollectivePicture, card: Card, width: number): Figure;
}

/** On a circle where that has room, and else in rows. */
export function circleFigure(picture: CollectivePicture, width: number, circle: Circle): Figure {
  const isWide = picture.ranks > 1 && width >= leastWidth;
  const card = isWide ? cardsOf(picture).find((one) => circle.hasRoom(picture, one, width)) : undefined;
  return card === undefined ? rowsFigure(picture, width) : circle.draw(picture, card, width);
}
