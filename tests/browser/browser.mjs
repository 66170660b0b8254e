/** The built page in a real browser, served from a sub-path, and what the tests ask of its widgets. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { serveSite } from "./server.mjs";

export { siteDirectory } from "./server.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launchChromium() {
  const executablePath = candidates.find((file) => existsSync(file));
  if (executablePath === undefined) {
    throw new Error(`these tests need Chromium (Debian's package chromium) at one of ${candidates.join(", ")}`);
  }
  return chromium.launch({ executablePath, args: flags });
}

/** Starts the site and a browser; both end with `close()`. */
export async function open() {
  const browser = await launchChromium();
  return new Site(await serveSite(), browser);
}

class Site {
  constructor(server, browser) {
    this.server = server;
    this.browser = browser;
    this.origin = server.origin;
    this.url = server.url;
  }

  async close() {
    await this.browser.close();
    await this.server.close();
  }

  /**
   * A page that has not been opened yet. `page.trouble` collects what a good page never has. Without motion unless a
   * test asks for it: a control that still scrolls into view is missed by a click.
   */
  async page({ width = 1200, colorScheme = "light", reducedMotion = "reduce", ...options } = {}) {
    const viewport = { width, height: 900 };
    const page = await this.browser.newPage({ viewport, colorScheme, reducedMotion, ...options });
    page.trouble = [];
    page.on("console", (message) => page.trouble.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => page.trouble.push(`exception: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(this.url)) page.trouble.push(`request: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) page.trouble.push(`${response.status()}: ${response.url()}`);
    });
    return page;
  }

  /**
   * The page, opened, with every widget showing its first result, and every question passed over.
   * @param only the widgets that stand on it, by their ids; all where left out. One is there in half of the time.
   */
  async lab({ fragment = "", only, ...options } = {}) {
    const page = await this.page(options);
    if (only !== undefined) await page.route(this.url, (route) => fulfillWith(route, only));
    await page.goto(this.url + fragment);
    await settled(page);
    await passQuestions(page);
    return page;
  }
}

/** Every widget as the page's author wrote it, without loading the page again. */
export async function restart(page) {
  for (const tag of await tags(page)) {
    await page.locator(tag).evaluate((element) => {
      element.state = {};
      return element.updateComplete;
    });
  }
}

/** Answers with the page as it is served, but for the other widgets. */
async function fulfillWith(route, only) {
  const response = await route.fetch();
  const text = await response.text();
  const other = new RegExp(`<shardlab-(?!(?:${[only].flat().join("|")})[ >])([a-z-]+)[^>]*>.*?</shardlab-\\1>`, "gs");
  await route.fulfill({ response, body: text.replace(other, "") });
}

/** Goes on without an answer, wherever one is asked for. */
export async function passQuestions(page) {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll("main [predict]")) {
      element.shadowRoot?.querySelector(".show")?.click();
    }
  });
  await settled(page);
  await blur(page);
}

/** Opens everything that is folded away. */
export async function unfold(page) {
  for (const tag of await tags(page)) {
    const one = new Widget(page, tag);
    for (const kind of ["why", "data", "more", "menu", "folded", "refused"]) await one.disclose(kind);
  }
}

/** Every alternative set of controls, a step in the middle, and an error. */
export async function otherState(page) {
  await widget(page, "all-reduce").set("source", "csv");
  await widget(page, "all-reduce").step(2);
  await widget(page, "data-parallel").setAll({ show: "training", trainingFault: "miss-gather", zeroStage: "3" });
  await widget(page, "tensor-parallel").set("split", "row");
  await widget(page, "bubble").set("stages", "none");
  await widget(page, "pipeline").setAll({ stages: "8", microBatches: "80", gradientSync: "9", activationBytes: "1GiB", zoom: "2", from: "50" });
  await widget(page, "zero").set("source", "config");
  await widget(page, "memory").press("Pin this to compare");
  await widget(page, "memory").press("Does 70B fit on 8 cards?");
}

/** Takes the focus from wherever it is. */
export function blur(page) {
  return page.evaluate(() => (document.activeElement?.shadowRoot?.activeElement ?? document.activeElement)?.blur());
}

/** The tags of all widgets of the page, in its order. */
export function tags(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *")].map((one) => one.localName).filter((name) => name.startsWith("shardlab-")),
  );
}

export async function settled(page) {
  for (const tag of await tags(page)) await new Widget(page, tag).settled();
}

