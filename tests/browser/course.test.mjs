/** The course on its page: worked by a student, on paper, as a link and as a file. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { violations } from "./accessibility.mjs";
import { open, settled, widget } from "./browser.mjs";
import { rightTexts, rightWorks } from "./course.mjs";
import { generator, source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { criteria } = await source("course/criteria/index.ts");
const { routines } = await source("routines/index.ts");

const works = rightWorks(generator(20261130));
const criterion = (id) => criteria.find((one) => one.id === id);
let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

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
  const texts = rightTexts(works[id]);
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
      await part(page, id, number.id).locator("input").fill(rightTexts(works[id])[number.id]);
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
      const { answers } = await routines.find(({ id }) => tag === `shardlab-${id}`).question();
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
