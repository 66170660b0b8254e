// The page's exercise, without a page: what a student writes in JavaScript, the interpreter that runs it, and the cases,
// which are the native ones.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { nativeNames } from "../native_cases.mjs";
import { exercise, modules, mutant, replaced, solution, solutionText, tested } from "./exercise.mjs";

const { tasks, taskOf, casesOf, limits } = exercise;
const header = await readFile(new URL("../../core/exercise/lab.hpp", import.meta.url), "utf8");

test("the tasks are those of lab.hpp, in its order", () => {
  const asked = [...header.matchAll(/\/\/\/ Tests: \[(\w+)\]/g)].map(([, name]) => name);
  assert.deepEqual(tasks.map(({ tag }) => tag), asked);
  for (const { id, name, tag } of tasks) {
    assert.equal(id, tag.replaceAll("_", "-"));
    assert.equal(name, tag.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()));
  }
});

test("the cases are the native ones", async () => {
  const native = nativeNames("[lab]");
  assert.ok(native.length > 40);
  assert.deepEqual((await casesOf(modules)).map(({ name }) => name).sort(), native.sort());
});

for (const { id, tag } of tasks) {
  test(`${id}: a solution passes every case, and what is not written fails every one and says so`, async () => {
    const all = (await casesOf(modules)).filter(({ tags }) => tags.includes(`[${tag}]`)).length;
    const right = await tested(id, solution);
    assert.deepEqual([right.states, right.report], [{ passed: all, failed: 0, left: 0 }, { logged: [] }], right.messages.join("\n"));
    const started = await tested(id, new Map());
    assert.deepEqual(started.states, { passed: 0, failed: all, left: 0 });
    for (const { messages } of started.results) assert.match(messages.at(-1), /threw an error: line \d+: it is still to be written$/);
  });
}

