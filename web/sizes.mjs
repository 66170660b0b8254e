/** Says what a page fetches for a widget, compressed: node sizes.mjs --package DIR --site DIR */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { widgetNames } from "./widgets.mjs";

/** The budgets, in kilobytes. */
export const budgets = { wasm: 120, verify: 130, first: 25, further: 8, offline: 400 };

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const compressed = async (file) => gzipSync(await readFile(file), { level: 9 }).length;

/** What a script imports as soon as it is there, and what it may import later. */
const atOnce = /\b(?:from|import)\s*"(\.[^"]+)"/g;
const everSo = /\b(?:from|import)\s*\(?"(\.[^"]+)"/g;

/** A script with all that it imports, of its own folder: the lab is counted apart. */
async function scripts(file, imports = atOnce, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = await readFile(file, "utf8");
  for (const [, from] of text.matchAll(imports)) {
    const imported = path.join(path.dirname(file), from);
    if (["widgets", "chunks"].includes(path.basename(path.dirname(imported)))) await scripts(imported, imports, found);
  }
  return found;
}

async function total(files) {
  const sizes = await Promise.all([...files].map(compressed));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What a widget's scripts are by themselves, and on a page that has another one already. */
export async function widgetSizes(packageDirectory) {
  const names = await widgetNames();
  const all = await Promise.all(names.map((name) => scripts(path.join(packageDirectory, "widgets", `${name}.js`))));
  const shared = new Set([...all[0]].filter((file) => all.every((files) => files.has(file))));
  return Promise.all(
    names.map(async (name, index) => ({
      name,
      alone: await total(all[index]),
      further: await total([...all[index]].filter((file) => !shared.has(file))),
    })),
  );
}

async function print({ package: packageDirectory, site }) {
  console.log(`\nCompressed, with what it imports at once (budget: first widget ${budgets.first} kB, further ones ${budgets.further} kB)`);
  for (const { name, alone, further } of await widgetSizes(packageDirectory)) {
    const offline = path.join(site, "offline", `${name}.html`);
    const file = existsSync(offline) ? `, as a file ${kilobytes((await readFile(offline)).length)} (${budgets.offline} kB)` : "";
    console.log(`  ${name.padEnd(22)} ${kilobytes(alone).padStart(8)}, as a further one ${kilobytes(further).padStart(8)}${file}`);
  }
  const row = (name, bytes, more = "") => console.log(`  ${name.padEnd(22)} ${kilobytes(bytes).padStart(8)}${more}`);
  row("all widgets", await total(await scripts(path.join(packageDirectory, "widgets/index.js"))));
  row("anywidget.mjs", await compressed(path.join(packageDirectory, "anywidget.mjs")));
  await printExercise(site, row);
  for (const name of ["shardlab", "pipelines", "memory", "training", "traces", "verify"]) {
    row(`${name}.wasm`, await compressed(path.join(packageDirectory, `${name}.wasm`)), ` (${name === "verify" ? budgets.verify : budgets.wasm} kB)`);
  }
}

/** What the exercise may fetch, another language with it, and its page as one file. Where the tests were not built there is none. */
async function printExercise(site, row) {
  const file = path.join(site, "offline/exercise.html");
  if (!existsSync(file)) return;
  const of = (name) => path.join(site, "exercise", name);
  const all = new Set([...(await scripts(of("view.js"), everSo)), ...(await scripts(of("worker.js"), everSo)), of("lab_exercise.mjs")]);
  row("exercise", await total(all), `, as a file ${kilobytes((await readFile(file)).length)}`);
  for (const name of ["lab_exercise.wasm", "quickjs.wasm"]) row(`  ${name}`, await compressed(of(name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: "string" };
  await print(parseArgs({ options: { package: text, site: text } }).values);
}
