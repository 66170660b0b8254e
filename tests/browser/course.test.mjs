/** The course: six criteria that are marked from a student's own inputs, interview questions, and the progress sheet. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { violations } from "./accessibility.mjs";
import { open, settled, widget } from "./browser.mjs";
import { generator, source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { criteria } = await source("course/criteria/index.ts");
const { mark } = await source("course/marking.ts");
const { answered } = await source("course/numbers.ts");
const { routines } = await source("routines/index.ts");

let site;
let lab;
let works;

before(async () => {
  site = await open();
  lab = await (await importBuilt()).load();
  works = rightWorks(generator(20261130));
});

after(() => site?.close());

// What is right, by formulas that have nothing to do with the page's

const bytesText = (size) => `${size} B`.replace(" ", "");

/** Values of a student's own, the right answers for them, and how the widgets are to be set. */
function rightWorks(random) {
  const whole = (least, most) => least + Math.floor(random() * (most - least + 1));
  const ranks = whole(3, 12);
  const [many, size] = [whole(3, 99), whole(1, 900) * 1e6];
  const gradients = Array.from({ length: whole(3, 6) }, () => whole(1, 40));
  const lost = whole(0, gradients.length - 1);
  const sum = gradients.reduce((all, one) => all + one, 0);
  const tp = whole(2, 4);
  const [inFeatures, outFeatures, batch] = [whole(tp, 12), tp * whole(2, 4), whole(1, 5)];
  const [stages, microBatches] = [whole(9, 32), whole(5, 64)];
  const [params, dp] = [whole(1, 90) * 1e9, whole(2, 300)];
  return {
    steps: {
      own: { ranks },
      answers: { first: ranks - 1, steps: 2 * (ranks - 1), way: "own,add,whole,copy,all", why: "phases" },
      widget: ["all-reduce", { ranks, step: ranks - 1 }],
    },
    bytes: {
      own: { ranks: many, bytes: bytesText(size) },
      answers: { sent: bytesText((2 * (many - 1) * size) / many), limit: 2, why: "cancel" },
      widget: ["all-reduce", { ranks: 8 }],
    },
    mean: {
      own: { gradients: gradients.join(", "), rank: lost },
      answers: {
        average: sum / gradients.length,
        dropped: (sum - gradients[lost]) / gradients.length,
        doubled: (sum + gradients[lost]) / gradients.length,
        why: "linear",
        breaks: "unseen,scaled,silent",
      },
      widget: ["data-parallel", { gradients: gradients.join("\n"), fault: "drop", rank: lost }],
    },
    split: {
      own: { ranks: tp, inFeatures, outFeatures, batch },
      answers: {
        column: (outFeatures * batch) / tp,
        columnSent: 0,
        row: outFeatures * batch,
        rowSent: (2 * (tp - 1) * outFeatures * batch) / tp,
        layer: 4,
        why: "inner",
        node: "between",
      },
      widget: ["tensor-parallel", { split: "row", ranks: tp, inFeatures, outFeatures, batch }],
    },
    idle: {
      own: { stages, microBatches },
      answers: { known: "7/11", own: `${(100 * (stages - 1)) / (stages + microBatches - 1)} %`, least: 9 * (stages - 1), why: "spread" },
      widget: ["bubble", { stages: 8, microBatches: 28 }],
    },
    states: {
      own: { params, ranks: dp },
      answers: { replica: `${(16 * params) / 1e9}GB`, shard: `${(16 * params) / dp / 1e6}MB`, times: 1.5, why: "once", cost: "gather,half,wait" },
      widget: ["zero", { params: "70B", zeroStage: 3, ranks: 14 }],
    },
  };
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function handedIn(settings) {
  return new URLSearchParams([["v", "1"], ...Object.entries(settings).map(([name, value]) => [kebab(name), String(value)])]).toString();
}

/** All of a criterion's texts, right. */
function rightTexts(id) {
  const { own, answers, widget: [, settings] } = works[id];
  const texts = { ...own, ...answers, shown: handedIn(settings) };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
}

const criterion = (id) => criteria.find((one) => one.id === id);

async function markOf(id, change) {
  const marks = await mark(criterion(id), { ...rightTexts(id), ...change }, lab);
  return Object.fromEntries(marks.map(({ part, ...rest }) => [part, rest]));
}

const wrongOf = (marks) => Object.keys(marks).filter((part) => !marks[part].right);

describe("marking", () => {
  test("there are six criteria, and each asks for numbers, a reason and something to be done", () => {
    assert.deepEqual(criteria.map(({ id }) => id), Object.keys(works));
    for (const { id, parts } of criteria) {
      const kinds = parts.map(({ kind }) => kind);
      for (const kind of ["own", "number", "choice", "task"]) assert.ok(kinds.includes(kind), `${id} has a ${kind}`);
    }
  });

  test("right answers are right, for a student's own numbers", async () => {
    for (const seed of repeated([1, 2, 3], [4, 5, 6, 7, 8])) {
      works = rightWorks(generator(seed));
      for (const id of Object.keys(works)) {
        const marks = await markOf(id, {});
        assert.deepEqual(wrongOf(marks), [], `${id}, seed ${seed}: ${JSON.stringify([rightTexts(id), marks])}`);
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
});

// On the page

async function course({ fragment = "", ...options } = {}) {
  const page = await site.page(options);
  await page.goto(`${site.url}course.html${fragment}`);
  await page.locator('[data-criterion="states"] form').waitFor();
  return page;
}

const form = (page, id) => page.locator(`[data-criterion="${id}"]`);
const part = (page, id, name) => form(page, id).locator(`[data-part="${name}"]`);
const verdict = (page, id, name) => part(page, id, name).locator(".verdict").innerText();
const said = (page, id) => form(page, id).locator(".said");

async function check(page, id, expected) {
  await form(page, id).locator(".check").click();
  await said(page, id).filter({ hasText: expected }).waitFor();
}

async function answer(page, id, one, text) {
  const place = part(page, id, one.id);
  if (one.kind === "own" || one.kind === "number") await place.locator("input").fill(text);
  if (one.kind === "choice") await place.locator(`input[value="${text}"]`).check();
  if (one.kind === "ticks") for (const name of text.split(",")) await place.locator(`input[value="${name}"]`).check();
  if (one.kind === "order") await putInOrder(place, text.split(","));
  if (one.kind === "task") await handIn(page, id, one);
}

async function putInOrder(place, names) {
  const now = () => place.locator("[data-statement]").evaluateAll((all) => all.map(({ dataset }) => dataset.statement));
  for (const [index, name] of names.entries()) {
    while ((await now()).indexOf(name) > index) await place.locator(`[data-statement="${name}"] [data-move="-1"]`).click();
  }
}

async function handIn(page, id, { id: name }) {
  const [tag, settings] = works[id].widget;
  const shown = widget(page, tag);
  await shown.root.scrollIntoViewIfNeeded();
  await shown.settled();
  const pass = shown.root.getByRole("button", { name: "Just show me" });
  if ((await pass.count()) > 0) await pass.click();
  const { step, ...controls } = settings;
  await shown.setAll(Object.fromEntries(Object.entries(controls).map(([key, value]) => [key, String(value)])));
  if (step !== undefined) await shown.step(step);
  await part(page, id, name).getByRole("button", { name: "Hand in" }).click();
}

async function fill(page, id) {
  const texts = rightTexts(id);
  for (const one of criterion(id).parts) await answer(page, id, one, texts[one.id]);
}

describe("on the page", () => {
  let page;
  before(async () => {
    page = await course();
  });
  after(() => page?.close());

  for (const { id } of criteria) {
    test(`${id}: marked right from a student's own numbers, after a mistake that is explained`, async () => {
      await fill(page, id);
      const number = criterion(id).parts.find(({ kind }) => kind === "number");
      await part(page, id, number.id).locator("input").fill("9e15");
      const all = criterion(id).parts.filter(({ kind }) => kind !== "own").length;
      await check(page, id, `${all - 1} of ${all} right. 1 attempt.`);
      assert.match(await verdict(page, id, number.id), /^Not yet\. That is too large/);
      assert.equal(await part(page, id, number.id).locator("input").getAttribute("aria-invalid"), "true");
      await part(page, id, number.id).locator("input").fill(rightTexts(id)[number.id]);
      assert.equal(await verdict(page, id, number.id), "", "the mark was for another answer");
      assert.equal(await said(page, id).textContent(), "Not marked as it is now. 1 attempt.");
      await check(page, id, `${all} of ${all} right. 2 attempts.`);
      assert.match(await verdict(page, id, number.id), /^Right\./);
      assert.equal(await form(page, id).locator("[aria-invalid=true]").count(), 0);
    });
  }

  test("the sheet has all of it, and a link shows the same to others", async () => {
    await page.locator("#sheet input[name=name]").fill("Ada Lovelace");
    assert.equal(await page.locator(".total").innerText(), "6 of 6 criteria right.");
    await page.waitForFunction(() => location.hash.includes("sheet.name=Ada+Lovelace"));
    const sheet = () => page.locator(".record").innerText();
    const before = await sheet();
    for (const text of [String(works.steps.own.ranks), "own numbers → add and pass on", "collect, then hand round", "2 attempts"]) assert.ok(before.includes(text), text);
    const other = await course({ fragment: new URL(page.url()).hash });
    await other.locator(".total", { hasText: "6 of 6" }).waitFor();
    assert.equal(await other.locator(".record").innerText(), before);
    assert.equal(await other.locator("#sheet input[name=name]").inputValue(), "Ada Lovelace");
    assert.equal(await other.locator("#sheet input[name=date]").inputValue(), await page.locator("#sheet input[name=date]").inputValue());
    assert.deepEqual(other.trouble, []);
    await other.close();
  });

  test("it goes to a file, and comes back from one", async () => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as a file" }).click()]);
    const text = await readFile(await file.path(), "utf8");
    const saved = JSON.parse(text);
    assert.equal(saved.name, "Ada Lovelace");
    assert.deepEqual(saved.criteria.map(({ id, attempts }) => [id, attempts]), criteria.map(({ id }) => [id, 2]));
    assert.ok(saved.criteria.every(({ answers }) => answers.every(({ right }) => right !== false)));
    const other = await course();
    await widget(other, "zero").root.evaluate((element) => element.set({ name: "ranks" }, "64"));
    await other.locator("#sheet input[type=file]").setInputFiles({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await other.locator("#sheet .said", { hasText: "mine.json is opened" }).waitFor();
    await other.locator(".total", { hasText: "6 of 6" }).waitFor();
    assert.equal(await other.locator(".record").innerText(), await page.locator(".record").innerText());
    for (const [content, complaint] of [["{", "no JSON"], ["[]", "no progress"], ['{"shardlab":"progress","version":9,"state":""}', "version 9"]]) {
      await other.locator("#sheet input[type=file]").setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from(content) });
      await other.locator("#sheet .said", { hasText: complaint }).waitFor();
    }
    assert.equal(await other.locator(".total").innerText(), "6 of 6 criteria right.", "what is no progress changes nothing");
    assert.deepEqual(other.trouble, []);
    await other.close();
  });

  test("what is printed is the sheet, on one page", async () => {
    const printed = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(printed.match(/\/Type\s*\/Page\b(?!s)/g).length, 1);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".record").isVisible(), true);
    for (const hidden of [".top", "shardlab-zero", ".interview", ".tools", "[data-criterion=steps]"]) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    await page.emulateMedia({ media: "screen" });
  });

  test("a reload keeps it, from the address; the page alone, from the browser; and it can be emptied", async () => {
    await page.reload();
    await page.locator(".total", { hasText: "6 of 6" }).waitFor();
    await page.goto(`${site.url}tests.html`);
    await page.goto(`${site.url}course.html#interview`);
    await page.locator(".total", { hasText: "6 of 6" }).waitFor();
    assert.match(await page.locator("#notice").innerText(), /this browser has kept/);
    assert.match(new URL(page.url()).hash, /^#interview&v=1&steps\./, "the place is still that of the link");
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Start again" }).click();
    await page.locator(".total", { hasText: "0 of 6" }).waitFor();
    await page.locator('[data-criterion="states"] form').waitFor();
    assert.equal(new URL(page.url()).hash, "#interview");
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    assert.deepEqual(page.trouble, []);
  });
});

test("each chapter of the lab has a question before its numbers, with the idea behind each wrong answer", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.url);
  for (const chapter of ["all-reduce", "data", "tensor", "pipeline", "zero", "memory"]) {
    const tags = await page.locator(`section[aria-labelledby="${chapter}"] [predict]`).evaluateAll((all) => all.map(({ localName }) => localName));
    assert.ok(tags.length > 0, chapter);
    for (const tag of tags) {
      const { answers } = routines.find(({ id }) => tag === `shardlab-${id}`).question;
      assert.equal(answers.filter(({ right }) => right === true).length, 1, tag);
      assert.ok(answers.length >= 3 && answers.every(({ because }) => because.length > 30), tag);
      assert.equal(new Set(answers.map(({ label }) => label)).size, answers.length);
    }
  }
  await page.close();
});

test("a prediction comes first, and stands on the sheet", async () => {
  const page = await course();
  const ring = page.locator("shardlab-all-reduce");
  await part(page, "bytes", "shown").getByRole("button", { name: "Hand in" }).click();
  assert.match(await said(page, "bytes").textContent(), /its question comes first/);
  await ring.getByRole("button", { name: "16× its tensor" }).click();
  const record = page.locator('[data-record="bytes"] .standing');
  assert.match(await record.innerText(), /Predicted before: “16× its tensor”, not right\./);
  await page.waitForFunction(() => location.hash.includes("bytes.predicted"));
  await page.reload();
  await record.filter({ hasText: "16× its tensor" }).waitFor();
  assert.equal(await ring.locator(".question .answers").count(), 0, "who has predicted is not asked again");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("values that cannot be are refused where they stand, and are no attempt", async () => {
  const page = await course();
  await part(page, "idle", "stages").locator("input").fill("8");
  await part(page, "idle", "microBatches").locator("input").fill("4");
  await check(page, "idle", "another pipeline than (8, 4)");
  assert.match(await verdict(page, "idle", "microBatches"), /^Micro-batches M must make another pipeline/);
  assert.equal(await form(page, "idle").locator(".check").innerText(), "Check");
  assert.equal(await part(page, "idle", "microBatches").locator("input").getAttribute("aria-invalid"), "true");
  await page.close();
});

/** A link of the first version, as it was given away: it is never edited. */
const golden =
  "#v=1&steps.ranks=5&steps.first=4&steps.steps=8&steps.way=own%2Cadd%2Cwhole%2Ccopy%2Call&steps.why=phases&steps.shown=v%3D1%26ranks%3D5%26step%3D4&steps.attempts=3&steps.checked=yes" +
  "&bytes.ranks=16&bytes.bytes=1GiB&bytes.sent=1.875GiB&bytes.limit=2&bytes.why=cancel&bytes.shown=v%3D1%26ranks%3D8&bytes.attempts=1&bytes.checked=yes&bytes.predicted=1.875%C3%97+its+tensor" +
  "&mean.gradients=3%2C+5%2C+10%2C+2&mean.rank=2&mean.average=5&mean.dropped=2.5&mean.doubled=7.5&mean.why=linear&mean.breaks=unseen%2Cscaled%2Csilent&mean.shown=v%3D1%26gradients%3D3%250A5%250A10%250A2%26fault%3Ddrop%26rank%3D2&mean.attempts=1&mean.checked=yes" +
  "&split.ranks=4&split.in-features=8&split.out-features=12&split.batch=3&split.column=9&split.column-sent=0&split.row=36&split.row-sent=54&split.layer=4&split.why=inner&split.node=between&split.shown=v%3D1%26split%3Drow%26ranks%3D4%26in-features%3D8%26out-features%3D12%26batch%3D3&split.attempts=2&split.checked=yes" +
  "&idle.known=7%2F11&idle.stages=16&idle.micro-batches=5&idle.own=75+%25&idle.least=135&idle.why=spread&idle.shown=v%3D1%26stages%3D8%26micro-batches%3D28&idle.attempts=1&idle.checked=yes" +
  "&states.params=70B&states.ranks=64&states.replica=1.12TB&states.shard=17.5GB&states.times=1.5&states.why=once&states.cost=gather%2Chalf%2Cwait&states.shown=v%3D1%26params%3D70B%26ranks%3D14%26zero-stage%3D3&states.attempts=1&states.checked=yes" +
  "&sheet.name=Ada+Lovelace&sheet.date=2026-11-30";

test("a link that was given away shows what it showed", async () => {
  const page = await course({ fragment: golden });
  await page.locator(".total", { hasText: "6 of 6 criteria right." }).waitFor();
  assert.equal(await page.locator("#notice").isVisible(), false);
  assert.match(await page.locator('[data-record="steps"] .standing').innerText(), /^5 of 5 right\. 3 attempts\.$/);
  assert.match(await page.locator('[data-record="bytes"] .standing').innerText(), /Predicted before: “1\.875× its tensor”, right\./);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("links of any kind are read as far as they go", async () => {
  const page = await course({ fragment: "#v=1&steps.why=nonsense&steps.way=a,b&steps.attempts=-7&mean.breaks=fails,x&bytes.shown=%26%26%3D&zero.ranks=64&color=red" });
  assert.match(await page.locator("#notice").innerText(), /does not know: color/);
  assert.match(await page.locator("#notice").innerText(), /steps\.why=nonsense/);
  assert.equal(await form(page, "steps").locator(".check").innerText(), "Check");
  assert.equal(await part(page, "mean", "breaks").locator("input:checked").count(), 1);
  assert.equal((await widget(page, "zero").state()).ranks, "64");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("without storage nothing else is lost", async () => {
  const page = await site.page();
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.goto(`${site.url}course.html`);
  await part(page, "steps", "ranks").locator("input").fill("5");
  await page.waitForFunction(() => location.hash.includes("steps.ranks=5"));
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("it is worked with the keyboard alone", async () => {
  const page = await course();
  await part(page, "steps", "ranks").locator("input").focus();
  for (const text of ["7", "6", "12"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.equal(await focused(), "Move down: copy and pass on");
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("Enter");
  assert.equal(await focused(), "Move down: copy and pass on", "the focus follows the statement");
  assert.match(await said(page, "steps").textContent(), /copy and pass on: now at place 4 of 5/);
  await page.keyboard.press("Space");
  assert.equal(await focused(), "Move up: copy and pass on", "at the end the other button is left");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await part(page, "steps", "why").locator("input:checked").getAttribute("value"), "phases");
  await part(page, "steps", "ranks").locator("input").focus();
  await page.keyboard.press("Enter");
  await said(page, "steps").filter({ hasText: "3 of 5 right. 1 attempt." }).waitFor();
  assert.deepEqual(page.trouble, []);
  await page.close();
});

describe("interview questions", () => {
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const three = (value) => String(Number(value.toPrecision(3)));
  const four = (value) => String(Number(value.toPrecision(4)));
  const config = { model_type: "llama", hidden_size: 8192, num_attention_heads: 64, num_key_value_heads: 8, intermediate_size: 28672, num_hidden_layers: 80, vocab_size: 128256 };

  /** The numbers that stand in each answer, by the lab. */
  const numbers = {
    ring: () => {
      const of = (algorithm) => lab.allReduceCost({ ranks: 8, bytes: 1e9, algorithm });
      const [ring, halving, tree] = ["ring", "halving-doubling", "tree"].map(of);
      assert.equal(halving.bytesSentPerRank, ring.bytesSentPerRank);
      assert.equal(halving.steps, tree.steps);
      return [`${ring.leastTotalBytes / 1e9} GB in all and ${ring.leastBusiestRankBytes / 1e9} GB a rank`, `${ring.bytesSentPerRank / 1e9} GB in ${halving.steps} steps instead of ${ring.steps}`, `root sends ${tree.bytesSentPerRank / 1e9} GB`];
    },
    split: () => {
      const cost = lab.tensorParallelCost({ config, ranks: 8, sequence: 8192 });
      const [{ bytes, bytesSentPerRank, count }, ...others] = cost.collectives;
      assert.equal([...others.slice(0, 3)].every((one) => one.count === count && one.bytesSentPerRank === bytesSentPerRank), true);
      const time = (rate) => `${three((4e3 * bytesSentPerRank) / rate)} ms`;
      return [`${four(bytes / 1e6)} MB`, `${four(bytesSentPerRank / 1e6)} MB in each of four`, `${time(450e9)} a layer`, time(50e9), `${three((6e3 * cost.layerMultiplications) / 400e12)} ms at 400 TFLOP/s`];
    },
    bubble: () => {
      const of = (stages, microBatches) => `${three(100 * lab.pipelineBubbleFraction({ stages, microBatches }))} %`;
      const interleaved = lab.interleavedBubbleFraction({ stages: 8, microBatches: 8, chunks: 4 });
      return [of(8, 8), `32 bring it to ${of(8, 32)}`, `7 / (4 · 8 + 7), the same ${three(100 * interleaved)} %`];
    },
    zero: () => {
      const found = [0, 1, 2, 3].map((zeroStage) => lab.zeroStates({ params: 7e9, ranks: 8, zeroStage }));
      const [none, one, two, three] = found.map(({ totalBytes }) => totalBytes / 1e9);
      assert.equal(found[2].sentBytes, found[0].sentBytes);
      return [`${none}, ${one}, ${two} and ${three} GB`, `${found[0].sentBytes / 1e9} GB a step`, `${found[3].sentBytes / 1e9} GB, half as much again`];
    },
    job: () => {
      const common = { preset: "llama3-70b", gpu: "h100-80gb", tp: 8, zeroStage: 1, sequence: 8192, microBatches: 16, sequenceParallel: true, flash: true, recompute: "none" };
      const found = lab.footprint({ ...common, pp: 2, dp: 4 });
      const flat = lab.footprint({ ...common, pp: 1, dp: 8 });
      assert.ok(found.fits && flat.fits && found.cost.ranks === 64);
      const { parameters, weightBytes, gradientBytes, optimizerBytes, activationBytes } = found.perStage[0];
      const { bubbleOfTotal, tensorBytes, dataBytes, pipelineBytes } = found.cost;
      const gb = (size) => `${three(size / 1e9)} GB`;
      return [
        `${three(parameters / 1e9)} billion parameters`,
        `${gb(weightBytes)} of weights, ${gb(gradientBytes)} of gradients`,
        `a quarter of the optimizer, ${gb(optimizerBytes)}`,
        gb(activationBytes),
        `holds ${three(found.mostLoadedRankBytes / 2 ** 30)} GiB`,
        `${three(100 * bubbleOfTotal)} %`,
        `sends ${gb(tensorBytes)} for tensor parallelism`,
        `${gb(dataBytes)} for data parallelism and ${gb(pipelineBytes)}`,
        `holds ${three(flat.mostLoadedRankBytes / 2 ** 30)} GiB`,
      ];
    },
  };

  test("are folded away, and each number in them is the lab's", async () => {
    const page = await site.page({ javaScriptEnabled: false });
    await page.goto(`${site.url}course.html`);
    const all = page.locator(".interview details");
    assert.deepEqual(await all.evaluateAll((found) => found.map(({ dataset, open }) => [dataset.question, open])), Object.keys(numbers).map((name) => [name, false]));
    for (const [name, of] of Object.entries(numbers)) {
      const text = plain(await page.locator(`[data-question="${name}"]`).textContent());
      for (const expected of of()) assert.ok(text.includes(expected), `${name}: ${expected}`);
    }
    await page.close();
  });

  test("their links into the lab show what they speak of", async () => {
    const page = await course();
    const links = await page.locator(".interview a[href^='index.html']").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    assert.equal(links.length, 5);
    const shown = await site.page();
    for (const link of links) {
      await shown.goto(site.url + link);
      assert.equal(await shown.locator("#notice").isVisible(), false, link);
    }
    const memory = widget(shown, "memory");
    await memory.root.scrollIntoViewIfNeeded();
    await memory.settled();
    assert.match(plain(await memory.caption()), /on 64 × H100 80GB \(tp 8, pp 2, dp 4, ZeRO stage 1\): a rank of stage 0 holds most, 52\.67 GiB .*; it fits/);
    assert.deepEqual(shown.trouble, []);
    await shown.close();
    await page.close();
  });
});

test("the lab's page is no heavier for it", async () => {
  const page = await site.page();
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(site.url);
  await settled(page);
  const chunks = await page.evaluate(async () => {
    const texts = await Promise.all(performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).map(async ({ name }) => (await fetch(name)).text()));
    return texts.filter((text) => text.includes("shardlab-course")).length;
  });
  assert.equal(chunks, 0);
  assert.ok(!asked.some((path) => /course/.test(path)), asked.join(" "));
  await page.close();
});

/** Every kind of verdict and everything unfolded. */
const shownFragment = "#v=1&steps.ranks=6&steps.first=6&steps.steps=10&steps.why=phases&steps.attempts=2&steps.checked=yes&mean.gradients=3,5&mean.rank=7&mean.checked=yes";

const looks = repeated(
  [["light", 390, { colorScheme: "light" }]],
  [
    ["light", 1200, { colorScheme: "light" }],
    ["dark", 1200, { colorScheme: "dark" }],
    ["forced colours", 390, { forcedColors: "active" }],
    ["light", 320, { colorScheme: "light" }],
  ],
);
for (const [name, width, options] of looks) {
  test(`is accessible and scrolls nowhere sideways, ${name} at ${width} pixels`, async () => {
    const page = await course({ width, fragment: shownFragment, ...options });
    await page.locator(".verdict.right").first().waitFor();
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await settled(page);
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
}
