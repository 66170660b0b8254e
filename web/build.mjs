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
import { withFigures } from "./first-paint.mjs";

const web = path.dirname(fileURLToPath(import.meta.url));
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

/** A file of styles with those that it imports, without what is written for readers. */
async function joined(file) {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, minify: true, write: false, logLevel: "warning" });
  return outputFiles[0].text;
}

/** Styles that go into a shadow root, as text. */
const stylesAsText = {
  name: "styles-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => ({ contents: await joined(file), loader: "text" }));
  },
};

/** `widgets/ID.js` registers one widget, and loads what it needs of the others' code. */
async function widgetEntries() {
  const list = await readFile(path.join(web, "src/routines/index.ts"), "utf8");
  const names = [...list.matchAll(/from "\.\/(.+)\.js"/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name) => [`widgets/${name}`, `widget:${name}`]));
}

const widgets = {
  name: "widgets",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^widget:/ }, ({ path: name }) => ({ path: name.slice(7), namespace: "widget" }));
    onLoad({ filter: /./, namespace: "widget" }, ({ path: name }) => ({
      contents: `import * as routine from "./routines/${name}.js";
        import { define } from "./widget.js";
        Object.values(routine).forEach(define);`,
      resolveDir: path.join(web, "src"),
      loader: "ts",
    }));
  },
};

export async function buildSite({ packageDirectory, out }) {
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
  const { metafile } = await build({
    absWorkingDir: web,
    metafile: true,
    entryPoints,
    outdir: out,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[hash]",
    format: "esm",
    target: "es2021",
    minify: true,
    legalComments: "none",
    plugins: [packageBesideThePage, widgets, stylesAsText],
    loader: { ".csv": "text" },
    // The tests' module, which the build puts beside the scripts of their view.
    external: ["./shardlab_tests.mjs"],
    logLevel: "warning",
  });
  const index = await readFile(path.join(web, "src/index.html"), "utf8");
  const page = withPreloads(await withFigures(index, { web, packageDirectory }), metafile, out);
  await writeFile(path.join(out, "index.html"), page);
}

/** Names what the page's script imports, so that all of it is asked for at once. */
function withPreloads(page, { outputs }, out) {
  const file = (name) => path.relative(out, path.resolve(web, name));
  const [, script] = Object.entries(outputs).find(([name]) => file(name) === "page.js");
  const imported = script.imports.filter(({ external }) => !external).map(({ path: name }) => file(name));
  const links = imported.map((name) => `<link rel="modulepreload" href="${name}" />\n    `);
  return page.replace('<script type="module" src="page.js">', (found) => links.join("") + found);
}

async function main() {
  const { values } = parseArgs({ options: { package: { type: "string" }, out: { type: "string" } } });
  if (values.package === undefined || values.out === undefined) {
    throw new Error("usage: node build.mjs --package DIR --out DIR");
  }
  await buildSite({ packageDirectory: path.resolve(values.package), out: path.resolve(values.out) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
