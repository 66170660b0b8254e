/** A backward in time, and below it the all-reduces of its gradients' buckets. */

import type { GradientBucketsResult } from "shardlab";
import { inText, seconds } from "../format.js";
import { say, word } from "../words.js";
import { frame, hatch, legendRows } from "./frame.js";
import { letters } from "./lettering.js";
import { px, svg, type Drawing, type Figure } from "./markup.js";

export interface BucketsPicture {
  found: GradientBucketsResult;
  summary: string;
}

/** Of more layers or buckets only the whole is drawn. */
export const mostLayersDrawn = 400;
export const mostBucketsDrawn = 400;

/** Beyond so many the lines from layers to buckets would be a hatch. */
const mostGathersDrawn = 16;

/** Narrower ones would not be told apart. */
const leastBucket = 4;

const [lane, gap, thin] = [34, 30, 20];

/** Where the lanes begin, and how times are placed. */
interface Place {
  left: number;
  right: number;
  x(time: number): number;
}

export function bucketsFigure({ found, summary }: BucketsPicture, width: number): Figure {
  const narrow = width < 560;
  const [left, right] = [narrow ? 0 : 92, width - 6];
  const most = Math.max(found.sequentialSeconds, found.stepSeconds) || 1;
  const at: Place = { left, right, x: (time) => left + (time / most) * (right - left) };
  const above = narrow ? 20 : 0;
  const backwardTop = 4 + above;
  const bucketTop = backwardTop + lane + gap + (narrow ? 16 : 0);
  const exposedBottom = bucketTop + lane + 30;
  const plainTop = exposedBottom + 16 + above;
  const axisTop = plainTop + thin + 6;
  // Where it is narrow, above the lane, and at its end: lines from the layers come in at its beginning.
  const label = (text: string, top: number, height: number) =>
    narrow
      ? svg`<text class="soft small end" x=${width} y=${top - 6}>${text}</text>`
      : svg`<text class="soft" x="0" y=${top + height / 2 + 5}>${text}</text>`;
  const key = legendRows(
    [
      { kind: "backward", label: word("backward of a layer") },
      { kind: "bucket", label: word("all-reduce, hidden") },
      { kind: "bucket exposed", label: word("exposed") },
    ],
    { left: 0, top: axisTop + 34, width },
  );
  return frame(
    width,
    axisTop + 34 + key.height,
    summary,
    svg`${hatch}
      ${label(word("backward"), backwardTop, lane)}
      ${layers(found, at, backwardTop)}
      ${gathers(found, at, backwardTop + lane, bucketTop)}
      <g class="strip">${label(word("all-reduces"), bucketTop, lane)}</g>
      <rect class="bubble" x=${left} y=${bucketTop} width=${at.x(found.stepSeconds) - left} height=${lane} rx="3" />
      ${buckets(found, at, bucketTop)}
      ${exposed(found, at, bucketTop + lane, width)}
      ${label(word("no overlap"), plainTop, thin)}
      ${sequential(found, at, plainTop)}
      ${ticks(most, at, axisTop, narrow ? 4 : 8)}
      ${key.content}`,
  );
}

function striped(x: number, y: number, width: number, height: number): Drawing {
  return svg`<rect x=${x} y=${y} width=${width} height=${height} /><rect fill="url(#hatch)" x=${x} y=${y} width=${width} height=${height} />`;
}

function layers({ backward, backwardSeconds }: GradientBucketsResult, { x }: Place, top: number): Drawing {
  const { startSeconds, endSeconds } = backward;
  const number = startSeconds.length;
  const whole = (text: string) => svg`<g class="backward">${striped(x(0), top, x(backwardSeconds) - x(0), lane)}
    ${x(backwardSeconds) - x(0) > 90 ? svg`<text x=${(x(0) + x(backwardSeconds)) / 2} y=${top + lane / 2 + 5}>${text}</text>` : ""}</g>`;
  if (number > mostLayersDrawn || (x(backwardSeconds) - x(0)) / number < 3) return whole(say`${number} layers`);
  const room = (x(backwardSeconds) - x(0)) / number;
  const named = room >= (number > 100 ? 24 : number > 10 ? 14 : 9);
  return svg`<g class="backward">${Array.from({ length: number }, (_, layer) => {
    const [from, to] = [x(startSeconds[layer]!), x(endSeconds[layer]!)];
    return svg`${striped(from, top, to - from, lane)}${named ? svg`<text class="tiny" x=${(from + to) / 2} y=${top + lane / 2 + 4}>${layer}</text>` : ""}`;
  })}</g>`;
}