/** What is wrong with a solution, and the sentence that one of its cases fails with. */
const mutants = [
  [
    "a ring that is off by one chunk",
    mutant("ring-all-reduce", "send(r, r + 1 - s, false)", "send(r, r - s, false)"),
    "ring-all-reduce",
    "rank 0, element 0 (chunk 0): is 1, must be 1111: rank 1's, rank 2's and rank 3's contributions are missing",
  ],
  ["a ring of one step more", mutant("ring-all-reduce", "steps: 2 * (ranks - 1)", "steps: 2 * ranks - 1"), "ring-all-reduce", "the number of steps of 1 rank is 1, must be 0"],
  ["half a step", mutant("ring-all-reduce", "steps: 2 * (ranks - 1)", "steps: 2 * (ranks - 1) + 0.5"), "ring-all-reduce", "steps is 6.5, must be a whole number"],
  [
    "GPipe's order",
    mutant("pipeline-schedule-1f1b", "Math.min(stages - 1 - s, microBatches)", "microBatches"),
    "pipeline-schedule-1f1b",
    "stage 0, position 4: is F4, must be B0: after the warm-up a backward follows each forward, micro-batch 0 first",
  ],
  [
    "a row split without its all-reduce",
    mutant("tensor-parallel-matmul", "return parts.reduce((sum, one) => sum.map((row, r) => row.map((value, c) => value + one[r][c])))", "return parts[0]"),
    "tensor-parallel-matmul",
    "output feature 0, sample 0: is 5, must be 30: rank 1's contribution is missing (the partial sums of all ranks must be added: an all-reduce)",
  ],
  [
    "gradients that stage 2 does not shard",
    mutant("zero-memory-per-gpu", "part(2, 2)", "part(2, 3)"),
    "zero-memory-per-gpu",
    "stage 2, 2 ranks, 1000000 parameters: gradient_bytes is 2000000, must be 1000000: 2 bytes a parameter, sharded over the ranks (sharded from stage 2 on)",
  ],
  [
    "a bubble over the time of work",
    mutant("pipeline-bubble-fraction", "(microBatches + stages - 1)", "microBatches"),
    "pipeline-bubble-fraction",
    "the bubble of 8 stages and 4 micro-batches is 1.75, must be 0.6363636363636364 (7/11): this is idle time over the time of work, not over all time",
  ],
  ["nothing", replaced("ring-all-reduce", ""), "ring-all-reduce", "the answer of ringAllReduce is undefined, must be an object { buffers, steps, bytesSentPerRank }"],
  ["NaN", replaced("pipeline-bubble-fraction", "return 0 / 0;"), "pipeline-bubble-fraction", "the bubble of 8 stages and 4 micro-batches is nan, must be 0.6363636363636364 (7/11)"],
  ["minus infinity", replaced("pipeline-bubble-fraction", "return -1 / 0;"), "pipeline-bubble-fraction", "the bubble of 8 stages and 4 micro-batches is -inf, must be 0.6363636363636364 (7/11)"],
  ["a text", replaced("pipeline-bubble-fraction", "return '7/11';"), "pipeline-bubble-fraction", "the answer of pipelineBubbleFraction is a text, must be a number"],
  ["a function", replaced("pipeline-bubble-fraction", "return () => 7 / 11;"), "pipeline-bubble-fraction", "the answer of pipelineBubbleFraction is a function, must be a number"],
  ["a promise", replaced("pipeline-bubble-fraction", "return Promise.resolve(7 / 11);"), "pipeline-bubble-fraction", "the answer of pipelineBubbleFraction is a promise (the function must not be async), must be a number"],
  ["a generator", replaced("pipeline-bubble-fraction", "return (function* () {})();"), "pipeline-bubble-fraction", "the answer of pipelineBubbleFraction is a generator (the function must have no *), must be a number"],
  ["an empty object", replaced("pipeline-bubble-fraction", "return {};"), "pipeline-bubble-fraction", "the answer of pipelineBubbleFraction is an empty object, must be a number"],
  ["an object of long and many names", replaced("pipeline-bubble-fraction", "return Object.fromEntries(Array.from({ length: 1000 }, (_, i) => ['x'.repeat(1000) + i, i]));"), "pipeline-bubble-fraction", `the answer of pipelineBubbleFraction is an object { ${Array(6).fill("x".repeat(40)).join(", ")}, … }, must be a number`],
  ["an object that claims to be a number", replaced("pipeline-bubble-fraction", "return { is: 'NaN' };"), "pipeline-bubble-fraction", "the answer of pipelineBubbleFraction is an object { is }, must be a number"],
  ["a list of nothing, very long", replaced("data-parallel-gradient-average", "return new Array(2 ** 32 - 1);"), "data-parallel-gradient-average", "the answer of dataParallelGradientAverage is more than 100000 values, must be a list of numbers"],
  ["more rows than can be tested", replaced("ring-all-reduce", "return { buffers: new Array(1e5).fill([]), steps: 1, bytesSentPerRank: [] };"), "ring-all-reduce", "the answer of ringAllReduce is more than 100000 values, must be an object { buffers, steps, bytesSentPerRank }"],
  ["lists within lists", replaced("data-parallel-gradient-average", "let all = []; for (let i = 0; i < 3000; i += 1) all = [all]; return all;"), "data-parallel-gradient-average", "the answer of dataParallelGradientAverage[0] is a list of 1, must be a number"],
  ["a member that throws", replaced("all-reduce-cost", "return { get steps() { throw new Error('not yet'); }, bytesSentPerRank: 1 };"), "all-reduce-cost", "allReduceCost threw an error: line 2: not yet"],
  [
    "a ring that works in place",
    mutant("ring-all-reduce", "buffers.map((tensor) => [...tensor])", "buffers"),
    "ring-all-reduce",
    "ringAllReduce changed what it was given: buffers[0][0] is 1111, must be 1 as before (work on a copy)",
  ],
  ["a gradient that is emptied", mutant("data-parallel-gradient-average", "return", "gradients[1].pop();\n  return"), "data-parallel-gradient-average", "dataParallelGradientAverage changed what it was given: gradients[1] is a list of 2, must be a list of 3 as before (work on a copy)"],
  ["a matrix that is overwritten", replaced("tensor-parallel-matmul", "w[0][0] = 'gone';\nreturn w;"), "tensor-parallel-matmul", "tensorParallelMatmul changed what it was given: w[0][0] is a text, must be 1 as before (work on a copy)"],
  ["a tensor with a hole", replaced("data-parallel-gradient-average", "return [1, , 3];"), "data-parallel-gradient-average", "the answer of dataParallelGradientAverage[1] is undefined, must be a number"],
  ["too few elements", replaced("data-parallel-gradient-average", "return [1];"), "data-parallel-gradient-average", "the average has 1 elements, must have 3, as each rank's gradient has"],
  ["ranks without a tensor", replaced("ring-all-reduce", "return { buffers: [[1]], steps: 6, bytesSentPerRank: [1] };"), "ring-all-reduce", "buffers has 1 tensors, must have one for each of 4 ranks"],
  ["an operation of no kind", replaced("pipeline-schedule-1f1b", "return { operations: [[{ microBatch: 0 }]], steps: 1, peakInFlight: [1] };"), "pipeline-schedule-1f1b", "operations[0][0].backward is undefined, must be true or false"],
  ["no micro-batches at all", replaced("pipeline-schedule-1f1b", "return { operations: [], steps: 0, peakInFlight: [] };"), "pipeline-schedule-1f1b", "the number of stages in operations is 0, must be 4"],
  ["an error of the language", replaced("all-reduce-cost", "const none = undefined;\nreturn none.steps;"), "all-reduce-cost", "allReduceCost threw an error: line 3: TypeError: cannot read property 'steps' of undefined"],
  ["a thrown text", replaced("all-reduce-cost", "throw 'nonsense';"), "all-reduce-cost", "allReduceCost threw an error: nonsense"],
  ["a circle", replaced("all-reduce-cost", "const all = {}; all.all = all; return all;"), "all-reduce-cost", "allReduceCost threw an error: TypeError: circular reference"],
];

