import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file, text } from "./support.mjs";

const keys = [
  "steps",
  "makespan",
  "bubble_of_total",
  "bubble_of_ideal",
  "bubble_rate",
  "idle_per_device",
  "idle_warm_up",
  "idle_steady",
  "idle_drain",
  "peak_in_flight",
  "messages",
  "lower_bound",
  "closed_form",
  "closed_form_applies",
  "closed_form_formula",
  "closed_form_condition",
  "closed_form_difference",
];

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
  assert.deepEqual(Object.keys(operations[0]), ["stage", "kind", "model_part", "micro_batch", "start", "end"]);
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
    "gpipe, 1f1b, interleaved, looped-bfs, zb-h1, zb-h2, zb-1p, zb-2p, zb-v, dualpipe or dualpipe-v",
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

/** The makespan that a schedule's closed form gives for P=4, M=12 and F = I = W = 1, or none. */
const makespans = {
  gpipe: 45,
  "1f1b": 45,
  interleaved: 81,
  "looped-bfs": 81,
  "zb-h1": 39,
  "zb-h2": 39,
  "zb-v": 75,
  dualpipe: 38,
  "dualpipe-v": 78,
};

test("every schedule that has a closed form takes as long as it says", () => {
  for (const [schedule, makespan] of Object.entries(makespans)) {
    const pipeline = answer(
      `pipeline --schedule ${schedule} --stages 4 --micro-batches 12 --input-grad 1 --weight-grad 1`,
    );
    assert.deepEqual(Object.keys(pipeline), keys);
    assert.equal(pipeline.makespan, makespan, schedule);
    assert.equal(pipeline.closed_form, makespan, schedule);
    assert.equal(pipeline.closed_form_applies, true, schedule);
    assert.equal(pipeline.closed_form_difference, 0, schedule);
    assert.match(pipeline.closed_form_formula, /M/);
    assert.match(pipeline.closed_form_condition, /equal stages/);
    assert.ok(pipeline.lower_bound <= makespan, schedule);
  }
});

test("a searched schedule has no closed form", () => {
  for (const schedule of ["zb-1p", "zb-2p"]) {
    const words = `pipeline --schedule ${schedule} --stages 4 --micro-batches 12 --input-grad 1 --weight-grad 1`;
    const pipeline = JSON.parse(text(words));
    assert.deepEqual(Object.keys(pipeline), keys);
    for (const key of keys.slice(-5)) {
      assert.equal(pipeline[key], null);
    }
    assert.ok(pipeline.makespan >= pipeline.lower_bound);
  }
});

test("idle time is that of the three phases, and the bubble", () => {
  const pipeline = answer("pipeline --stages 4 --micro-batches 8");
  assert.deepEqual(pipeline.idle_per_device, [9, 9, 9, 9]);
  assert.deepEqual(pipeline.idle_warm_up, [6, 5, 4, 3]);
  assert.deepEqual(pipeline.idle_steady, [0, 0, 0, 0]);
  assert.deepEqual(pipeline.idle_drain, [3, 4, 5, 6]);
  assert.equal(pipeline.messages, 2 * 3 * 8);
  assert.equal(pipeline.lower_bound, 33);
});

test("chunks and groups: interleaving divides the bubble", () => {
  const words = "pipeline --schedule interleaved --stages 4 --micro-batches 8";
  for (const chunks of [1, 2, 4]) {
    const pipeline = answer(`${words} --chunks ${chunks} --forward ${1 / chunks} --backward ${2 / chunks}`);
    assertNear(pipeline.makespan, 24 + 9 / chunks);
    assertNear(pipeline.bubble_of_ideal, 3 / (8 * chunks));
  }
  assert.equal(answer(`${words} --group-size 8`).makespan, answer(`${words} --group-size 4`).makespan);
  assert.equal(answer(`${words} --group-size 3`).closed_form_applies, false);
  assert.equal(answer(`${words} --relaxed-wrap`).closed_form_applies, false);
  assertRefused("pipeline --stages 4 --micro-batches 8 --chunks 2", "--chunks is 2", "1f1b has 1 a device");
  assertRefused("pipeline --stages 4 --micro-batches 8 --group-size 2", "--group-size is 2", "only interleaved");
  assertRefused(`${words} --chunks 0`, "--chunks is 0");
  assertRefused(`${words} --group-size 0.5`, "--group-size is 0.5");
  assertRefused("pipeline --stages 4 --micro-batches 8 --relaxed-wrap", "--relaxed-wrap is given with 1f1b");
});

