/**
 * Builds the static page: node build.mjs --package DIR --out DIR
 *
 * The package is not bundled: it is copied beside the page as it is published, so that shardlab.wasm and the worker
 * are found relative to their module, from whatever path the page is served.
 */

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import ts from "typescript";
import { bundling, joined, stylesAsText, web } from "./bundling.mjs";
import { Painting } from "./first-paint.mjs";
import { Forms } from "./forms.mjs";
import { Pictures } from "./pictures.mjs";

const copied = ["tests-view/tests.html", "page.css", "tokens.css", "icon.svg"];

/** Checks the types, with `shardlab` being the package in that directory; gives the complaints as text. */
export function complaints(packageDirectory) {
  const file = path.join(web, "tsconfig.json");
  const config = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, web);
  const paths = { shardlab: [path.join(packageDirectory, "index.d.ts")] };
  const program = ts.createProgram(config.fileNames, { ...config.options, paths });
  const found = ts.getPreEmitDiagnostics(program);
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => web,
    getNewLine: () => "\n",
  });
}

/** Leaves `import ... from "shardlab"` in place, pointing to the copy beside the page: what imports it is one folder down. */
const packageBesideThePage = {
  name: "package-beside-the-page",
  setup({ onResolve }) {
    onResolve({ filter: /^shardlab$/ }, () => ({ path: "../shardlab/index.js", external: true }));
  },
};

/** The modules of routines, which are the names of their widgets. */
export async function widgetNames() {
  const list = await readFile(path.join(web, "src/routines/index.ts"), "utf8");
  return [...list.matchAll(/from "\.\/(.+)\.js"/g)].map(([, name]) => name);
}

/** `widgets/ID.js` registers one widget, `widgets/ID.class.js` gives its class alone, `widgets/index.js` registers all. */
async function widgetEntries() {
  const names = await widgetNames();
  return Object.fromEntries([
    ["widgets/index", "widget:index"],
    ...names.map((name) => [`widgets/${name}`, `widget:${name}`]),
    ...names.map((name) => [`widgets/${name}.class`, `widget:${name}.class`]),
  ]);
}

function widgetModule(name) {
  const of = (routine, then) => `import * as routine from "./routines/${routine}.js";\n${then}`;
  if (name === "index") return `import { routines } from "./routines/index.js"; import { define } from "./define.js"; routines.forEach(define);
    export const widgets = routines.map(({ id, title }) => ({ id, title }));`;
  const [routine, kind] = name.split(".");
  const found = `Object.values(routine).find((one) => one.id === "${routine}")`;
  if (kind === "class") return of(routine, `import { widgetClass } from "./define.js"; export default widgetClass(${found});`);
  return of(routine, `import { define } from "./define.js"; define(${found});`);
}

const widgets = {
  name: "widgets",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^widget:/ }, ({ path: name }) => ({ path: name.slice(7), namespace: "widget" }));
    onLoad({ filter: /./, namespace: "widget" }, ({ path: name }) => ({
      contents: widgetModule(name),
      resolveDir: path.join(web, "src"),
      loader: "ts",
    }));
  },
};

/**
 * @param base where the site is to be published, with a slash at its end; nothing where that is not known
 * @param converter the command that makes pixels of an SVG
 */
export async function buildSite({ packageDirectory, out, base, converter }) {
  const wrong = complaints(packageDirectory);
  if (wrong !== "") throw new Error(wrong);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await cp(packageDirectory, path.join(out, "shardlab"), {
    recursive: true,
    filter: (source) => !/(\.d\.m?ts|README\.md|package\.json)$/.test(source),
  });
  for (const name of copied) await cp(path.join(web, "src", name), path.join(out, path.basename(name)));
  // A page needs what is drawn before its scripts run.
  await writeFile(path.join(out, "figure.css"), await joined(path.join(web, "src/figure.css")));
  const entryPoints = {
    ...(await widgetEntries()),
    page: "src/page.ts",
    "tests/view": "src/tests-view/view.ts",
    "tests/worker": "src/tests-view/worker.ts",
  };
  const { metafile } = await build(
    bundling({
      base,
      metafile: true,
      entryPoints,
      outdir: out,
      splitting: true,
      chunkNames: "chunks/[hash]",
      plugins: [packageBesideThePage, widgets, stylesAsText],
      // The tests' module, which the build puts beside the scripts of their view.
      external: ["./shardlab_tests.mjs"],
    }),
  );
  await writeFile(path.join(out, "widgets/fallback.css"), await fallbackStyle());
  const index = await readFile(path.join(web, "src/index.html"), "utf8");
  const painting = await Painting.by(packageDirectory);
  const page = withPreloads(await painting.withFigures(index), metafile, out);
  await writeFile(path.join(out, "index.html"), page);
  await new Pictures({ painting, converter }).write(out);
  await new Forms({ packageDirectory, base, painting }).write(out);
}

/** The style of an element that is not defined, with all tags in place of WIDGET: selectors know no prefix of a name. */
async function fallbackStyle() {
  const tags = (await widgetNames()).map((name) => `shardlab-${name}`).join(", ");
  return (await readFile(path.join(web, "src/fallback.css"), "utf8")).replace(/^WIDGET/gm, `:is(${tags})`);
}

/** Names what the page's script imports, so that all of it is asked for at once. */
function withPreloads(page, { outputs }, out) {
  const file = (name) => path.relative(out, path.resolve(web, name));
  const [, script] = Object.entries(outputs).find(([name]) => file(name) === "page.js");
  const imported = script.imports.filter(({ external }) => !external).map(({ path: name }) => file(name));
  const links = imported.map((name) => `<link rel="modulepreload" href="${name}" />\n    `);
  return page.replace('<script type="module" src="page.js">', (found) => links.join("") + found);
}

/**
 * Where version 1 of the site is published: links to it are to hold for as long as it is there, and so each version that
 * reads links in another way has a folder of its own.
 */
export function published(url) {
  if (url === undefined) return "";
  if (!/^https?:\/\/[^?#]+$/.test(url)) throw new Error(`--base-url ${url}: must be an address that begins with http, without ? and #`);
  const folder = url.replace(/\/*$/, "/");
  return /\/v1\/$/.test(folder) ? folder : `${folder}v1/`;
}

async function main() {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { package: text, out: text, "base-url": text, "rsvg-convert": text } });
  if (values.package === undefined || values.out === undefined) {
    throw new Error("usage: node build.mjs --package DIR --out DIR [--base-url URL] [--rsvg-convert FILE]");
  }
  await buildSite({
    packageDirectory: path.resolve(values.package),
    out: path.resolve(values.out),
    base: published(values["base-url"]),
    converter: values["rsvg-convert"] ?? "rsvg-convert",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