for (const [what, work, id, message] of mutants) {
  test(`${id}: ${what} fails and is told where`, async () => {
    const { states, messages, report } = await tested(id, work);
    assert.ok(states.failed > 0);
    assert.deepEqual([states.left, report.fault], [0, undefined]);
    assert.ok(messages.includes(message), messages.join("\n"));
  });
}

test("a list that is changed stays as it is in the cases; what is done with the options themselves is a function's own matter", async () => {
  const inPlace = await tested("ring-all-reduce", mutant("ring-all-reduce", "buffers.map((tensor) => [...tensor])", "buffers"));
  assert.deepEqual(inPlace.states, { passed: 1, failed: 7, left: 0 });
  assert.equal(inPlace.results.find(({ state }) => state === "failed").call.options.buffers[0][0], 1);
  const options = new Map(solution).set("all-reduce-cost", "function allReduceCost(all) {\n  all.ranks -= 1;\n  return { steps: 2 * all.ranks, bytesSentPerRank: (2 * all.ranks * all.bytes) / (all.ranks + 1) };\n}\n");
  assert.deepEqual((await tested("all-reduce-cost", options)).states, { passed: 3, failed: 0, left: 0 });
});

/** What may be thrown, and what is said of it behind "threw an error: ". */
const thrown = [
  ["{}", "an object, without a message"],
  ["[1, 2]", "a list, without a message"],
  ["null", "null, without a message"],
  ["undefined", "undefined, without a message"],
  ["''", "an empty text, without a message"],
  ["404", "404"],
  ["10n ** 20n", "100000000000000000000"],
  ["Symbol('x')", "a symbol, without a message"],
  ["() => 1", "a function, without a message"],
  ["Promise.reject(1)", "an object, without a message"],
  ["new Error()", "line 2: Error, without a message"],
  ["new TypeError()", "line 2: TypeError, without a message"],
  ["{ message: 'mine' }", "mine"],
  ["{ message: {} }", "an object, without a message"],
  ["Object.assign(new Error('mine'), { name: {}, stack: {} })", "mine"],
  ["Object.assign(new Error('mine'), { stack: '-a'.repeat(2e6) })", "mine"],
  ["Object.defineProperty(new Error(), 'message', { get() { throw 1; } })", "something that cannot be looked at, without a message"],
  ["new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 1; }, ownKeys() { throw 1; } })", "something that cannot be looked at, without a message"],
  ["(({ proxy, revoke }) => (revoke(), proxy))(Proxy.revocable({}, {}))", "something that cannot be looked at, without a message"],
  ["'interrupted'", "interrupted"],
  ["'x'.repeat(5e6)", `${"x".repeat(399)}…`],
  ["new Error('x'.repeat(5e6))", `line 2: ${"x".repeat(391)}…`],
  ["'x'.repeat(398) + '\u{1f600}'.repeat(9)", `${"x".repeat(398)}…`],
];