test("the rules of frameworks are kept where they are asked for", () => {
  const words = "pipeline --schedule interleaved --stages 4 --micro-batches 10";
  assert.equal(answer(words).closed_form_applies, false);
  assertRefused(`${words} --rules megatron`, "--micro-batches is 10", "under Megatron-LM's rules");
  assertRefused(`${words} --group-size 12 --rules megatron`, "--group-size is 12", "from 4 to 10", "Megatron-LM's rules");
  const alone = "pipeline --schedule interleaved --stages 1 --micro-batches 10 --rules megatron";
  assertRefused(alone, "--stages is 1", "from 2 to 65536", "Megatron-LM's rules");
  assert.equal(answer(`${words} --rules pytorch`).closed_form_applies, true);
  assertRefused("pipeline --schedule zb-h1 --stages 4 --micro-batches 8 --rules pytorch", "--schedule is zb-h1");
  assertRefused(`${words} --rules deepspeed`, "--rules is deepspeed", "none, megatron or pytorch");
});

test("a backward is whole, or its two gradients", () => {
  const words = "pipeline --schedule zb-h1 --stages 4 --micro-batches 8";
  const whole = answer(`${words} --backward 2`);
  assert.deepEqual(answer(`${words} --input-grad 1 --weight-grad 1`), whole);
  assert.equal(answer("pipeline --stages 4 --micro-batches 8 --input-grad 1.5 --weight-grad 0.5").makespan, 33);
  assertRefused(`${words} --input-grad 1`, "--weight-grad is missing");
  assertRefused(`${words} --weight-grad 1`, "--input-grad is missing");
  assertRefused(`${words} --input-grad 1 --weight-grad 1 --backward 2`, "--backward is 2", "--input-grad");
  assertRefused(`${words} --input-grad 1 --weight-grad nan`, "--weight-grad is nan");
  assertRefused(`${words} --input-grad 0 --weight-grad 1`, "--input-grad is 0");
  assertRefused(`${words} --input-grad 1e15 --weight-grad 1e15`, "--input-grad is 1e15 (2e+15 with");
  assertRefused(`${words} --backward 1e-15`, "--backward is 1e-15 (5e-16 for each half)");
});

test("overlapped pairs, recomputation, synchronisation and blocking sends take the time that they take", () => {
  const dual = "pipeline --schedule dualpipe-v --stages 4 --micro-batches 10";
  assert.ok(answer(`${dual} --overlapped 2`).makespan < answer(dual).makespan);
  assertRefused(`${dual} --overlapped 0`, "--overlapped is 0");
  const words = "pipeline --stages 4 --micro-batches 8";
  assert.equal(answer(`${words} --recompute`).makespan, 11 * 4);
  const synchronised = answer(`${words} --gradient-sync 5`);
  assert.equal(synchronised.makespan, 38);
  assert.equal(synchronised.closed_form, 38);
  assertRefused(`${words} --gradient-sync -1`, "--gradient-sync is -1");
  const sent = answer(`${words} --communication 0.5`);
  assert.ok(answer(`${words} --communication 0.5 --blocking-sends`).makespan > sent.makespan);
  assertRefused(`${words} --blocking-sends`, "--blocking-sends is given", "--communication");
  assertRefused(`${words} --overlapped 2`, "--overlapped is 2", "no operations of this schedule overlap");
  assert.equal(sent.closed_form_applies, false);
  assert.equal(sent.closed_form_difference, sent.makespan - 33);
});

test("memory limits are for the schedules that are made for them", () => {
  const words = "--stages 4 --micro-batches 12 --input-grad 1 --weight-grad 1";
  const peak = (limit) =>
    Math.max(...JSON.parse(text(`pipeline --schedule zb-2p ${words} ${limit} --weight-grad-share 0`)).peak_in_flight);
  assert.ok(peak("--memory-limit 4") <= 4);
  assert.ok(peak("") <= 8);
  assertRefused(`pipeline --schedule zb-h1 ${words} --memory-limit 4`, "--memory-limit is 4", "only zb-1p and zb-2p");
  assertRefused(`pipeline --schedule zb-h1 ${words} --weight-grad-share 0`, "--weight-grad-share is 0");
  assertRefused(`pipeline --schedule zb-1p ${words} --weight-grad-share 2`, "--weight-grad-share is 2");
  assertRefused(`pipeline --schedule zb-1p ${words} --memory-limit 0.5`, "--memory-limit is 0.5");
});

test("each model part or each device has its own times", () => {
  const words = ["pipeline", "--stages", "2", "--micro-batches", "4"];
  const timed = (content, ...more) => answer([...words, "--stage-times", file("times.csv", content), ...more]);
  const equal = timed("forward,backward\n1,2\n1,2\n");
  assert.equal(equal.makespan, 15);
  assert.equal(equal.closed_form_applies, true);
  assert.equal(timed("forward,backward\n1,2\n1,3\n").closed_form_applies, false);
  assert.equal(timed("backward , forward\r\n4,2\r\n2,1\r\n\r\n").makespan, 25);
  assert.equal(timed("forward,input_grad,weight_grad\n1,1,1\n1,1,1").makespan, 15);
  const looped = ["--schedule", "interleaved"];
  const devices = timed("forward,backward\n1,2\n3,4\n", ...looped);
  assert.deepEqual(timed("forward,backward\n1,2\n3,4\n1,2\n3,4\n", ...looped), devices);
  const dual = ["--schedule", "dualpipe-v"];
  const overlapped = timed("forward,backward,overlapped\n1,2,2\n1,2,2\n", ...dual);
  assert.ok(overlapped.makespan < timed("forward,backward\n1,2\n1,2\n", ...dual).makespan);
  assert.deepEqual(timed("forward,backward,overlapped\n1,2,2.5\n1,2,2.5\n", ...dual), answer([...words, ...dual, "--overlapped", "2.5"]));
});

