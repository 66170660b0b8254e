/**
 * What an author copies, in notes of another host: as pages, in frames, as a file, under a policy, in a notebook, and
 * through the sanitisers of hosts that take things out. hosts/ has the tools that make notes.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { open } from "./browser.mjs";
import { assertCopied, noteNames } from "./hosts/notes.mjs";
import { servePage } from "./server.mjs";
import { frameHeight, hostNames, snippet } from "./snippets.mjs";

const attributes = { "micro-batches": "16" };

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

for (const name of noteNames) test(`the notes that are made with ${name} have what the dialog gives`, () => assertCopied(name));

const of = (host, more = {}) => snippet(host, { base: site.url, attributes, ...more });

/** A page of another host's with this in it, under its policy. */
async function shown(body, policy) {
  notes.show(body, policy);
  const page = await site.page();
  await page.goto(notes.url);
  return page;
}

async function firstResult(place) {
  const widget = place.locator("shardlab-pipeline");
  await widget.locator("[data-readout]").first().waitFor();
  await widget.evaluate((element) => element.updateComplete);
  assert.equal(await widget.evaluate(({ results }) => results?.microBatches), 16);
  return widget;
}

const troubleOf = (page) => page.trouble.filter((one) => !["blob:", "file:", notes.url].some((start) => one.startsWith(`request: ${start}`)));

