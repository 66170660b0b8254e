/** A rank's cells where there are many: with counts in place of values, and those that look alike as one path. */

import { cell, cellClass, cellHeight, type CellSize, type CollectivePicture, type Point, type Travel } from "./chunks.js";
import { box, px, svg, type Drawing } from "./markup.js";

interface Alike {
  outlines: string;
  shares: string;
  counts: Drawing[];
}

/** What the last step brought stays apart, so that it can be shown moving. */
export function counts(picture: CollectivePicture, rank: number, at: Point, size: CellSize, travel: Travel): Drawing[] {
  const { arrivedFrom, holds } = picture.state;
  const looks = new Map<string, Alike>();
  const apart: Drawing[] = [];
  for (let chunk = 0; chunk < picture.chunks; chunk += 1) {
    const x = at.x + chunk * (size.width + 3);
    if (arrivedFrom(rank, chunk) !== undefined || picture.label(rank, chunk) === "") {
      apart.push(cell(picture, rank, chunk, { x, y: at.y }, size, travel));
      continue;
    }
    const look = cellClass(picture, rank, chunk);
    const alike = looks.get(look) ?? { outlines: "", shares: "", counts: [] };
    const held = holds(rank, chunk).length;
    alike.outlines += rounded(x, at.y, size.width, cellHeight);
    alike.shares += box(x + 4, at.y + cellHeight - 9, ((size.width - 8) * held) / picture.ranks, 4);
    alike.counts.push(svg`<text class="value tiny" x=${px(x + size.width / 2)} y=${at.y + 22}>${held}</text>`);
    looks.set(look, alike);
  }
  const together = [...looks].map(
    ([look, { outlines, shares, counts }]) =>
      svg`<g class=${look}><path class="cell" d=${outlines} /><path class="share" d=${shares} />${counts}</g>`,
  );
  return [...together, ...apart];
}

/** A rectangle with round corners, as a part of a path. */
function rounded(x: number, y: number, width: number, height: number): string {
  const [across, down] = [px(width - 12), px(height - 12)];
  return `M${px(x + 6)} ${px(y)}h${across}q6 0 6 6v${down}q0 6 -6 6h${-across}q-6 0 -6 -6v${-down}q0 -6 6 -6z`;
}
