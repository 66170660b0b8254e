/** How the scripts of the page, and of a widget in each of its forms, are bundled. */

import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const web = path.dirname(fileURLToPath(import.meta.url));

/** A file of styles with those that it imports, without what is written for readers. */
export async function joined(file) {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, minify: true, write: false, logLevel: "warning" });
  return outputFiles[0].text;
}

/** Styles that go into a shadow root, as text. */
export const stylesAsText = {
  name: "styles-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => ({ contents: await joined(file), loader: "text" }));
  },
};

/** What all scripts of the page and of its widgets have in common. */
export function bundling({ base = "", ...options }) {
  return {
    absWorkingDir: web,
    bundle: true,
    format: "esm",
    target: "es2021",
    minify: true,
    legalComments: "none",
    loader: { ".csv": "text", ".gz": "binary" },
    // Modules can be imported where there is no document, as servers do that make pages of components.
    inject: ["src/elsewhere.ts"],
    define: { HTMLElement: "HTMLElementOrNone", document: "documentOrNone", SHARDLAB_BASE: JSON.stringify(base) },
    logLevel: "warning",
    ...options,
  };
}
