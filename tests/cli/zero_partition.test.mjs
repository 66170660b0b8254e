import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused } from "./support.mjs";

test("266 240 elements on 768 ranks are padded on the last three", () => {
  const { padded_elements, elements_per_rank, padding } = answer(
    "zero-partition --elements 266240 --ranks 768 --alignment 1536",
  );
  assert.equal(padded_elements, 267264);
  assert.equal(elements_per_rank, 348);
  assert.deepEqual(padding, [...new Array(765).fill(0), 328, 348, 348]);
});

test("what is wrong is refused by name", () => {
  assertRefused("zero-partition --elements 0 --ranks 8 --alignment 16", "--elements is 0;", "from 1");
  assertRefused("zero-partition --elements 10 --ranks 8 --alignment 12", "--alignment is 12;", "a multiple of the ranks");
  assertRefused("zero-partition --elements 10 --ranks 0 --alignment 16", "--ranks is 0;");
  assertRefused("zero-partition --elements 10 --ranks 8", "--alignment is missing");
});