/** From the layers of a bucket, which is full when the last of them is done, to its all-reduce. */
function gathers({ backward, buckets: all }: GradientBucketsResult, { x }: Place, top: number, bottom: number): Drawing {
  const number = all.bytes.length;
  if (number > mostGathersDrawn) return svg``;
  const paths = Array.from({ length: number }, (_, index) => {
    const from = x(backward.startSeconds[all.lastLayer[index]!]!) + 1.5;
    const to = x(backward.endSeconds[all.firstLayer[index]!]!) - 1.5;
    const start = x(all.startSeconds[index]!);
    return `M${px(from)} ${top + 3}v5H${px(Math.max(to, from))}v-5M${px(Math.max(to, from))} ${top + 8}L${px(start)} ${bottom - 2}`;
  });
  return svg`<path class="gathers" d=${paths.join("")} />`;
}

function buckets({ buckets: all, backwardSeconds, communicationSeconds, stepSeconds }: GradientBucketsResult, place: Place, top: number): Drawing {
  const number = all.bytes.length;
  if (communicationSeconds === 0) return svg``;
  const room = (place.x(communicationSeconds) - place.left) / number;
  if (number > mostBucketsDrawn || room < leastBucket) return spans(all.startSeconds[0]!, stepSeconds, backwardSeconds, place, top, lane, say`${number} buckets`);
  return svg`${Array.from({ length: number }, (_, index) =>
    spans(all.startSeconds[index]!, all.endSeconds[index]!, backwardSeconds, place, top, lane, String(index + 1)),
  )}`;
}

/** An all-reduce in two parts, before and after the end of the backward, its name in the longer one. */
function spans(start: number, end: number, backwardEnd: number, { x }: Place, top: number, height: number, name: string): Drawing {
  const [from, turn, to] = [x(start), x(Math.min(Math.max(backwardEnd, start), end)), x(end)];
  const exposedIsLonger = to - turn > turn - from;
  const [a, b] = exposedIsLonger ? [turn, to] : [from, turn];
  const fits = b - a >= letters(name) * 8 + 4;
  return svg`${turn - from < 0.05 ? "" : svg`<rect class="bucket" x=${from} y=${top} width=${turn - from} height=${height} />`}
    ${to - turn < 0.05 ? "" : svg`<rect class=${to - turn < leastBucket ? "bucket exposed slim" : "bucket exposed"} x=${turn} y=${top} width=${to - turn} height=${height} />`}
    ${fits ? svg`<text class=${exposedIsLonger ? "name center on-accent" : "name center"} x=${(a + b) / 2} y=${top + height / 2 + 5}>${name}</text>` : ""}`;
}

function exposed({ exposedSeconds, backwardSeconds, stepSeconds }: GradientBucketsResult, { x }: Place, top: number, width: number): Drawing {
  const [from, to] = [x(backwardSeconds), x(stepSeconds)];
  if (exposedSeconds <= 1e-9 * stepSeconds) return svg``;
  const text = say`exposed ${inText(seconds(exposedSeconds))}`;
  const half = letters(text) * 3.4;
  return svg`<path class="gathers" d=${`M${px(from)} ${top + 4}v6H${px(to)}v-6`} />
    <text class="small center" x=${Math.min(Math.max((from + to) / 2, half), width - half)} y=${top + 25}>${text}</text>`;
}

/** The same without overlap: the backward, then all that is sent. */
function sequential({ backwardSeconds, sequentialSeconds }: GradientBucketsResult, { x }: Place, top: number): Drawing {
  const [turn, to] = [x(backwardSeconds), x(sequentialSeconds)];
  return svg`<g class="backward">${striped(x(0), top, turn - x(0), thin)}</g>
    ${to - turn < 0.05 ? "" : svg`<rect class="bucket exposed" x=${turn} y=${top} width=${to - turn} height=${thin} />`}`;
}

function ticks(most: number, { left, right, x }: Place, top: number, number: number): Drawing {
  const rough = most / number;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough * (1 - 1e-9))!;
  const times = Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
  return svg`<path class="axis" d=${`M${left} ${top}H${right}${times.map((time) => `M${px(x(time))} ${top}v4`).join("")}`} />
    ${times.map((time) => {
      const text = inText(seconds(time));
      const half = letters(text) * 3.4;
      return svg`<text class="soft small center" x=${Math.min(Math.max(x(time), half), right + 4 - half)} y=${top + 19}>${text}</text>`;
    })}`;
}
