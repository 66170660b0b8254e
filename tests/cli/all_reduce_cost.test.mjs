import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, text } from "./support.mjs";

test("a ring takes 2(N-1) steps and sends 2 S (N-1)/N bytes", () => {
  assert.deepEqual(answer("all-reduce-cost --ranks 8 --bytes 1e9"), {
    steps: 14,
    bytes_sent_per_rank: 1750000000,
    bus_factor: 1.75,
  });
});

test("a link adds the seconds", () => {
  const cost = answer("all-reduce-cost --ranks 8 --bytes 1e9 --latency-seconds 1e-6 --bytes-per-second 1e11");
  assert.deepEqual(Object.keys(cost), ["steps", "bytes_sent_per_rank", "seconds", "bus_factor", "schedule_seconds"]);
  assert.ok(Math.abs(cost.seconds - (14e-6 + 1.75e9 / 1e11)) < 1e-15);
});

test("one rank costs nothing", () => {
  assert.deepEqual(answer("all-reduce-cost --ranks 1 --bytes 5 --latency-seconds 1 --bytes-per-second 1"), {
    steps: 0,
    bytes_sent_per_rank: 0,
    seconds: 0,
    bus_factor: 0,
    schedule_seconds: 0,
  });
});

test("bytes beyond 32 bits stay exact and print as integers", () => {
  assert.equal(answer("all-reduce-cost --ranks 2 --bytes 2491416576").bytes_sent_per_rank, 152064 * 8192 * 2);
  assert.match(text("all-reduce-cost --ranks 2 --bytes 120000000000"), /"bytes_sent_per_rank": 120000000000,/);
  assert.match(text("all-reduce-cost --ranks 2 --bytes 9007199254740992"), /: 9007199254740992,/);
});

test("latency and rate go together", () => {
  const words = "all-reduce-cost --ranks 8 --bytes 1e9";
  assertRefused(`${words} --latency-seconds 1e-6`, "--bytes-per-second is missing");
  assertRefused(`${words} --bytes-per-second 1e9`, "--latency-seconds is missing");
});

test("bad numbers are refused by the option's own rule", () => {
  for (const value of ["nan", "-1", "1.5", "9007199254740993", "1e16"]) {
    assertRefused(`all-reduce-cost --ranks 8 --bytes ${value}`, `--bytes is ${value}`, "a whole number from 0");
  }
  for (const value of ["nan", "inf", "-1", "1e10"]) {
    assertRefused(
      `all-reduce-cost --ranks 8 --bytes 1 --latency-seconds ${value} --bytes-per-second 1`,
      `--latency-seconds is ${value}`,
      "a finite number from 0",
    );
  }
  for (const value of ["nan", "0", "-1", "0.5", "1e19"]) {
    assertRefused(
      `all-reduce-cost --ranks 8 --bytes 1 --latency-seconds 0 --bytes-per-second ${value}`,
      `--bytes-per-second is ${value}`,
      "a finite number from 1",
    );
  }
  assertRefused("all-reduce-cost --ranks 0 --bytes 1", "--ranks is 0", "a whole number from 1");
  assertRefused("all-reduce-cost --ranks 2e9 --bytes 1", "--ranks is 2e9", "a whole number from 1 to 1073741824");
  assertRefused("all-reduce-cost --bytes 1", "--ranks is missing");
  assertRefused("all-reduce-cost --ranks 1", "--bytes is missing");
});

const isClose = (a, b) => Math.abs(a - b) <= 1e-9 * b;

test("the closed form stands beside the price of the schedule, for every algorithm", () => {
  const words = "all-reduce-cost --ranks 16 --bytes 65536 --latency-seconds 5e-6 --bytes-per-second 50e9";
  for (const algorithm of ["ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical"]) {
    const cost = answer(`${words} --algorithm ${algorithm} --slices 8`);
    assert.ok(isClose(cost.seconds, cost.schedule_seconds), algorithm);
  }
});

test("4 nodes with 8 accelerators each: a flat ring and a hierarchical all-reduce of 4 GiB", () => {
  const words =
    "all-reduce-cost --ranks 32 --bytes 4294967296 --per-node 8 --latency-seconds 0 --bytes-per-second 740.64e9 " +
    "--inter-latency-seconds 0 --inter-bytes-per-second";
  assert.ok(isClose(answer(`${words} 50e9`).seconds, 0.16642998272));
  assert.ok(isClose(answer(`${words} 400e9`).seconds, 0.02080374784));
  const hierarchical = answer(`${words} 50e9 --algorithm hierarchical`);
  assert.ok(isClose(hierarchical.seconds, 0.01610612736 + 0.01014824039749406));
  assert.ok(isClose(hierarchical.schedule_seconds, hierarchical.seconds));
});

test("where the time has no closed form it is the schedule's, up to 1024 ranks", () => {
  const words =
    "--bytes 1e6 --algorithm tree --latency-seconds 1e-6 --bytes-per-second 4e11 --inter-latency-seconds 5e-6 " +
    "--inter-bytes-per-second 5e10";
  const cost = answer(`all-reduce-cost --ranks 64 ${words}`);
  assert.equal(cost.seconds, cost.schedule_seconds);
  assertRefused(`all-reduce-cost --ranks 2048 ${words}`, "--ranks is 2048", "at most 1024");
  const ring = answer(`all-reduce-cost --ranks 2048 ${words} --algorithm ring`.replace("--algorithm tree ", ""));
  assert.equal(ring.schedule_seconds, undefined);
});

test("a slow rank adds its time", () => {
  const words = "all-reduce-cost --ranks 8 --bytes 8e6 --latency-seconds 1e-6 --bytes-per-second 1e9";
  const cost = answer(`${words} --fault slow:3:4`);
  assert.ok(isClose(cost.faulty_seconds, 4 * cost.schedule_seconds));
  assertRefused(`${words} --fault drop:3`, "--fault is drop:3", "be slow");
  assertRefused(`${words} --fault slow:8`, "--fault is slow:8");
  assertRefused("all-reduce-cost --ranks 8 --bytes 8e6 --fault slow:3", "--latency-seconds is missing");
});

test("the link between nodes stands beside the one inside", () => {
  const words = "all-reduce-cost --ranks 8 --bytes 8 --inter-latency-seconds 1e-6";
  assertRefused(words, "--inter-bytes-per-second is missing");
  assertRefused(`${words} --inter-bytes-per-second 1e9`, "--latency-seconds is missing");
  assertRefused(
    `${words} --inter-bytes-per-second 0 --latency-seconds 0 --bytes-per-second 1`,
    "--inter-bytes-per-second is 0",
    "a finite number from 1",
  );
  assertRefused("all-reduce-cost --ranks 9 --bytes 8 --algorithm hierarchical", "--per-node is 8", "divide the 9 ranks");
});
