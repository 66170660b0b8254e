/** A page that carries all that its scripts need, packed: for an iframe, and for a file that asks neither server nor network. */

import { createHash } from "node:crypto";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundling, joined, web } from "./bundling.mjs";
import { catalogueFor } from "./catalogues.mjs";

export const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
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

/** A page that carries what its script needs: `blocks` of packed bytes by their names. */
export function carryingPage({ form, title, content, code, blocks, style, licences }) {
  const block = ([name, text]) => `<script type="application/gzip" data-carries="${name}">${text}</script>`;
  const policy = [
    "default-src 'none'",
    `script-src ${digest(boot)} ${digest(code)} 'wasm-unsafe-eval'`,
    "worker-src blob:",
    `style-src ${digest(style)}`,
    "img-src blob: data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en" data-form="${form}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Shardlab</title>
<style>${style}</style>
</head>
<body>
<main>${content}</main>
${Object.entries(blocks).map(block).join("\n")}
<script type="application/gzip" data-code>${packed(code)}</script>
<script>${boot}</script>
${form === "offline" ? licencesAlong(licences) : "<!-- The licences of what is in this page: ../LICENSE and ../LICENSES.txt -->"}
</body>
</html>
`;
}

/** A file that is handed on by itself has them with it. */
function licencesAlong(licences) {
  return `<!-- The licences of what is in this file are packed in the line below: base64 -d | gunzip -->
<script type="application/gzip" data-licences>
${packed(licences)}
</script>`;
}

/** Of files in the sources, as a page has it within itself. */
export async function minifiedStyle(files) {
  return (await Promise.all(files.map((name) => joined(path.join(web, "src", name))))).join("").trim();
}

/** A script that stands in a page, and asks for nothing. */
export async function inlineScript(contents, { base, plugins }) {
  const options = bundling({
    base,
    stdin: { contents, resolveDir: path.join(web, "src"), loader: "ts" },
    plugins,
    target: "es2022",
    charset: "utf8",
    write: false,
  });
  const { outputFiles } = await build({ ...options, plugins: [await catalogueFor(options), ...plugins] });
  return outputFiles[0].text.replaceAll("</script", "<\\/script");
}

/** A worker that is started from text. */
export async function workerScript(file, plugins) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    // Not every browser starts a script from text that imports something.
    format: "iife",
    target: "es2022",
    minify: true,
    legalComments: "none",
    plugins,
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].contents;
}
