import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file } from "./support.mjs";

test("gradients 4, 8, 12 and 16 average to 10", () => {
  assert.deepEqual(answer(["data-parallel", "--input", file("gradients.csv", "4\n8\n12\n16\n")]), {
    average: [10],
    serial_mean: [10],
    max_abs_difference: 0,
  });
});

test("the average stays within rounding of the serial mean", () => {
  const rows = ["0.1,0.7,-3", "0.2,1e-9,5", "0.3,4,1e9"];
  const averaged = answer(["data-parallel", "--input", file("rows.csv", rows.join("\n"))]);
  assert.equal(averaged.average.length, 3);
  for (const [index, value] of averaged.average.entries()) {
    assert.ok(Math.abs(value - averaged.serial_mean[index]) <= averaged.max_abs_difference);
  }
  assert.ok(averaged.max_abs_difference <= 1e-6);
});

test("the file is required", () => {
  assertRefused("data-parallel", "--input is missing");
});
