/** The collectives of a step, layer by layer: in their order, without their times. */

import { phrases } from "../format.js";
import { word } from "../words.js";
import { svg, type Drawing } from "./markup.js";

/** One layer's pass, or what a step ends with; or layers that are left out. */
export interface Column {
  label: string;
  kind: "forward" | "backward" | "step" | "left-out";
  gathers: boolean;
  scatters: boolean;
}

export interface LayersPicture {
  /** lines of phrases, which a narrow figure writes below each other */
  title: readonly (readonly string[])[];
  columns: readonly Column[];
}

export interface LayersRoom {
  left: number;
  right: number;
  top: number;
  narrow: boolean;
}

const lineHeight = 17;
const lane = 24;
const laneGap = 4;
/** The room of layers that are left out, and of a step's end, against that of a layer. */
const rooms: Readonly<Record<Column["kind"], number>> = { forward: 1, backward: 1, step: 1.5, "left-out": 0.55 };

function titleLines({ title }: LayersPicture, narrow: boolean): readonly string[] {
  return narrow ? title.flat() : title.map((line) => phrases(...line));
}

export function layersHeight(picture: LayersPicture, narrow: boolean): number {
  return titleLines(picture, narrow).length * lineHeight + 3 * (lane + laneGap);
}

export function layersDrawing(picture: LayersPicture, { left, right, top, narrow }: LayersRoom): Drawing {
  const { columns } = picture;
  const lines = titleLines(picture, narrow);
  const unit = (right - left) / columns.reduce((sum, { kind }) => sum + rooms[kind], 0);
  const lanes = top - 8 + lines.length * lineHeight;
  const laneAt = (index: number) => lanes + index * (lane + laneGap);
  const names = narrow ? ["", "AG", "RS"] : ["", word("all-gather"), word("reduce-scatter")];
  let x = left;
  const drawn = columns.map((one) => {
    const start = x;
    x += rooms[one.kind] * unit;
    return column(one, start, x - start - 2, laneAt);
  });
  return svg`<g class="layers">
    ${lines.map((text, index) => svg`<text class="soft small" x=${narrow ? 0 : 8} y=${top + index * lineHeight}>${text}</text>`)}
    ${names.map((name, index) => (name === "" ? "" : svg`<text class="soft small" x=${narrow ? 0 : 8} y=${laneAt(index) + 16}>${name}</text>`))}
    ${drawn}
  </g>`;
}

function column({ label, kind, gathers, scatters }: Column, x: number, width: number, laneAt: (index: number) => number): Drawing {
  if (kind === "left-out") {
    return svg`<text class="soft center" x=${x + width / 2} y=${laneAt(0) + 16}>…</text>`;
  }
  const pass = kind === "step" ? "neutral" : kind;
  return svg`${cell(pass, label, x, laneAt(0), width)}
    ${gathers ? cell(pass, "AG", x, laneAt(1), width) : ""}
    ${scatters ? cell(pass, "RS", x, laneAt(2), width) : ""}`;
}

function cell(pass: string, label: string, x: number, y: number, width: number): Drawing {
  const shape = (fill?: string) =>
    svg`<rect class="block" fill=${fill} x=${x} y=${y} width=${width} height=${lane} rx="3" />`;
  return svg`<g class=${pass}>${shape()}${pass === "backward" ? shape("url(#hatch)") : ""}
    <text class="tiny center" x=${x + width / 2} y=${y + 16}>${label}</text></g>`;
}
