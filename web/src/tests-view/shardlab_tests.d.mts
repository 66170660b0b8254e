/** The module that holds the tests; the build puts it beside the scripts of this view. */

import type { Build, Case, TestEvent } from "./suite.js";

export interface TestsModule {
  /** All cases, in the order in which they run. */
  cases(): Case[];
  build(): Build;
  /** Calls the function at the start and at the end of each case, and where an assertion fails. */
  listen(onEvent: (event: TestEvent) => void): void;
  /** Runs Catch2's own main, once. */
  callMain(args: string[]): number;
}

export default function createTests(options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  locateFile(name: string): string;
}): Promise<TestsModule>;
