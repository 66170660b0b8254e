/** A widget's own page: in an iframe of any kind, and as a file. */

import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { open, siteDirectory } from "./browser.mjs";
import { servePage } from "./server.mjs";
import { repeated } from "./tier.mjs";

/** Each is there in one form, and in the full tier in both. */
const ids = ["all-reduce", "all-reduce-cost", "crossover", "nccl-tuning", "data-parallel", "tensor-parallel", "tensor-parallel-cost", "bubble", "pipeline", "zero", "memory", "measure", "verify"];

let site;
let notes;

before(async () => {
  site = await open();
  notes = await servePage();
});
after(async () => {
  await site.close();
  await notes.close();
});

/** The widget of a page or a frame, when its first result is shown. */
async function widgetIn(place, id) {
  const widget = place.locator(`shardlab-${id}`);
  await widget.evaluate(async (element) => {
    await customElements.whenDefined(element.localName);
    await element.ready;
    await element.updateComplete;
  });
  return widget;
}

/** A page of another host with the embed in an iframe; `window.told` has what the embed says. */
async function host(id, query = "", { sandbox, width = "100%" } = {}) {
  const page = await site.page();
  const allowed = sandbox === undefined ? "" : `sandbox="${sandbox}"`;
  const source = `${site.url}embed/${id}.html${query}`;
  notes.show(`<script>told = []; addEventListener("message", ({ data }) => told.push(data));</script>
    <iframe title="Widget" ${allowed} width="${width}" height="500" src="${source.replaceAll("&", "&amp;")}"></iframe>`);
  await page.goto(notes.url);
  const frame = page.frameLocator("iframe");
  const widget = await widgetIn(frame, id);
  return { page, widget };
}

const troubleOf = (page) => page.trouble.filter((one) => one !== `request: ${notes.url}` && !one.startsWith("request: blob:"));
const said = (page, type) => page.evaluate((wanted) => told.filter((one) => one.type === wanted), type);
const heard = (page, type) => page.waitForFunction((wanted) => told.some((one) => one.type === wanted), type);

