// The trace that `--export trace` writes, held against the trace event format.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { assertRefused, directory, text } from "./support.mjs";

const kinds = { F: "forward", B: "backward", I: "input_gradient", W: "weight_gradient" };

/** A simulation with its operations, and the trace's events. */
function traced(words) {
  const path = join(directory(), "trace.json");
  const found = JSON.parse(text(["pipeline", ...words.split(" "), "--operations", "--export", "trace", path]));
  return { found, trace: JSON.parse(readFileSync(path, "utf8")) };
}

function assertKeys(event, ...keys) {
  assert.deepEqual(Object.keys(event).sort(), ["ph", "name", "pid", "tid", ...keys].sort());
}

function assertWhole(...numbers) {
  for (const number of numbers) {
    assert.ok(Number.isInteger(number) && number >= 0, `${number} is a count`);
  }
}

function assertTime(...numbers) {
  for (const number of numbers) {
    assert.ok(typeof number === "number" && Number.isFinite(number) && number >= 0, `${number} is a time`);
  }
}

/** As the viewers read it: nanoseconds, cut off. */
const nanoseconds = (microseconds) => Math.trunc(microseconds * 1000);

const schemas = {
  M(event) {
    assertKeys(event, "args");
    if (event.name === "thread_sort_index") {
      assert.deepEqual(Object.keys(event.args), ["sort_index"]);
      assertWhole(event.args.sort_index);
    } else {
      assert.ok(["process_name", "thread_name"].includes(event.name));
      assert.deepEqual(Object.keys(event.args), ["name"]);
      assert.equal(typeof event.args.name, "string");
    }
  },
  X(event) {
    assertKeys(event, "cat", "ts", "dur", "args");
    assertTime(event.ts, event.dur);
    assert.equal(event.cat, event.args.kind);
    if (event.name === "sync") {
      assert.deepEqual(event.args, { kind: "gradient_sync" });
      return;
    }
    assert.deepEqual(Object.keys(event.args), ["kind", "model_part", "micro_batch"]);
    assertWhole(event.args.model_part, event.args.micro_batch);
    assert.equal(event.args.kind, kinds[event.name[0]]);
    assert.equal(event.name.slice(1), `${event.args.micro_batch}`);
  },
  s(event) {
    assertKeys(event, "cat", "id", "ts");
    assertFlow(event);
  },
  f(event) {
    assertKeys(event, "cat", "id", "ts", "bp");
    assert.equal(event.bp, "e");
    assertFlow(event);
  },
};

function assertFlow(event) {
  assert.equal(event.cat, "message");
  assert.ok(["activation", "gradient"].includes(event.name));
  assertWhole(event.id);
  assertTime(event.ts);
}

function assertSchema(trace) {
  assert.deepEqual(Object.keys(trace), ["displayTimeUnit", "traceEvents"]);
  assert.equal(trace.displayTimeUnit, "ns");
  for (const event of trace.traceEvents) {
    assertWhole(event.pid, event.tid);
    assert.ok(event.ph in schemas, event.ph);
    schemas[event.ph](event);
  }
}

/** Tracks have one name each; on a track times grow and slices neither overlap nor nest. */
function assertTracks(events) {
  const named = events.filter(({ name }) => name === "thread_name").map(({ tid }) => tid);
  assert.equal(new Set(named).size, named.length);
  const lasts = new Map();
  for (const event of events.filter(({ ph }) => ph !== "M")) {
    assert.ok(named.includes(event.tid), `track ${event.tid} has a name`);
    const last = lasts.get(event.tid) ?? { time: 0, end: 0 };
    const time = nanoseconds(event.ts);
    assert.ok(time >= last.time, "times grow");
    const isSlice = event.ph === "X";
    assert.ok(!isSlice || time >= last.end, "slices follow each other");
    lasts.set(event.tid, { time, end: isSlice ? time + nanoseconds(event.dur) : last.end });
  }
}

