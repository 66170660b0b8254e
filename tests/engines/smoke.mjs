/**
 * What every browser engine must do with the built page: show each widget's first result, answer to a control, run all
 * tests, and compute the bits that the native build recorded; and with each widget's own page, in a frame and as a file. Only the keyboard is used, and nothing is looked at that
 * an engine has a way of its own for, so that one text serves all.
 *
 * An engine is `{ open(address), run(expression), press(key), close() }`, each giving a promise.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { serveSite, siteDirectory } from "../browser/server.mjs";

/** Milliseconds that one change may take, and all the tests together, on a machine that has much else to do. */
const patience = { change: 60_000, suite: 300_000 };

/** A press of the right arrow on a widget's control, and what it does to a readout. */
const changes = {
  "all-reduce": { parameter: "ranks", readout: "factor", from: "1.5× = 1.5 GiB", to: "1.6× = 1.6 GiB" },
  "all-reduce-cost": { parameter: "ranks", readout: "steps", from: "14", to: "30" },
  crossover: { parameter: "ranks", readout: "crossover", from: "470.6 kB", to: "898 kB" },
  "nccl-tuning": { parameter: "nodes", readout: "seconds", from: "32.2 µs", to: "36.4 µs" },
  "data-parallel": { parameter: "fault", readout: "average", from: "10", to: "6" },
  "tensor-parallel": { parameter: "inFeatures", readout: "weights", from: "64 B", to: "80 B" },
  "tensor-parallel-cost": { parameter: "ranks", readout: "share", from: "12.6 %", to: "72.8 %" },
  pipeline: { parameter: "stages", readout: "makespan", from: "21", to: "24" },
  bubble: { parameter: "stages", readout: "bubble-of-total", from: "27.3 %", to: "33.3 %" },
  zero: { parameter: "zeroStage", readout: "total", from: "38.5 GB = 35.86 GiB", to: "26.25 GB = 24.45 GiB" },
  memory: { parameter: "tp", readout: "most", from: "44.92 GiB of 79.11 GiB", to: "23.8 GiB of 79.11 GiB" },
  measure: { parameter: "show", readout: "collectives", from: "16", to: null },
  verify: { parameter: "show", readout: "cells", from: "1 600", to: "190" },
};

/** Serves the pages with the listener in front of their own scripts. */
function serveWithListener() {
  const listener = readFileSync(new URL("listen.js", import.meta.url));
  return serveSite(({ url }, response) => {
    const name = url.split("?")[0].slice(1) || "index.html";
    if (name === "listen.js") {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(listener);
      return true;
    }
    if (name === "notes.html") {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(notes(url.split("?")[1]));
      return true;
    }
    if (!/^\w+\.html$/.test(name)) return false;
    const text = readFileSync(path.join(siteDirectory(), name), "utf8");
    response
      .writeHead(200, { "Content-Type": "text/html; charset=utf-8" })
      .end(text.replace("<head>", '<head><script src="listen.js"></script>'));
    return true;
  });
}

/** A page of somebody else's, with a widget in a frame that may do nothing but run scripts. */
function notes(id) {
  return `<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="data:,">
    <script>told = []; addEventListener("message", ({ data }) => told.push(data));</script>
    <iframe title="Widget" sandbox="allow-scripts" width="800" height="600" src="embed/${id}.html"></iframe></html>`;
}

/** An engine of a browser that Playwright or Puppeteer drives, which name these alike. */
export async function engineOf(browser) {
  const page = await browser.newPage();
  return {
    open: (address) => page.goto(address),
    run: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key),
    close: () => browser.close(),
  };
}

