import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, directory, file, text } from "./support.mjs";

const keys = ["result", "steps", "chunk_elements", "elements_moved", "bytes_sent_per_rank"];

test("73 elements on 4 ranks: chunks of 19 and 18, 6 steps, 438 elements moved, the exact sum", () => {
  const reduced = answer("all-reduce --ranks 4 --elements 73");
  assert.deepEqual(Object.keys(reduced), keys);
  assert.deepEqual(reduced.chunk_elements, [19, 18, 18, 18]);
  assert.equal(reduced.steps, 6);
  assert.equal(reduced.elements_moved, 438);
  assert.deepEqual(reduced.result, Array(4).fill(Array(73).fill(1111)));
  assert.equal(reduced.bytes_sent_per_rank.reduce((sum, bytes) => sum + bytes), 438 * 8);
});

test("3 elements on 4 ranks leave a chunk empty", () => {
  const reduced = answer("all-reduce --ranks 4 --elements 3");
  assert.deepEqual(reduced.chunk_elements, [1, 1, 1, 0]);
  assert.deepEqual(reduced.result, Array(4).fill([1111, 1111, 1111]));
});

test("no elements move nothing", () => {
  const reduced = answer("all-reduce --ranks 4 --elements 0");
  assert.deepEqual(reduced, {
    result: [[], [], [], []],
    steps: 6,
    chunk_elements: [0, 0, 0, 0],
    elements_moved: 0,
    bytes_sent_per_rank: [0, 0, 0, 0],
  });
});

test("one rank takes no step", () => {
  const reduced = answer("all-reduce --ranks 1 --elements 5");
  assert.equal(reduced.steps, 0);
  assert.deepEqual(reduced.result, [[1, 1, 1, 1, 1]]);
  assert.deepEqual(reduced.bytes_sent_per_rank, [0]);
});

test("up to 16 ranks hold powers of ten, more hold their number", () => {
  assert.deepEqual(answer("all-reduce --ranks 16 --elements 1").result[15], [1111111111111111]);
  assert.deepEqual(answer("all-reduce --ranks 17 --elements 1").result[16], [(17 * 18) / 2]);
});

test("the schedule lists every transfer: chunk (r - s) mod N to rank r + 1, added and then copied", () => {
  const { schedule, steps } = answer("all-reduce --ranks 4 --elements 8 --schedule");
  assert.equal(schedule.length, steps * 4);
  for (const [index, transfer] of schedule.entries()) {
    const step = Math.floor(index / 4);
    const source = index % 4;
    const isReducing = step < 3;
    const chunk = (source - (isReducing ? step : step - 4) + 8) % 4;
    const expected = {
      step,
      phase: isReducing ? "reduce-scatter" : "all-gather",
      source,
      destination: (source + 1) % 4,
      source_offset: 2 * chunk,
      destination_offset: 2 * chunk,
      count: 2,
      combine: isReducing ? "reduce" : "copy",
    };
    assert.deepEqual(transfer, expected);
    assert.deepEqual(Object.keys(transfer), Object.keys(expected));
  }
});

test("a CSV file's rows are the ranks' tensors", () => {
  const reduced = answer(["all-reduce", "--input", file("tensors.csv", "1,2,3\n0.5,-2,1e3\n")]);
  assert.deepEqual(reduced.result, [
    [1.5, 0, 1003],
    [1.5, 0, 1003],
  ]);
  assert.deepEqual(reduced.bytes_sent_per_rank, [24, 24]);
});

test("a CSV file may come from Windows: line ends, byte order mark, blanks", () => {
  const path = file("windows.csv", "\uFEFF 1 , 2\r\n 3 , 4\r\n\r\n");
  assert.deepEqual(answer(["all-reduce", "--input", path]).result, [
    [4, 6],
    [4, 6],
  ]);
});

test("a CSV file that is no matrix of numbers is refused with its path, the place and the rule", () => {
  for (const [name, content, ...parts] of [
    ["ragged.csv", "1,2\n3\n", "line 2", "rows of equal length"],
    ["words.csv", "1,2\n3,four\n", '"four"', "line 2, column 2", "a finite decimal number"],
    ["hole.csv", "1,,3\n", '""', "column 2"],
    ["nan.csv", "1,nan\n", '"nan"'],
    ["infinite.csv", "1,1e999\n", '"1e999"'],
    ["hexadecimal.csv", "0x10\n", '"0x10"'],
    ["semicolons.csv", "1;2\n", '"1;2"'],
    ["blank_line.csv", "1\n\n2\n", "line 2"],
    ["empty.csv", "", "empty", "at least one row"],
    ["blank.csv", " \r\n\r\n", "empty"],
    ["binary.csv", Buffer.from([0, 1, 2, 27, 255]), "line 1"],
    ["overflow.csv", "1e308\n1e308\n", "1e+308", "no sum overflows"],
    ["long.csv", "1\n".repeat(1025), "1025 rows", "at most 1024"],
  ]) {
    const path = file(name, content);
    assertRefused(["all-reduce", "--input", path], "shardlab all-reduce: --input is", path, ...parts);
    assertRefused(["data-parallel", "--input", path], "shardlab data-parallel: --input is", path, ...parts);
  }
});

test("a file that cannot be read is refused with its path", () => {
  const missing = `${directory()}/missing.csv`;
  assertRefused(["all-reduce", "--input", missing], "--input", missing, "a file that can be read", "No such file");
  assertRefused(["all-reduce", "--input", directory()], "--input", directory(), "Is a directory");
  assertRefused(["all-reduce", "--input", ""], "--input is ''", "a file that can be read");
});

test("the tensors come from a file or are made up, not both and not neither", () => {
  assertRefused("all-reduce", "--input is missing", "--ranks and --elements");
  assertRefused("all-reduce --ranks 4", "--elements is missing");
  assertRefused("all-reduce --elements 4", "--ranks is missing");
  assertRefused("all-reduce --input x.csv --ranks 4", "--input is x.csv", "given with --ranks or --elements");
  assertRefused("all-reduce --input x.csv --elements 4", "--input is x.csv", "stand alone");
});

test("ranks and elements must be whole numbers in range", () => {
  for (const value of ["0", "-1", "1.5", "1025", "nan", "four", "1e9"]) {
    assertRefused(`all-reduce --elements 4 --ranks ${value}`, `--ranks is ${value}`, "a whole number from 1 to 1024");
  }
  for (const value of ["-1", "1.5", "nan", "1e300"]) {
    assertRefused(`all-reduce --ranks 4 --elements ${value}`, `--elements is ${value}`, "a whole number from 0 to");
  }
});

test("a buffer of 10^12 elements is refused before it is made", () => {
  assertRefused("all-reduce --ranks 4 --elements 1e12", "--elements is 1e12", "at most 67108864 elements in all");
  assertRefused("all-reduce --ranks 1024 --elements 65537", "--elements is 65537", "at most 67108864");
});

test("a schedule of more than a million transfers is not listed", () => {
  assertRefused("all-reduce --ranks 1024 --elements 1 --schedule", "--schedule", "2095104", "at most 1000000");
  assert.match(text("all-reduce --ranks 1024 --elements 1"), /"steps": 2046/);
});