test("a file of times that cannot be read is refused with its place", () => {
  const refused = (content, ...parts) =>
    assertRefused(
      ["pipeline", "--stages", "2", "--micro-batches", "4", "--stage-times", file("times.csv", content)],
      "--stage-times is ",
      ...parts,
    );
  refused("", "a column ''", "name its columns in the first line");
  refused("forward,backward\n", "without rows");
  refused("forward\n1\n", "either backward or both");
  refused("forward,input_grad\n1,1\n", "either backward or both");
  refused("forward,backward,input_grad,weight_grad\n1,2,1,1\n", "either backward or both");
  refused("forward,forward,backward\n1,1,2\n", "two columns forward");
  refused("forward,backward,speed\n1,1,2\n", "a column speed");
  refused("forward,backward\n1,fast\n1,2\n", "fast in line 2, column 2");
  refused("forward,backward\n1,2\n1,nan\n", "nan in line 3, column 2");
  refused("forward,backward\n1,2\n1\n", "1 cells in line 3");
  refused("forward,backward\n1,2\n", "1 rows", "each of the 2 model parts");
  refused("forward,backward\n1,2\n0,2\n", "0 in line 3, column 1", "from 1e-15 to 1e+15");
  refused("forward,backward\n1,2\n1,-2\n", "-2 in line 3, column 2", "from 1e-15 to 1e+15");
  refused("forward,backward\n1,1e-15\n1,2\n", "1e-15 in line 2, column 2", "at least 2e-15");
  refused("weight_grad,forward,input_grad\n1,1,1\n1e15,1,2\n", "2 in line 3, column 3 and 1e15 in line 3, column 1");
  refused("forward,backward,overlapped\n1,2,0\n1,2,2\n", "0 in line 2, column 3");
  const path = file("times.csv", "forward,backward\n1,2\n1,2\n");
  for (const option of ["forward", "backward", "input-grad", "weight-grad", "overlapped"]) {
    assertRefused(
      ["pipeline", "--stages", "2", "--micro-batches", "4", "--stage-times", path, `--${option}`, "1"],
      `--${option} is 1`,
      "--stage-times",
    );
  }
  assertRefused("pipeline --stages 2 --micro-batches 4 --stage-times absent.csv", "--stage-times is absent.csv");
});

test("the critical path is a chain from 0 to the makespan", () => {
  const { critical_path: path, makespan } = answer("pipeline --stages 4 --micro-batches 8 --critical-path");
  assert.equal(path[0].start, 0);
  assert.equal(path.at(-1).end, makespan);
  for (let index = 1; index < path.length; ++index) {
    assert.equal(path[index].start, path[index - 1].end);
  }
});

test("activations over time, in model parts or in bytes", () => {
  const words = "pipeline --schedule zb-h1 --stages 4 --micro-batches 8 --activations";
  const { activations_over_time: activations, peak_in_flight: peak } = answer(words);
  assert.deepEqual(activations.map(({ stage }) => stage), [0, 1, 2, 3]);
  assert.deepEqual(activations.map(({ held }) => Math.max(...held)), peak);
  const bytes = answer(`${words} --activation-bytes 100 --weight-grad-bytes 40`).activations_over_time;
  for (const { times, held } of bytes) {
    assert.equal(times.length, held.length);
    assert.equal(held[0], 100);
    assert.equal(held.at(-1), 0);
    assert.ok(held.some((bytes) => bytes % 100 !== 0));
  }
  const plain = "pipeline --stages 4 --micro-batches 8";
  assertRefused(`${plain} --activation-bytes 100`, "--activation-bytes is 100", "--activations");
  assertRefused(`${words} --weight-grad-bytes 100`, "--weight-grad-bytes is 100", "--activation-bytes");
  assertRefused(`${words} --activation-bytes 1 --weight-grad-bytes 2`, "--weight-grad-bytes is 2", "from 0 to 1");
  assertRefused(`${words} --activation-bytes nan`, "--activation-bytes is nan");
  for (const listing of ["critical-path", "activations", "operations"]) {
    assertRefused(`pipeline --stages 1000 --micro-batches 1000 --${listing}`, `--${listing}`, "at most 1000000");
  }
});
