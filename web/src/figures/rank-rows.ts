/** The ring all-reduce with its ranks below each other: a row a rank, a column a chunk. */

import { cellHeight, cells, digit, hopsAt, longestLabel, rankName, type RingPicture } from "./chunks.js";
import { frame } from "./frame.js";
import { svg, type Figure } from "./markup.js";
import { sentBar, sentHeight } from "./sent.js";

export function rowsFigure(picture: RingPicture, width: number): Figure {
  const narrow = width < 560;
  const left = narrow ? 0 : 84;
  const room = (width - left + 1) / picture.chunks;
  const values = longestLabel(picture) * digit + 6 <= room - 3;
  const size = { width: Math.min(room - 3, 110), values };
  const pitch = cellHeight + (narrow ? 26 : 10);
  const top = 26;
  const position = `step ${picture.step} of ${picture.steps}, ${picture.phase}`;
  const counted = narrow ? "cells count ranks" : `${position}; cells count ranks`;
  const bottom = top + picture.ranks * pitch;
  const row = (rank: number) => {
    const y = top + rank * pitch;
    const hops = hopsAt(picture, rank);
    const nameY = narrow ? y + 9 : hops === "" ? y + 24 : y + 18;
    return svg`${rankName(rank, 0, nameY)}
      <text class="soft small" x=${narrow ? 78 : 0} y=${narrow ? nameY : nameY + 16}>${hops}</text>
      ${cells(picture, rank, { x: left, y: narrow ? y + 20 : y }, size, pitch)}`;
  };
  return frame(
    width,
    bottom + 8 + sentHeight,
    picture.summary,
    svg`
      <text class="soft small" x=${left} y="14">${values ? position : counted}</text>
      ${Array.from({ length: picture.ranks }, (_, rank) => row(rank))}
      ${sentBar(picture.sent, bottom + 8, width)}
    `,
  );
}