/** Makes the tests of one engine. */
export function smoke(start) {
  let site;
  let engine;

  before(async () => {
    site = await serveWithListener();
    engine = await start();
  });

  after(async () => {
    await engine?.close();
    await site?.close();
  });

  /** Runs a function in the page; its arguments and its result are plain data. */
  const inPage = (action, ...values) => engine.run(`(${action})(...${JSON.stringify(values)})`);

  /** Waits until a function, run in the page, gives what is expected. */
  async function becomes(expected, action, values, within = patience.change) {
    const end = Date.now() + within;
    let found;
    do {
      found = await inPage(action, ...values);
      if (found === expected) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (Date.now() < end);
    assert.equal(found, expected, `${action} of ${values.join(", ")}; the page says: ${await inPage(trouble)}`);
  }

  async function isQuiet() {
    const { said, elsewhere } = await inPage((origin) => {
      const addresses = performance.getEntriesByType("resource").map(({ name }) => name);
      return { said: globalThis.trouble, elsewhere: addresses.filter((name) => !name.startsWith(origin)) };
    }, site.origin);
    assert.deepEqual(said ?? [], []);
    assert.deepEqual(elsewhere, []);
  }

  /** Whether a widget shows its first result, and another when the right arrow is pressed on one of its controls. */
  async function answers(id) {
    const { parameter, readout, from, to } = changes[id];
    await becomes(true, comeNear, [id]);
    await becomes(true, drawn, [id]);
    if (await inPage(focus, id, ".show")) await engine.press("Enter");
    await becomes(from, read, [id, readout]);
    assert.ok(await inPage(focus, id, `[data-parameter=${parameter}] :is([type=range], :checked)`), `${id}: ${parameter}`);
    await engine.press("ArrowRight");
    await becomes(to, read, [id, readout]);
    assert.ok(await inPage(drawn, id));
  }

  test("every widget shows its first result, and answers to a control", async () => {
    await engine.open(site.url);
    const widgets = await inPage(() =>
      [...document.querySelectorAll("main *")]
        .map(({ localName }) => localName)
        .filter((name) => name.startsWith("shardlab-"))
        .map((name) => name.slice("shardlab-".length)),
    );
    assert.deepEqual(widgets, Object.keys(changes));
    for (const id of widgets) await answers(id);
    await isQuiet();
  });

  test("every widget's own page does, too, and so does the file that needs no server", async () => {
    for (const id of Object.keys(changes)) {
      await engine.open(`${site.url}embed/${id}.html`);
      await answers(id);
      await engine.open(pathToFileURL(path.join(siteDirectory(), "offline", `${id}.html`)).href);
      await answers(id);
    }
  });

  test("in a frame without an origin each says that it is ready, and how high it is", async () => {
    for (const id of Object.keys(changes)) {
      await engine.open(`${site.url}notes.html?${id}`);
      await becomes("ready, resize", said, []);
      await isQuiet();
    }
  });

  test("all tests pass, and the bits are those that the native build recorded", async () => {
    const { sources, bits } = JSON.parse(readFileSync(path.join(siteDirectory(), "tests", "native.json"), "utf8"));
    await engine.open(`${site.url}tests.html`);
    await becomes(false, isMissing, [".identity"]);
    const verdict = `Compiled from the same sources as the native build; ${bits.length} of ${bits.length} results have the same bits.`;
    await becomes(verdict, textOf, [".verdict"]);
    const expected = [["Sources (SHA-256)", sources], ...bits.map(({ name, hash }) => [`Bits: ${name}`, hash])];
    assert.deepEqual(await inPage(computed), expected);

    const count = await inPage(() => document.querySelector("shardlab-tests").shadowRoot.querySelectorAll("li").length);
    assert.ok(count > 100, `${count} cases are listed`);
    assert.ok(await inPage(focus, "tests", "button[name=all]"));
    await engine.press("Enter");
    await becomes(false, isMissing, ["output[name=summary]"], patience.suite);
    assert.equal(await inPage(textOf, "output[name=summary]"), `${count} passed, 0 failed`);
    await isQuiet();
  });

  test("the exercise runs what is written, and ends what has no end", async () => {
    const solution = readFileSync(new URL("../exercise/solution.js", import.meta.url), "utf8");
    await engine.open(`${site.url}exercise.html`);
    await becomes("8 cases wait for ringAllReduce.", status, []);
    const runs = async (work, expected) => {
      await inPage(write, work);
      assert.ok(await inPage(focus, "exercise", "button[name=run]"));
      await engine.press("Enter");
      await becomes(expected, status, []);
    };
    await runs(solution, "All 8 cases pass.");
    const stopped = (why) => `0 of 8 cases pass, 1 failed, 7 not run. ringAllReduce ${why}`;
    const ring = (body) => `// ==== ring-all-reduce ====\nfunction ringAllReduce() { ${body} }\n`;
    await runs(ring("while (true) {}"), stopped("had not ended after 1 second, and was stopped. Is there a loop that never ends?"));
    await runs(ring("const all = []; while (true) all.push(new Float64Array(1e5));"), stopped("asked for more than 64 MiB of memory, and was stopped."));
    await runs(ring("return ringAllReduce();"), stopped("called itself too deeply, and was stopped. Does a function call itself for ever?"));
    await isQuiet();
  });
}

// Each of these runs in the page, by itself.

function trouble() {
  return globalThis.trouble?.join("; ");
}

/** What the page around a widget's frame has been told, by kind: errors first. */
function said() {
  const kinds = new Set(globalThis.told.map(({ type }) => type).filter((type) => type !== undefined));
  return [...kinds].sort().join(", ");
}

/** A widget begins when it is near to what is seen. Gives whether it is there. */
function comeNear(id) {
  const found = document.querySelector(`shardlab-${id}`);
  found?.scrollIntoView();
  return found !== null;
}

/** Whether a widget has its numbers, and a picture in which something can be seen. */
function drawn(id) {
  const root = document.querySelector(`shardlab-${id}`)?.shadowRoot;
  const picture = root?.querySelector(".figure svg")?.getBoundingClientRect();
  return picture !== undefined && picture.width > 200 && picture.height > 50 && root.querySelector("[data-readout]") !== null;
}

/** Puts the focus where it is wanted, and gives whether there is such a thing. */
function focus(id, selector) {
  const found = document.querySelector(`shardlab-${id}`).shadowRoot.querySelector(selector);
  found?.focus();
  return found !== null;
}

function read(id, readout) {
  const found = document.querySelector(`shardlab-${id}`).shadowRoot.querySelector(`[data-readout=${readout}]`);
  return found?.textContent.replace(/\s+/g, " ").trim() ?? null;
}

/** How the exercise stands. */
function status() {
  return document.querySelector("shardlab-exercise").shadowRoot?.querySelector(".status")?.textContent.replace(/\s+/g, " ").trim();
}

/** Puts a student's work in the place of what the exercise has. */
function write(work) {
  document.querySelector("shardlab-exercise").work = work;
}

function isMissing(selector) {
  return !document.querySelector("shardlab-tests").shadowRoot?.querySelector(selector);
}

function textOf(selector) {
  const found = document.querySelector("shardlab-tests").shadowRoot.querySelector(selector);
  return found.textContent.replace(/\s+/g, " ").trim();
}

/** The comparison's rows after that of the compilers: what it is, and what this engine computed. */
function computed() {
  const rows = [...document.querySelector("shardlab-tests").shadowRoot.querySelectorAll(".identity tbody tr")];
  return rows.slice(1).map(({ cells }) => [cells[0].textContent.trim(), cells[2].textContent.trim()]);
}
