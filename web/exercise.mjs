/** What the exercise is made of beside its scripts. */

import path from "node:path";
import { web } from "./bundling.mjs";

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
