/** The widgets in the package, as those find them who install it; what they do is tested in a browser. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { install } from "./consumer.mjs";
import { repository } from "./support.mjs";

const run = promisify(execFile);
const requireFromWeb = createRequire(path.join(repository, "web/package.json"));
/** Of a module that has no entry for require(). */
const importFromWeb = (file) => import(pathToFileURL(path.join(repository, "web/node_modules", file)));

const { folder, runScript, remove } = await install();
after(remove);
const installed = path.join(folder, "node_modules/shardlab");
const read = async (name) => JSON.parse(await readFile(path.join(installed, name), "utf8"));
const described = await read("custom-elements.json");
const elements = described.modules.flatMap(({ declarations }) => declarations);

test("publint finds nothing to say about the package", async () => {
  const { publint } = await importFromWeb("publint/src/index-node.js");
  const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
  assert.deepEqual(messages, []);
});

test("modules are imported where there is no document, and register nothing there", async () => {
  const { stdout, stderr } = await runScript(
    "server.mjs",
    `import { version } from "shardlab";
     import { widgets } from "shardlab/widgets";
     import "shardlab/widgets/pipeline.js";
     import Pipeline from "shardlab/widgets/pipeline.class.js";
     import anywidget from "shardlab/anywidget.mjs";
     console.log(Pipeline.version === version, widgets.length, typeof anywidget.render, typeof document, typeof customElements);`,
  );
  assert.equal(stdout, `true ${elements.length} function undefined undefined\n`);
  assert.equal(stderr, "");
});

test("what is no entry of the package cannot be imported from it", async () => {
  const [chunk] = await readdir(path.join(installed, "widgets/chunks"));
  for (const inside of [`shardlab/widgets/chunks/${chunk}`, "shardlab/lab.js"]) {
    await assert.rejects(runScript("inside.mjs", `import ${JSON.stringify(inside)};`), /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  }
});

test("a bundler leaves out what is not used, and nothing that registers", async () => {
  const { sideEffects } = await read("package.json");
  const registering = elements.map(({ tagName }) => `./widgets/${tagName.replace("shardlab-", "")}.js`);
  assert.deepEqual(sideEffects.sort(), ["./worker.js", "./widgets/fallback.css", "./widgets/index.js", ...registering].sort());
  const { build } = requireFromWeb("esbuild");
  const size = async (contents) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      format: "esm",
      write: false,
      logLevel: "silent",
    });
    assert.deepEqual(warnings, []);
    return outputFiles[0].contents.length;
  };
  assert.ok((await size('import Pipeline from "shardlab/widgets/pipeline.class.js";')) < 100);
  assert.ok((await size('import "shardlab/widgets/pipeline.js";')) > 50_000);
});

test("a consumer's TypeScript knows elements, their properties and their events, however it resolves modules", async () => {
  const source = `
    import "shardlab/widgets/pipeline.js";
    import Pipeline, { type ShardlabPipeline } from "shardlab/widgets/pipeline.class.js";
    import { widgets, type ShardlabElement, type ShardlabAllReduce } from "shardlab/widgets";
    import anywidget from "shardlab/anywidget.mjs";
    const one: ShardlabPipeline = document.createElement("shardlab-pipeline");
    one.schedule = "gpipe";
    one.microBatches = 32;
    one.stages = "8";
    one.theme = "dark";
    one.predict = true;
    one.state = { ...one.state, stages: "4" };
    one.addEventListener("shardlab-step", ({ detail: { i, n, caption } }) => caption.slice(i, n));
    one.addEventListener("shardlab-change", ({ detail }) => detail.answer?.trim() ?? detail.changed[0]);
    const svg: string = await one.ready.then(() => one.toSVG());
    const png: Blob = await one.toPNG(2);
    const all: ShardlabElement | null = document.querySelector("shardlab-all-reduce") satisfies ShardlabAllReduce | null;
    class Mine extends Pipeline {}
    new Mine().play();
    const ids: string[] = widgets.map(({ id }) => id + Pipeline.version + svg + png.type + all?.permalink());
    anywidget.render satisfies Function;
    // @ts-expect-error an unknown schedule
    one.schedule = "fast";
    // @ts-expect-error a parameter that it does not have
    one.ranks = ids.length;
    // @ts-expect-error what cannot be set
    one.results = undefined;
    // @ts-expect-error a fact that the event does not tell
    one.addEventListener("shardlab-step", ({ detail }) => detail.step);
  `;
  await writeFile(path.join(folder, "page.mts"), source);
  const compiler = requireFromWeb.resolve("typescript/bin/tsc");
  for (const modules of [["ES2022", "bundler"], ["node16", "node16"]]) {
    const options = ["--module", modules[0], "--moduleResolution", modules[1], "--target", "es2022", "--strict"];
    await run(process.execPath, [compiler, ...options, "--noEmit", "page.mts"], { cwd: folder }).catch((error) => assert.fail(error.stdout));
  }
});

test("the manifest names files that are there, and describes everything", async () => {
  assert.equal(described.schemaVersion, "2.1.0");
  for (const { path: file } of described.modules) assert.ok(existsSync(path.join(installed, file)), file);
  for (const element of elements) {
    const { attributes, members, events, slots, cssParts, cssStates, cssProperties } = element;
    const silent = [...attributes, ...events, ...slots, ...cssParts, ...cssStates, ...cssProperties].filter((one) => !one.description?.trim());
    assert.deepEqual(silent, [], element.tagName);
    const names = (all) => all.map((one) => (one.static ? `static ${one.name}` : one.name));
    for (const all of [attributes, members, events, slots, cssParts, cssStates, cssProperties].map(names)) {
      assert.ok(all.length > 0, element.tagName);
      assert.deepEqual(all.filter((name, index) => all.indexOf(name) !== index), [], `${element.tagName} twice`);
    }
  }
});

test("Visual Studio Code is told of every attribute, and of the labels of choices", async () => {
  const { version, tags } = await read("vscode.html-custom-data.json");
  assert.equal(version, 1.1);
  const attributes = (all) => all.map((one) => [one.name ?? one.tagName, one.attributes.map(({ name }) => name)]);
  assert.deepEqual(attributes(tags), attributes(elements.map(({ tagName, attributes }) => ({ name: tagName, attributes }))));
  const { values } = tags.find(({ name }) => name === "shardlab-pipeline").attributes.find(({ name }) => name === "schedule");
  assert.deepEqual(values[1], { name: "gpipe", description: "GPipe" });
});

test("whose work is in the package is said in it, and under which terms", async () => {
  const text = await readFile(path.join(installed, "LICENSES.txt"), "utf8");
  for (const said of [/Google LLC/, /Emscripten Authors/, /Rich Felker/, /Johan Mabille, Sylvain Corlay and Wolf Vollprecht/]) assert.match(text, said);
  assert.doesNotMatch(text, /had no copy of its licence/);
});