for (const [what, sentence] of thrown) {
  test(`throw ${what} ends in a sentence`, async () => {
    const { messages, states } = await tested("all-reduce-cost", replaced("all-reduce-cost", `throw ${what};`));
    assert.deepEqual(states, { passed: 0, failed: 3, left: 0 });
    assert.equal(messages.at(-1), `allReduceCost threw an error: ${sentence}`);
  });
}

test("what is thrown is told even where errors are no longer what they were", async () => {
  const source = `Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1; } });
Object.defineProperty(Promise, Symbol.hasInstance, { value() { throw 1; } });
delete globalThis.Error;
delete globalThis.InternalError;
function allReduceCost() {
  throw new TypeError("mine");
}`;
  assert.equal((await tested("all-reduce-cost", new Map([["all-reduce-cost", source]]))).messages.at(-1), "allReduceCost threw an error: line 6: TypeError: mine");
});

test("what is thrown before any call is told in the same way", async () => {
  const faultOf = async (text) => (await tested("all-reduce-cost", new Map([["all-reduce-cost", text]]))).report.fault;
  assert.equal(await faultOf("throw {};"), "an object, without a message");
  assert.equal(await faultOf("throw 'x'.repeat(5e6);"), `${"x".repeat(399)}…`);
  assert.equal(await faultOf("function allReduceCost() {}\nawait undefined;"), "there is an await outside of any function");
  assert.equal(await faultOf("Object.defineProperty(globalThis, 'allReduceCost', { get() { while (true) {} }, set() {} });\nfunction allReduceCost() {}"), "there is no function allReduceCost");
});

/** What has no end, and what is said of it. */
const endless = [
  ["an endless loop", "while (true) {}", /^ringAllReduce had not ended after 1 second, and was stopped\. Is there a loop that never ends\?$/],
  ["an endless loop that catches what it can", "while (true) { try { while (true) {} } catch {} }", /had not ended after 1 second/],
  ["an expression that backtracks for ever", "/(a+)+$/.test('a'.repeat(40) + 'b');", /had not ended after 1 second/],
  ["a list that grows for ever", "const all = []; while (true) all.push(new Float64Array(100000));", /^ringAllReduce asked for more than 64 MiB of memory, and was stopped\.$/],
  ["a text of a billion letters", "'x'.repeat(2 ** 30 - 1);", /asked for more than 64 MiB/],
  ["a function that calls itself", "const again = () => again() + 1; again();", /^ringAllReduce called itself too deeply, and was stopped\. Does a function call itself for ever\?$/],
  ["an error whose message has no end", "throw Object.defineProperty(new Error(), 'message', { get() { while (true) {} } });", /had not ended after 1 second/],
  ["a member that has no end", "return { get buffers() { while (true) {} } };", /had not ended after 1 second/],
  ["a list that maps itself", "const again = (one) => [one].map(again); again(0);", /called itself too deeply/],
];

for (const [what, body, sentence] of endless) {
  test(`${what} is stopped, said so, and not run again`, async () => {
    const began = performance.now();
    const { states, report, messages } = await tested("ring-all-reduce", replaced("ring-all-reduce", body));
    assert.deepEqual(states, { passed: 0, failed: 1, left: 7 });
    assert.match(report.stopped, sentence);
    assert.match(messages[0], sentence);
    assert.ok(performance.now() - began < 20 * limits.milliseconds);
  });
}

test("memory that is kept until there is none for an error is told as memory", async () => {
  const noTime = () => 0;
  const { report, states } = await tested("ring-all-reduce", replaced("ring-all-reduce", "globalThis.all ??= [];\nwhile (true) all.push({});"), noTime);
  assert.deepEqual([states, report.stopped], [{ passed: 0, failed: 1, left: 7 }, "ringAllReduce asked for more than 64 MiB of memory, and was stopped."]);
});

