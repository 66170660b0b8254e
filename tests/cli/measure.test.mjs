import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

import { answer, assertRefused, directory, file } from "./support.mjs";

const data = (name) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
const collectives = data("traces/collectives_2xA100_rank0.json.gz");
const dlrm = [0, 1].map((rank) => data(`traces/dlrm_8xV100_rank${rank}.json.gz`));

const trace = (...paths) => answer(["measure", "trace", ...paths]);
const microseconds = (seconds) => Math.round(seconds * 1e9) / 1e3;

test("a real trace with sizes on its kernels", () => {
  const measured = trace(collectives);
  assert.equal(measured.nccl_kernels, 21);
  assert.equal(measured.collectives.length, 21);
  assert.equal(microseconds(measured.nccl_seconds), 46876.493);
  assert.equal(microseconds(measured.compute_seconds), 115655.847);
  assert.equal(microseconds(measured.overlap_seconds), 7317.025);
  assert.equal(microseconds(measured.span_seconds), 660551.005);
  assert.equal(measured.overlap_fraction, measured.overlap_seconds / measured.communication_seconds);
  const known = measured.collectives.find(({ kind, elements }) => kind === "all_reduce" && elements === 2049000);
  assert.equal(known.bytes, 8196000);
  assert.equal(known.ranks, 2);
  assert.equal(known.bus_bandwidth, known.bytes / known.seconds);
  assert.deepEqual(
    measured.kinds.map(({ kind, count, without_bytes }) => [kind, count, without_bytes]),
    [
      ["all_reduce", 15, 0],
      ["broadcast", 6, 0],
    ],
  );
  assert.equal(measured.fit.ranks, 2);
  assert.equal(measured.fit.points.length, 5);
  assert.equal(measured.fit.held_out.points.length, 2);
});

test("real traces of two ranks, each by itself and together", () => {
  const measured = trace(...dlrm);
  assert.deepEqual(
    measured.traces.map((one) => [one.rank, one.nccl_kernels, microseconds(one.nccl_seconds), microseconds(one.overlap_seconds)]),
    [
      [0, 8, 5798, 261],
      [1, 8, 11336, 280],
    ],
  );
  assert.equal(measured.nccl_kernels, 16);
  assert.equal(microseconds(measured.overlap_seconds), 541);
  assert.equal(measured.matched.length, 8);
  assert.equal(measured.unmatched, 0);
  // Rank 1 waits for the first transfer 5489 us longer than rank 0: no time of the transfer.
  assert.equal(microseconds(measured.matched[0].seconds), 2146);
  assert.equal(microseconds(measured.waited_seconds), 5626);
  const [first] = measured.collectives;
  assert.deepEqual([first.kind, first.elements, first.bytes, first.ranks], ["all_to_all", 6144, 24576, 8]);
  assert.deepEqual(measured.amended, [
    { reason: "is taken to be of all ranks, since the trace names no group", events: 16 },
  ]);
  assert.deepEqual(
    trace(dlrm[1]).collectives,
    measured.collectives.slice(8),
    "the collectives of a rank by itself",
  );
});

test("compressed or not, a trace is the same", () => {
  const text = gunzipSync(readFileSync(dlrm[0]));
  assert.deepEqual(trace(file("plain.json", text)), trace(dlrm[0]));
  assert.deepEqual(trace(file("twice.json.gz", Buffer.concat([gzipSync(text.subarray(0, 5000)), gzipSync(text.subarray(5000))]))), trace(dlrm[0]));
});

test("a trace that was cut off says where, compressed or not", () => {
  const text = gunzipSync(readFileSync(dlrm[0]));
  const cut = trace(file("cut.json", text.subarray(0, 20000)));
  assert.equal(cut.broken_at_byte, 20000);
  assert.ok(cut.events > 50 && cut.events < 290);
  const compressed = trace(file("cut.json.gz", readFileSync(dlrm[0]).subarray(0, 2000)));
  assert.ok(compressed.broken_at_byte > 10000);
});

