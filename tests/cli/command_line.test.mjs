// What holds for every subcommand: the words, the numbers, the streams and the exit status.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { test } from "node:test";

import { answer, assertRefused, run, text } from "./support.mjs";

const commands = [
  "all-reduce",
  "all-reduce-cost",
  "collective",
  "crossover",
  "nccl-tuning",
  "fit",
  "measure",
  "data-parallel",
  "data-parallel-train",
  "gradient-buckets",
  "tensor-parallel",
  "tensor-parallel-cost",
  "pipeline",
  "transformer",
  "activations",
  "footprint",
  "zero",
  "zero-partition",
  "verify",
  "demo",
];

test("help and version are answers", () => {
  const help = text("--help");
  for (const command of commands) {
    assert.ok(help.includes(command));
    assert.ok(text(`${command} --help`).includes(`shardlab ${command} `));
  }
  assert.match(text("--version"), /^shardlab \d+\.\d+\.\d+\n$/);
});

test("the examples of the help texts that need no file work", () => {
  for (const command of commands) {
    const [, example] = /Example: shardlab (.*)\n/.exec(text(`${command} --help`));
    if (!/\.(csv|json)/.test(example)) {
      text(example);
    }
  }
});

/** The fields of an answer, with those of the objects in it and in its lists. */
function fieldsOf(value, path = "") {
  if (Array.isArray(value)) {
    return value.flatMap((item) => fieldsOf(item, path));
  }
  if (typeof value !== "object") {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === "" ? key : `${path}.${key}`;
    return [name, ...fieldsOf(inner, name)];
  });
}

test("the help of what sizes a model tells every field of its answer", () => {
  const llama = "footprint --preset llama3-70b --gpu h100-80gb --sequence 4096 --dp 8";
  const lines = [
    "transformer --preset deepseek-v3",
    "transformer --list-presets",
    "activations --preset deepseek-v3 --sequence 4096",
    `${llama} --tp 8 --pp 4 --launch megatron`,
    `${llama} --smallest-cluster`,
    "zero --preset llama3-70b --dp 8 --zero-stage 1",
  ];
  const aside = /^(changes\.(request|options|cost)|smallest_cluster)\./; // told where they are options, or above
  for (const line of lines) {
    const help = text(`${line.split(" ")[0]} --help`);
    for (const field of fieldsOf(answer(line))) {
      if (!aside.test(field)) {
        assert.match(help, new RegExp(` ${field}([:,]|$)`, "m"), `${field} in the help for ${line}`);
      }
    }
    assert.match(help, /The answer:\n/);
  }
});

test("the help says that sequence parallelism needs tensor parallelism", () => {
  for (const command of ["activations", "footprint"]) {
    assert.match(text(`${command} --help`), /--sequence-parallel +.*without effect at --tp 1/);
  }
});

test("a command line without a known subcommand is refused with the list of them", () => {
  assertRefused("", "the command is missing", ...commands);
  assertRefused("reduce", "the command is reduce", ...commands);
  assertRefused("--ranks 4", "the command is --ranks", ...commands);
  assertRefused("reduce pipeline --stages 4 --micro-batches 8", "the command is reduce");
});

test("words that the subcommand does not know are refused with the list of its options", () => {
  const words = "pipeline --stages 4 --micro-batches 8";
  assertRefused(`${words} --chunk 2`, "shardlab pipeline: --chunk is unknown", "--stages, --micro-batches");
  assertRefused(`${words} extra`, "extra is unknown");
  assertRefused(`${words} -1`, "-1 is unknown");
  assertRefused(`${words} zero`, "zero is unknown");
  assertRefused("demo --fast", "--fast is unknown");
  assertRefused("pipeline --stage 4 --micro-batches 8", "--stage is unknown");
});