test("a whole run has a limit; what is left of it is not run", async () => {
  // Whoever looks at this clock finds it later by a sixth of what one call may take.
  let now = 0;
  const { report, results, states } = await tested("ring-all-reduce", solution, () => (now += limits.milliseconds / 6));
  const sentence = "ringAllReduce had taken 20 seconds in all its calls, and was stopped.";
  assert.equal(report.stopped, sentence);
  assert.equal(states.failed, 1);
  assert.ok(states.passed > 0 && states.left > 0, JSON.stringify(states));
  assert.equal(results.find(({ state }) => state === "failed").messages.at(-1), sentence);
  assert.ok(results.slice(states.passed + 1).every(({ state }) => state === "left"));
  assert.ok(now < 2 * limits.runMilliseconds, `${now} ms`);
});

test("what stands before the function has limits, too", async () => {
  const { report, results } = await tested("all-reduce-cost", new Map([["all-reduce-cost", "while (true) {}\nfunction allReduceCost() {}"]]));
  assert.deepEqual(results, []);
  assert.match(report.fault, /^allReduceCost, before any call, had not ended after 1 second/);
});

test("a source that cannot be read is told by its line, and no case is run", async () => {
  const { report, results } = await tested("all-reduce-cost", new Map([["all-reduce-cost", "function allReduceCost() {\n  return {;\n}\n"]]));
  assert.deepEqual(results, []);
  assert.match(report.fault, /^line 2: SyntaxError: /);
  const other = await tested("all-reduce-cost", new Map([["all-reduce-cost", "function allreducecost() {}"]]));
  assert.equal(other.report.fault, "there is no function allReduceCost");
  const open = await tested("all-reduce-cost", new Map([["all-reduce-cost", "function allReduceCost() { return 1; }}"]]));
  assert.match(open.report.fault, /^line 1: SyntaxError: /);
});

/** A source that ends too early, or in which a bracket is open, and what is said of it. */
const open = [
  ["function f() {\n  return 1;\n", "line 1: SyntaxError: the { of this line is never closed: } is missing, at the end or before"],
  ["function f() {\n  for (;;) {\n    return 1;\n}\n", "line 1: SyntaxError: the { of this line is never closed: } is missing, at the end or before"],
  ["const a = 1;\n\nfunction f() {\n  return [1].map((x) => {\n    return x;\n", "line 3: SyntaxError: the { of this line is never closed: })} is missing, at the end or before"],
  ["function f() {\n  // }\n  return `}${'}'}` + '\\'}' + \"}\"; /* } */", "line 1: SyntaxError: the { of this line is never closed: } is missing, at the end or before"],
  ["function f(a) {\n  return /[/}]}\\/}/.test(a) ? a / 2 : (a) / 3 / 4; // }", "line 1: SyntaxError: the { of this line is never closed: } is missing, at the end or before"],
  ["function f() {\n  return `${[1].map((x) => `<${x}>`)}`;", "line 1: SyntaxError: the { of this line is never closed: } is missing, at the end or before"],
  ["function f() {\n  return [1].map((x) => {\n    return x;\n  };\n}\n", "line 2: SyntaxError: the ( of this line is not closed before the } of line 5"],
  ["function f({ a, b ) {\n  return 1;\n}\n", "line 1: SyntaxError: the { of this line is not closed before the ) behind it"],
  ["function f() {\n  return (1;\n}\n", "line 2: SyntaxError: the ( of this line is not closed before the } of line 3"],
  ["function f() {\n  if (true {\n  }\n}\n", "line 2: SyntaxError: expecting ')'"],
  ["function f() {\n  return 1 +", "line 2: SyntaxError: the source ends too early"],
  ["function f() {\n  return `1;\n}\n", "line 2: SyntaxError: unexpected end of string"],
  ["function f() {\n  /* 1;\n}\n", "line 2: SyntaxError: unexpected end of comment"],
  ["function f() { return 1; }\n}\n", "line 2: SyntaxError: unexpected token in expression: '}'"],
];

for (const [text, sentence] of open) {
  test(`of ${JSON.stringify(text)} it is said what is open`, async () => {
    const sandbox = await exercise.Sandbox.start(modules.interpreter);
    assert.equal(sandbox.define({ id: "some-id", name: "f", text }), sentence);
    assert.equal(sandbox.define({ id: "some-id", name: "f", text: "function f() {}" }), undefined);
  });
}

