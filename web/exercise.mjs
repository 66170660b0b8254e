/**
 * The exercise, once the page and the module of its cases are there: node exercise.mjs --site DIR [--base-url URL]
 *
 * Writes its two forms that carry everything: `embed/exercise.html` and `offline/exercise.html`.
 */

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { stylesAsText, web } from "./bundling.mjs";
import { carryingPage, inlineScript, minifiedStyle, packed, workerScript } from "./carrying.mjs";
import { published } from "./published.mjs";

/** The interpreter of a student's functions, as WebAssembly. */
export const interpreter = path.join(web, "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm");

/** A plugin that finds the module of its cases in a file. */
export function casesAt(file) {
  return {
    name: "cases-in-their-place",
    setup({ onResolve }) {
      onResolve({ filter: /\/lab_exercise\.mjs$/ }, () => ({ path: file }));
    },
  };
}

/** @param base where the site is to be published, with a slash at its end; nothing where that is not known */
export async function writeForms(site, base) {
  const folder = path.join(site, "exercise");
  const worker = await workerScript(path.join(web, "src/exercise/worker.ts"), [casesAt(path.join(folder, "lab_exercise.mjs"))]);
  const blocks = {
    cases: packed(await readFile(path.join(folder, "lab_exercise.wasm"))),
    interpreter: packed(await readFile(interpreter)),
    worker: packed(worker),
  };
  const licences = (await Promise.all(["LICENSE", "LICENSES.txt"].map((name) => readFile(path.join(site, name), "utf8")))).join("\n");
  const page = {
    title: "Write it yourself",
    content: '<shardlab-exercise heading-level="1"><noscript>The exercise needs JavaScript.</noscript></shardlab-exercise>',
    code: await inlineScript('import "./exercise/own-page.js";', { base, plugins: [stylesAsText] }),
    style: await minifiedStyle(["tokens.css", "forms/own-page.css"]),
    blocks,
    licences,
  };
  for (const form of ["embed", "offline"]) await writeFile(path.join(site, form, "exercise.html"), carryingPage({ form, ...page }));
}

async function main() {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { site: text, "base-url": text } });
  if (values.site === undefined) throw new Error("usage: node exercise.mjs --site DIR [--base-url URL]");
  await writeForms(path.resolve(values.site), published(values["base-url"]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
