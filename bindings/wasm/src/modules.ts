/** The WebAssembly modules: one that is always there, and others that are loaded when they are first used. */

import { ShardlabError } from "./error.js";
import type createCore from "./shardlab.mjs";
import type { Export } from "./shardlab.mjs";
import type { Lab, ModuleName } from "./types.js";

/** The option of load() that says where a module is. */
export const optionOf = {
  shardlab: "wasm",
  training: "trainingWasm",
  pipelines: "pipelinesWasm",
  memory: "memoryWasm",
  verify: "verifyWasm",
  traces: "tracesWasm",
} as const;

/** Emscripten's glue code of a module. */
export const glue: Readonly<Record<ModuleName, () => Promise<{ default: typeof createCore }>>> = {
  shardlab: () => import("./shardlab.mjs"),
  training: () => import("./training.mjs"),
  pipelines: () => import("./pipelines.mjs"),
  memory: () => import("./memory.mjs"),
  verify: () => import("./verify.mjs"),
  traces: () => import("./traces.mjs"),
};

/** Where a module's bytes are; bundlers look for these words. */
export const address: Readonly<Record<ModuleName, () => URL>> = {
  shardlab: () => new URL("./shardlab.wasm", import.meta.url),
  training: () => new URL("./training.wasm", import.meta.url),
  pipelines: () => new URL("./pipelines.wasm", import.meta.url),
  memory: () => new URL("./memory.wasm", import.meta.url),
  verify: () => new URL("./verify.wasm", import.meta.url),
  traces: () => new URL("./traces.wasm", import.meta.url),
};

const elsewhere: Partial<Record<Export, ModuleName>> = {
  dataParallelTrain: "training",
  gradientBuckets: "training",
  tensorParallelBlock: "training",
  tensorParallelCost: "training",
  tensorParallelLinear: "training",
  tensorParallelMatmul: "training",
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
  traceOpen: "traces",
  traceFeed: "traces",
  traceFinish: "traces",
  traceClose: "traces",
  tracesMeasured: "traces",
};

/** Where a routine is beside its own module. */
const also: Partial<Record<Export, ModuleName>> = {
  dataParallelGradientAverage: "training",
  parseCsv: "training",
  randomMatrix: "training",
  fitAllReduce: "traces",
};

/**
 * The module that has what C++ exports.
 * @param modules those that are to be had: where its own is not among them, another may have it too
 */
export function moduleOf(routine: Export, modules: readonly ModuleName[]): ModuleName {
  const own = elsewhere[routine] ?? "shardlab";
  const other = also[routine];
  return other !== undefined && modules.includes(other) && !modules.includes(own) ? other : own;
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

/**
 * @param routine as its caller knows it
 * @throws ShardlabError naming `modules`, if the routine's module is not among them
 */
export function requireModule(routine: keyof Lab, needed: ModuleName, modules: readonly ModuleName[]): void {
  if (!modules.includes(needed)) {
    throw new ShardlabError("modules", modules.join(", "), `have ${needed}, for ${routine}`);
  }
}
