import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file } from "./support.mjs";

// On two ranks an all-reduce of S bytes takes 1 + S seconds over this link.
const link = "--ranks 2 --latency-seconds 0.5 --bytes-per-second 1";
const lists = "--layer-bytes 4,6,2 --layer-seconds 2,3,1";
const buckets = "--bucket-bytes 6 --first-bucket-bytes 2";

const expected = {
  buckets: [
    { bytes: 2, first_layer: 2, last_layer: 2, ready_seconds: 1, start_seconds: 1, end_seconds: 4 },
    { bytes: 6, first_layer: 1, last_layer: 1, ready_seconds: 4, start_seconds: 4, end_seconds: 11 },
    { bytes: 4, first_layer: 0, last_layer: 0, ready_seconds: 6, start_seconds: 11, end_seconds: 16 },
  ],
  backward: [
    { layer: 0, start_seconds: 4, end_seconds: 6 },
    { layer: 1, start_seconds: 1, end_seconds: 4 },
    { layer: 2, start_seconds: 0, end_seconds: 1 },
  ],
  backward_seconds: 6,
  communication_seconds: 15,
  exposed_seconds: 10,
  step_seconds: 16,
  sequential_seconds: 21,
};

test("three layers in three buckets, by hand", () => {
  assert.deepEqual(answer(`gradient-buckets ${lists} ${buckets} ${link}`), expected);
});

test("a file gives the same layers", () => {
  const layers = file("layers.csv", "4,2\n6,3\n2,1\n");
  assert.deepEqual(answer(["gradient-buckets", "--layers", layers, ...`${buckets} ${link}`.split(" ")]), expected);
});

test("PyTorch's sizes are the standard: a first bucket of 1 MiB, then 25 MiB", () => {
  const layers = `--layer-bytes ${new Array(12).fill(2 ** 20).join(",")},26214400 --layer-seconds ${new Array(13).fill(1e-3).join(",")}`;
  const sizes = (words) => answer(`gradient-buckets ${words} ${link}`).buckets.map(({ bytes }) => bytes);
  assert.deepEqual(sizes(layers), [26214400, 12 * 2 ** 20]);
  assert.deepEqual(sizes("--layer-bytes 26214400,1048576 --layer-seconds 1,1"), [1048576, 26214400]);
});

test("what is wrong is refused by name", () => {
  const refused = (words, ...parts) => assertRefused(`gradient-buckets ${words}`, ...parts);
  refused(link, "--layer-bytes is missing");
  refused(`--layer-bytes 4 ${link}`, "--layer-seconds is missing");
  refused(`--layer-bytes 4,6 --layer-seconds 2 ${link}`, "--layer-seconds is 2 (a list of 1);", "as many numbers");
  refused(`--layer-bytes 4,0.5 --layer-seconds 2,3 ${link}`, "--layer-bytes is 4,0.5 (0.5);", "a whole number");
  refused(`--layer-bytes 4 --layer-seconds -2 ${link}`, "--layer-seconds is -2;", "from 0 to");
  refused(`${lists} --layers none.csv ${link}`, "--layers", "stand alone");
  refused(`--layers none.csv ${link}`, "--layers is none.csv;", "can be read");
  refused(`${lists} ${link} --bucket-bytes 0`, "--bucket-bytes is 0;", "from 1");
  refused(`${lists} --ranks 0 --latency-seconds 0 --bytes-per-second 1`, "--ranks is 0;");
  refused(`${lists} --ranks 2 --latency-seconds 0 --bytes-per-second 0`, "--bytes-per-second is 0;");
  refused(`${lists} --ranks 2 --latency-seconds 0`, "--bytes-per-second is missing");
  const three = file("three.csv", "1,2,3\n");
  assertRefused(["gradient-buckets", "--layers", three, ...link.split(" ")], "--layers", "3 columns", "two columns");
});
