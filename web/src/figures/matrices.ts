/** A sharded matrix product: the weights and inputs in the colours of the ranks, each rank's output, and the result. */

import { svg, type Drawing } from "./markup.js";
import type { Matrix, Split } from "shardlab";
import { columnsOf } from "../rows.js";
import { frame, rankClass } from "./frame.js";

export interface MatricesPicture {
  w: Matrix;
  x: Matrix;
  split: Split;
  /** each rank's part of the weights, for its extent */
  weightShards: readonly Matrix[];
  partialOutputs: readonly Matrix[];
  result: Matrix;
  summary: string;
}

/** Beyond these nothing is drawn. */
export const mostFeaturesDrawn = 16;
export const mostBatchDrawn = 6;
export const mostRanksDrawn = 8;

const cell = { least: 18, most: 50, height: 30 };
const gap = 34;

/** A block of the picture with its size, so that blocks can be set in lines. */
interface Block {
  width: number;
  height: number;
  /** what stands before it: "·", "=", "+" */
  sign: string;
  draw(x: number, y: number): Drawing;
}

export function drawable({ w, x, weightShards }: MatricesPicture): boolean {
  return (
    Math.max(w.length, columnsOf(w)) <= mostFeaturesDrawn &&
    columnsOf(x) <= mostBatchDrawn &&
    weightShards.length <= mostRanksDrawn
  );
}

export function matricesFigure(picture: MatricesPicture, width: number): Drawing {
  const { w, x, split, weightShards, partialOutputs, result } = picture;
  const across = columnsOf(w) + columnsOf(x) + columnsOf(result);
  const room = width < 560 ? width / columnsOf(w) : (width - 2 * gap - 8) / across;
  const size = Math.max(cell.least, Math.min(cell.most, room - 1));
  const byShard = owner(weightShards.map((shard) => (split === "column" ? shard.length : columnsOf(shard))));
  const whole = (row: number, column: number) => byShard(split === "column" ? row : column);
  const input = (row: number) => (split === "column" ? undefined : byShard(row));
  const output = (row: number) => (split === "column" ? byShard(row) : undefined);
  const first = [
    block(named("W", w), "", w, size, whole),
    block(named("x", x), "·", x, size, input),
  ];
  const joint = split === "column" ? "" : "+";
  const parts = partialOutputs.map((partial, rank) =>
    block(`rank ${rank}`, rank === 0 ? "" : joint, partial, size, () => rank),
  );
  const last = block(named("y", result), "=", result, size, output);
  const [productLines, below] = flow([...first, last], width, 0);
  const caption =
    split === "column" ? "each rank's own rows of y, nothing to add" : "each rank's partial sum of all of y";
  const [partLines, height] = flow(parts, width, below + 30);
  return frame(
    width,
    height,
    picture.summary,
    svg`${productLines}<text class="soft" x="0" y=${below + 14}>${caption}</text>${partLines}`,
  );
}

/** A matrix's name and shape: `W  4×4`. */
function named(name: string, matrix: Matrix): string {
  return `${name}  ${matrix.length}×${columnsOf(matrix)}`;
}

/** Which rank owns an index, given how many each has. */
function owner(extents: readonly number[]): (index: number) => number {
  const ranks = extents.flatMap((extent, rank) => Array.from({ length: extent }, () => rank));
  return (index) => ranks[index]!;
}

function block(
  name: string,
  sign: string,
  matrix: Matrix,
  size: number,
  rankOf: (row: number, column: number) => number | undefined,
): Block {
  const width = Math.max(columnsOf(matrix) * (size + 1), name.length * 7);
  const height = 24 + Math.max(matrix.length, 1) * (cell.height + 1);
  const draw = (x: number, y: number) => {
    const drawn = (value: number, row: number, column: number) => {
      const rank = rankOf(row, column);
      const left = x + column * (size + 1);
      const top = y + 24 + row * (cell.height + 1);
      const text = String(value).replace("-", "−");
      return svg`
        <rect class=${rank === undefined ? "cell" : `shard ${rankClass(rank)}`} x=${left} y=${top}
          width=${size} height=${cell.height} rx="3" />
        <text class="value ${text.length * 8 > size ? "tiny" : ""}" x=${left + size / 2} y=${top + 20}>${text}</text>`;
    };
    const cells = matrix.map((values, row) => Array.from(values, (value, column) => drawn(value, row, column)));
    return svg`<text class="name" x=${x} y=${y + 15}>${name}</text>${
      matrix.length === 0 ? svg`<text class="soft small" x=${x} y=${y + 40}>empty</text>` : cells
    }`;
  };
  return { width, height, sign, draw };
}

/** Sets blocks in lines as words are set; gives the drawing and where it ends. */
function flow(blocks: readonly Block[], width: number, top: number): [Drawing[], number] {
  const drawn: Drawing[] = [];
  let x = 0;
  let y = top;
  let tallest = 0;
  for (const one of blocks) {
    const lead = one.sign === "" ? (x === 0 ? 0 : 14) : gap;
    if (x > 0 && x + lead + one.width > width) {
      x = 0;
      y += tallest + 12;
      tallest = 0;
    }
    const indent = x === 0 && one.sign === "" ? 0 : lead;
    if (one.sign !== "") {
      drawn.push(
        svg`<text class="sign" x=${x + indent / 2} y=${y + 24 + (one.height - 24) / 2 + 6}>${one.sign}</text>`,
      );
    }
    drawn.push(one.draw(x + indent, y));
    x += indent + one.width;
    tallest = Math.max(tallest, one.height);
  }
  return [drawn, y + tallest + 12];
}
