/** Course notes, made by their own tool from the folder of that name here, with the lab in place of the published one. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { siteHandler } from "../../../web/serve.mjs";
import { launchChromium } from "../browser.mjs";
import { serveSite } from "../server.mjs";
import { published, snippet } from "../snippets.mjs";

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const tools = path.join(here, "node_modules");

/** Where the notes say that they are. */
const ownAddress = "https://example.org/notes/";

/** By the host's name: the file in which the widget stands, and one that has what the host needs once. */
const files = {
  docusaurus: { file: "docs/index.mdx", once: "docusaurus.config.js" },
  mkdocs: { file: "docs/index.md" },
  reveal: { file: "index.html" },
  sphinx: { file: "index.rst" },
  vitepress: { file: "index.md", once: ".vitepress/config.mjs" },
};

export const noteNames = Object.keys(files);

/**
 * @param name of the folder here and of the host in the dialog
 * @param make the tool's command line; `out` in it is where it is to write. Nothing where the notes are served as they are
 */
export async function openNotes(name, { make } = {}) {
  const lab = await serveSite();
  const source = await mkdtemp(path.join(tmpdir(), `shardlab-${name}-`));
  const out = path.join(source, "out");
  const handle = siteHandler(make === undefined ? source : out);
  // Browsers ask for this by themselves.
  const server = createServer((request, response) => (request.url === "/favicon.ico" ? response.writeHead(204).end() : handle(request, response)));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  await cp(path.join(here, name), source, { recursive: true });
  if (existsSync(tools)) await symlink(tools, path.join(source, "node_modules"));
  await replaceIn(source, { [published]: lab.url, [ownAddress]: url });
  if (make !== undefined) await build(make(out), source);
  return new Notes({ lab, source, server, url, browser: await launchChromium() });
}

/** The notes have what the dialog gives, to the letter. */
export async function assertCopied(name) {
  const { file, once } = files[name];
  const given = snippet(name, { attributes: { "micro-batches": "16" } });
  const has = async (where, text) => {
    const lines = (all) => all.split("\n").map((line) => line.trim()).join("\n");
    const found = await readFile(path.join(here, name, where), "utf8");
    assert.ok(lines(found).includes(lines(text)), `${name}/${where} does not have what the dialog gives:\n${text}`);
  };
  await has(file, given.text);
  if (once !== undefined) await has(once, given.once.text);
}

async function replaceIn(folder, texts) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const one = path.join(folder, entry.name);
    if (entry.isDirectory()) await replaceIn(one, texts);
    if (!entry.isFile()) continue;
    let text = await readFile(one, "utf8");
    for (const [from, to] of Object.entries(texts)) text = text.replaceAll(from, to);
    await writeFile(one, text);
  }
}

async function build([command, ...parameters], cwd) {
  const env = { ...process.env, CI: "1", NO_UPDATE_NOTIFIER: "1", DOCUSAURUS_NO_PERSISTENT_CACHE: "1" };
  const isOurs = existsSync(path.join(tools, ".bin", command));
  try {
    await run(isOurs ? path.join(tools, ".bin", command) : command, parameters, { cwd, env, maxBuffer: 2 ** 24 });
  } catch (error) {
    throw new Error(`${command} could not make the notes (./lab test --full installs what it needs): ${error.stderr || error.message}\n${error.stdout ?? ""}`);
  }
}

class Notes {
  constructor(parts) {
    Object.assign(this, parts);
  }

  async close() {
    await this.browser.close();
    await this.lab.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.source, { recursive: true, force: true });
  }

  /** A page of the notes; `trouble` collects what a good page never has, requests to a third host among it. */
  async page(place = "") {
    const page = await this.browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
    page.trouble = [];
    page.on("console", (message) => page.trouble.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => page.trouble.push(`exception: ${error.message}`));
    page.on("request", (request) => {
      const isKnown = [this.url, this.lab.url, "blob:", "data:"].some((start) => request.url().startsWith(start));
      if (!isKnown) page.trouble.push(`request: ${request.url()}`);
    });
    await page.goto(this.url + place);
    return page;
  }
}

/** The notes' widget, when its first result is there. */
export async function firstResult(page) {
  const widget = page.locator("shardlab-pipeline");
  await widget.scrollIntoViewIfNeeded();
  await widget.locator("[data-readout]").first().waitFor();
  await widget.evaluate((element) => element.updateComplete);
  assert.equal(await widget.evaluate(({ results }) => results.microBatches), 16);
  return widget;
}

/** Runs in the page: whether a widget's box is dark, or light where that is asked for. */
const looks = ([box, dark]) => (getComputedStyle(box).backgroundColor === "rgb(26, 29, 35)") === dark;

export const isDark = async (widget) => widget.page().evaluate(looks, [await widget.locator(".widget").elementHandle(), true]);

/** The theme follows a switch of the host's, there and back. */
export async function followsSwitch(widget, press) {
  for (const expected of [true, false]) {
    await press();
    await widget.page().waitForFunction(looks, [await widget.locator(".widget").elementHandle(), expected]);
  }
}
