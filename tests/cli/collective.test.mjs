import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file } from "./support.mjs";

const keys = ["result", "steps", "chunk_elements", "elements_moved", "bytes_sent_per_rank"];
const tensors = (name) => file(name, "1,2,3,4\n10,20,30,40\n100,200,300,400\n1000,2000,3000,4000\n");
const run = (kind, ...rest) => answer(["collective", "--kind", kind, "--input", tensors(`${kind}.csv`), ...rest]);

test("a reduce-scatter leaves the sum of chunk r in rank r, in N-1 steps", () => {
  const scattered = run("reduce-scatter");
  assert.deepEqual(Object.keys(scattered), keys);
  assert.deepEqual(
    scattered.result.map((row, rank) => row[rank]),
    [1111, 2222, 3333, 4444],
  );
  assert.equal(scattered.steps, 3);
  assert.deepEqual(scattered.bytes_sent_per_rank, [24, 24, 24, 24]);
});

test("an all-gather leaves chunk r of rank r in every rank", () => {
  assert.deepEqual(run("all-gather").result, Array(4).fill([1, 20, 300, 4000]));
});

test("a broadcast leaves rank 0's tensor in every rank, and slices follow each other", () => {
  const whole = run("broadcast");
  assert.deepEqual(whole.result, Array(4).fill([1, 2, 3, 4]));
  assert.equal(whole.steps, 2);
  assert.equal(run("broadcast", "--slices", "3").steps, 4);
});

test("a reduce leaves the sum, the largest or the average in rank 0", () => {
  assert.deepEqual(run("reduce").result[0], [1111, 2222, 3333, 4444]);
  assert.deepEqual(run("reduce", "--op", "max").result[0], [1000, 2000, 3000, 4000]);
  assert.deepEqual(run("reduce", "--op", "average").result[0], [277.75, 555.5, 833.25, 1111]);
});

test("an all-to-all turns rows into columns", () => {
  const exchanged = run("all-to-all", "--schedule");
  assert.deepEqual(exchanged.result, [
    [1, 10, 100, 1000],
    [2, 20, 200, 2000],
    [3, 30, 300, 3000],
    [4, 40, 400, 4000],
  ]);
  assert.equal(exchanged.schedule.length, 12);
  assert.ok(exchanged.schedule.every(({ phase, combine }) => phase === "exchange" && combine === "copy"));
});

test("any number of elements goes all the way round, and none moves nothing", () => {
  for (const kind of ["reduce-scatter", "all-gather", "broadcast", "reduce", "all-to-all", "all-reduce"]) {
    const uneven = answer(`collective --kind ${kind} --ranks 4 --elements 73`);
    assert.deepEqual(uneven.chunk_elements, [19, 18, 18, 18]);
    assert.ok(uneven.elements_moved > 0);
    assert.equal(answer(`collective --kind ${kind} --ranks 4 --elements 0`).elements_moved, 0);
    assert.equal(answer(`collective --kind ${kind} --ranks 1 --elements 3`).steps, 0);
  }
});

test("a fault is named with what comes of it", () => {
  const missed = run("broadcast", "--fault", "miss-hop:0:0");
  assert.deepEqual(Object.keys(missed), [
    ...keys,
    "diverged_ranks",
    "max_abs_difference",
    "max_replica_difference",
    "consequence",
  ]);
  // Rank 2 never gets the tensor, and passes its own on to rank 3.
  assert.deepEqual(missed.diverged_ranks, [2, 3]);
  assert.equal(missed.max_abs_difference, 396);
});

test("a collective that there is not is refused, and so is none", () => {
  assertRefused("collective --kind gather --ranks 4 --elements 4", "--kind is gather", "be all-reduce, reduce-scatter");
  assertRefused("collective --ranks 4 --elements 4", "--kind is missing");
  assertRefused("collective --kind reduce --ranks 4 --elements 4 --slices 0", "--slices is 0", "from 1 to 65536");
  assertRefused("collective --kind reduce --ranks 1025 --elements 4", "--ranks is 1025", "from 1 to 1024");
  assertRefused("collective --kind reduce --ranks 4 --elements 4 --fault drop:4", "--fault is drop:4", "0 to 3");
});
