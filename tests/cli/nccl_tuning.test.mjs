import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused } from "./support.mjs";

const node = "--arch ampere --ranks 4 --link nvlink --channels 24 --channel-bytes-per-second 10e9";

test("the printed table of a 4 x A100 node", () => {
  const tuning = answer(`nccl-tuning --version v2.18.3-1 ${node} --nodes 1 --bytes 1`);
  assert.deepEqual(Object.keys(tuning), ["times", "choice", "not_modelled"]);
  const printed = tuning.times.map((time) => [
    time.algorithm,
    time.protocol,
    (time.latency_seconds * 1e6).toFixed(1),
    (time.bytes_per_second / 1e9).toFixed(0),
  ]);
  assert.deepEqual(printed, [
    ["Tree", "LL", "10.4", "29"],
    ["Tree", "LL128", "21.5", "86"],
    ["Tree", "Simple", "24.0", "110"],
    ["Ring", "LL", "10.2", "40"],
    ["Ring", "LL128", "25.4", "147"],
    ["Ring", "Simple", "28.8", "160"],
  ]);
});

test("the choice is the shortest time", () => {
  for (const bytes of [8, 1e5, 1e6, 1e7, 1e9]) {
    const { times, choice } = answer(`nccl-tuning --version 2.27 ${node} --bytes ${bytes}`);
    assert.equal(choice.seconds, Math.min(...times.map((time) => time.seconds)));
    const chosen = times.find((time) => time.algorithm === choice.algorithm && time.protocol === choice.protocol);
    assert.equal(chosen.seconds, choice.seconds);
    for (const time of times) {
      assert.equal(
        time.seconds,
        time.latency_seconds * time.latency_factor + bytes / (time.bytes_per_second * time.bandwidth_factor),
      );
    }
  }
});

test("over PCI LL128 is timed and not chosen", () => {
  const { times } = answer(`nccl-tuning --version 2.27 ${node.replace("nvlink", "pci")} --bytes 1e6`);
  assert.deepEqual(
    times.map((time) => time.enabled),
    [true, false, true, true, false, true],
  );
});

test("what there are no constants for is refused by name", () => {
  assertRefused(`nccl-tuning --version v2.8.4-1 ${node} --bytes 1`, "--version is v2.8.4-1", "v2.18.3-1");
  assertRefused(`nccl-tuning --version 2.18 ${node.replace("ampere", "blackwell")} --bytes 1`, "--arch is blackwell");
  assertRefused(`nccl-tuning --version 2.18 ${node.replace("ampere", "turing")} --bytes 1`, "--arch is turing", "volta");
  assertRefused(`nccl-tuning --version 2.18 ${node} --nodes 3 --bytes 1`, "--nodes is 3", "divide the ranks");
  assertRefused(`nccl-tuning --version 2.18 ${node} --bytes 1.5`, "--bytes is 1.5");
  assertRefused(`nccl-tuning ${node} --bytes 1`, "--version is missing");
});
