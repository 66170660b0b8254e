/** Where the numbers of overlapped buckets come from. */

import { bytes, count, exact, inText, percent, seconds, significant } from "../format.js";
import type { DataTable, Reason } from "../routine.js";
import { hidden, size, type BucketsResult } from "../routines/data-parallel-buckets.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

function time(value: number): string {
  return inText(seconds(Math.max(value, 0)));
}

export function bucketsReasons(result: BucketsResult): Reason[] {
  return [packing(result), ...allReduce(result), ...times(result)];
}

function packing({ layers, layerBytes, bucketBytes, firstBucketBytes, found }: BucketsResult): Reason {
  const of = (threshold: number) => (layerBytes === 0 ? "∞" : count(Math.max(1, Math.ceil(threshold / layerBytes))));
  return {
    name: word("Buckets"),
    guard: "buckets: a bucket is closed at its size, and waits for the all-reduce before it",
    equals: [word("number of buckets"), exact(found.buckets.bytes.length)],
    note: say`Layers of ${size(layerBytes)} are never split, and a bucket is closed as soon as it has its size: ${of(firstBucketBytes)} of them fill the first of ${size(firstBucketBytes)}, ${of(bucketBytes)} each other of ${size(bucketBytes)}; of ${count(layers)} layers, what is left is the last bucket.`,
  };
}

function allReduce({ ranks, latencySeconds, bytesPerSecond, found }: BucketsResult): Reason[] {
  const most = found.buckets.bytes.reduce((a, b) => Math.max(a, b), 0);
  if (ranks === 1 || most === 0) return [];
  const at = found.buckets.bytes.indexOf(most);
  const took = found.buckets.endSeconds[at]! - found.buckets.startSeconds[at]!;
  return [
    {
      name: say`All-reduce of bucket ${at + 1}, the first of the largest`,
      guard: "buckets: the first leaves early, the second has what is left, by hand",
      equals: [
        "2 (N − 1) α + 2 · S · (N − 1) / (N · β)",
        `2 (${ranks} − 1) ${inText(seconds(latencySeconds))} + 2 · ${inText(bytes(most))} · (${ranks} − 1) / (${ranks} · ${inText(bytes(bytesPerSecond))}/s)`,
        time(took),
      ],
      note: word("A ring's time, in the model of latency α and bandwidth β. Every bucket pays the latency anew."),
    },
  ];
}

function times({ layers, layerSeconds, found }: BucketsResult): Reason[] {
  const { backwardSeconds, communicationSeconds, exposedSeconds, stepSeconds, sequentialSeconds } = found;
  return [
    {
      name: word("Without overlap"),
      guard: "buckets: one that holds all gradients hides nothing",
      equals: [word("layers · backward of a layer + all-reduces"), `${count(layers)} · ${time(layerSeconds)} + ${time(communicationSeconds)}`, time(sequentialSeconds)],
      note: say`The backward takes ${time(backwardSeconds)}; then the same buckets are sent.`,
    },
    {
      name: word("Backward and communication"),
      guard: "buckets: any layers are packed in order and whole, and communicate one after the other",
      equals: [word("end of the last all-reduce, or of the backward"), time(stepSeconds)],
      note: sentences(
        word("A bucket leaves when its last gradient is there and the all-reduce before it has ended."),
        word("Communication takes nothing from the backward's speed here; on a GPU it takes some."),
      ),
    },
    {
      name: word("Exposed communication"),
      guard: "buckets: no layer with gradients, and one rank alone, have nothing to expose",
      equals: [word("step − backward"), `${time(stepSeconds)} − ${time(backwardSeconds)}`, time(exposedSeconds)],
    },
    {
      name: word("Communication hidden"),
      guard: "buckets: the first leaves early, the second has what is left, by hand",
      equals:
        communicationSeconds === 0
          ? [inText(percent(0))]
          : [word("1 − exposed / communication"), `1 − ${time(exposedSeconds)} / ${time(communicationSeconds)}`, inText(percent(hidden(found)))],
    },
  ];
}

const mostRows = 1000;

export function bucketsTable({ found: { buckets } }: BucketsResult): DataTable {
  const number = buckets.bytes.length;
  const shown = Math.min(number, mostRows);
  const ms = (value: number) => significant(value * 1000, 6);
  return {
    caption:
      shown < number
        ? say`Buckets in the order in which they leave: the first ${mostRows} of ${count(number)}`
        : word("Buckets in the order in which they leave"),
    head: [word("bucket"), word("layers"), word("bytes"), word("full at, ms"), word("all-reduce from, ms"), word("to, ms")],
    rows: Array.from({ length: shown }, (_, index) => {
      const [first, last] = [buckets.firstLayer[index]!, buckets.lastLayer[index]!];
      return [
        String(index + 1),
        first === last ? String(first) : say`${last} to ${first}`,
        exact(buckets.bytes[index]!),
        ms(buckets.readySeconds[index]!),
        ms(buckets.startSeconds[index]!),
        ms(buckets.endSeconds[index]!),
      ];
    }),
  };
}
