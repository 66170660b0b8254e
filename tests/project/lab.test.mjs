// The command ./lab refuses what it does not know, in one line that names it and with the exit status for wrong usage.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import test from "node:test";

const lab = path.join(process.env.SHARDLAB_SOURCE, "lab");

function run(args, environment = {}) {
  return spawnSync(lab, args, { encoding: "utf8", env: { ...process.env, ...environment } });
}

const wrong = [
  [["frobnicate"], "frobnicate"],
  [["build", "all"], "all"],
  [["build", "--base-url"], "--base-url"],
  [["build", "--base-url", "notes.example/lab"], "notes.example/lab"],
  [["build", "--base-url=https://notes.example/?lab"], "https://notes.example/?lab"],
  [["build", "--base-url", "https://notes.example/lab", "extra"], "extra"],
  [["clean", "--everything"], "--everything"],
  [["test", "--fast"], "--fast"],
  [["test", "--full", "extra"], "extra"],
  [["mpi"], "--ranks is missing"],
  [["mpi", "--ranks"], "--ranks"],
  [["mpi", "--ranks", "0"], "--ranks 0"],
  [["mpi", "--ranks", "2.5", "--json"], "--ranks 2.5"],
  [["mpi", "--ranks=1025"], "--ranks 1025"],
  [["mpi", "--ranks", "2", "--hostfile", "no/such/hosts"], "no/such/hosts"],
  [["real", "ddp"], "ddp"],
  [["real", "--ranks"], "--ranks"],
  [["real", "--ranks", "1"], "--ranks 1"],
  [["real", "--ranks=2", "extra"], "extra"],
  [["serve", "8080"], "8080"],
  [["serve", "--port"], "--port"],
  [["serve", "--port", "0"], "port 0"],
  [["serve", "--port", "-1"], "port -1"],
  [["serve", "--port", "80.5"], "port 80.5"],
  [["serve", "--port", "65536"], "port 65536"],
  [["serve", "--port=http"], "port http"],
  [["serve", "--port", "8080", "extra"], "extra"],
];

for (const [args, named] of wrong) {
  test(`lab ${args.join(" ")} is refused`, () => {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^lab: [^\n]+\n$/);
    assert.ok(stderr.includes(named), stderr);
  });
}

test("lab exercise refuses a module that is no file", () => {
  const { status, stderr } = run(["exercise"], { LAB_MODULE: "no/such/lab.hpp" });
  assert.equal(status, 2);
  assert.match(stderr, /^lab: LAB_MODULE no\/such\/lab\.hpp: [^\n]+\n$/);
});

test("lab exercise refuses a function that it does not ask for", () => {
  const { status, stderr } = run(["exercise", "ring"]);
  assert.equal(status, 2);
  assert.match(stderr, /^lab: exercise: ring: must be a function of [^\n]+\n$/);
});

test("lab help lists every command", () => {
  const { status, stdout } = run(["help"]);
  assert.equal(status, 0);
  for (const command of ["serve", "build", "test", "exercise", "mpi", "real", "bench", "docs", "clean", "help"]) {
    assert.match(stdout, new RegExp(`^  ${command} `, "m"));
  }
});
