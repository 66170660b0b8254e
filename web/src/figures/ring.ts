/** The ring all-reduce as a ring: every rank with its chunks, and the chunks that the last step moved. */

import type { Sending } from "../collective-state.js";
import { say, word } from "../words.js";
import type { Card } from "./cards.js";
import { digit, standing, type CollectivePicture, type Point } from "./chunks.js";
import { frame, rankClass } from "./frame.js";
import type { Circle } from "./layouts.js";
import { letters } from "./lettering.js";
import { px, svg, type Drawing, type Figure } from "./markup.js";
import { sentBar, sentHeight } from "./sent.js";

export const ring: Circle = { hasRoom: ringHasRoom, draw: ringFigure };

/** Where the cards' middles are, every half turn from one rank to the next: a rank, a link, a rank, … */
function places(ranks: number, card: Card, width: number): Point[] {
  const radius = { x: (width - card.width) / 2 - 6, y: (card.tall - card.height) / 2 - 5 };
  return Array.from({ length: 2 * ranks }, (_, half) => {
    const angle = (Math.PI * half) / ranks - Math.PI / 2;
    return { x: width / 2 + radius.x * Math.cos(angle), y: card.tall / 2 + radius.y * Math.sin(angle) };
  });
}

/** Whether the cards, what is between them and the text in the middle stand clear of each other. */
function ringHasRoom({ ranks }: CollectivePicture, card: Card, width: number): boolean {
  const around = places(ranks, card, width).map((place, half) => ({ ...place, ...(half % 2 === 0 ? size(card) : card.badge) }));
  const boxes = [...around, { x: width / 2, y: card.tall / 2, width: 200, height: card.values ? 50 : 120 }];
  return boxes.every((one, index) =>
    boxes
      .slice(index + 1)
      .every(
        (other) =>
          Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
          Math.abs(one.y - other.y) >= (one.height + other.height) / 2,
      ),
  );
}

function size({ width, height }: Card): { width: number; height: number } {
  return { width, height };
}

function ringFigure(picture: CollectivePicture, card: Card, width: number): Figure {
  const height = card.tall;
  const points = places(picture.ranks, card, width);
  const place = (half: number) => points[half % points.length]!;
  const center = { x: width / 2, y: height / 2 };
  const ranks = Array.from({ length: picture.ranks }, (_, rank) => rank);
  const arc = (rank: number) => {
    const [from, over, to] = [place(2 * rank), place(2 * rank + 1), place(2 * rank + 2)];
    const bend = { x: 2 * over.x - (from.x + to.x) / 2, y: 2 * over.y - (from.y + to.y) / 2 };
    return `M${px(from.x)} ${px(from.y)}Q${px(bend.x)} ${px(bend.y)} ${px(to.x)} ${px(to.y)}`;
  };
  return frame(
    width,
    height + 8 + sentHeight,
    picture.summary,
    svg`
      ${ranks.map((rank) => link(picture, rank, arc(rank)))}
      <text class="middle" x=${center.x} y=${center.y - 4}>${say`step ${picture.step} of ${picture.steps}`}</text>
      <text class="middle soft" x=${center.x} y=${center.y + 18}>${picture.phase}</text>
      ${
        card.values
          ? ""
          : svg`<text class="soft small center" x=${center.x} y=${center.y + 42}>${word("each bar is a chunk,")}</text>
            <text class="soft small center" x=${center.x} y=${center.y + 58}>${word("filled as far as it is summed")}</text>`
      }
      ${ranks.map((rank) => {
        const { x, y } = place(2 * rank);
        return svg`<g transform="translate(${px(x - card.width / 2)} ${px(y - card.height / 2)})">${card.draw(rank)}</g>`;
      })}
      ${picture.state.sendings.map((sending) => {
        const [from, at, to] = [2 * sending.source, 2 * sending.source + 1, 2 * sending.source + 2].map(place);
        const way = { x: to!.x - from!.x, y: to!.y - from!.y };
        const moved = `${px(from!.x - at!.x)} ${px(from!.y - at!.y)}`;
        return svg`<g class="badge ${rankClass(sending.source)} ${standing(picture, sending.cells[0]!)} ${sending.fate}" data-from=${moved}>${
          card.values ? badge(carried(picture, sending), at!, way) : arrow(at!, way, 0)
        }</g>`;
      })}
      ${sentBar(picture.sent, height + 8, width)}
    `,
  );
}

/** The value on a link. Of an old one that was added, no rank holds it any more. */
function carried({ label }: CollectivePicture, { source, destination, cells, reduce, fate }: Sending): string {
  if (fate === "old") return reduce ? word("old") : label(destination, cells[0]!);
  return label(source, cells[0]!);
}

/** The link from a rank to the next, and how often the followed chunk has passed it. */
function link({ followed }: CollectivePicture, rank: number, path: string): Drawing {
  const passed = (followed?.way ?? []).filter(({ source }) => source === rank).length;
  return svg`<path class="link ${passed > 0 ? "passed" : ""}" d=${path} />
    ${passed > 1 ? svg`<path class="link again" d=${path} />` : ""}`;
}

/** A chunk on its link, with an arrow that way. */
function badge(text: string, at: Point, way: Point): Drawing {
  const width = letters(text) * digit + 16;
  const length = Math.hypot(way.x, way.y) || 1;
  const [dx, dy] = [Math.abs(way.x) / length, Math.abs(way.y) / length];
  const reach = Math.min(width / 2 / Math.max(dx, 1e-9), 14 / Math.max(dy, 1e-9)) + 9;
  return svg`${arrow(at, way, reach)}
    <rect x=${px(at.x - width / 2)} y=${px(at.y - 14)} width=${px(width)} height="28" rx="7" />
    <text class="value" x=${px(at.x)} y=${px(at.y + 5)}>${text}</text>`;
}

/** @param reach how far from the middle of its link */
function arrow({ x, y }: Point, way: Point, reach: number): Drawing {
  const length = Math.hypot(way.x, way.y) || 1;
  const turned = (Math.atan2(way.y, way.x) * 180) / Math.PI;
  const at = `${px(x + (way.x / length) * reach)} ${px(y + (way.y / length) * reach)}`;
  return svg`<path class="arrow" d="M-3 -5L11 0L-3 5z" transform="translate(${at}) rotate(${px(turned)})" />`;
}
