import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, text } from "./support.mjs";

const demo = text("demo");

/** The numbers of the first line that contains a phrase. */
function numbersBehind(phrase) {
  const line = demo.split("\n").find((candidate) => candidate.includes(phrase));
  assert.ok(line, `a line with "${phrase}"`);
  return line.slice(line.indexOf(phrase) + phrase.length).match(/[-+=]?\d+(\.\d+)?/g) ?? [];
}

test("the lines fit a terminal of 99 columns, in plain ASCII, without blanks at their ends", () => {
  for (const line of demo.split("\n")) {
    assert.ok(line.length <= 99, line);
    assert.match(line, /^[ -~]*$/);
    assert.doesNotMatch(line, / $/);
  }
});

test("the ring's steps are those of the schedule", () => {
  const { schedule, steps } = answer("all-reduce --ranks 4 --elements 4 --schedule");
  const pictures = demo.slice(demo.indexOf("step 0"), demo.indexOf("In 1111"));
  assert.equal(pictures.match(/step \d/g).length, steps);
  assert.equal(pictures.match(/\+\d/g).length, schedule.filter(({ combine }) => combine === "reduce").length);
  assert.equal(pictures.match(/=\d/g).length, schedule.filter(({ combine }) => combine === "copy").length);
  assert.match(pictures, /rank 0 +1 +1 +1 +\+1001 /);
  assert.equal(pictures.match(/=1111/g).length, 12);
});

test("steps and bytes stand beside their formulas", () => {
  assert.deepEqual(numbersBehind("  steps").slice(0, 2), ["6", "6"]);
  for (const rank of [0, 1, 2, 3]) {
    assert.deepEqual(numbersBehind(`bytes sent by rank ${rank}`).slice(0, 2), ["48", "48"]);
  }
});

test("gradients 4, 8, 12 and 16 average to 10", () => {
  assert.match(demo, /4, 8, 12 and 16/);
  assert.deepEqual(numbersBehind("average, the same on every rank"), ["10"]);
  assert.deepEqual(numbersBehind("mean computed in one place"), ["10"]);
});

test("the matmul is split both ways", () => {
  assert.match(demo, /rank 0 +1 +2 +3 +4 +times x +30\n/);
  assert.match(demo, /\n +1 +2 +5 +3 +4 +25 +30\n/);
  assert.match(demo, /\n +13 +14 +41 +15 +16 +109 +150\n/);
});

test("the picture of 1F1B shows every operation where the schedule has it", () => {
  const { operations } = answer("pipeline --stages 4 --micro-batches 8 --operations");
  for (const stage of [0, 1, 2, 3]) {
    const [, bar, inFlight] = new RegExp(`stage ${stage} +([.FB=\\d]+) +(\\d+)\\n`).exec(demo);
    assert.equal(bar.length, 2 * 33);
    assert.equal(Number(inFlight), 4 - stage);
    for (const { kind, micro_batch, start } of operations.filter((operation) => operation.stage === stage)) {
      assert.equal(bar.slice(2 * start, 2 * start + 2), (kind === "forward" ? "F" : "B") + micro_batch);
    }
  }
});

test("both bubbles stand beside their formulas", () => {
  assert.deepEqual(numbersBehind("idle / all time").slice(0, 2), ["0.272727", "0.272727"]);
  assert.deepEqual(numbersBehind("idle / work").slice(0, 2), ["0.375000", "0.375000"]);
  assert.deepEqual(numbersBehind("makespan").slice(0, 2), ["33", "33"]);
  assert.match(demo, /3\/11/);
  assert.match(demo, /3\/8/);
  assert.match(demo, /4 3 2 1 +4 3 2 1/);
});

test("the ZeRO ladder and what fits a card of 80 GB", () => {
  assert.match(demo, /\n +0 +nothing +15 +15 +90 +120 .*does not fit\n/);
  assert.match(demo, /\n +1 +optimizer .* 31\.40625 .*fits\n/);
  assert.match(demo, /\n +2 +\+ gradients .* 16\.640625 .*fits\n/);
  assert.match(demo, /\n +3 +\+ parameters .* 1\.875 .*fits\n/);
});
