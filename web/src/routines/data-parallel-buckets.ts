/** Gradients that are reduced in buckets while the backward goes on. */

import type { AsyncLab, GradientBucketsResult } from "shardlab";
import { bucketsFigure, mostBucketsDrawn, mostLayersDrawn } from "../figures/buckets.js";
import { binaryBytes, bytes, count, exact, inText, percent, plural, seconds } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { View } from "../routine.js";
import { naming } from "../rows.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

export interface BucketsResult {
  kind: "buckets";
  ranks: number;
  layers: number;
  layerBytes: number;
  layerSeconds: number;
  bucketBytes: number;
  firstBucketBytes: number;
  latencySeconds: number;
  bytesPerSecond: number;
  found: GradientBucketsResult;
  /** with a first bucket of the others' size */
  alike: GradientBucketsResult;
}

/** As the core has it. */
const mostLayers = 65_536;

export async function runBuckets(lab: AsyncLab, inputs: Inputs): Promise<BucketsResult> {
  const layers = inputs.number("layers");
  if (!Number.isInteger(layers) || layers < 1 || layers > mostLayers) {
    throw new InputError("layers", inputs.text("layers"), `be a whole number from 1 to ${count(mostLayers)}`);
  }
  const [layerBytes, layerSeconds, ranks] = [inputs.number("layerBytes"), inputs.number("layerSeconds"), inputs.number("ranks")];
  requireNumber("layerBytes", layerBytes, inputs);
  requireNumber("layerSeconds", layerSeconds, inputs);
  const [bucketBytes, firstBucketBytes] = [inputs.number("bucketBytes"), inputs.number("firstBucketBytes")];
  const link = { latencySeconds: inputs.number("latencySeconds"), bytesPerSecond: inputs.number("bytesPerSecond") };
  const rows = Array.from({ length: layers }, () => [layerBytes, layerSeconds]);
  // The first number of a row is checked as bytes, the second as seconds.
  const names = { layers: layerBytes >= 0 && Number.isInteger(layerBytes) && layerBytes * layers <= 2 ** 53 ? "layerSeconds" : "layerBytes" };
  const options = { layers: rows, bucketBytes, ranks, ...link };
  const found = await naming(names, () => lab.gradientBuckets({ ...options, firstBucketBytes }));
  const alike = await lab.gradientBuckets({ ...options, firstBucketBytes: bucketBytes });
  return { kind: "buckets", ranks, layers, layerBytes, layerSeconds, bucketBytes, firstBucketBytes, ...link, found, alike };
}

/** A matrix takes no text, and its refusal would name an element of it. */
function requireNumber(name: string, value: number, inputs: Inputs): void {
  if (typeof value !== "number" || Number.isNaN(value)) throw new InputError(name, inputs.text(name), "be a number");
}

/** The part of the communication that the backward hides. */
export function hidden({ communicationSeconds, exposedSeconds }: GradientBucketsResult): number {
  return communicationSeconds === 0 ? 0 : 1 - exposedSeconds / communicationSeconds;
}

function time(value: number): string {
  return inText(seconds(Math.max(value, 0)));
}

/** Sizes as they were chosen: in binary units where they are round in them. */
export function size(value: number): string {
  return value >= 1024 && value % 1024 === 0 && value % 1000 !== 0 ? inText(binaryBytes(value)) : inText(bytes(value));
}

function first({ found, alike, layers }: BucketsResult): string {
  const [start, later] = [found.buckets.startSeconds[0]!, alike.buckets.startSeconds[0]!];
  const own = layers - found.buckets.firstLayer[0]!;
  const [some, all] = [plural(own, "layer"), count(layers)];
  if (start >= later) {
    return say`The first bucket leaves after ${some} of ${all}, at ${time(start)}: it is as large as the others, and the link waits for it.`;
  }
  return sentences(
    say`The first bucket is small so that the link need not wait: it leaves after ${some} of ${all}, at ${time(start)}.`,
    asLarge(time(later), alike.stepSeconds - found.stepSeconds, found.stepSeconds),
  );
}

/** A first bucket of the others' size. @param saved what the small one saves of the step */
function asLarge(leaves: string, saved: number, step: number): string {
  if (Math.abs(saved) < 1e-6 * step) {
    return say`As large as the others it would leave at ${leaves}, and the step would end at the same time: here the last bucket decides.`;
  }
  const by = time(Math.abs(saved));
  return saved > 0
    ? say`As large as the others it would leave at ${leaves}, and the step would take ${by} longer.`
    : say`As large as the others it would leave at ${leaves}, and the step would take ${by} less.`;
}

function caption(result: BucketsResult): string {
  const { ranks, found } = result;
  const { exposedSeconds, communicationSeconds, buckets } = found;
  if (ranks === 1) return word("One rank has nobody to average with: nothing is sent, and the step is the backward.");
  if (buckets.bytes.length === 0) return word("No layer has gradients: nothing is sent, and the step is the backward.");
  if (buckets.bytes.length === 1) {
    return sentences(
      say`One bucket holds all gradients: it is full when the backward ends, and all ${time(communicationSeconds)} of its all-reduce are exposed.`,
      word("Smaller buckets leave earlier."),
    );
  }
  const share = inText(percent(hidden(found)));
  const overlap =
    exposedSeconds > 1e-9 * found.stepSeconds
      ? say`The backward goes from the last layer to the first, and full buckets are reduced meanwhile: ${share} of the communication is hidden, and ${time(exposedSeconds)} are exposed.`
      : say`The backward goes from the last layer to the first, and full buckets are reduced meanwhile: ${share} of the communication is hidden, and nothing is exposed.`;
  return sentences(overlap, first(result));
}

export function viewBuckets(result: BucketsResult, width: number): View {
  const { layers, found } = result;
  const number = found.buckets.bytes.length;
  const limits = [
    ...(layers > mostLayersDrawn ? [say`layers one by one up to ${mostLayersDrawn}`] : []),
    ...(number > mostBucketsDrawn ? [say`buckets up to ${mostBucketsDrawn}`] : []),
  ];
  const said = caption(result);
  const what = say`The backward of ${plural(layers, "layer")} in time, with the all-reduces of ${plural(number, "bucket")} below.`;
  return {
    figure: bucketsFigure({ found, summary: sentences(what, said) }, width),
    caption: sentences(said, limits.length === 0 ? "" : say`Drawn: ${limits.join(word(", "))}.`),
    claim: word("All-reduces begin while the backward still runs: what it hides of them costs nothing."),
    tryNext: word("Make the first bucket as large as the others."),
    readouts: [
      { id: "step", label: word("Backward and communication"), ...seconds(found.stepSeconds) },
      { id: "sequential", label: word("Without overlap"), ...seconds(found.sequentialSeconds) },
      { id: "exposed", label: word("Exposed communication"), ...seconds(Math.max(found.exposedSeconds, 0)) },
      { id: "hidden", label: word("Communication hidden"), ...percent(hidden(found)) },
      { id: "buckets", label: word("Buckets"), value: exact(number) },
    ],
  };
}
