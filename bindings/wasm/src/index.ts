import { labOf } from "./lab.js";
import { modulesAsked, optionOf } from "./modules.js";
import { labInWorker } from "./remote.js";
import type { AsyncLab, Lab, LoadInWorkerOptions, LoadOptions, ModuleName } from "./types.js";
import { compile, instantiate } from "./wasm.js";

export { ShardlabError, type ErrorValue } from "./error.js";
export type * from "./types.js";
export { version } from "./version.js";

const sharedModules = new Map<ModuleName, Promise<WebAssembly.Module>>();
let sharedLab: Promise<Lab> | undefined;

/**
 * Loads the lab into this thread.
 *
 * Without options every call gives the same lab; after a failure the next call tries again.
 * @throws ShardlabError naming `wasm`, `trainingWasm`, `pipelinesWasm`, `memoryWasm`, `verifyWasm` or `tracesWasm`, if the module cannot
 * be fetched or compiled; naming `modules`, if that has none or one that does not exist
 */
export function load(options: LoadOptions = {}): Promise<Lab> {
  if (["modules", ...Object.values(optionOf)].some((option) => options[option as keyof LoadOptions] !== undefined)) {
    return start(options);
  }
  sharedLab ??= start(options).catch((error: unknown) => {
    sharedLab = undefined;
    throw error;
  });
  return sharedLab;
}

/**
 * Loads the lab into a worker of its own, so that long calls do not hold this thread.
 *
 * A module is compiled once for all workers and load(), unless its bytes are given; those of training, of
 * pipelines, of memory, of verification and of traces are fetched when the first of their routines is called.
 * @throws ShardlabError naming `wasm`, if the module cannot be fetched or compiled; Error, if the worker does not start
 */
export async function loadInWorker(options: LoadInWorkerOptions = {}): Promise<AsyncLab> {
  return labInWorker((name) => moduleFor(name, options), modulesAsked(options.modules), options);
}

async function start(options: LoadOptions): Promise<Lab> {
  const core = async (name: ModuleName) => [name, await instantiate(name, await moduleFor(name, options))] as const;
  return labOf(new Map(await Promise.all(modulesAsked(options.modules).map(core))));
}

function moduleFor(name: ModuleName, options: LoadOptions): Promise<WebAssembly.Module> {
  const given = options[optionOf[name]];
  if (given !== undefined) {
    return compile(name, given);
  }
  let shared = sharedModules.get(name);
  if (shared === undefined) {
    shared = compile(name);
    sharedModules.set(name, shared);
    shared.catch(() => sharedModules.delete(name));
  }
  return shared;
}
