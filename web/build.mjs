/**
 * Builds the static page: node build.mjs --package DIR --out DIR
 *
 * The package is not bundled: it is copied beside the page as it is published, so that shardlab.wasm and the worker
 * are found relative to their module, from whatever path the page is served.
 */

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import ts from "typescript";
import { bundling, joined, stylesAsText, web } from "./bundling.mjs";
import { interpreter } from "./exercise.mjs";
import { Painting } from "./first-paint.mjs";
import { Forms } from "./forms.mjs";
import { galleryPage } from "./gallery.mjs";
import { licences } from "./licences.mjs";
import { htmlData, manifest } from "./manifest.mjs";
import { pages, pageText } from "./pages.mjs";
import { Pictures } from "./pictures.mjs";
import { published } from "./published.mjs";
import { labAt, laterParts, widgetEntries, widgetModules, widgetNames } from "./widgets.mjs";

const copied = ["page.css", "course/course.css", "gallery.css", "tokens.css", "icon.svg"];

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

/**
 * @param base where the site is to be published, with a slash at its end; nothing where that is not known
 * @param converter the command that makes pixels of an SVG
 */
export async function buildSite({ packageDirectory, out, base, converter = "rsvg-convert" }) {
  const wrong = complaints(packageDirectory);
  if (wrong !== "") throw new Error(wrong);
  await rm(out, { recursive: true, force: true });
  await copyFiles(packageDirectory, out);
  const texts = await writeLicences(packageDirectory, out);
  const metafile = await bundleScripts(out, base);
  const painting = await Painting.by(packageDirectory);
  await writeFile(path.join(out, "widgets/fallback.css"), await fallbackStyle(painting.rooms));
  await new Pictures({ painting, converter }).write(out);
  await new Forms({ packageDirectory, base, painting, licences: texts }).write(out);
  const described = await describe(painting.routines, packageDirectory, out);
  for (const [name, { script, hasWidgets }] of Object.entries(pages)) {
    const text = await pageText(name);
    const page = name === "gallery" ? galleryPage(text, described, painting.routines) : text;
    const painted = hasWidgets ? await painting.withFigures(page) : page;
    await writeFile(path.join(out, `${name}.html`), withPreloads(painted, script, metafile, out));
  }
}

async function copyFiles(packageDirectory, out) {
  await mkdir(out, { recursive: true });
  await cp(packageDirectory, path.join(out, "shardlab"), {
    recursive: true,
    filter: (source) => !/(\.d\.m?ts|\.md|\.cff|package\.json)$/.test(source),
  });
  for (const name of copied) await cp(path.join(web, "src", name), path.join(out, path.basename(name)));
  await mkdir(path.join(out, "exercise"), { recursive: true });
  await cp(interpreter, path.join(out, "exercise/quickjs.wasm"));
  // A page needs what is drawn before its scripts run.
  await writeFile(path.join(out, "figure.css"), await joined(path.join(web, "src/figure.css")));
}

/** @returns the lab's own licence, and those of the work of others */
async function writeLicences(packageDirectory, out) {
  const own = await readFile(path.join(packageDirectory, "LICENSE"), "utf8");
  const others = await licences();
  await writeFile(path.join(out, "LICENSE"), own);
  await writeFile(path.join(out, "LICENSES.txt"), others);
  return `${own}\n${others}`;
}

/** @returns what came of which source */
async function bundleScripts(out, base) {
  const { metafile } = await build(
    bundling({
      base,
      metafile: true,
      entryPoints: {
        ...(await widgetEntries()),
        page: "src/page.ts",
        course: "src/course/course.ts",
        gallery: "src/gallery.ts",
        "tests/view": "src/tests-view/view.ts",
        "tests/worker": "src/tests-view/worker.ts",
        "exercise/page": "src/exercise/page.ts",
        "exercise/view": "src/exercise/view.ts",
        "exercise/worker": "src/exercise/worker.ts",
      },
      outdir: out,
      splitting: true,
      chunkNames: "chunks/[hash]",
      // What imports the lab is one folder down.
      plugins: [labAt("../shardlab/index.js"), widgetModules, laterParts, stylesAsText],
      // The modules of the cases, which the build puts beside the scripts of their views.
      external: ["./shardlab_tests.mjs", "./lab_exercise.mjs"],
    }),
  );
  return metafile;
}

/** The style of an element that is not defined, with all tags in place of WIDGET: selectors know no prefix of a name. */
async function fallbackStyle(rooms) {
  const tags = (await widgetNames()).map((name) => `shardlab-${name}`).join(", ");
  const style = (await readFile(path.join(web, "src/fallback.css"), "utf8")).replace(/^WIDGET/gm, `:is(${tags})`);
  // A browser that does not know one of two selectors would leave out both.
  const kept = (width) =>
    Object.entries(rooms).flatMap(([id, { [width]: height }]) => [":not(:defined)", ":state(loading)"].map((state) => `shardlab-${id}${state} { min-block-size: ${height}px; }\n`));
  const within = (most, rules) => `@media (max-width: ${most}px) {\n${rules.map((rule) => `  ${rule}`).join("")}}\n`;
  return [style, "\n", ...kept("column"), within(860, kept("narrow")), within(560, kept("phone"))].join("");
}

/** Writes what editors and catalogues read of the elements. */
async function describe(routines, packageDirectory, out) {
  const { version } = await import(pathToFileURL(path.join(packageDirectory, "version.js")));
  const described = await manifest(routines, version);
  const write = (name, data) => writeFile(path.join(out, name), `${JSON.stringify(data, null, 2)}\n`);
  await write("custom-elements.json", described);
  await write("vscode.html-custom-data.json", htmlData(described, routines));
  return described;
}

/** Names what a page's script imports, so that all of it is asked for at once. */
function withPreloads(page, name, { outputs }, out) {
  const file = (output) => path.relative(out, path.resolve(web, output));
  const [, script] = Object.entries(outputs).find(([output]) => file(output) === name);
  const imported = script.imports.filter(({ external }) => !external).map(({ path: output }) => file(output));
  const links = imported.map((href) => `<link rel="modulepreload" href="${href}" />\n    `);
  return page.replace(`<script type="module" src="${name}">`, (found) => links.join("") + found);
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
    converter: values["rsvg-convert"],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
