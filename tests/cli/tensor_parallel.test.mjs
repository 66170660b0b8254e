import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, text } from "./support.mjs";

const keys = ["max_abs_error", "max_rel_error", "communication_bytes_per_rank", "result"];

test("by columns the product is exact and nothing is sent", () => {
  const product = answer("tensor-parallel");
  assert.deepEqual(Object.keys(product), keys);
  assert.equal(product.max_abs_error, 0);
  assert.equal(product.max_rel_error, 0);
  assert.equal(product.communication_bytes_per_rank, 0);
  assert.equal(product.result.length, 8);
  assert.ok(product.result.every((row) => row.length === 2));
});

test("by rows the partial sums are all-reduced: 2 S (N-1)/N bytes", () => {
  const words = "--ranks 4 --in-features 12 --out-features 8 --batch 4 --seed 7";
  const whole = answer(`tensor-parallel --split column ${words}`);
  const product = answer(`tensor-parallel --split row ${words}`);
  assert.equal(product.communication_bytes_per_rank, (2 * 8 * 4 * 8 * 3) / 4);
  assert.ok(product.max_rel_error < 1e-14);
  for (const [index, row] of product.result.entries()) {
    for (const [column, value] of row.entries()) {
      assert.ok(Math.abs(value - whole.result[index][column]) <= product.max_abs_error);
    }
  }
});

test("the defaults are column, 2 ranks, 8 x 8, a batch of 2 and seed 0", () => {
  const spelled =
    "tensor-parallel --split column --ranks 2 --in-features 8 --out-features 8 --batch 2 --seed 0";
  assert.equal(text("tensor-parallel"), text(spelled));
  assert.notEqual(text("tensor-parallel"), text("tensor-parallel --seed 1"));
});

test("sizes that ranks do not divide work, and more ranks than features too", () => {
  assert.equal(answer("tensor-parallel --ranks 3 --out-features 7").max_abs_error, 0);
  assert.ok(answer("tensor-parallel --split row --ranks 9 --in-features 4").max_rel_error < 1e-14);
});

test("bad input is refused by the option's own rule", () => {
  assertRefused("tensor-parallel --split diagonal", "--split is diagonal", "column or row");
  for (const option of ["--ranks", "--in-features", "--out-features", "--batch"]) {
    for (const value of ["0", "-1", "2.5", "nan", "many"]) {
      assertRefused(`tensor-parallel ${option} ${value}`, `${option} is ${value};`, "a whole number from 1 to");
    }
  }
  for (const value of ["-1", "0.5", "1e16"]) {
    assertRefused(`tensor-parallel --seed ${value}`, `--seed is ${value};`, "a whole number from 0 to");
  }
});

test("matrices that are too large are refused before they are made", () => {
  assertRefused("tensor-parallel --in-features 1e5 --out-features 1e5", "--out-features is 1e5", "at most 67108864");
  assertRefused("tensor-parallel --in-features 1e5 --batch 1e5", "--batch is 1e5", "at most 67108864");
  assertRefused(
    "tensor-parallel --in-features 8192 --out-features 8192 --batch 8192",
    "--out-features is 8192",
    "multiplications",
  );
});
