import type { CompleteOptions } from "./complete.js";
import type { Routine } from "./defaults.js";
import type { TraceStep, TraceStepOptions } from "./trace-files.js";

/** What C++ exports: the routines, and the steps of measureTraces. */
export type Export = Routine | TraceStep;

/** The compiled module: each of its exports takes complete options and gives its result or {error}. */
export type Core = { readonly [E in Export]: (options: CompleteOptions | TraceStepOptions) => unknown };

interface Hooks {
  /** Compiles and instantiates in the module's place. */
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
  locateFile(name: string): string;
}

/** Emscripten's glue code, which the build writes. */
export default function createCore(hooks: Hooks): Promise<Core>;
