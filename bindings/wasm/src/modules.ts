/** The WebAssembly modules: one that is always there, and one with what trains, which is loaded when it is first used. */

import type { Routine } from "./defaults.js";
import type createCore from "./shardlab.mjs";

export type ModuleName = "shardlab" | "training";

/** Emscripten's glue code of a module. */
export const glue: Readonly<Record<ModuleName, () => Promise<{ default: typeof createCore }>>> = {
  shardlab: () => import("./shardlab.mjs"),
  training: () => import("./training.mjs"),
};

/** Where a module's bytes are; bundlers look for these words. */
export const address: Readonly<Record<ModuleName, () => URL>> = {
  shardlab: () => new URL("./shardlab.wasm", import.meta.url),
  training: () => new URL("./training.wasm", import.meta.url),
};

const training: ReadonlySet<Routine> = new Set<Routine>([
  "dataParallelTrain",
  "gradientBuckets",
  "tensorParallelBlock",
  "tensorParallelCost",
  "tensorParallelMlp",
]);

/** The module that has a routine. */
export function moduleOf(routine: Routine): ModuleName {
  return training.has(routine) ? "training" : "shardlab";
}
