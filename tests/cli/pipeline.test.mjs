import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused } from "./support.mjs";

const keys = ["steps", "makespan", "bubble_of_total", "bubble_of_ideal", "peak_in_flight"];

function assertNear(actual, expected) {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is near ${expected}`);
}

test("P=4 M=8: the bubble is 3/11 of the total and 3/8 of the ideal", () => {
  const pipeline = answer("pipeline --stages 4 --micro-batches 8");
  assert.deepEqual(Object.keys(pipeline), keys);
  assert.equal(pipeline.steps, 22);
  assert.equal(pipeline.makespan, 33);
  assertNear(pipeline.bubble_of_total, 3 / 11);
  assertNear(pipeline.bubble_of_ideal, 3 / 8);
  assert.deepEqual(pipeline.peak_in_flight, [4, 3, 2, 1]);
});

test("P=4 M=2, fewer micro-batches than stages: 15, bubbles 0.6 and 1.5", () => {
  for (const schedule of ["1f1b", "gpipe"]) {
    const pipeline = answer(`pipeline --schedule ${schedule} --stages 4 --micro-batches 2`);
    assert.equal(pipeline.makespan, 15);
    assertNear(pipeline.bubble_of_total, 0.6);
    assertNear(pipeline.bubble_of_ideal, 1.5);
  }
  assert.deepEqual(answer("pipeline --stages 4 --micro-batches 2").peak_in_flight, [2, 2, 2, 1]);
});

test("one stage has no bubble", () => {
  const pipeline = answer("pipeline --stages 1 --micro-batches 5");
  assert.equal(pipeline.bubble_of_total, 0);
  assert.equal(pipeline.bubble_of_ideal, 0);
  assert.equal(pipeline.makespan, 15);
});

test("P=8 M=32 F=B=1: 78 steps under 1F1B and GPipe; 8 and 32 in flight on stage 0", () => {
  const inFlight = { "1f1b": 8, gpipe: 32 };
  for (const [schedule, peak] of Object.entries(inFlight)) {
    const pipeline = answer(
      `pipeline --schedule ${schedule} --stages 8 --micro-batches 32 --forward 1 --backward 1`,
    );
    assert.equal(pipeline.steps, 78);
    assert.equal(pipeline.makespan, 78);
    assert.equal(pipeline.bubble_of_total.toFixed(6), "0.179487");
    assert.equal(pipeline.peak_in_flight[0], peak);
  }
});

test("the unit steps do not depend on the times", () => {
  const pipeline = answer("pipeline --stages 4 --micro-batches 8 --forward 0.5 --backward 3 --communication 0.25");
  assert.equal(pipeline.steps, 22);
  assert.ok(pipeline.makespan > 11 * 3.5);
});

test("the operations come stage by stage, in the order of execution", () => {
  const { operations, makespan } = answer("pipeline --stages 4 --micro-batches 8 --operations");
  assert.equal(operations.length, 2 * 4 * 8);
  assert.deepEqual(Object.keys(operations[0]), ["stage", "kind", "micro_batch", "start", "end"]);
  for (const [index, operation] of operations.entries()) {
    assert.equal(operation.stage, Math.floor(index / 16));
    assert.equal(operation.end - operation.start, operation.kind === "forward" ? 1 : 2);
    if (index % 16 > 0) {
      assert.ok(operation.start >= operations[index - 1].end, "one at a time on a stage");
    }
  }
  assert.equal(Math.max(...operations.map(({ end }) => end)), makespan);
  const last = operations.slice(48).map(({ kind, micro_batch }) => `${kind[0]}${micro_batch}`);
  assert.deepEqual(last.slice(0, 4), ["f0", "b0", "f1", "b1"]);
});

test("bad input is refused by the option's own rule", () => {
  assertRefused("pipeline --micro-batches 8", "--stages is missing");
  assertRefused("pipeline --stages 4", "--micro-batches is missing");
  assertRefused(
    "pipeline --stages 4 --micro-batches 8 --schedule zero-bubble",
    "--schedule is zero-bubble",
    "1f1b or gpipe",
  );
  for (const value of ["0", "-1", "4.5", "nan", "inf", "1e400", "four", "0x4", "4x", "4 4"]) {
    const words = (option) => ["pipeline", "--stages", "4", "--micro-batches", "8"].map((word, index, list) =>
      list[index - 1] === option ? value : word,
    );
    assertRefused(words("--stages"), `--stages is ${value};`, "a whole number from 1 to 65536");
    assertRefused(words("--micro-batches"), `--micro-batches is ${value};`, "a whole number from 1 to");
  }
  for (const option of ["--forward", "--backward"]) {
    for (const value of ["0", "-1", "nan", "inf", "1e400", "1e16", "slow"]) {
      assertRefused(
        `pipeline --stages 4 --micro-batches 8 ${option} ${value}`,
        `${option} is ${value};`,
        "a finite number from",
      );
    }
  }
  assertRefused("pipeline --stages 4 --micro-batches 8 --communication -1", "--communication is -1", "from 0 to");
});

test("a pipeline that is too large is refused before it is built", () => {
  assertRefused("pipeline --stages 65536 --micro-batches 1e9", "--micro-batches is 1e9", "at most 16777216 operations");
  assertRefused("pipeline --stages 1000 --micro-batches 1000 --operations", "--operations", "2000000", "at most 1000000");
});
