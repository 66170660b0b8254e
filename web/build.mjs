/**
 * Builds the static page: node build.mjs --package DIR --out DIR
 *
 * The package is not bundled: it is copied beside the page as it is published, so that shardlab.wasm and the worker
 * are found relative to their module, from whatever path the page is served.
 */

import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import ts from "typescript";

const web = path.dirname(fileURLToPath(import.meta.url));
const copied = ["index.html", "tests-view/tests.html", "page.css", "tokens.css", "icon.svg"];

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

/** Leaves `import ... from "shardlab"` in place, pointing to the copy beside the page. */
const packageBesideThePage = {
  name: "package-beside-the-page",
  setup({ onResolve }) {
    onResolve({ filter: /^shardlab$/ }, () => ({ path: "./shardlab/index.js", external: true }));
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
  const entryPoints = {
    page: "src/page.ts",
    "tests/view": "src/tests-view/view.ts",
    "tests/worker": "src/tests-view/worker.ts",
  };
  await build({
    absWorkingDir: web,
    entryPoints,
    outdir: out,
    bundle: true,
    format: "esm",
    target: "es2021",
    minify: true,
    legalComments: "none",
    loader: { ".css": "text" },
    plugins: [packageBesideThePage],
    // The tests' module, which the build puts beside the scripts of their view.
    external: ["./shardlab_tests.mjs"],
    logLevel: "warning",
  });
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
