/**
 * Makes the npm package: node package.mjs --core DIR --site DIR --out DIR
 *
 * It is the core package, which is the lab without widgets, and the widgets: bundled once more, as they find the lab
 * elsewhere than on the site, and with everything else that the site has for pages of others.
 */

import { existsSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { bundling, stylesAsText } from "./bundling.mjs";
import { writeDeclarations } from "./declarations.mjs";
import { published } from "./published.mjs";
import { labAt, laterParts, widgetEntries, widgetModules, widgetNames } from "./widgets.mjs";

/** What the package has as the site has it. */
const files = ["anywidget.mjs", "widgets/fallback.css", "custom-elements.json", "vscode.html-custom-data.json", "LICENSES.txt"];
const folders = ["embed", "static"];

/** The exercise is the site's alone: it holds the cases, which are built after the package. */
const isOfPackage = (file) => path.basename(file) !== "exercise.html";

/** @param base where the site is to be published, with a slash at its end; nothing where that is not known */
export async function buildPackage({ core, site, out, base }) {
  await rm(out, { recursive: true, force: true });
  await cp(core, out, { recursive: true });
  const found = folders.filter((name) => existsSync(path.join(site, name)));
  for (const name of [...files, ...found]) {
    await cp(path.join(site, name), path.join(out, name), { recursive: true, filter: isOfPackage });
  }
  await build(
    bundling({
      base,
      entryPoints: await widgetEntries(),
      outdir: out,
      splitting: true,
      // As on the site: what a script finds by its own address is one folder up.
      chunkNames: "chunks/[hash]",
      plugins: [labAt("../index.js"), widgetModules, laterParts, stylesAsText],
    }),
  );
  await writeDeclarations(JSON.parse(await readFile(path.join(site, "custom-elements.json"), "utf8")), out);
  await completeManifest(path.join(out, "package.json"), found);
}

/**
 * The folders can be asked for by name. Modules that do something when they are imported, a bundler must not leave out:
 * they are named one by one.
 */
async function completeManifest(file, found) {
  const manifest = JSON.parse(await readFile(file, "utf8"));
  for (const name of found) manifest.exports[`./${name}/*`] = `./${name}/*`;
  manifest.sideEffects.push("./widgets/fallback.css", "./widgets/index.js", ...(await widgetNames()).map((name) => `./widgets/${name}.js`));
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

async function main() {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { core: text, site: text, out: text, "base-url": text } });
  const { core, site, out } = values;
  if (core === undefined || site === undefined || out === undefined) {
    throw new Error("usage: node package.mjs --core DIR --site DIR --out DIR [--base-url URL]");
  }
  await buildPackage({ core: path.resolve(core), site: path.resolve(site), out: path.resolve(out), base: published(values["base-url"]) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
