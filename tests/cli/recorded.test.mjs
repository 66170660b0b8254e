// Traces that PyTorch wrote on two real ranks; tests/data/traces/README.md says how.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { answer } from "./support.mjs";

function measured(name) {
  const file = (rank) => new URL(`../data/traces/${name}_rank${rank}.json.gz`, import.meta.url);
  return answer(["measure", "trace", ...[0, 1].map((rank) => fileURLToPath(file(rank)))]);
}

const stepsAndBuckets = 3 * 4;

for (const version of ["1.13", "2.6"]) {
  test(`every all-reduce of DDP in PyTorch ${version} over Gloo is found, and matched between the ranks`, () => {
    const { matched, unmatched, collectives, kinds, traces, nccl_kernels: kernels } = measured(`ddp_torch${version}`);
    assert.equal(unmatched, 0);
    assert.equal(kernels, 0);
    assert.deepEqual(
      kinds.map(({ kind, count, without_bytes: withoutBytes }) => [kind, count, withoutBytes]),
      [["all_reduce", 2 * stepsAndBuckets, 2 * stepsAndBuckets]],
    );
    assert.equal(traces.length, 2);
    assert.equal(matched.length, stepsAndBuckets);
    // Of each pair the shorter one.
    const [first, second] = [collectives.slice(0, stepsAndBuckets), collectives.slice(stepsAndBuckets)];
    for (const [index, one] of matched.entries()) {
      assert.equal(one.seconds, Math.min(first[index].seconds, second[index].seconds));
    }
  });
}

test("PyTorch 2.6 tells ranks and backend", () => {
  const { world_size: ranks, backend, traces } = measured("ddp_torch2.6");
  assert.deepEqual([ranks, backend, traces.map((trace) => trace.rank)], [2, "gloo", [0, 1]]);
});

test("FSDP gathers and reduces each unit in each step", () => {
  const { matched, unmatched } = measured("fsdp_torch2.6");
  assert.equal(unmatched, 0);
  assert.deepEqual(
    matched.map((one) => one.kind),
    Array(3 * 2).fill(["all_gather", "all_reduce"]).flat(),
  );
});
