import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const { SHARDLAB_LAUNCH: launch, SHARDLAB_MPI: command, SHARDLAB_CLI: shardlab } = process.env;
assert.ok(launch && command && shardlab, "SHARDLAB_LAUNCH, SHARDLAB_MPI and SHARDLAB_CLI must be paths");

const folder = mkdtempSync(join(tmpdir(), "shardlab-mpi-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const algorithms = ["ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical"];

/** Runs the command on some ranks, with words that are cut at blanks. */
function run(ranks, words) {
  const list = words.split(" ").filter((word) => word !== "");
  const result = spawnSync(launch, [String(ranks), command, ...list], { encoding: "utf8", timeout: 120_000 });
  assert.equal(result.error, undefined);
  return result;
}

/** What the command prints. */
function text(ranks, words) {
  const { status, stdout, stderr } = run(ranks, words);
  assert.equal(stderr, "", `no complaint about ${words}`);
  assert.equal(status, 0, `exit status of ${words}`);
  return stdout;
}

function answer(ranks, words) {
  const stdout = text(ranks, `${words} --json`);
  assert.doesNotMatch(stdout, /\b(nan|inf|infinity|null)\b/i, "every number is finite");
  return JSON.parse(stdout);
}

const short = "--warmup 0 --iterations 2";

for (const ranks of [1, 2, 3, 4]) {
  test(`every algorithm is right on ${ranks} ranks, of 0, 1, 3 and 73 elements`, () => {
    for (const [dtype, type, width, sizes] of [
      ["float32", "float", 4, [0, 1, 3]],
      ["float64", "double", 8, [73]],
    ]) {
      const [least, most] = [sizes.at(0) * width, sizes.at(-1) * width];
      const words = `--algorithm all --min-bytes ${least} --max-bytes ${most} --factor 3 --dtype ${dtype} ${short}`;
      const answered = answer(ranks, words);
      assert.equal(answered.ranks, ranks);
      assert.equal(answered.type, type);
      assert.deepEqual(
        answered.rows.map((row) => [row.algorithm, row.elements, row.bytes, row.wrong]),
        algorithms.flatMap((name) =>
          sizes.flatMap((elements) => [name, "mpi"].map((who) => [who, elements, elements * width, 0])),
        ),
      );
    }
  });
}

test("the answer has what its readers look for", () => {
  const answered = answer(2, `--algorithm tree,ring --slices 3 --min-bytes 1e3 --max-bytes 64e3 --factor 4 ${short}`);
  assert.deepEqual(Object.keys(answered), [
    "format",
    "version",
    "shardlab",
    "mpi",
    "hosts",
    "ranks",
    "collective",
    "type",
    "redop",
    "iterations",
    "warmup",
    "rows",
    "fits",
  ]);
  assert.equal(answered.format, "shardlab-mpi");
  assert.equal(answered.version, 1);
  assert.equal(answered.hosts.length, 2);
  assert.deepEqual([answered.iterations, answered.warmup], [2, 0]);
  assert.deepEqual(
    answered.rows.map(({ algorithm, bytes }) => [algorithm, bytes]),
    ["tree", "ring"].flatMap((name) => [1e3, 4e3, 16e3, 64e3].flatMap((bytes) => [[name, bytes], ["mpi", bytes]])),
  );
  for (const row of answered.rows) {
    assert.ok(row.seconds > 0);
    assert.equal(row.algorithm_bytes_per_second, row.bytes / row.seconds);
    assert.equal(row.bus_bytes_per_second, row.algorithm_bytes_per_second, "of two ranks the factor is 1");
    assert.equal("seconds_over_mpi" in row, row.algorithm !== "mpi");
    assert.equal(row.beside !== undefined, row.algorithm === "mpi");
  }
  const [ours, mpi] = answered.rows;
  assert.equal(ours.seconds_over_mpi, ours.seconds / mpi.seconds);
  assert.deepEqual(
    answered.fits.map((fit) => [fit.algorithm, fit.regimes.reduce((sum, { points }) => sum + points, 0)]),
    [
      ["tree", 4],
      ["ring", 4],
      ["mpi", 4],
    ],
  );
});

test("of fewer than three sizes there is no fit", () => {
  for (const fit of answer(2, `--min-bytes 64 --max-bytes 128 --factor 2 ${short}`).fits) {
    assert.deepEqual(Object.keys(fit), ["algorithm", "refused"]);
  }
  assert.match(text(2, `--min-bytes 64 --max-bytes 128 --factor 2 ${short}`), /^# fit of ring: none/m);
});

test("after no element at all comes one", () => {
  const { rows } = answer(2, `--min-bytes 0 --max-bytes 40 --factor 3 --dtype float64 ${short}`);
  assert.deepEqual(
    rows.filter((row) => row.algorithm === "ring").map((row) => row.bytes),
    [0, 8, 24],
  );
});

test("an order of summation that is not MPI's shows in the bits, and is no mistake", () => {
  const { rows } = answer(4, `--algorithm ring,tree --min-bytes 4e4 --max-bytes 4e4 ${short}`);
  const others = rows.filter((row) => row.algorithm === "mpi").map((row) => row.other_bits);
  assert.ok(Math.max(...others) > 0, "the ring and the tree add in two orders, MPI in one");
  assert.ok(rows.every((row) => row.wrong === 0));
});

test("tensors of many messages are right", () => {
  const { rows } = answer(4, `--algorithm all --per-node 2 --min-bytes 6000004 --max-bytes 6000004 ${short}`);
  assert.deepEqual(
    rows.map((row) => row.wrong),
    Array(2 * algorithms.length).fill(0),
  );
});

test("the table is one of nccl-tests, and is fitted like one", () => {
  const table = text(2, `--algorithm ring,naive --min-bytes 1e3 --max-bytes 64e3 --factor 4 ${short}`);
  const rows = table.split("\n").filter((line) => /^ +\d/.test(line));
  assert.equal(rows.length, 8);
  for (const row of rows) {
    const cells = row.trim().split(/ +/);
    assert.equal(cells.length, 13);
    assert.equal(Number(cells[0]), 4 * Number(cells[1]));
    assert.deepEqual([cells[2], cells[3], cells[7], cells[11]], ["float", "sum", "0", "0"]);
    assert.ok(Math.abs(cells[12] - cells[4] / cells[8]) < 0.01 + 0.01 * cells[12], row);
  }
  assert.match(table, /^# ring takes \d+\.\d\d times as long as MPI_Allreduce in the median$/m);
  assert.doesNotMatch(table, / $/m);

  const path = join(folder, "table.txt");
  writeFileSync(path, table);
  const fitted = spawnSync(shardlab, ["fit", "--input", path, "--run", "1"], { encoding: "utf8" });
  assert.equal(fitted.stderr, "");
  const answered = JSON.parse(fitted.stdout);
  assert.equal(answered.lines_used, 8);
  assert.ok(answered.regimes[0].bus_bytes_per_second > 0, "the table tells the ranks");
});

test("the lab's own reader takes the answer, a run for each algorithm", () => {
  const path = join(folder, "run.json");
  writeFileSync(path, text(2, `--algorithm all --min-bytes 0 --max-bytes 64e3 --factor 4 ${short} --json`));
  const measured = spawnSync(shardlab, ["measure", "nccl-tests", path], { encoding: "utf8" });
  assert.equal(measured.stderr, "");
  const { runs } = JSON.parse(measured.stdout);
  assert.deepEqual(
    runs.map((run) => [run.id, run.ranks]),
    [algorithms[0], "mpi", ...algorithms.slice(1)].map((name) => [name, 2]),
  );
});

const refused = [
  ["--algorithm wheel", "--algorithm is wheel; it must be all, or ring, "],
  ["--algorithm ring,wheel", "--algorithm is ring,wheel (wheel)"],
  ["--algorithm ring,ring", "be named once"],
  ["--algorithm tree --slices 0", "--slices is 0"],
  ["--min-bytes 6", "--min-bytes is 6; it must be a multiple of the element's 4 bytes"],
  ["--min-bytes 4 --dtype float64", "--min-bytes is 4"],
  ["--min-bytes -4", "--min-bytes is -4"],
  ["--min-bytes many", "--min-bytes is many"],
  ["--min-bytes 2e3 --max-bytes 1e3", "--min-bytes is 2e3; it must be at most --max-bytes, which is 1000"],
  ["--max-bytes 1e12", "--max-bytes is 1e12"],
  ["--factor 1", "--factor is 1"],
  ["--factor 1.5", "--factor is 1.5"],
  ["--iterations 0", "--iterations is 0"],
  ["--warmup -1", "--warmup is -1"],
  ["--dtype int8", "--dtype is int8; it must be float32 or float64"],
  ["--iterations", "--iterations is the last word"],
  ["--json yes", "yes is unknown"],
  ["--ranks 4", "--ranks is unknown"],
];

function assertRefused({ status, stdout, stderr }, part) {
  assert.equal(stdout, "");
  assert.match(stderr, /^shardlab-mpi: [^\n]+; it must [^\n]+\n$/);
  assert.ok(stderr.includes(part), stderr);
  assert.equal(status, 2);
}

for (const [words, part] of refused) {
  test(`${words} is refused`, () => {
    // One rank needs no launcher.
    assertRefused(spawnSync(command, words.split(" "), { encoding: "utf8", timeout: 120_000 }), part);
  });
}

test("of four ranks one refuses, and all leave", () => {
  assertRefused(run(4, "--factor 1"), "--factor is 1");
  assertRefused(run(4, "--algorithm hierarchical --per-node 3"), "--per-node is 3");
  assertRefused(run(4, "--dtype"), "--dtype is the last word");
});

test("ranks that are asked for different things all leave", () => {
  const words = `if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then set -- "$@" --factor 2; fi; exec ${command} "$@"`;
  for (const more of [[], ["--frob"], ["--help"]]) {
    const result = spawnSync(launch, ["2", "bash", "-c", words, "rank", ...more], { encoding: "utf8", timeout: 120_000 });
    assert.equal(result.stdout, "");
    assert.equal(result.stderr, "shardlab-mpi: options differ between ranks; they must be the same on all\n");
    assert.equal(result.status, 2);
  }
});

test("the launcher says how it is used, and that a rank has died", () => {
  for (const words of [[], ["2"], ["abc", command], ["0", command], ["2", "--hostfile"]]) {
    const { status, stderr } = spawnSync(launch, words, { encoding: "utf8", timeout: 120_000 });
    assert.match(stderr, /^launch\.sh: [^\n]+\n$/);
    assert.equal(status, 2);
  }
  const killed = spawnSync(launch, ["2", "bash", "-c", "kill -9 $$"], { encoding: "utf8", timeout: 120_000 });
  assert.match(killed.stderr, /^launch\.sh: a rank has ended by itself or by a signal: mpirun's exit status is 137\n$/);
  assert.equal(killed.status, 137);
});

test("help and version are told once", () => {
  assert.match(text(4, "--version"), /^shardlab-mpi \d+\.\d+\.\d+\n$/);
  const help = text(4, "--help");
  assert.equal(help.split("Usage:").length, 2);
  for (const option of ["--algorithm", "--min-bytes", "--max-bytes", "--factor", "--iterations", "--dtype", "--json"]) {
    assert.ok(help.includes(option), option);
  }
});

test("a reader that leaves early ends all ranks without a complaint", () => {
  const words = `${launch} 2 ${command} --min-bytes 4 --max-bytes 4e6 --factor 2 ${short} | head -n 1`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", words], { encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0);
  assert.match(stdout, /^# shardlab-mpi [^\n]+\n$/);
  assert.doesNotMatch(stderr, /cannot write/);
});
