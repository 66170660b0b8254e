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
  assert.deepEqual(Object.keys(cost), ["steps", "bytes_sent_per_rank", "seconds", "bus_factor"]);
  assert.ok(Math.abs(cost.seconds - (14e-6 + 1.75e9 / 1e11)) < 1e-15);
});

test("one rank costs nothing", () => {
  assert.deepEqual(answer("all-reduce-cost --ranks 1 --bytes 5 --latency-seconds 1 --bytes-per-second 1"), {
    steps: 0,
    bytes_sent_per_rank: 0,
    seconds: 0,
    bus_factor: 0,
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
