// Schedules from files and to files.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { answer, assertRefused, directory, file, text } from "./support.mjs";

const published = (name) => fileURLToPath(new URL(`../data/pipelining/${name}`, import.meta.url));
const dualPipeV = published("dualpipev_4rank_10mb.csv");
const zeroBubble = published("zb1p_2rank_2stagep_compute.csv");

/** An answer that may hold null. */
function simulated(...words) {
  return JSON.parse(text(["pipeline", ...words]));
}

function imported(path, ...words) {
  return simulated("--import", path, ...words);
}

function exported(kind, ...words) {
  const path = join(directory(), `exported.${kind}`);
  simulated(...words, "--export", kind, path);
  return readFileSync(path, "utf8");
}

/** A file with a schedule in JSON. */
function json(object) {
  return file("schedule.json", JSON.stringify(object));
}

const lists = [
  ["0F0", "0F1", "0B0", "0B1"],
  ["1F0", "1B0", "1F1", "1B1"],
];

test("PyTorch's zero-bubble file takes as long as it has slots", () => {
  const read = imported(zeroBubble, "--input-grad", "1", "--weight-grad", "1");
  const slots = Math.max(...readFileSync(zeroBubble, "utf8").trimEnd().split("\n").map((line) => line.split(",").length));
  assert.equal(read.makespan, slots);
  assert.equal(read.notation, "zero-bubble");
  assert.equal(read.notation_found, true);
  assert.deepEqual([read.stages, read.micro_batches, read.placement], [2, 8, [0, 1, 0, 1]]);
  assert.deepEqual([read.communication_actions, read.sharding_actions], [0, 0]);
  assert.equal(read.closed_form, null);
  assert.equal(read.closed_form_applies, null);
});

test("PyTorch's DualPipeV file is the schedule of that name", () => {
  const built = ["--schedule", "dualpipe-v", "--stages", "4", "--micro-batches", "10"];
  const read = imported(dualPipeV, "--operations");
  assert.equal(read.notation, "pytorch");
  const made = simulated(...built, "--operations");
  for (const key of ["steps", "makespan", "bubble_rate", "idle_per_device", "peak_in_flight", "messages", "operations"]) {
    assert.deepEqual(read[key], made[key], key);
  }
  assert.equal(exported("csv", ...built), readFileSync(dualPipeV, "utf8"));
});

test("what is exported is the same schedule when it is imported", () => {
  for (const schedule of ["gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-1p", "zb-2p", "zb-v", "dualpipe-v"]) {
    const built = ["--schedule", schedule, "--stages", "3", "--micro-batches", "7", "--input-grad", "1", "--weight-grad", "1"];
    const csv = exported("csv", ...built);
    const path = file("again.csv", csv);
    const read = imported(path, "--input-grad", "1", "--weight-grad", "1", "--operations");
    assert.deepEqual(read.operations, simulated(...built, "--operations").operations, schedule);
    assert.equal(exported("csv", "--import", path), csv, schedule);
  }
});

