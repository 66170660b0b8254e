/** Which layout an all-reduce is drawn in. */

import { cardsOf } from "./cards.js";
import { chordsFigure, chordsHaveRoom } from "./chords.js";
import type { CollectivePicture } from "./chunks.js";
import type { Figure } from "./markup.js";
import { rowsFigure } from "./rank-rows.js";
import { ringFigure, ringHasRoom } from "./ring.js";

/** Narrower figures have rows, whatever is asked for. */
const leastWidth = 560;

/** On a circle where that has room, and else in rows. */
export function circleFigure(picture: CollectivePicture, width: number): Figure {
  const isWide = picture.ranks > 1 && width >= leastWidth;
  const hasRoom = picture.isRing ? ringHasRoom : chordsHaveRoom;
  const card = isWide ? cardsOf(picture).find((one) => hasRoom(picture, one, width)) : undefined;
  if (card === undefined) return rowsFigure(picture, width);
  return (picture.isRing ? ringFigure : chordsFigure)(picture, card, width);
}