/** Each flow starts once and ends once, later and on another device, and both within a slice. */
function assertFlows(events, messages) {
  const slices = new Map(events.map(({ tid }) => [tid, []]));
  for (const slice of events.filter(({ ph }) => ph === "X")) {
    slices.get(slice.tid).push(slice);
  }
  const sliceOf = (event) => {
    const time = nanoseconds(event.ts);
    const around = slices.get(event.tid).filter(({ ts, dur }) => nanoseconds(ts) <= time && time < nanoseconds(ts) + nanoseconds(dur));
    assert.equal(around.length, 1, `one slice around flow ${event.id}`);
    return around[0];
  };
  const flows = new Map();
  for (const event of events.filter(({ ph }) => ph === "s" || ph === "f")) {
    const flow = flows.get(event.id) ?? {};
    assert.ok(!(event.ph in flow), `flow ${event.id} has one ${event.ph}`);
    flows.set(event.id, { ...flow, [event.ph]: event });
  }
  assert.equal(flows.size, messages);
  for (const { s, f } of flows.values()) {
    assert.ok(s && f, "a flow has both ends");
    assert.equal(s.name, f.name);
    assert.ok(f.ts >= s.ts);
    assert.notEqual(s.tid >> 1, f.tid >> 1);
    const [from, to] = [sliceOf(s).args, sliceOf(f).args];
    assert.equal(from.micro_batch, to.micro_batch);
    assert.equal(to.model_part - from.model_part, s.name === "activation" ? 1 : -1);
  }
}

/** The slices are the operations that the answer lists. */
function assertOperations(events, operations, factor) {
  const key = ({ kind, model_part, micro_batch }) => `${kind} ${model_part} ${micro_batch}`;
  const times = new Map(operations.map((one) => [`${key(one)} ${one.stage}`, one]));
  const slices = events.filter(({ ph, name }) => ph === "X" && name !== "sync");
  assert.equal(slices.length, operations.length);
  for (const { tid, ts, dur, args } of slices) {
    const operation = times.get(`${key(args)} ${tid >> 1}`);
    assert.ok(operation, key(args));
    assert.ok(Math.abs(ts - operation.start * factor) <= 0.0006, "starts as simulated");
    assert.ok(Math.abs(ts + dur - operation.end * factor) <= 0.0012, "ends as simulated");
  }
}

const requests = [
  "--schedule gpipe --stages 3 --micro-batches 4",
  "--schedule 1f1b --stages 4 --micro-batches 8 --forward 0.333333333 --backward 0.7777777",
  "--schedule interleaved --stages 4 --micro-batches 8 --communication 0.1",
  "--schedule zb-h1 --stages 4 --micro-batches 8 --blocking-sends --communication 0.3 --gradient-sync 1.5",
  "--schedule zb-v --stages 4 --micro-batches 8 --input-grad 1.001 --weight-grad 0.999",
  "--schedule dualpipe --stages 4 --micro-batches 12",
  "--schedule dualpipe-v --stages 4 --micro-batches 10 --overlapped 2.5",
];

for (const words of requests) {
  test(`a trace keeps to the format: ${words}`, () => {
    const { found, trace } = traced(words);
    assertSchema(trace);
    assertTracks(trace.traceEvents);
    assertFlows(trace.traceEvents, found.messages);
    assertOperations(trace.traceEvents, found.operations, 1);
  });
}

test("the factor stretches a trace", () => {
  const words = "--stages 4 --micro-batches 8 --forward 0.001 --backward 0.002 --microseconds-per-unit 1e6";
  const { found, trace } = traced(words);
  assertSchema(trace);
  assertTracks(trace.traceEvents);
  assertFlows(trace.traceEvents, found.messages);
  assertOperations(trace.traceEvents, found.operations, 1e6);
});

test("a device has a track, and a second where operations overlap", () => {
  const names = (words) =>
    traced(words)
      .trace.traceEvents.filter(({ name }) => name === "thread_name")
      .map(({ args }) => args.name);
  assert.deepEqual(names("--stages 2 --micro-batches 2"), ["device 0", "device 1"]);
  assert.deepEqual(names("--schedule dualpipe-v --stages 2 --micro-batches 6"), [
    "device 0",
    "device 0, overlapped",
    "device 1",
    "device 1, overlapped",
  ]);
});

test("a trace that no viewer could show is refused", () => {
  const words = ["pipeline", "--stages", "2", "--micro-batches", "2"];
  const trace = ["--export", "trace", join(directory(), "refused.json")];
  assertRefused([...words, "--microseconds-per-unit", "2"], "--microseconds-per-unit is 2", "--export trace");
  for (const factor of ["0", "-1", "nan", "1e10"]) {
    assertRefused([...words, ...trace, "--microseconds-per-unit", factor], `--microseconds-per-unit is ${factor}`);
  }
  assertRefused([...words, ...trace, "--forward", "1e15"], "--microseconds-per-unit is 1", "makespan");
  const small = [...words, ...trace, "--forward", "2e-5", "--backward", "4e-5"];
  assertRefused(small, "--microseconds-per-unit is 1", "at least 0.001 microseconds", "2e-05 units");
  assertRefused(["pipeline", "--stages", "1000", "--micro-batches", "1000", ...trace], "at most 1048576");
});
