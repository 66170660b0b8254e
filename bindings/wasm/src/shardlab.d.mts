import type { CompleteOptions } from "./complete.js";
import type { Routine } from "./defaults.js";

/** The compiled module: each routine takes complete options and gives its result or {error}. */
export type Core = { readonly [R in Routine]: (options: CompleteOptions) => unknown };

interface Hooks {
  /** Compiles and instantiates in the module's place. */
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  locateFile(name: string): string;
}

/** Emscripten's glue code, which the build writes. */
export default function createCore(hooks: Hooks): Promise<Core>;