test("functions call each other; a mistake in another one is told where it is called", async () => {
  const work = new Map(solution).set("ring-all-reduce", "function ringAllReduce( {");
  const { messages } = await tested("data-parallel-gradient-average", work);
  assert.match(messages[0], /^dataParallelGradientAverage threw an error: .*ringAllReduce, line \d: SyntaxError: /);
  assert.deepEqual((await tested("all-reduce-cost", work)).states, { passed: 3, failed: 0, left: 0 });
  work.delete("ring-all-reduce");
  const unwritten = await tested("data-parallel-gradient-average", work);
  assert.match(unwritten.messages[0], /^dataParallelGradientAverage threw an error: ring-all-reduce, line \d+: it is still to be written$/);
});

test("what one source declares for itself, another does not see", async () => {
  const work = new Map(solution).set("all-reduce-cost", "const hidden = 1;\nfunction allReduceCost() { return typeof chunk; }");
  assert.ok((await tested("all-reduce-cost", work)).messages.includes("the answer of allReduceCost is a text, must be an object { steps, bytesSentPerRank }"));
  assert.equal((await tested("tensor-parallel-matmul", work)).states.failed, 0);
});

test("what a function logs is kept, up to some lines", async () => {
  const { report } = await tested("all-reduce-cost", mutant("all-reduce-cost", "return", "console.log('ranks', ranks, [1, NaN], { a: undefined });\n  return"));
  assert.equal(report.logged[0], 'ranks 4 [1,"NaN"] {}');
  assert.equal(report.logged.length, 13);
  const much = await tested("all-reduce-cost", mutant("all-reduce-cost", "return", "for (let i = 0; i < 200; i += 1) console.log(i);\n  return"));
  assert.equal(much.report.logged.length, limits.loggedLines);
  const long = await tested("all-reduce-cost", mutant("all-reduce-cost", "return", "console.log('x'.repeat(1e6));\n  return"));
  assert.equal(long.report.logged[0], `${"x".repeat(limits.characters - 1)}…`);
});

/** What may be logged, and how it is shown. */
const logged = [
  ["Symbol('x')", "Symbol(x)"],
  ["[Symbol('x'), 1n]", '["Symbol(x)","1"]'],
  ["10n ** 20n", "100000000000000000000"],
  ["undefined, null, -1, true, 'text'", "undefined null -1 true text"],
  ["new Float64Array(3)", "[0,0,0]"],
  ["new TypeError('mine'), [new Error('yours')]", 'TypeError: mine ["Error: yours"]'],
  ["all", '{"list":[1,"[circular]"],"all":"[circular]"}'],
  ["[twice, twice]", "[[1],[1]]"],
  ["new Proxy({}, { get() { throw 1; }, ownKeys() { throw 1; } })", "something that cannot be shown"],
  ["{ toJSON() { throw 1; } }", "something that cannot be shown"],
  ["Object.create(null)", "{}"],
  ["deep", '[[[[[[[[[[["…"]]]]]]]]]]]'],
];

for (const [what, line] of logged) {
  test(`console.log(${what}) prints and does not throw`, async () => {
    const body = `const all = { list: [1] }; all.list.push(all); all.all = all;
      const twice = [1];
      let deep = []; for (let i = 0; i < 1e5; i += 1) deep = [deep];
      Array.prototype.map = Array.prototype.join = Array.from = undefined;
      console.log(${what});
      return { steps: 2 * (ranks - 1), bytesSentPerRank: (2 * (ranks - 1) * bytes) / ranks };`;
    const { messages, report, states } = await tested("all-reduce-cost", replaced("all-reduce-cost", body));
    assert.deepEqual(states, { passed: 3, failed: 0, left: 0 }, messages.join("\n"));
    assert.equal(report.logged[0], line);
  });
}

test("nothing of the page is to be had, and what is built in may be broken without harm", async () => {
  const names = ["document", "fetch", "postMessage", "self", "process", "require", "log"];
  const body = `const found = ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== "undefined");
    if (found.length > 0) throw found.join(" ");
    JSON.parse = JSON.stringify = Array.from = Number.isFinite = Object.is = undefined;
    Array.prototype.map = undefined;
    Object.prototype.object = Object.prototype.number = Object.prototype.is = Object.prototype.toString = "broken";
    return { steps: 2 * (ranks - 1), bytesSentPerRank: (2 * (ranks - 1) * bytes) / ranks };`;
  const { states, messages } = await tested("all-reduce-cost", replaced("all-reduce-cost", body));
  assert.deepEqual(states, { passed: 3, failed: 0, left: 0 }, messages.join("\n"));
});

