/** Sources of the page as modules of Node: what needs no browser is tested without one. */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));

export async function source(name) {
  const { build } = require("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../web/src/${name}`, import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["shardlab"],
    loader: { ".css": "text", ".csv": "text", ".gz": "binary" },
    target: "es2021",
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Numbers from 0 to 1, the same in every run. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