describe("in an iframe", () => {
  for (const id of repeated(ids.slice(0, 5), ids.slice(5))) {
    test(`${id} runs sandboxed, without an origin of its own, and asks no server for anything`, async () => {
      const { page, widget } = await host(id, "?v=1", { sandbox: "allow-scripts" });
      assert.ok((await widget.locator("[data-readout]").count()) > 0);
      assert.equal(await widget.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.startsWith("http")).length), 0);
      assert.deepEqual(troubleOf(page), []);
      await page.close();
    });
  }

  test("the query is the author's, the fragment the reader's, and neither is rewritten", async () => {
    const { page, widget } = await host("all-reduce", "?v=1&ranks=8&step=3&theme=dark&hide=export&predict=0#v=1&step=5");
    assert.deepEqual(await widget.evaluate(({ state }) => [state.ranks, state.step]), ["8", "5"]);
    await widget.evaluate((one) => one.reset());
    await widget.evaluate((one) => one.updateComplete);
    assert.deepEqual(await widget.evaluate(({ state }) => [state.ranks, state.step]), ["8", "3"]);
    assert.equal(await widget.locator(".menu").count(), 0);
    assert.equal(await widget.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(19, 21, 26)");
    assert.match(await widget.evaluate(() => location.href), /predict=0#v=1&step=5$/);
    assert.match(await widget.evaluate((one) => one.permalink()), /embed\/all-reduce\.html\?v=1&ranks=8&.*#v=1$/);
    await page.close();
  });

  test("what an address says in vain is told, and can be dismissed", async () => {
    const { page, widget } = await host("pipeline", "?v=7&stages=1000000000000&color=red&schedule=none");
    const text = await widget.locator(".notices").textContent();
    for (const told of [/of version 7/, /does not know: color/, /schedule="none" must be one of/, /Stages must .* Shown is 4\./]) assert.match(text, told);
    await widget.locator(".notices button").click();
    assert.equal(await widget.locator(".notices").count(), 0);
    await page.close();
  });

  test("what the author asked for in vain stays told beside what a link says, and a link's only until the next one", async () => {
    const { page, widget } = await host("pipeline", "?v=&color=red#v=1&stages=1e12");
    const told = () => widget.locator(".notices p").allTextContents();
    const [version, colour, stages, ...more] = await told();
    assert.match(version, /^v= in the address is left out: it must be a whole number of at least 1\.$/);
    assert.match(colour, /does not know: color/);
    assert.match(stages, /^From the link: Stages must/);
    assert.deepEqual(more, []);
    await widget.evaluate(async (one) => {
      const followed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = "#v=1&stages=8";
      await followed;
      await one.updateComplete;
    });
    assert.deepEqual(await told(), [version, colour]);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("it and the page around it can talk; nobody else is listened to", async () => {
    const { page, widget } = await host("all-reduce", "?ranks=8");
    await heard(page, "ready");
    const say = (message) => page.evaluate((one) => document.querySelector("iframe").contentWindow.postMessage(one, "*"), message);
    await say({ shardlab: 1, type: "ping" });
    await heard(page, "pong");
    await say({ shardlab: 1, type: "set", state: { ranks: 5, "latency-seconds": "9us", color: "red" } });
    await page.waitForFunction(() => true);
    await widget.locator(".notices").waitFor();
    assert.deepEqual(await widget.evaluate(({ state }) => [state.ranks, state.latencySeconds]), ["5", "9us"]);
    await say({ shardlab: 1, type: "theme", theme: "dark" });
    await widget.evaluate((one) => new Promise((done) => (one.getAttribute("theme") === "dark" ? done() : new MutationObserver(done).observe(one, { attributes: true }))));
    for (const nonsense of [null, "ping", 7, { shardlab: 2, type: "ping" }, { shardlab: 1, type: "constructor" }, { shardlab: 1, type: "set", state: "x" }, { shardlab: 1, type: "theme", theme: "x" }]) await say(nonsense);
    await widget.evaluate(() => window.postMessage({ shardlab: 1, type: "set", state: { ranks: 3 } }, "*"));
    await say({ shardlab: 1, type: "get" });
    await heard(page, "state");
    const [{ state, id }] = await said(page, "state");
    assert.deepEqual([state.ranks, state["latency-seconds"], id], ["5", "9us", "all-reduce"]);
    await widget.locator("[data-parameter=ranks] input[type=text]").fill("6");
    await heard(page, "change");
    const [change] = await said(page, "change");
    assert.deepEqual([change.changed, change.state.ranks], [["ranks"], "6"]);
    await widget.locator(".figure").press("Escape");
    await heard(page, "escape");
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("what the page around it sets in vain is refused by name, and all stays as it was", async () => {
    const { page, widget } = await host("pipeline", "?stages=8");
    await heard(page, "ready");
    const before = await widget.evaluate(({ state }) => state);
    const refused = [
      [{ stages: 1e12, "micro-batches": 16 }, { parameter: "stages", value: "1000000000000" }, /^Stages must .* It is 1000000000000\.$/],
      [{ microBatches: "x" }, { parameter: "micro-batches", value: "x" }, /^Micro-batches must .* It is x\.$/],
      [{ schedule: "none", stages: 3 }, { parameter: "schedule", value: "none" }, /^Schedule must be one of .* It is none\.$/],
      [{ stages: [2] }, { parameter: "stages", value: "object", rule: "be a text or a number" }, /^Stages must be a text or a number/],
      ["stages=2", { parameter: "state", value: "stages=2" }, /^state must be an object/],
    ];
    for (const [state] of refused) await page.evaluate((one) => document.querySelector("iframe").contentWindow.postMessage({ shardlab: 1, type: "set", state: one }, "*"), state);
    await page.evaluate(() => document.querySelector("iframe").contentWindow.postMessage({ shardlab: 1, type: "get" }, "*"));
    await heard(page, "state");
    const errors = await said(page, "error");
    assert.equal(errors.length, refused.length);
    for (const [index, [, fields, message]] of refused.entries()) {
      const error = errors[index];
      assert.deepEqual({ ...error, ...fields, code: "SHARDLAB-INPUT" }, error);
      assert.match(error.rule, /^be /);
      assert.equal(error.hint, "The last valid input is shown.");
      assert.match(error.message, message);
    }
    const [{ state }] = await said(page, "state");
    assert.deepEqual([state.stages, state["micro-batches"]], ["8", before.microBatches]);
    assert.deepEqual(await widget.evaluate(({ state: now }) => now), before);
    assert.equal(await widget.locator(".notices").count(), 0);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  for (const id of repeated(["all-reduce", "memory"], ids)) {
    test(`${id}: its height settles within five messages, and is what it needs`, async () => {
      const { page, widget } = await host(id);
      await heard(page, "resize");
      await widget.locator(".why summary").click();
      await page.waitForFunction(() => told.filter(({ type }) => type === "resize").length > 1);
      await page.evaluate(() => {
        document.querySelector("iframe").height = told.filter(({ type }) => type === "resize").at(-1).height;
      });
      await widget.evaluate(() => new Promise((done) => setTimeout(done, 500)));
      const heights = (await said(page, "resize")).map(({ height }) => height);
      assert.ok(heights.length <= 5, heights.join());
      assert.equal(await widget.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0);
      const others = await page.evaluate(() => told.filter((one) => one.subject === "lti.frameResize" || typeof one === "string"));
      assert.deepEqual(others.slice(-2), [{ subject: "lti.frameResize", height: heights.at(-1) }, JSON.stringify({ action: "resize", height: heights.at(-1) })]);
      await page.close();
    });
  }
});

describe("as a file", () => {
  for (const id of repeated(ids.slice(5), ids.slice(0, 5))) {
    test(`${id} runs without a server, and its address follows`, async () => {
      const page = await site.page();
      await page.goto(pathToFileURL(path.join(siteDirectory(), "offline", `${id}.html`)).href);
      const widget = await widgetIn(page, id);
      const outside = page.trouble.filter((one) => !one.startsWith("request: file:") && !one.startsWith("request: blob:"));
      assert.deepEqual(outside, []);
      const name = await widget.evaluate((one) => one.routine.parameters.find(({ kind, when, range }) => kind === "whole" && when === undefined && range !== undefined)?.name);
      if (name !== undefined) {
        const slider = widget.locator(`[data-parameter=${name}] input[type=range]`).first();
        await slider.focus();
        await page.keyboard.press("ArrowRight");
        await page.waitForFunction(() => location.hash.startsWith("#v=1&"));
        const state = await widget.evaluate((one) => one.state);
        await page.reload();
        assert.deepEqual(await (await widgetIn(page, id)).evaluate((one) => one.state), state);
      }
      await page.close();
    });
  }
});
