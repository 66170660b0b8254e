import assert from "node:assert/strict";
import { after, test } from "node:test";
import { examples, importBuilt } from "./support.mjs";

const { load, loadInWorker } = await importBuilt();
const lab = await load();
const remoteLab = await loadInWorker();
after(() => remoteLab.close());

/** Every typed array in a result. */
function typedArraysIn(value) {
  if (ArrayBuffer.isView(value)) {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(typedArraysIn) : [];
}

test("results own their memory: they stay as they are when the module's memory grows", () => {
  const results = Object.entries(examples).map(([routine, options]) => lab[routine](options));
  const copies = structuredClone(results);
  // The module's memory is 16 MiB at least; rows are views of one array of their own.
  for (const array of typedArraysIn(results)) {
    assert.ok(array.buffer.byteLength < 2 ** 20);
  }
  const large = lab.randomMatrix({ rows: 4096, columns: 1024 });
  assert.deepEqual(results, copies);
  assert.deepEqual([large.length, large[4095].length], [4096, 1024]);
});

test("a result may be written to and passed on", () => {
  const { result } = lab.ringAllReduce(examples.ringAllReduce);
  for (const row of result) row.fill(5);
  assert.ok(lab.ringAllReduce({ buffers: result }).result.flatMap((row) => [...row]).every((element) => element === 20));
});

for (const [routine, options] of Object.entries(examples)) {
  test(`${routine} gives the same in a worker as on the main thread, and leaves its options as they were`, async () => {
    const before = structuredClone(options);
    const [here, there] = [lab[routine](options), await remoteLab[routine](options)];
    assert.deepEqual(there, here);
    assert.deepEqual(options, before);
  });
}

test("a worker is sent typed arrays without taking them away", async () => {
  const row = Float64Array.of(1, 2, 3);
  const { result } = await remoteLab.ringAllReduce({ buffers: [row, row] });
  assert.deepEqual(result, [Float64Array.of(2, 4, 6), Float64Array.of(2, 4, 6)]);
  assert.deepEqual([...row], [1, 2, 3]);
});

test("the largest ring, of 1024 ranks, gives its 2 095 104 transfers", () => {
  const buffers = Array.from({ length: 1024 }, () => [1]);
  const { result, steps, schedule } = lab.ringAllReduce({ buffers });
  assert.ok(result.every(([element]) => element === 1024));
  assert.equal(steps, 2046);
  assert.equal(schedule.step.length, 2046 * 1024);
  assert.equal(schedule.step.at(-1), 2045);
});
