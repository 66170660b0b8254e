/** The WebAssembly modules: one that is always there, and others that are loaded when they are first used. */

import type { Routine } from "./defaults.js";
import { ShardlabError } from "./error.js";
import type createCore from "./shardlab.mjs";
import type { ModuleName } from "./types.js";

/** The option of load() that says where a module is. */
export const optionOf = {
  shardlab: "wasm",
  training: "trainingWasm",
  pipelines: "pipelinesWasm",
  memory: "memoryWasm",
  verify: "verifyWasm",
} as const;

/** Emscripten's glue code of a module. */
export const glue: Readonly<Record<ModuleName, () => Promise<{ default: typeof createCore }>>> = {
  shardlab: () => import("./shardlab.mjs"),
  training: () => import("./training.mjs"),
  pipelines: () => import("./pipelines.mjs"),
  memory: () => import("./memory.mjs"),
  verify: () => import("./verify.mjs"),
};

/** Where a module's bytes are; bundlers look for these words. */
export const address: Readonly<Record<ModuleName, () => URL>> = {
  shardlab: () => new URL("./shardlab.wasm", import.meta.url),
  training: () => new URL("./training.wasm", import.meta.url),
  pipelines: () => new URL("./pipelines.wasm", import.meta.url),
  memory: () => new URL("./memory.wasm", import.meta.url),
  verify: () => new URL("./verify.wasm", import.meta.url),
};

const elsewhere: Partial<Record<Routine, ModuleName>> = {
  dataParallelTrain: "training",
  gradientBuckets: "training",
  tensorParallelBlock: "training",
  tensorParallelCost: "training",
  tensorParallelMlp: "training",
  pipelineSchedule: "pipelines",
  pipelineSchedule1f1b: "pipelines",
  pipelineImport: "pipelines",
  pipelineExport: "pipelines",
  transformer: "memory",
  transformerPresets: "memory",
  accelerators: "memory",
  precisionRecipes: "memory",
  layerActivations: "memory",
  zeroStates: "memory",
  footprint: "memory",
  smallestCluster: "memory",
  launchSettings: "memory",
  verify: "verify",
};

/** The module that has a routine. */
export function moduleOf(routine: Routine): ModuleName {
  return elsewhere[routine] ?? "shardlab";
}

/** The modules that are asked for. @throws ShardlabError naming `modules`, if one of them does not exist */
export function modulesAsked(modules?: readonly ModuleName[]): readonly ModuleName[] {
  const all = Object.keys(optionOf) as ModuleName[];
  const wrong = modules?.find((name) => !all.includes(name));
  if (wrong !== undefined || modules?.length === 0) {
    throw new ShardlabError("modules", wrong ?? "empty", `have one or more of ${all.join(", ")}`);
  }
  return modules ?? all;
}

/** @throws ShardlabError naming `modules`, if the routine's module is not among them */
export function requireModule(routine: Routine, modules: readonly ModuleName[]): void {
  const needed = moduleOf(routine);
  if (!modules.includes(needed)) {
    throw new ShardlabError("modules", modules.join(", "), `have ${needed}, for ${routine}`);
  }
}