test("several files are written at once, over what they held", () => {
  const paths = ["a.csv", "b.csv", "c.svg", "d.json"].map((name) => join(directory(), name));
  writeFileSync(paths[0], "x".repeat(10000));
  const kinds = ["csv", "csv", "svg", "trace"];
  simulated("--stages", "2", "--micro-batches", "2", ...kinds.flatMap((kind, index) => ["--export", kind, paths[index]]));
  assert.equal(readFileSync(paths[0], "utf8"), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
  assert.equal(readFileSync(paths[1], "utf8"), readFileSync(paths[0], "utf8"));
  assert.match(readFileSync(paths[2], "utf8"), /^<svg /);
  assert.ok(JSON.parse(readFileSync(paths[3], "utf8")).traceEvents.length > 8);
});

test("the notation is told where the file could be either", () => {
  const older = file("older.csv", "0F0,0B0,0W0\n");
  assert.equal(imported(older).notation_found, true);
  assert.equal(imported(older, "--notation", "b-w").notation_found, false);
  assert.equal(imported(older, "--notation", "zero-bubble").notation, "zero-bubble");
  assertRefused(["pipeline", "--import", older, "--notation", "pytorch"], "row 1, cell 2", "row 1, cell 3");
  assertRefused(["pipeline", "--import", older, "--notation", "i"], "--notation is i", "zero-bubble");
  const newer = file("newer.csv", "0F0,0I0,0W0\n");
  assertRefused(["pipeline", "--import", newer, "--notation", "zero-bubble"], "0I0 in row 1, cell 2");
});

test("communication and sharding are counted", () => {
  const path = file("fsdp.csv", "0UNSHARD,0F0,0SEND_F0,0RECV_B0,0B0,0REDUCE_GRAD\n1RECV_F0,1F0,1B0,1SEND_B0\n");
  const read = imported(path);
  assert.deepEqual([read.communication_actions, read.sharding_actions], [4, 2]);
  assert.equal(read.makespan, 6);
});

test("lists in JSON are the same as in CSV", () => {
  const csv = imported(file("lists.csv", lists.map((row) => `${row.join(",")}\n`).join("")));
  assert.deepEqual(imported(json({ stages: 2, operations: lists })), csv);
  const all = { stages: 2, micro_batches: 2, placement: [0, 1], replicas: 1, operations: lists, notation: "pytorch" };
  assert.deepEqual(imported(json(all)), { ...csv, notation_found: false });
  assert.deepEqual(imported(json({ ...all, stages: 2.0 }), "--notation", "i-w"), { ...csv, notation_found: false });
});

test("JSON that does not say what its cells say is refused", () => {
  const refused = (object, ...parts) => assertRefused(["pipeline", "--import", json(object)], "--import is ", ...parts);
  refused({ operations: lists }, "without the key stages");
  refused({ stages: 2 }, "without the key operations");
  refused({ stages: 3, operations: lists }, "with stages 3", "2");
  refused({ stages: "2", operations: lists }, 'with stages "2"');
  refused({ stages: 2, micro_batches: 3, operations: lists }, "with micro_batches 3");
  refused({ stages: 2, placement: [1, 0], operations: lists }, "with placement [1,0]", "[0,1]");
  refused({ stages: 2, replicas: 2, operations: lists }, "with replicas 2");
  refused({ stages: 2, operations: lists, color: "red" }, "with the key color");
  refused({ stages: 2, operations: "0F0" }, "operations that are a JSON string");
  refused({ stages: 2, operations: [["0F0", "0B0"], "1F0"] }, "a row that is a JSON string");
  refused({ stages: 2, operations: [["0F0", 7]] }, "a cell that is a JSON number");
  refused({ stages: 2, operations: [["0F0", "0B0"], ["1F0"]] }, "without the backward of micro-batch 0 on stage 1 in row 2");
  refused({ stages: 2, operations: lists, notation: 7 }, "a notation that is a JSON number");
  const path = json({ stages: 2, operations: lists, notation: "older" });
  assertRefused(["pipeline", "--import", path], "--notation is older");
  const told = json({ stages: 2, operations: lists, notation: "pytorch" });
  assertRefused(["pipeline", "--import", told, "--notation", "b-w"], "in the notation pytorch");
  assertRefused(["pipeline", "--import", file("broken.json", '{"stages": 2,')], "no JSON", "parse error");
});

test("a file that cannot be read is refused with row and cell", () => {
  const refused = (content, ...parts) =>
    assertRefused(["pipeline", "--import", file("bad.csv", content)], "--import is ", ...parts);
  refused("", "(empty)");
  refused("0F0,0Q0\n", '"0Q0" in row 1, cell 2');
  refused("0F0,0B0\n2F0,2B0\n", "without stage 1", "row 2, cell 1");
  refused("0F0,0B0,0F0\n", "row 1, cell 1 and", "row 1, cell 3");
  refused("0F0,0B0\n0F1,0B1\n", "stage 0 in row 1, cell 1 and in row 2, cell 1");
  refused("0F4294967296,0B0\n", "below 16777216");
  refused("[[]]", '"[[]]" in row 1, cell 1');
  assertRefused("pipeline --import absent.csv", "--import is absent.csv", "can be read");
  assertRefused(["pipeline", "--import", directory()], "--import is ", "can be read");
});

test("lists that wait for each other are explained", () => {
  const path = file("deadlock.csv", "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n");
  assertRefused(
    ["pipeline", "--import", path],
    `--import is ${path} (a deadlock: device 0 waits in its backward of micro-batch 0 on model part 0 for the backward ` +
      "of micro-batch 0 on model part 1 of device 1; device 1 waits in its forward of micro-batch 1",
    "no two wait for each other",
  );
});

test("an imported schedule has no builder's options", () => {
  for (const words of ["schedule 1f1b", "stages 4", "micro-batches 8", "chunks 2", "group-size 4", "memory-limit 4", "weight-grad-share 0", "rules none"]) {
    const [option, value] = words.split(" ");
    assertRefused(["pipeline", "--import", dualPipeV, `--${option}`, value], `--${option} is ${value}`, "--import");
  }
  assertRefused("pipeline --stages 2 --micro-batches 2 --notation pytorch", "--notation is pytorch", "--import");
  assert.ok(imported(zeroBubble, "--relaxed-wrap").makespan <= imported(zeroBubble).makespan);
});

test("a file that cannot be written is refused, and nothing is answered", () => {
  const words = ["pipeline", "--stages", "2", "--micro-batches", "2", "--export"];
  assertRefused([...words, "pdf", "x"], "--export is pdf", "csv, trace or svg");
  assertRefused([...words, "csv", join(directory(), "absent", "x.csv")], "--export is ", "can be written");
  assertRefused([...words, "csv", directory()], "--export is ", "can be written");
  assertRefused([...words, "csv", ""], "--export is ''", "name a file");
  const twice = join(directory(), "twice");
  assertRefused([...words, "csv", twice, "--export", "svg", twice], `--export is ${twice}`, "another file");
  assertRefused([...words, "csv"], "csv is the last word", "followed by its value");
  assertRefused(["pipeline", "--export", "csv", "--stages", "2"], "--export is --stages", "followed by its value");
  const dual = ["pipeline", "--schedule", "dualpipe", "--stages", "2", "--micro-batches", "4"];
  assertRefused([...dual, "--export", "csv", join(directory(), "dual.csv")], "--schedule is dualpipe (2 replicas");
});

test("the drawing has a cell an operation, and stays small where there are very many", () => {
  const svg = exported("svg", "--schedule", "zb-h1", "--stages", "4", "--micro-batches", "6");
  const legend = 3;
  const background = 1;
  assert.equal(svg.match(/<rect /g).length, background + legend + 3 * 4 * 6);
  assert.match(svg, /<title>zb-h1: 4 devices, 6 micro-batches; makespan [\d.]+, bubble [\d.]+ % of the total<\/title>/);
  for (const device of [0, 1, 2, 3]) {
    assert.ok(svg.includes(`>device ${device}<`));
  }
  assert.doesNotMatch(svg, /nan|inf|<script/i);
  for (const [stages, batches] of [[2000, 100], [1, 100000], [64, 1000]]) {
    const large = exported("svg", "--stages", `${stages}`, "--micro-batches", `${batches}`);
    assert.ok(large.length < 4e6, `${stages} devices: ${large.length} bytes`);
    assert.doesNotMatch(large, /nan|inf/i);
  }
  const uneven = exported("svg", "--stages", "3", "--micro-batches", "2", "--forward", "1e-15", "--communication", "1e15");
  assert.doesNotMatch(uneven, /nan|inf/i);
});
