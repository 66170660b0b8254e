/**
 * Where a student's functions run: QuickJS, an interpreter in WebAssembly. What they ask for in time, memory and depth is
 * limited, and nothing of the page can be reached from there.
 */

import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten-core";
import { Odd } from "./answers.js";

/** A source of its own: what it declares is seen by itself alone, but for its function. */
export interface Source {
  id: string;
  /** of the function that it is to declare */
  name: string;
  text: string;
}

export type Outcome = { answer: unknown } | { error: string };

/** One call, or the reading of one source. */
export const limits = { milliseconds: 1000, memoryBytes: 64 * 2 ** 20, stackBytes: 256 * 2 ** 10, loggedLines: 100, loggedCharacters: 400 };

/** The memory that the interpreter starts with, and what WebAssembly counts memory in. */
const [leastMemory, page] = [16 * 2 ** 20, 2 ** 16];

/** What each source may call beside its own: functions that JavaScript lacks. */
export type Given = Readonly<Record<string, (value: number) => number>>;

/**
 * Runs first. Numbers that JSON has no sign for cross as `{is}`, and so does what is no number, text or list; a student may
 * replace what is built in without harm to this.
 */
const prelude = `(() => {
  const { parse, stringify } = JSON;
  const { from } = Array;
  const { isFinite } = Number;
  const { is } = Object;
  const functions = globalThis;
  const kinds = { function: "a function", symbol: "a symbol", bigint: "a BigInt" };
  const plain = (_, value) => {
    if (typeof value === "number") return isFinite(value) && !is(value, -0) ? value : { is: is(value, -0) ? "-0" : value + "" };
    if (value === undefined) return { is: "undefined" };
    if (typeof value in kinds) return { is: kinds[typeof value] };
    if (value instanceof Promise) return { is: "a promise: the function must not be async" };
    return ArrayBuffer.isView(value) ? from(value) : value;
  };
  const shown = (value) => (typeof value === "string" ? value : stringify(value, (_, one) => (typeof one === "number" ? (isFinite(one) ? one : one + "") : one)) ?? value + "");
  const { log } = globalThis;
  delete globalThis.log;
  globalThis.console = { log: (...values) => log(values.map(shown).join(" ")) };
  return (name, text) => stringify(functions[name](parse(text)), plain);
})()`;

export class Sandbox {
  /** what the sources logged */
  readonly logged: string[] = [];
  /** why nothing runs any more, in a sentence */
  stopped: string | undefined;
  private deadline = 0;
  private readonly invoke: QuickJSHandle;
  /** the sources' ids, by the names of their functions */
  private readonly ids = new Map<string, string>();

  private constructor(
    private readonly context: QuickJSContext,
    given: Given,
  ) {
    const { runtime } = context;
    runtime.setMaxStackSize(limits.stackBytes);
    runtime.setInterruptHandler(() => performance.now() > this.deadline);
    this.give("log", (text) => this.log(context.getString(text)));
    for (const [name, works] of Object.entries(given)) {
      this.give(name, (value) => context.newNumber(works(context.getNumber(value))));
    }
    this.deadline = Infinity;
    this.invoke = context.unwrapResult(context.evalCode(prelude, "prelude.js"));
  }

