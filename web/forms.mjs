/**
 * The forms of a widget beside the element: a page for an iframe, a file that needs neither server nor network, and a
 * module for notebooks. Each carries the lab: its WebAssembly and its scripts, packed.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundling, joined, stylesAsText, web } from "./bundling.mjs";
import { catalogueFor } from "./catalogues.mjs";

const allModules = ["shardlab", "training", "pipelines", "memory", "traces"];

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Unpacks the page's script and runs it; the policy of the page knows it by its digest. */
const boot = `(async () => {
  const block = document.querySelector("script[data-code]");
  const bytes = Uint8Array.from(atob(block.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await new Response(stream).text();
  document.head.append(script);
})().catch((error) => {
  document.querySelector("main").insertAdjacentText("beforeend", "This page could not be unpacked: it needs a browser of 2023 or later. " + error);
});`;

export class Forms {
  /**
   * @param painting draws what is seen before the scripts run
   * @param licences of what the forms carry
   */
  constructor({ packageDirectory, base, painting, licences }) {
    Object.assign(this, { packageDirectory, base, painting, licences });
  }

  /** Writes `embed/ID.html`, `offline/ID.html` and `anywidget.mjs`. */
  async write(out) {
    this.style = await this.minifiedStyle();
    await mkdir(path.join(out, "embed"), { recursive: true });
    await mkdir(path.join(out, "offline"), { recursive: true });
    for (const routine of this.painting.routines) {
      const { id, modules = ["shardlab"] } = routine;
      const code = await this.script(modules, `import * as all from "./routines/${id}.js";
        import { start } from "./forms/own-page.js";
        start(Object.values(all).find((one) => one.id === "${id}"));`);
      const carried = await this.carried(modules);
      for (const form of ["embed", "offline"]) {
        await writeFile(path.join(out, form, `${id}.html`), await this.page(form, routine, code, carried));
      }
    }
    await writeFile(path.join(out, "anywidget.mjs"), await this.anywidget());
  }

  async page(form, { id, title }, code, carried) {
    const block = ([name, text]) => `<script type="application/gzip" data-carries="${name}">${text}</script>`;
    const blocks = Object.entries({ ...carried.modules, worker: carried.worker }).map(block);
    const policy = [
      "default-src 'none'",
      `script-src ${digest(boot)} ${digest(code)} 'wasm-unsafe-eval'`,
      "worker-src blob:",
      `style-src ${digest(this.style)}`,
      "img-src blob: data:",
      "base-uri 'none'",
      "form-action 'none'",
    ].join("; ");
    const page = `<!doctype html>
<html lang="en" data-form="${form}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Shardlab</title>
<style>${this.style}</style>
</head>
<body>
<main><shardlab-${id} heading-level="1"><noscript>This widget needs JavaScript.</noscript></shardlab-${id}></main>
${blocks.join("\n")}
<script type="application/gzip" data-code>${packed(code)}</script>
<script>${boot}</script>
${form === "offline" ? this.licencesAlong() : "<!-- The licences of what is in this page: ../LICENSE and ../LICENSES.txt -->"}
</body>
</html>
`;
    return this.painting.withFigures(page);
  }

  /** A file that is handed on by itself has them with it. */
  licencesAlong() {
    return `<!-- The licences of what is in this file are packed in the line below: base64 -d | gunzip -->
<script type="application/gzip" data-licences>
${packed(this.licences)}
</script>`;
  }

  async anywidget() {
    const carried = await this.carried(allModules);
    const code = await this.script(allModules, `import { module } from "./forms/anywidget.js";
      export default module(${JSON.stringify(carried)}, ${JSON.stringify(this.base)});`);
    return `// The licences of what is in this file: LICENSE and LICENSES.txt, beside it.\n${code}`;
  }

  /** A bundle that asks for nothing: of the package it has the glue of these modules only. */
  async script(modules, contents) {
    const options = bundling({
      base: this.base,
      stdin: { contents, resolveDir: path.join(web, "src"), loader: "ts" },
      plugins: [this.package(modules), stylesAsText],
      target: "es2022",
      charset: "utf8",
      write: false,
    });
    const { outputFiles } = await build({ ...options, plugins: [await catalogueFor(options), ...options.plugins] });
    return outputFiles[0].text.replaceAll("</script", "<\\/script");
  }

  async carried(modules) {
    const { outputFiles } = await build({
      entryPoints: [path.join(this.packageDirectory, "worker.js")],
      bundle: true,
      // Not every browser starts a script from text that imports something.
      format: "iife",
      target: "es2022",
      minify: true,
      legalComments: "none",
      plugins: [this.package(modules)],
      write: false,
      logLevel: "error",
    });
    const bytes = (name) => readFile(path.join(this.packageDirectory, `${name}.wasm`));
    const entries = modules.map(async (name) => [name, packed(await bytes(name))]);
    return { modules: Object.fromEntries(await Promise.all(entries)), worker: packed(outputFiles[0].contents) };
  }

  package(modules) {
    const index = path.join(this.packageDirectory, "index.js");
    const left = new RegExp(`/(${allModules.filter((name) => !modules.includes(name)).join("|") || "none"})\\.mjs$`);
    return {
      name: "carried-package",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^shardlab$/ }, () => ({ path: index }));
        onLoad({ filter: left }, () => ({ contents: "export default undefined;" }));
      },
    };
  }

  async minifiedStyle() {
    const files = ["tokens.css", "figure.css", "forms/own-page.css"].map((name) => path.join(web, "src", name));
    return (await Promise.all(files.map(joined))).join("").trim();
  }
}
