/** Where the numbers of overlapped buckets come from. */

import { bytes, count, exact, inText, percent, seconds, significant } from "../format.js";
import type { DataTable, Reason } from "../routine.js";
import { hidden, size, type BucketsResult } from "../routines/data-parallel-buckets.js";

function time(value: number): string {
  return inText(seconds(Math.max(value, 0)));
}

export function bucketsReasons(result: BucketsResult): Reason[] {
  return [packing(result), ...allReduce(result), ...times(result)];
}

function packing({ layers, layerBytes, bucketBytes, firstBucketBytes, found }: BucketsResult): Reason {
  const of = (threshold: number) => (layerBytes === 0 ? "∞" : count(Math.max(1, Math.ceil(threshold / layerBytes))));
  return {
    name: "Buckets",
    guard: "buckets: a bucket is closed at its size, and waits for the all-reduce before it",
    equals: ["number of buckets", exact(found.buckets.bytes.length)],
    note:
      `Layers of ${size(layerBytes)} are never split, and a bucket is closed as soon as it has its size: ${of(firstBucketBytes)} of them fill the first ` +
      `of ${size(firstBucketBytes)}, ${of(bucketBytes)} each other of ${size(bucketBytes)}; of ${count(layers)} layers, what is left is the last bucket.`,
  };
}

function allReduce({ ranks, latencySeconds, bytesPerSecond, found }: BucketsResult): Reason[] {
  const most = found.buckets.bytes.reduce((a, b) => Math.max(a, b), 0);
  if (ranks === 1 || most === 0) return [];
  const at = found.buckets.bytes.indexOf(most);
  const took = found.buckets.endSeconds[at]! - found.buckets.startSeconds[at]!;
  return [
    {
      name: `All-reduce of bucket ${at + 1}, the first of the largest`,
      guard: "buckets: the first leaves early, the second has what is left, by hand",
      equals: [
        "2 (N − 1) α + 2 · S · (N − 1) / (N · β)",
        `2 (${ranks} − 1) ${inText(seconds(latencySeconds))} + 2 · ${inText(bytes(most))} · (${ranks} − 1) / (${ranks} · ${inText(bytes(bytesPerSecond))}/s)`,
        time(took),
      ],
      note: "A ring's time, in the model of latency α and bandwidth β. Every bucket pays the latency anew.",
    },
  ];
}

function times({ layers, layerSeconds, found }: BucketsResult): Reason[] {
  const { backwardSeconds, communicationSeconds, exposedSeconds, stepSeconds, sequentialSeconds } = found;
  return [
    {
      name: "Without overlap",
      guard: "buckets: one that holds all gradients hides nothing",
      equals: ["layers · backward of a layer + all-reduces", `${count(layers)} · ${time(layerSeconds)} + ${time(communicationSeconds)}`, time(sequentialSeconds)],
      note: `The backward takes ${time(backwardSeconds)}; then the same buckets are sent.`,
    },
    {
      name: "Backward and communication",
      guard: "buckets: any layers are packed in order and whole, and communicate one after the other",
      equals: ["end of the last all-reduce, or of the backward", time(stepSeconds)],
      note: "A bucket leaves when its last gradient is there and the all-reduce before it has ended. Communication takes nothing from the backward's speed here; on a GPU it takes some.",
    },
    {
      name: "Exposed communication",
      guard: "buckets: no layer with gradients, and one rank alone, have nothing to expose",
      equals: ["step − backward", `${time(stepSeconds)} − ${time(backwardSeconds)}`, time(exposedSeconds)],
    },
    {
      name: "Communication hidden",
      guard: "buckets: the first leaves early, the second has what is left, by hand",
      equals:
        communicationSeconds === 0
          ? [inText(percent(0))]
          : ["1 − exposed / communication", `1 − ${time(exposedSeconds)} / ${time(communicationSeconds)}`, inText(percent(hidden(found)))],
    },
  ];
}

const mostRows = 1000;

export function bucketsTable({ found: { buckets } }: BucketsResult): DataTable {
  const number = buckets.bytes.length;
  const shown = Math.min(number, mostRows);
  const ms = (value: number) => significant(value * 1000, 6);
  return {
    caption: `Buckets in the order in which they leave${shown < number ? `: the first ${mostRows} of ${count(number)}` : ""}`,
    head: ["bucket", "layers", "bytes", "full at, ms", "all-reduce from, ms", "to, ms"],
    rows: Array.from({ length: shown }, (_, index) => {
      const [first, last] = [buckets.firstLayer[index]!, buckets.lastLayer[index]!];
      return [
        String(index + 1),
        first === last ? String(first) : `${last} to ${first}`,
        exact(buckets.bytes[index]!),
        ms(buckets.readySeconds[index]!),
        ms(buckets.startSeconds[index]!),
        ms(buckets.endSeconds[index]!),
      ];
    }),
  };
}