test("what is no trace is refused by its name", () => {
  assertRefused(["measure", "trace", file("empty.json", "")], "empty.json is an empty text", "traceEvents");
  assertRefused(["measure", "trace", file("other.json", '{"results": []}')], "other.json is JSON of 15 bytes without an event");
  assertRefused(["measure", "trace", "absent.json"], "trace is absent.json", "can be read");
  assertRefused(["measure", "trace", directory()], "can be read");
  const damaged = Buffer.from(readFileSync(dlrm[0]));
  damaged.fill(0x55, 1000, 1100);
  assertRefused(["measure", "trace", file("damaged.json.gz", damaged)], "damaged.json.gz", "can be read");
});

test("runs of nccl-tests with their fits", () => {
  const { runs, lines_used } = answer(["measure", "nccl-tests", data("nccl_tests_allreduce_runs.csv")]);
  assert.equal(runs.length, 4);
  assert.equal(lines_used, 92);
  for (const { ranks, measurements, fit } of runs) {
    const [{ bytes, seconds, bus_bandwidth }] = measurements;
    assert.ok(Math.abs((bytes / seconds) * ((2 * (ranks - 1)) / ranks) / bus_bandwidth - 1) < 1e-12);
    assert.ok(fit.held_out.median_relative_error <= 0.25);
    assert.ok(fit.median_relative_error <= 0.06);
  }
});

test("JSON of nccl-tests and of shardlab-mpi", () => {
  const results = [1, 2, 4].map((size) => ({
    size: size * 1024,
    type: "float",
    redop: "sum",
    out_of_place: { time: 10 * size, alg_bw: 0.1024, bus_bw: 0.1792, nwrong: 0 },
  }));
  const theirs = { version: 3, args: ["all_reduce_perf"], config: { devices: [{ rank: 0 }, { rank: 7 }] }, results };
  const [run] = answer(["measure", "nccl-tests", file("nccl.json", JSON.stringify(theirs))]).runs;
  assert.equal(run.ranks, 8);
  assert.equal(run.measurements.length, 3);
  const rows = ["ring", "mpi"].flatMap((algorithm) =>
    [1, 2, 3, 4].map((size) => ({ algorithm, bytes: size * 8, seconds: 1e-6 * size, wrong: 0 })),
  );
  const ours = { format: "shardlab-mpi", version: 1, ranks: 4, collective: "all_reduce", rows };
  const { runs } = answer(["measure", "nccl-tests", file("mpi.json", JSON.stringify(ours))]);
  assert.deepEqual(runs.map(({ id, ranks }) => [id, ranks]), [["ring", 4], ["mpi", 4]]);
  assert.equal("held_out" in runs[0].fit, false);
});

test("ranks that a file does not tell, and times that tell no bandwidth", () => {
  const path = file("level.csv", "size_B,oop_time_us\n8,5\n16,5\n32,5\n");
  const [run] = answer(["measure", "nccl-tests", path, "--ranks", "2", "--regimes", "1"]).runs;
  assert.equal(run.ranks, 2);
  assert.match(run.fit.note, /no bandwidth/);
  const [few] = answer(["measure", "nccl-tests", file("two.csv", "size_B,oop_time_us\n8,5\n16,5\n")]).runs;
  assert.match(few.fit.refused, /2 different sizes; they must/);
});

test("the words of the command", () => {
  assertRefused("measure", "missing", "nccl-tests or trace");
  assertRefused("measure table x", "what to measure is table", "nccl-tests or trace");
  assertRefused("measure trace", "trace is without a file");
  assertRefused(["measure", "nccl-tests", collectives, dlrm[0]], "one file too many");
  assertRefused(["measure", "trace", collectives, "--frob", "1"], "--frob is unknown");
  assertRefused(["measure", "trace", collectives, "--regimes", "4"], "--regimes is 4", "from 1 to 3");
  assertRefused("fit --input x y", "y is unknown");
});