describe("the element on another host", () => {
  test("it works in a worker, with nothing on the console", async () => {
    const page = await shown(of("html").text);
    const widget = await firstResult(page);
    assert.equal(page.workers().length, 1);
    await page.setViewportSize({ width: 320, height: 800 });
    await widget.evaluate((one) => one.updateComplete);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("where no worker may be started, it works without", async () => {
    const page = await shown("");
    await page.evaluate(() => (window.Worker = class { constructor() { throw new Error("no workers"); } }));
    await page.evaluate((html) => {
      document.body.append(document.createRange().createContextualFragment(html));
    }, of("html").text);
    await firstResult(page);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("under a policy of 'self' and 'wasm-unsafe-eval', beside the lab", async () => {
    const page = await site.page();
    const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'wasm-unsafe-eval'">`;
    const body = `<!doctype html><html lang="en"><head>${policy}<title>Notes</title><link rel="icon" href="data:,"></head><body>${of("html").text}</body></html>`;
    await page.route(`${site.url}notes.html`, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(`${site.url}notes.html`);
    await firstResult(page);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("under the policy that the dialog tells, on another host", async () => {
    // The page's own icon is a text in it.
    const policy = of("html").once.text.replace("img-src ", "img-src data: ");
    const page = await shown(of("html").text, `default-src 'none'; style-src 'unsafe-inline'; ${policy}`);
    await firstResult(page);
    assert.equal(page.workers().length, 1, "and it computes beside the page's own thread");
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("in a page that is a file", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "shardlab-notes-"));
    const file = path.join(folder, "notes.html");
    await writeFile(file, `<!doctype html><html lang="en"><title>Notes</title><body>${of("html").text}</body></html>`);
    const page = await site.page();
    await page.goto(pathToFileURL(file).href);
    await firstResult(page);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
    await rm(folder, { recursive: true });
  });

  test("it turns dark with a page that says so only in its colours, and light again", async () => {
    const page = await shown(`<style>body { color: #222; background: #fff } body[data-scheme=slate] { color: #ddd; background: #111 }</style>${of("html").text}`);
    const widget = await firstResult(page);
    const paper = () => widget.locator(".widget").evaluate((box) => getComputedStyle(box).backgroundColor);
    const turn = async (scheme) => {
      await page.evaluate((one) => document.body.setAttribute("data-scheme", one), scheme);
      await widget.evaluate((one) => one.updateComplete);
      return paper();
    };
    assert.deepEqual([await paper(), await turn("slate"), await turn("default")], ["rgb(255, 255, 255)", "rgb(26, 29, 35)", "rgb(255, 255, 255)"]);
    await widget.evaluate((one) => one.setAttribute("theme", "light"));
    assert.equal(await turn("slate"), "rgb(255, 255, 255)");
    await page.close();
  });

  test("keys that a control takes are the widget's, and others the page's", async () => {
    const page = await shown(`<script>heard = []; addEventListener("keydown", ({ key }) => heard.push(key));</script>${of("html").text}`);
    const widget = await firstResult(page);
    const press = async (selector, ...keys) => {
      await widget.locator(selector).first().focus();
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("[data-parameter=stages] input[type=range]", "ArrowRight", "Home", "End", "PageUp", "n", "Escape");
    await press("[data-parameter=stages] input[type=text]", "b", "1", "ArrowLeft", "Control+k");
    await press(".toolbar button", "ArrowRight", "s");
    await press(".figure", "?", "f");
    assert.deepEqual(await page.evaluate(() => heard), ["n", "Escape", "Control", "k", "ArrowRight", "s", "f"]);
    await page.close();
  });
});

describe("in a frame", () => {
  for (const host of ["iframe", "courses"]) {
    for (const sandbox of [undefined, "allow-scripts"]) {
      test(`${host}${sandbox === undefined ? "" : ", sandboxed"}`, async () => {
        const text = of(host).text.replace("<iframe", sandbox === undefined ? "<iframe" : `<iframe sandbox="${sandbox}"`);
        const page = await shown(text);
        await firstResult(page.frameLocator("iframe"));
        const { width, height } = await page.locator("iframe").boundingBox();
        assert.deepEqual([Math.round(height), width > 600], [frameHeight("pipeline"), true]);
        assert.deepEqual(troubleOf(page), []);
        await page.close();
      });
    }
  }
});

describe("an author's texts", () => {
  const nasty = { source: "csv", "input": 'a "quoted" <b> & {{ x }}\n\n```\n1,2', predict: "" };

  test("what is pasted stays on its line and in its quotation marks", async () => {
    const { text } = snippet("html", { base: site.url, attributes: nasty });
    assert.doesNotMatch(text, /\n\s*\n/);
    const page = await shown(text.replace(/<script.*?<\/script>/, ""));
    const read = await page.locator("shardlab-pipeline").evaluate((one) => [one.getAttribute("input"), one.hasAttribute("predict")]);
    assert.deepEqual(read, [nasty.input, true]);
    const address = await page.evaluate((html) => new DOMParser().parseFromString(html, "text/html").querySelector("iframe").src, snippet("iframe", { base: site.url, attributes: nasty }).text);
    assert.equal(new URL(address).searchParams.get("input"), nasty.input);
    await page.close();
  });

  for (const host of hostNames) {
    test(`${host}: one text, with what it leads to in it`, () => {
      const { text, caution } = snippet(host, { attributes: nasty, width: 720 });
      assert.match(text, /https:\/\/example\.org\/shardlab\/v1\/|<shardlab-pipeline /);
      assert.ok(caution.length < 160, caution);
      if (["mkdocs", "vitepress", "quarto"].includes(host)) assert.doesNotMatch(text, /\n\s*\n/);
    });
  }
});

/**
 * What Canvas leaves of a teacher's HTML: instructure/canvas-lms at 03f405c,
 * gems/canvas_sanitize/lib/canvas_sanitize/canvas_sanitize.rb.
 */
const canvas = {
  iframe: ["src", "width", "height", "name", "align", "frameborder", "scrolling", "sandbox", "allowfullscreen"],
  all: ["style", "class", "id", "title", "role", "lang", "dir"],
};
/** What HTML Purifier knows of a frame, which Moodle cleans texts with: ezyang/htmlpurifier, HTMLModule/Iframe.php. */
const moodle = { iframe: ["src", "width", "height", "name", "scrolling", "frameborder", "longdesc", "marginheight", "marginwidth"], all: ["class", "id", "title", "style", "lang"] };

/** The text as a sanitiser with these rules leaves it. */
function sanitised(text, { iframe, all }) {
  return text.replace(/<(\/?)([a-z-]+)([^>]*)>/g, (_, slash, name, attributes) => {
    if (name !== "iframe") return "";
    const kept = [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].filter(([, key, value]) => [...iframe, ...all].includes(key) && (key !== "src" || /^https?:/.test(value)));
    return `<${slash}${name}${kept.map(([whole]) => whole).join("")}>`;
  });
}

describe("hosts that take things out", () => {
  for (const [name, rules] of Object.entries({ canvas, moodle })) {
    test(`${name} leaves the frame as it is`, () => {
      const { text } = snippet("courses", { attributes });
      assert.equal(sanitised(text, rules), text);
      assert.notEqual(sanitised(snippet("iframe").text, rules), snippet("iframe").text);
    });
  }

  test("Quarto's raw block has HTML that works, and nothing that ends it early", async () => {
    const [, html] = of("quarto").text.match(/^```\{=html\}\n(.*)\n```$/s);
    assert.doesNotMatch(html, /```/);
    const page = await shown(html);
    await firstResult(page);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });
});

/** The model that a notebook's host gives a widget, by the protocol of anywidget. */
const modelOfHost = `class Model {
  constructor(traits) { this.traits = traits; this.listeners = new Map(); this.saved = []; }
  get(name) { return this.traits[name]; }
  set(name, value) {
    this.traits[name] = value;
    for (const listener of this.listeners.get("change:" + name) ?? []) listener();
  }
  save_changes() { this.saved.push(structuredClone(this.traits)); }
  on(name, listener) { this.listeners.set(name, (this.listeners.get(name) ?? new Set()).add(listener)); }
  off(name, listener) { this.listeners.get(name)?.delete(listener); }
}`;

describe("in a notebook", () => {
  /** Runs the module as a host does, with traits that a snippet gives. */
  async function rendered(traits) {
    const page = await shown(`<div id="out"></div><script>${modelOfHost}</script>`);
    await page.evaluate(
      async ([address, given]) => {
        const { render } = (await import(address)).default;
        window.model = new Model(JSON.parse(given));
        window.cleanUp = await render({ model, el: document.querySelector("#out") });
      },
      [`${site.url}anywidget.mjs`, JSON.stringify(traits)],
    );
    return page;
  }

  test("MyST gives the module what its directive says", async () => {
    const [, address, body] = of("myst").text.match(/^```\{anywidget\} (\S+)\n(.*)\n```$/s);
    assert.equal(address, `${site.url}anywidget.mjs`);
    const page = await rendered(JSON.parse(body));
    await firstResult(page);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("Jupyter gives it traits; state goes both ways, and nothing stays behind", async () => {
    const [, id, options] = of("jupyter").text.match(/widget="([a-z-]+)", options=(\{.*\})\)$/m);
    assert.match(of("jupyter").text, new RegExp(`_esm = "${site.url}anywidget.mjs"`));
    const page = await rendered({ widget: id, options: JSON.parse(options), state: {} });
    const widget = await firstResult(page);
    await widget.locator("[data-parameter=stages] input[type=text]").fill("6");
    await widget.evaluate((one) => one.updateComplete);
    assert.deepEqual(await page.evaluate(() => model.saved.map(({ state }) => state.stages)), ["6"]);
    await page.evaluate(() => model.set("state", { stages: "3" }));
    await widget.evaluate((one) => one.updateComplete);
    assert.equal(await widget.evaluate(({ results }) => results.stages), 3);
    assert.equal(await page.evaluate(() => model.saved.length), 1, "what the host sets is not told to it");
    await page.evaluate(() => cleanUp());
    assert.equal(await page.locator("#out").innerHTML(), "");
    assert.equal(await page.evaluate(() => [...model.listeners.values()].every(({ size }) => size === 0)), true);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("options can be set again; names that are none of the widget's are told once, whatever they are", async () => {
    const odd = JSON.parse('{"__proto__": 1, "constructor": "x", "7": "x", "on click": 1, "onclick": "throw 1", "micro_batches": 16}');
    const page = await rendered({ widget: "pipeline", options: odd, state: JSON.parse('{"__proto__": 1, "junk": 2, "stages": 3}') });
    const widget = await firstResult(page);
    const told = () => widget.locator(".notices p").allTextContents();
    const names = ["7", "__proto__", "constructor", "on click", "onclick"];
    assert.deepEqual(await told(), [`The options have names that this widget does not know: ${names.join(", ")}.`]);
    assert.deepEqual(await widget.evaluate((one) => [one.onclick, one.state.stages, "junk" in one.state]), [null, "3", false]);
    const after = (options) =>
      page.evaluate(async (given) => {
        model.set("options", given);
        const [one] = document.querySelector("#out").children;
        await one.updateComplete;
        return { attributes: one.getAttributeNames().sort(), state: [one.state.microBatches, one.state.stages, one.state.schedule] };
      }, options);
    assert.deepEqual(await after({ microBatches: 8, schedule: "gpipe", constructor: 1, color: "red" }), {
      attributes: ["micro-batches", "schedule"],
      state: ["8", "3", "gpipe"],
    });
    assert.deepEqual((await told()).slice(1), ["The options have names that this widget does not know: color."]);
    assert.deepEqual(await after({ predict: true, theme: "dark", schedule: null }), { attributes: ["predict", "theme"], state: ["4", "3", "1f1b"] });
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("it is rendered into what is no part of a document yet", async () => {
    const page = await shown(`<script>${modelOfHost}</script>`);
    await page.evaluate(async (address) => {
      const { render } = (await import(address)).default;
      const el = document.createElement("div");
      render({ model: new Model({ widget: "pipeline", options: { "micro-batches": 16, color: "red" }, state: { stages: "3" } }), el });
      document.body.append(el);
    }, `${site.url}anywidget.mjs`);
    const widget = await firstResult(page);
    assert.equal(await widget.evaluate(({ state }) => state.stages), "3");
    assert.match(await widget.locator(".notices").textContent(), /does not know: color/);
    assert.deepEqual(troubleOf(page), []);
    await page.close();
  });

  test("a widget that there is not is named", async () => {
    const page = await rendered({ widget: "none", options: {}, state: {} });
    assert.match(await page.locator("#out").textContent(), /^widget must be one of all-reduce, .*It is none\.$/);
    await page.close();
  });
});
