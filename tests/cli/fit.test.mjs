import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { answer, assertRefused, file } from "./support.mjs";

const published = fileURLToPath(new URL("../data/nccl_tests_allreduce_runs.csv", import.meta.url));
const runs = ["aws_p5_8xH100_1node", "aws_2xp4de_16xA100", "nccltests290_16xH100_2node_RING", "mleng_8xA100_1node"];

function fit(path, ...options) {
  return answer(["fit", "--input", path, ...options]);
}

function measured(sizes, microseconds) {
  return `size_B,oop_time_us\n${sizes.map((size) => `${size},${microseconds(size)}`).join("\n")}\n`;
}

const sizes = Array.from({ length: 12 }, (_, index) => 1024 * 2 ** index);

test("every published run is fitted within its bars", () => {
  for (const run of runs) {
    const fitted = fit(published, "--run", run, "--regimes", "3");
    assert.equal(fitted.regimes.length, 3);
    assert.ok(fitted.median_relative_error <= 0.055, run);
    assert.ok(fitted.p90_relative_error <= 0.13, run);
    const errors = fitted.points.map((point) => point.relative_error).sort((a, b) => a - b);
    assert.equal(errors[Math.ceil(0.9 * errors.length) - 1], fitted.p90_relative_error);
    for (const point of fitted.points) {
      const error = Math.abs(point.fitted_seconds - point.measured_seconds) / point.measured_seconds;
      assert.equal(error, point.relative_error);
      assert.ok(point.left_out_relative_error >= 0);
    }
    assert.equal(fitted.lines_used + fitted.lines_ignored, readFileSync(published, "utf8").trimEnd().split("\n").length);
  }
});

test("a line is found, and with ranks its bus bandwidth", () => {
  const path = file("line.csv", measured(sizes, (size) => 5 + size / 50e3));
  const fitted = fit(path, "--ranks", "8");
  assert.deepEqual(Object.keys(fitted), [
    "regimes",
    "mean_relative_error",
    "median_relative_error",
    "p90_relative_error",
    "median_left_out_relative_error",
    "p90_left_out_relative_error",
    "points",
    "lines_used",
    "lines_ignored",
    "ignored",
  ]);
  assert.equal(fitted.regimes.length, 1);
  const [regime] = fitted.regimes;
  assert.ok(Math.abs(regime.latency_seconds - 5e-6) < 1e-12);
  assert.ok(Math.abs(regime.bytes_per_second - 50e9) < 1);
  assert.equal(regime.bus_bytes_per_second, regime.bytes_per_second * 1.75);
  assert.deepEqual([regime.from_bytes, regime.to_bytes, regime.points], [1024, 1024 * 2 ** 11, 12]);
  assert.equal("bus_bytes_per_second" in fit(path).regimes[0], false);
});

test("what nccl-tests prints is read, and lines that are not used are counted", () => {
  const rows = sizes.map((size) => {
    const time = 10 + size / 1e4;
    const bandwidth = (size / time / 1e3).toFixed(2);
    return `${String(size).padStart(12)} ${size / 4} float sum -1 ${time.toFixed(2)} ${bandwidth} 0.00 0 9 9 9 0`;
  });
  const header = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time";
  const log = ["# nThread 1", "#  Rank  7 Group  0 Pid 1", header, ...rows, "lost", "# Avg bus bandwidth : 1", ""];
  const fitted = fit(file("log.txt", log.join("\n")));
  assert.equal(fitted.lines_used, 12);
  assert.equal(fitted.lines_ignored, 5);
  assert.equal(fitted.regimes[0].bus_bytes_per_second, fitted.regimes[0].bytes_per_second * 1.75);
  assert.deepEqual(
    fitted.ignored.map(({ reason, lines }) => [reason, lines]),
    [
      ["comment", 3],
      ["header", 1],
      ["no row of a table", 1],
    ],
  );
});

test("a file of several runs wants to know which", () => {
  assertRefused(["fit", "--input", published], "--run is missing", ...runs);
  assertRefused(["fit", "--input", published, "--run", "none"], "--run is none", ...runs);
});

test("what can not be fitted is refused by name", () => {
  const few = file("few.csv", measured([8, 16], () => 1));
  assertRefused(["fit", "--input", few], "--input", "2 different sizes", "from 3 to 128");
  const six = file("six.csv", measured([8, 16, 32, 64, 128, 256], () => 1));
  assertRefused(["fit", "--input", six, "--regimes", "3"], "--regimes is 3", "there are 6");
  assertRefused(["fit", "--input", six, "--regimes", "4"], "--regimes is 4", "from 1 to 3");
  assertRefused(["fit", "--input", six, "--ranks", "0"], "--ranks is 0");
  assertRefused(["fit", "--input", file("empty.csv", "")], "--input", "size_B and oop_time_us");
  assertRefused(["fit", "--input", "absent.csv"], "--input is absent.csv", "can be read");
});
