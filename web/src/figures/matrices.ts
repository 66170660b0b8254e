/** A sharded matrix product: whole, in the colours of the ranks, and below it each rank's output and what joins them. */

import type { Matrix, Split } from "shardlab";
import { columnsOf } from "../rows.js";
import { say, word } from "../words.js";
import { frame, rankClass } from "./frame.js";
import { letters } from "./lettering.js";
import { svg, type Drawing, type Figure } from "./markup.js";

export interface MatricesPicture {
  w: Matrix;
  x: Matrix;
  split: Split;
  /** each rank's part of the weights, for its extent */
  weightShards: readonly Matrix[];
  partialOutputs: readonly Matrix[];
  /** what the ranks have at the end */
  result: Matrix;
  /** the product, computed in one place */
  reference: Matrix;
  /** what makes the result of the ranks' outputs, in words, a line each */
  joining: readonly string[];
  /** what the matrices are called; W, x and y where left out */
  names?: { w: string; x: string; y: string };
  summary: string;
}

/** Beyond these nothing is drawn. */
export const mostFeaturesDrawn = 16;
export const mostBatchDrawn = 6;
export const mostRanksDrawn = 8;

const cell = { least: 18, most: 50, height: 30, low: 20 };
/** Width of a digit in a cell, and of one that is set small. */
const digit = 9;
const tinyDigit = 7.3;
/** Matrices of more rows have lower cells. */
const mostHighRows = 8;
/** Between blocks, for a sign. */
const gap = (width: number) => (width < 560 ? 22 : 34);

interface CellSize {
  width: number;
  height: number;
}

/** A block of the picture with its size, so that blocks can be set in lines. */
interface Block {
  width: number;
  height: number;
  /** what stands before it: "·", "=", "+", "→" */
  sign: string;
  /** whether it stands in the middle of its line, not at its top */
  middle?: boolean;
  draw(x: number, y: number): Drawing;
}

export function drawable({ w, x, weightShards }: MatricesPicture): boolean {
  return (
    Math.max(w.length, columnsOf(w)) <= mostFeaturesDrawn &&
    columnsOf(x) <= mostBatchDrawn &&
    weightShards.length <= mostRanksDrawn
  );
}

export function matricesFigure(picture: MatricesPicture, width: number): Figure {
  const { w, x, split, weightShards, partialOutputs, result, reference, names = { w: "W", x: "x", y: "y" } } = picture;
  const across = columnsOf(w) + columnsOf(x) + columnsOf(result);
  const room = width < 560 ? width / columnsOf(w) : (width - 2 * gap(width) - 8) / across;
  const size = {
    width: Math.max(cell.least, Math.min(cell.most, room - 1)),
    height: Math.max(w.length, x.length) > mostHighRows ? cell.low : cell.height,
  };
  const byShard = owner(weightShards.map((shard) => (split === "column" ? shard.length : columnsOf(shard))));
  const product = [
    block(named(names.w, w), "", w, size, (row, column) => byShard(split === "column" ? row : column)),
    block(named(names.x, x), "·", x, size, (row) => (split === "column" ? undefined : byShard(row))),
    block(say`${names.w}·${names.x}, in one place`, "=", reference, size, () => undefined),
  ];
  const joint = split === "column" ? "" : "+";
  const parts = partialOutputs.map((partial, rank) =>
    block(say`rank ${rank}`, rank === 0 ? "" : joint, partial, size, () => rank),
  );
  const output = (row: number) => (split === "column" ? byShard(row) : undefined);
  const joined = [badge(picture.joining), block(named(names.y, result), "→", result, size, output)];
  const [productLines, below] = flow(product, width, 0);
  const caption = split === "column" ? say`each rank's own rows of ${names.y}` : say`each rank's partial sum of all of ${names.y}`;
  const [partLines, height] = flow([...parts, ...joined], width, below + 30);
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
  size: CellSize,
  rankOf: (row: number, column: number) => number | undefined,
): Block {
  const texts = matrix.map((row) => Array.from(row, (value) => String(value).replace("-", "−")));
  const longest = Math.max(1, ...texts.flat().map((text) => text.length));
  const across = Math.max(size.width, tinyDigit * longest);
  const width = Math.max(columnsOf(matrix) * (across + 1), letters(name) * 8);
  const height = 24 + Math.max(matrix.length, 1) * (size.height + 1);
  const draw = (x: number, y: number) => {
    const drawn = (text: string, row: number, column: number) => {
      const rank = rankOf(row, column);
      const left = x + column * (across + 1);
      const top = y + 24 + row * (size.height + 1);
      return svg`
        <rect class=${rank === undefined ? "cell" : `shard ${rankClass(rank)}`} x=${left} y=${top}
          width=${across} height=${size.height} rx="3" />
        <text class="value ${text.length * digit > across ? "tiny" : ""}"
          x=${left + across / 2} y=${top + size.height / 2 + 5}>${text}</text>`;
    };
    const cells = texts.map((row, index) => row.map((text, column) => drawn(text, index, column)));
    return svg`<text class="name" x=${x} y=${y + 15}>${name}</text>${
      matrix.length === 0 ? svg`<text class="soft small" x=${x} y=${y + 40}>${word("empty")}</text>` : cells
    }`;
  };
  return { width, height, sign, draw };
}

/** Lines of text in a box: what is done with the blocks before it. */
function badge(lines: readonly string[]): Block {
  const width = Math.max(...lines.map(letters)) * 7.6 + 20;
  const height = 18 * lines.length + 12;
  const draw = (x: number, y: number) => svg`<rect class="card" x=${x} y=${y} width=${width} height=${height} rx="8" />
    ${lines.map(
      (line, index) => svg`<text class="${index === 0 ? "name" : "soft small"} center"
        x=${x + width / 2} y=${y + 19 + 18 * index}>${line}</text>`,
    )}`;
  return { width, height, sign: "→", middle: true, draw };
}

interface Placed {
  block: Block;
  x: number;
  lead: number;
}

/** Sets blocks in lines as words are set; gives the drawing and where it ends. */
function flow(blocks: readonly Block[], width: number, top: number): [Drawing[], number] {
  const lines: Placed[][] = [[]];
  let end = 0;
  for (const block of blocks) {
    let line = lines[lines.length - 1]!;
    const wanted = block.sign === "" ? 14 : gap(width);
    if (line.length > 0 && end + wanted + block.width > width) {
      line = [];
      lines.push(line);
      end = 0;
    }
    const lead = line.length === 0 && block.sign === "" ? 0 : wanted;
    line.push({ block, x: end + lead, lead });
    end += lead + block.width;
  }
  let y = top;
  const drawn = lines.flatMap((line) => {
    const tallest = Math.max(...line.map(({ block }) => block.height));
    const set = line.map((placed) => inLine(placed, y, tallest));
    y += tallest + 12;
    return set;
  });
  return [drawn, y];
}

/** @param tallest height of the line whose top is at `y`; below a matrix's name is its middle */
function inLine({ block, x, lead }: Placed, y: number, tallest: number): Drawing {
  const isText = tallest === block.height && block.middle === true;
  const middle = y + (isText ? tallest / 2 : 24 + (tallest - 24) / 2);
  return svg`${block.sign === "" ? "" : svg`<text class="sign" x=${x - lead / 2} y=${middle + 6}>${block.sign}</text>`}
    ${block.draw(x, block.middle === true ? middle - block.height / 2 : y)}`;
}
