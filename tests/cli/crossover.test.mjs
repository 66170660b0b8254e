import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, text } from "./support.mjs";

const link = "--latency-seconds 1e-6 --bytes-per-second 100e9";

function near(value, expected) {
  assert.ok(Math.abs(value - expected) <= 1e-9 * expected, `${value} is ${expected}`);
}

test("ring and whole-message tree of 64 ranks cross once", () => {
  const compared = answer(`crossover --between ring,tree --ranks 64 ${link}`);
  assert.deepEqual(Object.keys(compared), ["bytes", "crossings", "ranges"]);
  near(compared.bytes, 1136448.5981308);
  assert.deepEqual(compared.crossings, [compared.bytes]);
  assert.deepEqual(compared.ranges, [
    { from_bytes: 0, to_bytes: compared.bytes, faster: "tree" },
    { from_bytes: compared.bytes, to_bytes: 2 ** 53, faster: "ring" },
  ]);
});

test("at a crossing both schedules take the same time, with many ranks, slices and nodes that are not asked for", () => {
  for (const [pair, ranks, slices] of [["ring,double-tree", 16, 1], ["ring,tree", 64, 16], ["ring,double-tree", 32, 4]]) {
    const { bytes } = answer(`crossover --between ${pair} --ranks ${ranks} --slices ${slices} ${link}`);
    const size = ranks * 64 * Math.round(bytes / ranks / 64);
    const [first, second] = pair.split(",").map((algorithm) => {
      const asked = `all-reduce-cost --algorithm ${algorithm} --ranks ${ranks} --slices ${slices} --bytes ${size} ${link}`;
      return answer(asked).schedule_seconds;
    });
    assert.ok(Math.abs(first / second - 1) < 1e-2, `${pair}, ${ranks} ranks: ${first} and ${second}`);
  }
});

test("the bound of a pipelined tree crosses the ring much later", () => {
  near(answer(`crossover --between ring,pipelined-tree-bound --ranks 64 ${link}`).bytes, 364.8e6);
});

test("where there is no crossing, null says why", () => {
  const compared = JSON.parse(text(`crossover --between ring,tree --ranks 2 ${link}`));
  assert.equal(compared.bytes, null);
  assert.equal(compared.reason, "ring is faster at every size over 0, up to 2^53 bytes");
  assert.deepEqual(compared.crossings, []);
  const alone = JSON.parse(text(`crossover --between ring,tree --ranks 1 ${link}`));
  assert.equal(alone.reason, "both take the same time at every size");
  assert.equal(alone.ranges[0].faster, "equal");
});

test("two kinds of link give two crossings", () => {
  const compared = answer(
    "crossover --between tree,halving-doubling --ranks 6 --slices 4 --per-node 3 --latency-seconds 1e-6 " +
      "--bytes-per-second 10e9 --inter-latency-seconds 10e-6 --inter-bytes-per-second 10e9",
  );
  near(compared.bytes, 240000);
  near(compared.crossings[1], 960000);
  assert.deepEqual(
    compared.ranges.map((range) => range.faster),
    ["halving-doubling", "tree", "halving-doubling"],
  );
});

test("what is missing or unknown is refused by name", () => {
  assertRefused(`crossover --between ring --ranks 8 ${link}`, "--between is ring", "two algorithms");
  assertRefused(`crossover --between ring,star --ranks 8 ${link}`, "--between", "star", "double-tree");
  assertRefused(`crossover --between ring,tree --ranks 1025 ${link}`, "--ranks is 1025", "from 1 to 1024");
  assertRefused("crossover --between ring,tree --ranks 8 --latency-seconds 0", "--bytes-per-second is missing");
  assertRefused(`crossover --between ring,tree --ranks 8 --inter-latency-seconds 0 ${link}`, "--inter-bytes-per-second");
  assertRefused(
    `crossover --between ring,hierarchical --ranks 9 --per-node 2 ${link}`,
    "--per-node is 2",
  );
  assertRefused(
    `crossover --between ring,pipelined-tree-bound --ranks 8 --inter-latency-seconds 1 --inter-bytes-per-second 1 ${link}`,
    "--between",
    "one kind of link",
  );
});
