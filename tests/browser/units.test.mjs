/** Quantities as they are typed, without a browser. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { generator, source } from "./sources.mjs";

let units;

before(async () => {
  units = await source("units.ts");
});

const value = (text, quantity) => units.typed(text, quantity)?.value;

test("bytes are decimal or binary, as they say", () => {
  for (const [text, expected] of [
    ["1GiB", 2 ** 30],
    ["64MB", 64e6],
    ["64 MB", 64e6],
    ["1.5KiB", 1536],
    ["80GB", 80e9],
    ["4k", 4000],
    ["0.1GB", 1e8],
    ["1e3MB", 1e9],
    ["1e9", 1e9],
    ["7B", 7],
  ]) {
    assert.equal(value(text, "bytes"), expected, text);
  }
});

test("counts, times and rates", () => {
  assert.equal(value("70B", "count"), 70e9);
  assert.equal(value("1.3b", "count"), 1.3e9);
  assert.equal(value("124.4M", "count"), 124400000);
  assert.equal(value("5us", "seconds"), 5e-6);
  assert.equal(value("5 µs", "seconds"), 5e-6);
  assert.equal(value("250ns", "seconds"), 250e-9);
  assert.equal(value("1ms", "seconds"), 1e-3);
  assert.equal(value("50GB/s", "rate"), 50e9);
  assert.equal(value("400Gb/s", "rate"), 50e9);
  assert.equal(value("400Gbps", "rate"), 50e9);
});

test("a letter that may mean either is read in one way, which is said", () => {
  assert.deepEqual(units.typed("8G", "bytes"), { value: 8e9, note: "G is read as GB." });
  assert.deepEqual(units.typed("8G", "rate"), { value: 8e9, note: "G is read as GB/s." });
  assert.match(units.typed("7G", "count").note, /billions/);
});

test("how a unit was understood is said in the base unit", () => {
  assert.equal(units.typed("1GiB", "bytes").note, "1\u202f073\u202f741\u202f824 B");
  assert.equal(units.typed("70B", "count").note, "70\u202f000\u202f000\u202f000");
  assert.equal(units.typed("1e9", "bytes").note, "1\u00a0GB");
});

test("what is no quantity is none", () => {
  for (const text of ["", "abc", "1 2", "1QB", "GB", "1..2GB", "--1GB", "1constructor", "1__proto__", "5 miles"]) {
    for (const quantity of ["bytes", "count", "seconds", "rate"]) {
      assert.equal(units.typed(text, quantity), undefined, `${text} as ${quantity}`);
    }
  }
  assert.equal(units.typed("5GB", "seconds"), undefined);
  assert.equal(units.typed("5s", "bytes"), undefined);
});

test("what a slider writes is what is read from it", () => {
  const random = generator(3);
  for (const quantity of ["bytes", "count", "seconds", "rate"]) {
    for (let round = 0; round < 500; round += 1) {
      const power = Math.floor(random() * (quantity === "seconds" ? 9 : 13)) - (quantity === "seconds" ? 9 : 0);
      const number = Number(`${[1, 2, 5][Math.floor(random() * 3)]}e${power}`);
      assert.equal(value(units.written(number, quantity), quantity), number, `${number} ${quantity}`);
    }
  }
});