test("an option is given once, with its value", () => {
  assertRefused("pipeline --stages 4 --micro-batches 8 --stages 5", "--stages", "given 2 times", "given once");
  assertRefused("pipeline --stages 4 --micro-batches 8 --operations --operations", "--operations", "2 times");
  assertRefused("pipeline --micro-batches 8 --stages", "--stages", "followed by its value");
  assertRefused("pipeline --stages --micro-batches 8", "--stages is --micro-batches", "followed by its value");
  assertRefused("pipeline --stages 4 --micro-batches 8 --operations=yes", "--operations is yes", "without a value");
});

test("a value may begin with a minus and may stand behind an equals sign", () => {
  assertRefused("pipeline --stages -4 --micro-batches 8", "--stages is -4;", "a whole number from 1");
  assertRefused("pipeline --stages=-4 --micro-batches 8", "--stages is -4;", "a whole number from 1");
  assertRefused("pipeline --stages -x --micro-batches 8", "--stages is -x;", "a whole number from 1");
  text("pipeline --stages=4 --micro-batches=8");
});

test("numbers are decimal: 4, 4.0, 4e0 and 400e-2 are one number", () => {
  const expected = text("pipeline --stages 4 --micro-batches 8");
  for (const four of ["4.0", "4.", "4e0", "4E+0", "0.4e1", "400e-2", "0004", "4.000000000000000000000"]) {
    assert.equal(text(`pipeline --stages ${four} --micro-batches 8`), expected);
  }
});

test("what is no whole number is refused as it was typed", () => {
  const spellings = ["4.5", "4.00000000000000000000001", "1e-400", "nan", "NaN", "inf", "-inf", "infinity", "1e999",
    "0x4", "4x", "4e", "e4", ".", "-", "4,0", "4_0", "IV", "4\t", "٤", "1e99999999999999999999"];
  for (const spelling of spellings) {
    const shown = spelling.replace("\t", "?");
    assertRefused(["pipeline", "--micro-batches", "8", "--stages", spelling], `--stages is ${shown};`, "a whole number");
  }
  assertRefused(["pipeline", "--micro-batches", "8", "--stages", ""], "--stages is '';", "a whole number");
  assertRefused(["pipeline", "--micro-batches", "8", "--stages", " "], "--stages is  ;", "a whole number");
});

test("a value with line ends or of great length still gives one line", () => {
  assertRefused(["pipeline", "--micro-batches", "8", "--stages", "4\n5\u001b[31m"], "--stages is 4?5?[31m;");
  assertRefused(["pipeline", "--micro-batches", "8", "--stages", "9".repeat(100000)], "--stages is 999", "...;");
  assertRefused(["pipe\nline"], "the command is pipe?line");
});

test("the environment's locale does not change how numbers are read or written", () => {
  const words = "zero --params 7.5e9 --ranks 64 --zero-stage 1".split(" ");
  const environment = { ...process.env, LC_ALL: "de_DE.UTF-8", LANG: "de_DE.UTF-8" };
  assert.equal(run(words, { env: environment }).stdout, text(words));
});

test("a full disk is an error", { skip: !existsSync("/dev/full") && "there is no /dev/full here" }, () => {
  const full = openSync("/dev/full", "w");
  for (const words of ["demo", "pipeline --stages 4 --micro-batches 8", "--help"]) {
    const { status, stderr } = run(words, { stdio: ["ignore", full, "pipe"] });
    assert.notEqual(status, 0);
    assert.match(stderr, /^shardlab[^\n]*: cannot write: [^\n]+\n$/);
  }
  closeSync(full);
});

test("a reader that has seen enough is no error", async () => {
  const child = spawn(process.env.SHARDLAB_CLI, ["all-reduce", "--ranks", "4", "--elements", "1e6"]);
  let complaint = "";
  child.stderr.on("data", (data) => (complaint += data));
  child.stdout.once("data", () => child.stdout.destroy());
  const [status, signal] = await new Promise((resolve) => child.on("close", (...ends) => resolve(ends)));
  assert.deepEqual({ status, signal, complaint }, { status: 0, signal: null, complaint: "" });
});
