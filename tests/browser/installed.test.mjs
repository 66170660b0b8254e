/** The widgets as those have them who install the package: bundled, built by a tool, or as plain files. */

import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { siteHandler } from "../../web/serve.mjs";
import { install } from "../package/consumer.mjs";
import { repository } from "../package/support.mjs";
import { launchChromium } from "./browser.mjs";
import { repeated } from "./tier.mjs";

const requireFromWeb = createRequire(path.join(repository, "web/package.json"));

let consumer;
let browser;
let server;
let origin;

before(async () => {
  consumer = await install();
  browser = await launchChromium();
  server = createServer(siteHandler(consumer.folder));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await consumer?.remove();
});

const html = (head) =>
  `<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="data:,">${head}
<body><shardlab-pipeline stages="8" micro-batches="4"></shardlab-pipeline></body></html>`;

/** Opens a page of the consumer's, waits for its widget's result, and holds that the lab runs in a worker. */
async function shows(address, { warnings = [] } = {}) {
  const page = await browser.newPage();
  const told = [];
  page.on("console", (message) => told.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => told.push(error.message));
  page.on("response", (response) => response.status() >= 400 && told.push(`${response.status()} ${response.url()}`));
  page.on("request", (request) => new RegExp(`^(data:|blob:|${origin})`).test(request.url()) || told.push(request.url()));
  const started = page.waitForEvent("worker");
  await page.goto(`${origin}/${address}`);
  const found = await page.locator("shardlab-pipeline").evaluate(async (one) => {
    await customElements.whenDefined("shardlab-pipeline");
    await one.ready;
    return one.shadowRoot.querySelector("[part=readouts]").textContent.replace(/\s+/g, " ").trim();
  });
  await started;
  // 7/11 of the time.
  assert.match(found, /63\.6 %/);
  assert.deepEqual(told, warnings);
  await page.close();
}

test("plain files: a script of type module is enough", async () => {
  await writeFile(path.join(consumer.folder, "plain.html"), html('<script type="module" src="node_modules/shardlab/widgets/pipeline.js"></script>'));
  await shows("plain.html");
});

test("esbuild, as the package's README says", async () => {
  const { build } = requireFromWeb("esbuild");
  const at = (name) => path.join(consumer.folder, name);
  await writeFile(at("app.js"), 'import "shardlab/widgets/pipeline.js";\n');
  const { warnings } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: ["app.js", "node_modules/shardlab/worker.js"],
    bundle: true,
    splitting: true,
    format: "esm",
    entryNames: "[name]",
    outdir: "dist",
    logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
  for (const name of await readdir(at("node_modules/shardlab"))) {
    if (name.endsWith(".wasm")) await cp(at(`node_modules/shardlab/${name}`), at(`dist/${name}`));
  }
  await writeFile(at("dist/index.html"), html('<script type="module" src="app.js"></script>'));
  await shows("dist/index.html");
});

for (const tool of repeated([], ["vite"])) {
  test(`${tool}, as the package's README says`, async () => {
    const { build } = await import(pathToFileURL(path.join(repository, `web/node_modules/${tool}/dist/node/index.js`)));
    const root = path.join(consumer.folder, "notes");
    await mkdir(root);
    await writeFile(path.join(root, "app.js"), 'import "shardlab/widgets/pipeline.js";\n');
    await writeFile(path.join(root, "index.html"), html('<script type="module" src="./app.js"></script>'));
    await build({ root, base: "./", configFile: false, logLevel: "silent", worker: { format: "es" } });
    await shows("notes/dist/index.html");
  });
}

test("of two versions on a page the first stays, and the console names both", async () => {
  const { folder } = consumer;
  await cp(path.join(folder, "node_modules/shardlab"), path.join(folder, "later"), { recursive: true });
  const { version } = JSON.parse(await readFile(path.join(folder, "later/package.json"), "utf8"));
  await writeFile(path.join(folder, "later/version.js"), 'export const version = "99.0.0";\n');
  const script = (file) => `<script type="module" src="${file}"></script>`;
  await writeFile(path.join(folder, "two.html"), html(script("node_modules/shardlab/widgets/pipeline.js") + script("later/widgets/pipeline.js")));
  const warning = `warning: <shardlab-pipeline> is there in version ${version}; version 99.0.0 is not registered.`;
  await shows("two.html", { warnings: [warning] });
  await writeFile(path.join(folder, "same.html"), html(script("node_modules/shardlab/widgets/pipeline.js") + script("node_modules/shardlab/widgets/index.js")));
  await shows("same.html");
});
