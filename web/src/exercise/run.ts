/** A run of the exercise: the cases of one function, in WebAssembly, call what a student wrote. */

import createCases, { type CasesModule } from "./lab_exercise.mjs";
import type { Failure, Result, TestEvent } from "../tests-view/suite.js";
import { misfit } from "./answers.js";
import { Sandbox, type Clock, type Outcome, type Source } from "./sandbox.js";
import type { Task } from "./tasks.js";

export interface Modules {
  cases: WebAssembly.Module;
  interpreter: WebAssembly.Module;
}

/** A call that a case made, what came back, and what the reference answers. */
export interface Call {
  options: Readonly<Record<string, unknown>>;
  /** nothing where there was none, or none of the right shape */
  answer: unknown;
  right: unknown;
}

/** How a case ended: `left` is one that was not run, since the function had been stopped before. */
export interface CaseResult {
  name: string;
  state: "passed" | "failed" | "left";
  seconds: number;
  /** what first goes wrong, in sentences: what was tried, and then the complaint */
  messages: readonly string[];
  /** the call after which it failed */
  call?: Call;
}

export type RunEvent = { kind: "start"; name: string } | { kind: "end"; result: CaseResult } | { kind: "alive" };

export interface Report {
  /** what is wrong with the function's own source, in a sentence: then no case was run */
  fault?: string;
  /** why it was stopped, in a sentence */
  stopped?: string;
  logged: readonly string[];
}

/** Milliseconds between signs of life. */
const pulse = 200;

/** A fresh instance: Catch2's main can run only once in each. */
async function instantiate(module: WebAssembly.Module): Promise<CasesModule> {
  return new Promise((resolve, reject) => {
    createCases({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject);
        return {};
      },
      // The glue code would work out an address for a file that it never asks for.
      locateFile: (name) => name,
    }).then(resolve, reject);
  });
}

/** The titles of a function's cases, in their order. */
export async function casesOf({ cases }: Pick<Modules, "cases">): Promise<readonly { name: string; tags: string }[]> {
  return (await instantiate(cases)).cases().map(({ name, tags }) => ({ name, tags }));
}

/**
 * @param sources of the function that is tested, and of those that it may call
 * @param clock by which the sources' time is limited
 */
export async function run(modules: Modules, task: Task, sources: readonly Source[], onEvent: (event: RunEvent) => void, clock?: Clock): Promise<Report> {
  const cases = await instantiate(modules.cases);
  const sandbox = await Sandbox.start(modules.interpreter, { erf: (value) => cases.erf(value) }, clock);
  onEvent({ kind: "alive" });
  const faults = new Map(sources.map((source) => [source.id, sandbox.define(source)]));
  const fault = faults.get(task.id);
  if (fault === undefined) new Examination(cases, sandbox, task, onEvent).run();
  return {
    logged: sandbox.logged,
    ...(fault !== undefined && { fault }),
    ...(sandbox.stopped !== undefined && { stopped: sandbox.stopped }),
  };
}

/** A call without what the reference answers to it. */
type Made = Omit<Call, "right">;

class Examination {
  private last: Made | undefined;
  /** the first failure of the case that runs, and the call before it */
  private first: { failure: Failure; made: Made | undefined } | undefined;
  /** the case that runs began after the function was stopped */
  private isLeft = false;
  private beat = 0;

  constructor(
    private readonly cases: CasesModule,
    private readonly sandbox: Sandbox,
    private readonly task: Task,
    private readonly onEvent: (event: RunEvent) => void,
  ) {}

  run(): void {
    this.cases.answerWith((name, options) => this.answer(name, options));
    this.cases.listen((event) => this.onCase(event));
    this.cases.callMain(["--reporter", "page", `[${this.task.tag}]`]);
  }

  private answer(name: string, options: Record<string, unknown>): Outcome {
    this.live();
    this.last = { options, answer: undefined };
    const outcome = this.sandbox.call(name, options);
    if ("error" in outcome) return outcome;
    const wrong = misfit(`the answer of ${name}`, outcome.answer, this.task.answer);
    if (wrong !== undefined) return { error: wrong };
    this.last = { options, answer: outcome.answer };
    return outcome;
  }

  private live(): void {
    const now = performance.now();
    if (now - this.beat < pulse) return;
    this.beat = now;
    this.onEvent({ kind: "alive" });
  }

  private onCase(event: TestEvent): void {
    if (event.kind === "start") {
      this.first = this.last = undefined;
      this.isLeft = this.sandbox.stopped !== undefined;
      this.onEvent(event);
    } else if (event.kind === "failure") {
      this.first ??= { failure: event.failure, made: this.last };
    } else {
      this.onEvent({ kind: "end", result: this.resultOf(event.result) });
    }
  }

  private resultOf({ name, ok, seconds }: Result): CaseResult {
    if (this.isLeft) return { name, state: "left", seconds: 0, messages: [] };
    if (ok) return { name, state: "passed", seconds, messages: [] };
    const { failure, made } = this.first ?? {};
    const messages = failure === undefined ? [] : failure.messages.length > 0 ? failure.messages : [failure.expanded];
    if (made === undefined) return { name, state: "failed", seconds, messages };
    const right = this.cases.reference(this.task.name, made.options);
    return { name, state: "failed", seconds, messages, call: { ...made, right } };
  }
}
