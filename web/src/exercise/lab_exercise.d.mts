/** The module that holds the lab's cases; the build puts it beside the scripts of this view. */

import type { Case, TestEvent } from "../tests-view/suite.js";
import type { Outcome } from "./sandbox.js";

export interface CasesModule {
  /** All cases, in the order in which they run. */
  cases(): Case[];
  /** Calls the function at the start and at the end of each case, and where an assertion fails. */
  listen(onEvent: (event: TestEvent) => void): void;
  /** Whom the cases ask. An answer has the shape that its task says. */
  answerWith(student: (name: string, options: Record<string, unknown>) => Outcome): void;
  /** What the reference answers to the same. */
  reference(name: string, options: object): unknown;
  erf(value: number): number;
  /** Runs Catch2's own main, once. */
  callMain(args: string[]): number;
}

export default function createCases(options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  locateFile(name: string): string;
}): Promise<CasesModule>;
