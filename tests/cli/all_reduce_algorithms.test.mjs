import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file } from "./support.mjs";

const algorithms = ["ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical"];
const steps = { ring: 14, naive: 14, tree: 6, "double-tree": 6, "halving-doubling": 6, hierarchical: 8 };

test("every algorithm sums what the ranks hold, in its own number of steps", () => {
  for (const algorithm of algorithms) {
    const reduced = answer(`all-reduce --ranks 8 --elements 21 --algorithm ${algorithm} --per-node 4`);
    assert.deepEqual(reduced.result, Array(8).fill(Array(21).fill(11111111)), algorithm);
    assert.equal(reduced.steps, steps[algorithm], algorithm);
    assert.ok(reduced.elements_moved >= 2 * 21 * 7, algorithm);
  }
});

test("slices follow each other through a tree, and the schedule says which phase each transfer is of", () => {
  for (const algorithm of ["tree", "double-tree"]) {
    const reduced = answer(`all-reduce --ranks 8 --elements 20 --algorithm ${algorithm} --slices 5 --schedule`);
    assert.equal(reduced.steps, 10);
    assert.deepEqual(reduced.result, Array(8).fill(Array(20).fill(11111111)));
    const phases = new Set(reduced.schedule.filter(({ step }) => step === 4).map(({ phase }) => phase));
    assert.deepEqual(phases, new Set(["reduce", "broadcast"]));
  }
});

test("the ranks' largest, smallest and average", () => {
  const of = (op) => answer(`all-reduce --ranks 4 --elements 2 --algorithm tree --op ${op}`).result[3];
  assert.deepEqual(of("max"), [1000, 1000]);
  assert.deepEqual(of("min"), [1, 1]);
  assert.deepEqual(of("average"), [277.75, 277.75]);
});

test("float32 adds in its own precision and sends half of the bytes", () => {
  const reduced = answer(["all-reduce", "--input", file("small.csv", "0.1\n0.2\n"), "--dtype", "float32"]);
  assert.deepEqual(reduced.result, [[Math.fround(0.1 + 0.2)], [Math.fround(0.1 + 0.2)]]);
  assert.deepEqual(reduced.bytes_sent_per_rank, [4, 4]);
  assertRefused(["all-reduce", "--input", file("large.csv", "1e39\n2\n"), "--dtype", "float32"], "--input is", "1e+39");
});

test("with a link the whole takes so long, and a slow rank makes it longer", () => {
  const words = "all-reduce --ranks 4 --elements 8 --latency-seconds 1 --bytes-per-second 16";
  assert.equal(answer(words).seconds, 12);
  assert.equal(answer(`${words} --dtype float32`).seconds, 9);
  assert.equal(answer(`${words} --fault slow:1:3`).seconds, 36);
  assert.equal(answer("all-reduce --ranks 4 --elements 8").seconds, undefined);
  assert.equal(answer("collective --kind all-gather --ranks 4 --elements 8 --latency-seconds 1 --bytes-per-second 16").seconds, 6);
  assertRefused("all-reduce --ranks 4 --elements 8 --latency-seconds 1", "--bytes-per-second is missing");
});

test("how far the order of summation leaves the sums off the exact ones", () => {
  const numbers = file("order.csv", "16777216\n1\n1\n1\n");
  const off = (...words) => answer(["all-reduce", "--input", numbers, "--exact-sum", ...words]).max_difference_to_exact_sum;
  assert.equal(off(), 0);
  assert.equal(off("--dtype", "float32", "--algorithm", "naive"), 3);
  assert.equal(off("--dtype", "float32", "--algorithm", "tree"), 1);
  assertRefused(["all-reduce", "--input", numbers, "--exact-sum", "--op", "max"], "--exact-sum is given", "a sum");
  assertRefused("collective --kind reduce --ranks 2 --elements 2 --exact-sum", "--exact-sum is given");
});

test("a dropped rank's digit is missing everywhere, a missed hop makes replicas differ", () => {
  const dropped = answer("all-reduce --ranks 4 --elements 4 --fault drop:3");
  assert.deepEqual(dropped.result, Array(4).fill(Array(4).fill(111)));
  assert.deepEqual(dropped.diverged_ranks, [0, 1, 2, 3]);
  assert.equal(dropped.max_abs_difference, 1000);
  assert.equal(dropped.max_replica_difference, 0);

  const missed = answer("all-reduce --ranks 4 --elements 4 --fault miss-hop:2:3");
  assert.ok(missed.diverged_ranks.length > 0 && missed.diverged_ranks.length < 4);
  assert.ok(missed.max_replica_difference > 0);
  assert.match(missed.consequence, /^NCCL .* timeout/);

  assert.deepEqual(answer("all-reduce --ranks 4 --elements 4 --fault slow:1").diverged_ranks, []);
});

test("what no algorithm, reduction, number or fault is named for is refused with its rule", () => {
  const words = "all-reduce --ranks 6 --elements 4";
  assertRefused(`${words} --algorithm star`, "--algorithm is star", algorithms.slice(0, -1).join(", "));
  assertRefused(`${words} --algorithm hierarchical --per-node 4`, "--per-node is 4", "divide the 6 ranks");
  assertRefused(`${words} --op mean`, "--op is mean", "sum, max, min or average");
  assertRefused(`${words} --dtype bf16`, "--dtype is bf16", "float32 or float64");
  assertRefused(`${words} --slices 1.5`, "--slices is 1.5", "whole number");
  assertRefused(`${words} --fault hang:1`, "--fault is hang:1", "drop:R");
  assertRefused(`${words} --fault miss-hop:1:10`, "--fault is miss-hop:1:10", "which has 10");
  assertRefused(`${words} --algorithm tree --fault miss-hop:0:0`, "--fault is miss-hop:0:0", "sends nothing in step 0");
  assertRefused(`${words} --algorithm tree --fault stale:1:0`, "--fault is stale:1:0", "after step 0");
});
