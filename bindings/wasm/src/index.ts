import { labOf } from "./lab.js";
import { labInWorker } from "./remote.js";
import type { AsyncLab, Lab, LoadInWorkerOptions, LoadOptions } from "./types.js";
import { compile, instantiate } from "./wasm.js";

export { ShardlabError, type ErrorValue } from "./error.js";
export type * from "./types.js";
export { version } from "./version.js";

let sharedModule: Promise<WebAssembly.Module> | undefined;
let sharedLab: Promise<Lab> | undefined;

/**
 * Loads the lab into this thread.
 *
 * Without options every call gives the same lab; after a failure the next call tries again.
 * @throws ShardlabError naming `wasm`, if the module cannot be fetched or compiled
 */
export function load(options: LoadOptions = {}): Promise<Lab> {
  if (options.wasm !== undefined) {
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
 * The module is compiled once for all workers and load(), unless `wasm` is given.
 * @throws ShardlabError naming `wasm`, if the module cannot be fetched or compiled; Error, if the worker does not start
 */
export async function loadInWorker(options: LoadInWorkerOptions = {}): Promise<AsyncLab> {
  return labInWorker(await moduleFor(options), options.worker);
}

async function start(options: LoadOptions): Promise<Lab> {
  return labOf(await instantiate(await moduleFor(options)));
}

function moduleFor({ wasm }: LoadOptions): Promise<WebAssembly.Module> {
  if (wasm !== undefined) {
    return compile(wasm);
  }
  sharedModule ??= compile().catch((error: unknown) => {
    sharedModule = undefined;
    throw error;
  });
  return sharedModule;
}