test("typed arrays are lists, and a negative zero is one", async () => {
  const typed = mutant("ring-all-reduce", "(tensor) => [...tensor]", "(tensor) => Float64Array.from(tensor)");
  assert.deepEqual((await tested("ring-all-reduce", typed)).states, { passed: 8, failed: 0, left: 0 });
  const { results } = await tested("data-parallel-gradient-average", replaced("data-parallel-gradient-average", "return [-0, NaN, Infinity];"));
  assert.deepEqual(results[0].call.answer, [-0, NaN, Infinity]);
});

test("a failed case has the call after which it first failed, and the reference's answer to it", async () => {
  const { results } = await tested("ring-all-reduce", mutants[0][1]);
  const { call, messages } = results.find(({ name }) => name.endsWith("sizes that the ranks do not divide"));
  assert.deepEqual(messages[0], "4 ranks, 73 elements each");
  assert.deepEqual(call.options.buffers.map((tensor) => [tensor.length, tensor[0]]), [[73, 1], [73, 10], [73, 100], [73, 1000]]);
  assert.equal(call.answer.buffers[0][0], 1);
  assert.deepEqual([call.right.buffers[0][0], call.right.steps, call.right.bytesSentPerRank], [1111, 6, [880, 880, 872, 872]]);
});

for (const { id, name, answer } of tasks) {
  test(`${id}: the reference answers every call of its cases in the shape that is asked for`, async () => {
    const { results } = await tested(id, replaced(id, "return undefined;"));
    for (const { call } of results) {
      assert.equal(exercise.misfit(name, call.right, answer), undefined);
      assert.deepEqual(Object.keys(call.options), Object.keys(taskOf(id).takes));
    }
  });
}

test("work is a file of JavaScript, and packed in a link", async () => {
  const { read, written, packed, unpacked } = exercise;
  assert.deepEqual([...solution.keys()], tasks.map(({ id }) => id));
  assert.equal(written(solution), solutionText);
  const link = await packed(solutionText);
  assert.match(link, /^[\w-]+$/);
  assert.equal(await unpacked(link), solutionText);
  assert.ok(link.length < exercise.longestLink, `${link.length} characters`);
  const unknown = [];
  assert.deepEqual([...read("// ==== ring ====\n1\n\r\n// ==== all-reduce-cost ====\r\n2\n", unknown)], [["all-reduce-cost", "2\n"]]);
  assert.deepEqual(unknown, ["ring"]);
  assert.deepEqual([...read("function ringAllReduce() {}")], []);
  const own = new Map([["all-reduce-cost", "const a = 1;\n// ==== helpers ====\nconst b = 1;\n// ==== ring-all-reduce ====\nconst c = 1;\n"]]);
  const again = read(written(own));
  assert.deepEqual([...again], [["all-reduce-cost", own.get("all-reduce-cost").replaceAll("// ", " // ")]]);
  assert.equal(written(again), written(own));
  for (const broken of ["", "!", "AAAA", link.slice(0, 40)]) await assert.rejects(unpacked(broken), broken);
  await assert.rejects(packed("x".repeat(2 ** 21)).then(unpacked), /more than 1 MiB/);
});

test("a source is known by the function that it declares", () => {
  const named = (text) => exercise.declaredIn(text).map(({ name }) => name);
  for (const text of [
    "function ringAllReduce({ buffers }) {}",
    "// mine\nexport default function ringAllReduce() {}",
    "const n = 1;\nconst ringAllReduce = ({ buffers }) => {\n  return allReduceCost({});\n};",
    "export function* ringAllReduce() {}",
    "async function ringAllReduce() {}",
  ]) assert.deepEqual(named(text), ["ringAllReduce"], text);
  for (const text of ["", "// function ringAllReduce", "  function ringAllReduce() {}", "function ringAllReduces() {}", "ringAllReduce({});", "return 1;"]) assert.deepEqual(named(text), [], text);
  assert.deepEqual(named("function allReduceCost() {}\nfunction ringAllReduce() {}"), ["ringAllReduce", "allReduceCost"]);
});
