import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused } from "./support.mjs";

function train(words) {
  return answer(`data-parallel-train ${words}`);
}

/** The largest relative difference of the losses. */
function lossError({ losses_serial: serial, losses_parallel: parallel }) {
  return Math.max(...serial.map((loss, step) => Math.abs(parallel[step] / loss - 1)));
}

test("both trainings agree to 1e-12 at every stage, and each stage holds and sends what it should", () => {
  for (const stage of [0, 1, 2, 3]) {
    const run = train(`--ranks 4 --steps 200 --optimizer adam --zero-stage ${stage}`);
    assert.deepEqual(Object.keys(run), [
      "losses_serial",
      "losses_parallel",
      "max_weight_difference",
      "max_relative_weight_difference",
      "max_weight_differences",
      "max_replica_difference",
      "max_replica_differences",
      "bytes_sent_per_rank_per_step",
      "held",
    ]);
    assert.equal(run.losses_parallel.length, 200);
    assert.ok(lossError(run) <= 1e-12);
    assert.ok(run.max_relative_weight_difference <= 1e-12);
    assert.equal(run.max_weight_difference, Math.max(...run.max_weight_differences));
    assert.equal(run.max_replica_difference, 0);
    assert.deepEqual(run.bytes_sent_per_rank_per_step, new Array(4).fill(((stage === 3 ? 3 : 2) * 3 * 960 * 8) / 4));
    const held = {
      parameter_elements: stage < 3 ? 960 : 240,
      gradient_elements: stage < 2 ? 960 : 240,
      optimizer_elements: stage < 1 ? 1920 : 480,
    };
    assert.deepEqual(run.held, new Array(4).fill(held));
  }
});

test("left alone, four ranks take 100 steps of SGD", () => {
  const plain = train("");
  assert.equal(plain.losses_serial.length, 100);
  assert.deepEqual(train("--ranks 4 --optimizer sgd --zero-stage 0 --seed 0 --learning-rate 0.05"), plain);
  assert.notDeepEqual(train("--seed 1").losses_serial, plain.losses_serial);
  assert.equal(train("--momentum 0.9").held[0].optimizer_elements, 960);
});

test("unequal batches miss the mean of the batch, unless they are weighted", () => {
  const words = "--steps 20 --batches 8,8,8,2";
  assert.ok(train(words).max_relative_weight_difference > 1e-3);
  assert.ok(train(`${words} --weighted`).max_relative_weight_difference <= 1e-12);
});

test("a fault is seen, and what a library does instead is said", () => {
  for (const fault of ["drop:1", "double:2", "miss-gather:3:5"]) {
    for (const stage of [0, 3]) {
      const run = train(`--steps 20 --optimizer adam --zero-stage ${stage} --fault ${fault}`);
      assert.ok(run.max_relative_weight_difference > 1e-3);
      assert.ok(lossError(run) > 1e-3);
      assert.equal(run.max_replica_difference > 0, fault.startsWith("miss"));
      assert.match(run.consequence, /^NCCL .*\.$/);
    }
  }
});

test("what is wrong is refused by name", () => {
  assertRefused("data-parallel-train --ranks 65", "--ranks is 65;", "from 1 to 64");
  assertRefused("data-parallel-train --steps 0", "--steps is 0;", "from 1 to 10000");
  assertRefused("data-parallel-train --optimizer lion", "--optimizer is lion;", "sgd or adam");
  assertRefused("data-parallel-train --zero-stage 4", "--zero-stage is 4;", "from 0 to 3");
  assertRefused("data-parallel-train --learning-rate fast", "--learning-rate is fast;", "from 0 to 1000");
  assertRefused("data-parallel-train --learning-rate 100", "--learning-rate is 100;", "smaller", "diverges");
  assertRefused("data-parallel-train --momentum 2", "--momentum is 2;", "from 0 to 1");
  assertRefused("data-parallel-train --seed 0.5", "--seed is 0.5;", "a whole number");
  assertRefused("data-parallel-train --batches 8,8", "--batches is 8,8 (a list of 2);", "a number for each rank");
  assertRefused("data-parallel-train --batches 8,8,8,x", "--batches is 8,8,8,x;", "from 1 to 1024");
  assertRefused("data-parallel-train --fault skip:1", "--fault is skip:1;", "miss-gather:R:STEP");
  assertRefused("data-parallel-train --fault drop:4", "--fault is drop:4;", "a rank from 0 to 3");
  assertRefused("data-parallel-train --fault miss-gather:0:100", "--fault", "a step from 0 to 99");
});
