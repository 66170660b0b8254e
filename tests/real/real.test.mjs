// The scripts of this folder, on two ranks of this machine. Whatever the times are, what is recorded must be whole.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const { SHARDLAB_PYTHON: python, SHARDLAB_CLI: shardlab } = process.env;
assert.ok(python && shardlab, "SHARDLAB_PYTHON and SHARDLAB_CLI must be paths");

const folder = mkdtempSync(join(tmpdir(), "shardlab-real-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function launch(script, ...words) {
  const launcher = fileURLToPath(new URL("launch.py", import.meta.url));
  return spawnSync(python, [launcher, "2", script, ...words], { encoding: "utf8", timeout: 300_000 });
}

/** What a script of this folder prints. */
function run(name, ...words) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout, stderr } = launch(script, "--output", folder, ...words);
  assert.equal(status, 0, stderr);
  return stdout;
}

function answer(...words) {
  const { stdout, stderr } = spawnSync(shardlab, words, { encoding: "utf8" });
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

test("all_reduce.py writes what the lab fits, and holds half of it to the other half", () => {
  const text = run("all_reduce.py", "--max-bytes", "65536", "--warmup", "1", "--iterations", "3");
  assert.match(text, /^of sizes that the model was not fitted to, it is off by \d+\.\d% in the median$/m);
  assert.equal(text.match(/^ +\d+ .*%$/gm).length, 3);
  const fitted = answer("fit", "--input", join(folder, "all_reduce.csv"));
  assert.deepEqual([fitted.lines_used, fitted.lines_ignored], [7, 1]);
  assert.ok(fitted.regimes[0].bus_bytes_per_second > 0, "the file tells the ranks");
});

test("ddp.py records the all-reduce of every bucket on both ranks, and sets them beside the model", () => {
  const text = run("ddp.py", "--width", "256", "--bucket-mb", "0.25", "--warmup", "2", "--steps", "2");
  const { bucket_bytes: buckets } = JSON.parse(readFileSync(join(folder, "ddp_gloo_sizes.json"), "utf8"));
  const widths = [128, 256, 256, 1024, 64, 10];
  const parameters = widths.slice(1).reduce((sum, width, layer) => sum + (widths[layer] + 1) * width, 0);
  const sent = buckets.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(buckets.length > 2, "more than one bucket in a step");
  assert.equal(sent, 2 * 4 * parameters, "every step reduces every gradient once");

  const traces = [0, 1].map((rank) => join(folder, `ddp_gloo_rank${rank}.json.gz`));
  const measured = answer("measure", "trace", ...traces);
  assert.deepEqual(
    measured.matched.map((one) => one.kind),
    buckets.map(() => "all_reduce"),
  );
  assert.equal(measured.unmatched, 0);
  const rows = [...text.matchAll(/^ +all_reduce +(\d+) +(\d+) /gm)].map(([, bytes, count]) => [+bytes, +count]);
  assert.equal(rows.reduce((sum, [bytes, count]) => sum + bytes * count, 0), sent);
});

test("fsdp.py trains, or says why it can not", () => {
  const text = run("fsdp.py", "--width", "64", "--warmup", "1", "--steps", "2");
  assert.match(text, /^fsdp: (not run, PyTorch \S+: its .+|PyTorch \S+, gloo, 2 ranks, traces .+)\n/);
});

test("a rank that fails ends the others", () => {
  const script = join(folder, "fails.py");
  writeFileSync(script, "import os, sys, time\nif os.environ['RANK'] == '1': sys.exit(3)\ntime.sleep(250)\n");
  assert.equal(launch(script).status, 3);
});