  /** A sandbox of its own memory: one that has been stopped leaves nothing to the next. */
  static async start(interpreter: WebAssembly.Module, given: Given = {}): Promise<Sandbox> {
    // The interpreter's own limit counts no more than blocks, here: this is the memory that it has at all.
    const wasmMemory = new WebAssembly.Memory({ initial: leastMemory / page, maximum: limits.memoryBytes / page });
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: interpreter, wasmMemory }));
    return new Sandbox(quickjs.newContext(), given);
  }

  /**
   * Reads a source. One that is wrong leaves a function that says so.
   * @returns what is wrong with it, in a sentence
   */
  define({ id, name, text }: Source): string | undefined {
    this.ids.set(name, id);
    const whole = `${text}\n;globalThis.${name} = typeof ${name} === "function" ? ${name} : undefined;`;
    const fault = this.within(`${name}, before any call,`, () => {
      const result = this.context.evalCode(whole, `${id}.js`, { type: "module" });
      if (result.error !== undefined) return this.told(result.error, name);
      const state = this.context.getPromiseState(result.value);
      return state.type === "rejected" ? this.told(state.error, name) : undefined;
    });
    const missing = fault === undefined && !this.isThere(name) ? `there is no function ${name}` : fault;
    if (missing !== undefined) this.leave(name, missing);
    return missing;
  }

  /** Calls a function of the sources with plain data. */
  call(name: string, options: object): Outcome {
    const { context } = this;
    if (this.stopped !== undefined) return { error: this.stopped };
    let answer = "";
    const error = this.within(name, () => {
      const texts = [name, JSON.stringify(options)].map((text) => context.newString(text));
      const result = context.callFunction(this.invoke, context.undefined, ...texts);
      for (const text of texts) text.dispose();
      if (result.error !== undefined) return this.told(result.error, name);
      answer = result.value.consume((value) => context.getString(value));
      return undefined;
    });
    return error === undefined ? { answer: revived(answer) } : { error: this.stopped ?? `${name} threw an error: ${error}` };
  }

  /** @param who in a sentence that says what it did */
  private within(who: string, work: () => string | undefined): string | undefined {
    if (this.stopped !== undefined) return this.stopped;
    this.deadline = performance.now() + limits.milliseconds;
    let error: string | undefined;
    try {
      error = work();
    } catch (thrown) {
      // The engine around the interpreter has a stack as well. What either has left behind is not to be used again.
      if (thrown instanceof RangeError) error = overflow;
      else this.stopped = `${who} ended the interpreter: ${String(thrown)}`;
    }
    this.deadline = Infinity;
    const end = error === undefined ? undefined : ends.find(([sign]) => error === sign);
    if (end !== undefined) this.stopped = `${who} ${end[1]}`;
    return this.stopped ?? error;
  }

  /** An error of a function as a sentence with its line, and where that is another's, its source; of an end, its sign. */
  private told(error: QuickJSHandle, of: string): string {
    const dumped: unknown = error.consume((handle) => this.context.dump(handle));
    if (typeof dumped !== "object" || dumped === null) return String(dumped);
    const { name = "", message = "", stack = "" } = dumped as Record<string, string | undefined>;
    if (name === "InternalError" && ends.some(([sign]) => sign === message)) return message;
    const [, id, line] = /\b(?!prelude)([a-z0-9-]+)\.js:(\d+)/.exec(stack) ?? [];
    const place = id === undefined ? "" : id === this.ids.get(of) ? `line ${line}: ` : `${id}, line ${line}: `;
    const kind = name === "Error" || name === "" ? "" : `${name}: `;
    return `${place}${kind}${message}`;
  }

  private isThere(name: string): boolean {
    return this.context.getProp(this.context.global, name).consume((handle) => this.context.typeof(handle) === "function");
  }

  private leave(name: string, fault: string): void {
    const { context } = this;
    if (this.stopped !== undefined) return;
    this.give(name, () => ({ error: context.newError(`${name}, ${fault}`) }));
  }

  private give(name: string, works: (value: QuickJSHandle) => QuickJSHandle | { error: QuickJSHandle } | void): void {
    const { context } = this;
    context.newFunction(name, works).consume((handle) => context.setProp(context.global, name, handle));
  }

  private log(text: string): void {
    if (this.logged.length < limits.loggedLines) this.logged.push(text.slice(0, limits.loggedCharacters));
  }
}

const overflow = "stack overflow";
/** What QuickJS says where a limit ends a call, and what is said of the call. */
const ends: readonly (readonly [sign: string, sentence: string])[] = [
  ["interrupted", `had not ended after ${limits.milliseconds / 1000} second, and was stopped. Is there a loop that never ends?`],
  ["out of memory", `asked for more than ${limits.memoryBytes / 2 ** 20} MiB of memory, and was stopped.`],
  [overflow, "called itself too deeply, and was stopped. Does a function call itself for ever?"],
];

function revived(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    const is = typeof value === "object" && value !== null ? (value as { is?: unknown }).is : undefined;
    if (typeof is !== "string") return value;
    if (is === "undefined") return undefined;
    return /^(NaN|-?Infinity|-0)$/.test(is) ? Number(is) : new Odd(is);
  });
}