/** Runs in the page: the texts of a drawing that are outside of it, or on each other. */
export function collisions(svg) {
  const bounds = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")]
    .map((text) => ({ said: text.textContent.trim(), box: text.getBoundingClientRect() }))
    .filter(({ said }) => said !== "");
  const out = texts.filter(({ box }) => box.left < bounds.left - 1 || box.right > bounds.right + 1);
  const over = (one, two) => one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 3 && two.top < one.bottom - 3;
  const pairs = texts.flatMap((one, index) => texts.slice(index + 1).filter((two) => over(one.box, two.box)).map((two) => [one, two]));
  return [...out.map(({ said }) => said), ...pairs.map(([one, two]) => `${one.said} on ${two.said}`)];
}

/** One widget of a page, by the name of its element without the prefix. */
export function widget(page, id) {
  return new Widget(page, `shardlab-${id}`);
}

class Widget {
  constructor(page, tag) {
    this.page = page;
    this.root = page.locator(tag);
  }

  /** Waits until the newest input is computed and shown. */
  settled() {
    return this.root.evaluate((element) => element.updateComplete);
  }

  control(parameter) {
    return this.root.locator(`[data-parameter="${parameter}"]`);
  }

  /** Types into a field, or chooses. */
  async set(parameter, text) {
    const control = this.control(parameter);
    const kind = await control.evaluate((element) => element.querySelector("fieldset, select")?.localName);
    if (kind === "fieldset") await control.locator(`input[value="${text}"]`).check();
    else if (kind === "select") await control.locator("select").selectOption(text);
    else await control.locator("input[type=text], textarea").fill(text);
    await this.settled();
  }

  async setAll(texts) {
    for (const [parameter, text] of Object.entries(texts)) await this.set(parameter, text);
  }

  /** Types values and expects readouts: pairs of what stands in controls, and what is then read. */
  async expects(cases) {
    for (const [texts, expected] of cases) {
      await this.setAll(texts);
      const found = await this.readouts();
      for (const [name, value] of Object.entries(expected)) {
        assert.equal(found[name], value, `with ${JSON.stringify(texts)}: ${name}`);
      }
    }
  }

  /** Moves to a step of the schedule. */
  async step(step) {
    await this.root.locator("input[name=step]").fill(String(step));
    await this.settled();
  }

  /** A number as it is read: "1.5×", "33", "27.3 %". */
  async readout(id) {
    const text = await this.root.locator(`[data-readout="${id}"]`).textContent();
    return text.replace(/\s+/g, " ").trim();
  }

  async readouts() {
    const entries = await this.root
      .locator("[data-readout]")
      .evaluateAll((all) => all.map((one) => [one.dataset.readout, one.textContent.replace(/\s+/g, " ").trim()]));
    return Object.fromEntries(entries);
  }

  async caption() {
    return (await this.root.locator(".caption").textContent()).replace(/\s+/g, " ").trim();
  }

  /** The picture's own text and shapes. */
  figure() {
    return this.root.locator(".figure").evaluate((figure) => figure.innerHTML.replace(/<!--.*?-->/g, ""));
  }

  figureTexts() {
    return this.root
      .locator(".figure svg text")
      .evaluateAll((all) => all.map((text) => text.textContent.replace(/\s+/g, " ").trim()));
  }

  /** Opens "Why?", the data table or what a widget alone has: what is in it is made only then. */
  async disclose(kind) {
    await this.root.evaluate(async (element, name) => {
      const details = element.shadowRoot.querySelector(`details.${name}`);
      if (details === null || details.open) return;
      const toggled = new Promise((resolve) => details.addEventListener("toggle", resolve, { once: true }));
      details.open = true;
      await toggled;
      await element.updateComplete;
    }, kind);
  }

  /** The rows of the data table, each an array of texts; the first is the head. */
  async table() {
    await this.disclose("data");
    return this.root
      .locator(".data tr")
      .evaluateAll((rows) =>
        rows.map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, " ").trim())),
      );
  }

  /** What the formulas say: "2 (N − 1) = 2 (4 − 1) = 6". */
  async reasons() {
    await this.disclose("why");
    return this.root
      .locator(".why .formula")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label").replace(/\s+/g, " ").trim()));
  }

  /** What stands in every control. */
  state() {
    return this.root.evaluate((element) => element.state);
  }

  /** A tool or another button, by its name. */
  async press(name) {
    await this.root.getByRole("button", { name, exact: true }).click();
    await this.settled();
  }

  /** The error at a control, as a reader and as an assistive technology find it. */
  error(parameter) {
    return this.control(parameter).evaluate((control) => {
      const field = control.querySelector("input[type=text], textarea");
      const message = control.querySelector(".error");
      return {
        invalid: field.getAttribute("aria-invalid") === "true",
        text: message.textContent.trim(),
        described: field.getAttribute("aria-describedby").split(" ").includes(message.id),
      };
    });
  }
}
