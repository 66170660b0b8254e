/** How the course marks: each of its questions, right and wrong, for numbers of a student's own. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { bytesText, handedIn, rightTexts, rightWorks } from "./course.mjs";
import { generator, source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { criteria } = await source("course/criteria/index.ts");
const { mark } = await source("course/marking.ts");
const { answered } = await source("course/numbers.ts");

const works = rightWorks(generator(20261130));
let lab;

before(async () => {
  lab = await (await importBuilt()).load();
});

const criterion = (id) => criteria.find((one) => one.id === id);

async function markOf(id, change, work = works[id]) {
  const marks = await mark(criterion(id), { ...rightTexts(work), ...change }, lab);
  return Object.fromEntries(marks.map(({ part, ...rest }) => [part, rest]));
}

const wrongOf = (marks) => Object.keys(marks).filter((part) => !marks[part].right);

test("there are six criteria, and each asks for numbers, a reason and something to be done", () => {
  assert.deepEqual(criteria.map(({ id }) => id), Object.keys(works));
  for (const { id, parts } of criteria) {
    const kinds = parts.map(({ kind }) => kind);
    for (const kind of ["own", "number", "choice", "task"]) assert.ok(kinds.includes(kind), `${id} has a ${kind}`);
  }
});

test("right answers are right, for a student's own numbers", async () => {
  for (const seed of repeated([1, 2, 3], [4, 5, 6, 7, 8])) {
    for (const [id, work] of Object.entries(rightWorks(generator(seed)))) {
      const marks = await markOf(id, {}, work);
      assert.deepEqual(wrongOf(marks), [], `${id}, seed ${seed}: ${JSON.stringify([rightTexts(work), marks])}`);
    }
  }
});

test("an empty sheet is wrong everywhere, and told so", async () => {
  for (const { id, parts } of criteria) {
    const empty = Object.fromEntries(parts.filter(({ kind }) => kind !== "own").map((part) => [part.id, part.begins?.join(",") ?? ""]));
    const marks = await markOf(id, empty);
    assert.equal(wrongOf(marks).length, Object.keys(marks).length, id);
  }
});

test("every wrong statement is wrong alone, and says what is the matter with it", async () => {
  for (const { id, parts } of criteria) {
    for (const { id: part, kind, statements } of parts) {
      if (kind !== "choice" && kind !== "ticks") continue;
      assert.ok(statements.some(({ right }) => right), `${id}.${part} has a right one`);
      for (const statement of statements.filter(({ right }) => right !== true)) {
        const marks = await markOf(id, { [part]: statement.id });
        assert.deepEqual(wrongOf(marks), [part], `${id}.${part}=${statement.id}`);
        assert.equal(marks[part].because, statement.because);
      }
    }
  }
  assert.equal((await markOf("mean", { breaks: "unseen" })).breaks.because, "What is ticked holds, and it is not all that does.");
});

test("an order is wrong from the first statement out of place", async () => {
  const { way } = await markOf("steps", { way: "own,copy,add,whole,all" });
  assert.equal(way.right, false);
  assert.match(way.because, /^Look at place 2: until a sum is whole/);
  assert.match((await markOf("steps", { way: "own,own,own,own,own" })).way.because, /^Look at place 1/, "no order at all is the beginning");
});

// A number, and what is said about the idea that leads to it.
const slips = [
  ["steps", "first", ({ own }) => own.ranks, /first rank's numbers/],
  ["steps", "steps", ({ own }) => own.ranks - 1, /not been handed/],
  ["steps", "steps", ({ own }) => 2 * own.ranks, /neither round takes N hops/],
  ["bytes", "sent", ({ own }) => bytesText(own.ranks * parseFloat(own.bytes)), /N whole tensors/],
  ["bytes", "sent", ({ own }) => own.bytes, /the tensor once/],
  ["bytes", "limit", ({ own }) => own.ranks, /N times/],
  ["mean", "average", ({ own }) => own.gradients.split(", ").reduce((sum, one) => sum + Number(one), 0), /That is the sum/],
  ["mean", "dropped", ({ answers, own }) => (answers.dropped * own.gradients.split(", ").length) / (own.gradients.split(", ").length - 1), /Nobody has told them/],
  ["mean", "doubled", ({ answers, own }) => (answers.doubled * own.gradients.split(", ").length) / (own.gradients.split(", ").length + 1), /as many ranks as before/],
  ["split", "column", ({ own }) => own.outFeatures * own.batch, /its own part of the outputs/],
  ["split", "row", ({ answers }) => answers.column, /split by columns/],
  ["split", "rowSent", () => 0, /lack the others' terms/],
  ["split", "layer", () => 2, /one pass/],
  ["idle", "known", () => "3/11", /eight is the number of stages/],
  ["idle", "known", () => "175 %", /time that the work needs/],
  ["idle", "own", ({ own }) => own.microBatches / (own.stages + own.microBatches - 1), /part in which it works/],
  ["idle", "least", ({ own }) => 10 * (own.stages - 1), /tenth of the work's time/],
  ["states", "replica", ({ own }) => 2 * own.params, /weights alone/],
  ["states", "shard", ({ own }) => (4 + 12 / own.ranks) * own.params, /stage 1/],
  ["states", "times", () => 3, /How many times does stage 0 send it/],
];
for (const [id, part, value, said] of slips) {
  test(`a known slip in ${id}.${part} is known: ${said.source}`, async () => {
    const marks = await markOf(id, { [part]: String(value(works[id])) });
    assert.deepEqual(wrongOf(marks), [part]);
    assert.match(marks[part].because, said);
  });
}

test("another number is too small or too large, and no verdict gives the answer away", async () => {
  const { steps } = await markOf("steps", { steps: "1" });
  assert.match(steps.because, /^That is too small\. Play/);
  const { known } = await markOf("idle", { known: "0.9" });
  assert.match(known.because, /^That is too large\./);
  for (const { id, parts } of criteria) {
    for (const { id: part } of parts.filter(({ kind }) => kind === "number")) {
      const marks = await markOf(id, { [part]: "123456789" });
      assert.deepEqual(wrongOf(marks), [part]);
      const right = works[id].answers[part];
      if (right > 9) assert.doesNotMatch(marks[part].because, new RegExp(`\\b${right}\\b`));
    }
  }
  assert.match((await markOf("states", { replica: "a lot" })).replica.because, /not read as a number.*1\.5GB/);
});

test("what the widget shows is not always what was asked for", async () => {
  const cases = [
    ["steps", { algorithm: "tree" }, /another algorithm/],
    ["steps", { step: 1, ranks: works.steps.own.ranks }, /lacks a rank/],
    ["bytes", { ranks: 4 }, /1\.5 times its tensor/],
    ["bytes", { ranks: "none" }, /Ranks must be a whole number/],
    ["mean", { fault: "drop" }, /to be yours/],
    ["split", { split: "column" }, /are pieces/],
    ["idle", { stages: 8, microBatches: 29 }, /Fewer/],
    ["idle", { stages: 8, microBatches: 27 }, /idle 20\.6/],
    ["states", { params: "70B", zeroStage: 3, ranks: 15 }, /Fewer ranks/],
    ["states", { params: "70B", zeroStage: 2, ranks: 14 }, /on a rank/],
  ];
  for (const [id, settings, said] of cases) {
    const { shown } = await markOf(id, { shown: handedIn(settings) });
    assert.equal(shown.right, false);
    assert.match(shown.because, said);
  }
  assert.equal((await markOf("bytes", { shown: handedIn({ algorithm: "halving-doubling", ranks: 8 }) })).shown.right, true);
});

test("own values for which there is no answer are refused by name", async () => {
  const cases = [
    ["steps", { ranks: "2" }, "ranks"],
    ["steps", { ranks: "1e300" }, "ranks"],
    ["bytes", { bytes: "heavy" }, "bytes"],
    ["bytes", { bytes: "-1" }, "bytes"],
    ["bytes", { bytes: "0" }, "bytes"],
    ["mean", { gradients: "3, x" }, "gradients"],
    ["mean", { gradients: "3" }, "gradients"],
    ["mean", { gradients: "1, 0", rank: "1" }, "rank"],
    ["split", { outFeatures: "7", ranks: "2" }, "outFeatures"],
    ["idle", { stages: "8", microBatches: "4" }, "microBatches"],
    ["states", { params: "12" }, "params"],
    ["states", { ranks: "" }, "ranks"],
  ];
  for (const [id, change, parameter] of cases) {
    await assert.rejects(markOf(id, change), (error) => error.parameter === parameter, `${id} ${JSON.stringify(change)}`);
  }
});

test("gradients that cancel leave nothing, whatever rounding says", async () => {
  const own = { gradients: "0.1, 0.2, -0.3, 5", rank: "3" };
  const { dropped } = await markOf("mean", { ...own, average: "1.25", dropped: "0", doubled: "2.5" });
  assert.equal(dropped.right, true);
});

test("numbers are read as they are written", () => {
  const share = { share: true };
  assert.deepEqual(["7/11", "7 / 11"].map((text) => answered(text, share)), [7 / 11, 7 / 11]);
  assert.deepEqual(["62.5 %", "62.5%", "0.625"].map((text) => answered(text, share)), [0.625, 0.625, 0.625]);
  assert.deepEqual(["1 000", "1,000", "1000", "1e3", "−3"].map((text) => answered(text, {})), [1000, 1000, 1000, 1000, -3]);
  assert.deepEqual(["1.5GB", "1,500,000,000", "1GiB"].map((text) => answered(text, { quantity: "bytes" })), [1.5e9, 1.5e9, 2 ** 30]);
  for (const text of ["", "many", "1/0", "1 000 00"]) assert.equal(answered(text, share), undefined, text);
});
