/**
 * Where a student's functions run: QuickJS, an interpreter in WebAssembly. What they ask for in time, memory and depth is
 * limited, and nothing of the page can be reached from there.
 */

import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten-core";
import { changed } from "./answers.js";
import { prelude, revived } from "./crossing.js";
import { unclosed } from "./unclosed.js";

/** A source of its own: what it declares is seen by itself alone, but for its function. */
export interface Source {
  id: string;
  /** of the function that it is to declare */
  name: string;
  text: string;
}

export type Outcome = { answer: unknown } | { error: string };

export const limits = {
  /** of one call, or of the reading of one source */
  milliseconds: 1000,
  /** of all calls of a run together */
  runMilliseconds: 20_000,
  memoryBytes: 64 * 2 ** 20,
  stackBytes: 256 * 2 ** 10,
  loggedLines: 100,
  /** of a line that is logged, and of what an error says */
  characters: 400,
};
/** An error may have been thrown when no time was left. It is looked at in this many milliseconds. */
const millisecondsToTell = 200;

/** The memory that the interpreter starts with, and what WebAssembly counts memory in. */
const [leastMemory, page] = [16 * 2 ** 20, 2 ** 16];

/** What each source may call beside its own: functions that JavaScript lacks. */
export type Given = Readonly<Record<string, (value: number) => number>>;

/** Milliseconds, from any beginning. */
export type Clock = () => number;

export class Sandbox {
  /** what the sources logged */
  readonly logged: string[] = [];
  /** why nothing runs any more, in a sentence */
  stopped: string | undefined;
  private deadline = Infinity;
  /** milliseconds that the sources have taken */
  private spent = 0;
  private readonly invoke: QuickJSHandle;
  private readonly tell: QuickJSHandle;
  /** the sources' ids, by the names of their functions */
  private readonly ids = new Map<string, string>();

  private constructor(
    private readonly context: QuickJSContext,
    private readonly memory: WebAssembly.Memory,
    given: Given,
    private readonly clock: Clock,
  ) {
    const { runtime } = context;
    runtime.setMaxStackSize(limits.stackBytes);
    runtime.setInterruptHandler(() => clock() > this.deadline);
    this.give("log", (text) => this.log(context.getString(text)));
    for (const [name, works] of Object.entries(given)) {
      this.give(name, (value) => context.newNumber(works(context.getNumber(value))));
    }
    const functions = context.unwrapResult(context.evalCode(prelude, "prelude.js"));
    [this.invoke, this.tell] = ["invoke", "tell"].map((name) => context.getProp(functions, name)) as [QuickJSHandle, QuickJSHandle];
  }

  /** A sandbox of its own memory: one that has been stopped leaves nothing to the next. */
  static async start(interpreter: WebAssembly.Module, given: Given = {}, clock: Clock = () => performance.now()): Promise<Sandbox> {
    // The interpreter's own limit counts no more than blocks, here: this is the memory that it has at all.
    const wasmMemory = new WebAssembly.Memory({ initial: leastMemory / page, maximum: limits.memoryBytes / page });
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: interpreter, wasmMemory }));
    return new Sandbox(quickjs.newContext(), wasmMemory, given, clock);
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
      if (result.error !== undefined) return this.unread(result.error, name, text);
      const state = this.context.getPromiseState(result.value);
      if (state.type === "rejected") return this.told(state.error, name);
      if (state.type === "pending") return "there is an await outside of any function";
      return this.isThere(name) ? undefined : `there is no function ${name}`;
    });
    if (fault !== undefined) this.leave(name, fault);
    return fault;
  }

  /** Calls a function of the sources with plain data. */
  call(name: string, options: Readonly<Record<string, unknown>>): Outcome {
    if (this.stopped !== undefined) return { error: this.stopped };
    let answer: unknown;
    let change: string | undefined;
    const error = this.within(name, () => {
      const result = this.made(this.invoke, this.context.newString(name), this.context.newString(JSON.stringify(options)));
      if (result.error !== undefined) return this.told(result.error, name);
      const [answered, left] = result.text.split("\n");
      answer = revived(answered!);
      if (left !== "") change = changed(name, options, revived(left!));
      return undefined;
    });
    if (error !== undefined) return { error: this.stopped ?? `${name} threw an error: ${error}` };
    return change === undefined ? { answer } : { error: change };
  }

  /** The text that a function of the prelude makes of something, or what it threw. */
  private made(works: QuickJSHandle, ...of: readonly QuickJSHandle[]): { text: string; error?: undefined } | { error: QuickJSHandle } {
    const { context } = this;
    const result = context.callFunction(works, context.undefined, ...of);
    for (const handle of of) handle.dispose();
    return result.error === undefined ? { text: result.value.consume((value) => context.getString(value)) } : { error: result.error };
  }

  /** @param who in a sentence that says what it did */
  private within(who: string, work: () => string | undefined): string | undefined {
    if (this.stopped !== undefined) return this.stopped;
    const began = this.clock();
    const left = limits.runMilliseconds - this.spent;
    this.deadline = began + Math.min(limits.milliseconds, left);
    let error: string | undefined;
    try {
      error = work();
    } catch (thrown) {
      // The engine around the interpreter has a stack as well. What either has left behind is not to be used again.
      if (thrown instanceof RangeError) error = overflow;
      else this.stopped = `${who} ended the interpreter: ${String(thrown)}`;
    }
    this.deadline = Infinity;
    this.spent += this.clock() - began;
    const end = error === undefined ? undefined : ends.find(([sign]) => error === sign);
    if (this.spent >= limits.runMilliseconds) this.stopped = `${who} had taken ${limits.runMilliseconds / 1000} seconds in all its calls, and was stopped.`;
    else if (end !== undefined) this.stopped = `${who} ${end[1]}`;
    return this.stopped ?? error;
  }

  /** Anything that was thrown, as a sentence with its line, and where that is another's, its source; of an end, its sign. */
  private told(error: QuickJSHandle, of: string): string {
    this.deadline = Math.max(this.deadline, this.clock() + millisecondsToTell);
    if (this.isWithoutRoom(error)) return outOfMemory;
    const result = this.made(this.tell, error);
    if (result.error !== undefined) return result.error.consume((handle) => this.endOf(handle));
    const { is, name = "", message = "", stack = "" } = JSON.parse(result.text) as Record<string, string | undefined>;
    if (is !== undefined) return `${is}, without a message`;
    const said = name === "Error" || name === "" ? message : `${name}: ${message}`;
    if (ends.some(([sign]) => sign === said)) return said;
    const [, id, line] = /\b(?!prelude)([a-z0-9-]+)\.js:(\d+)/.exec(stack) ?? [];
    const place = id === undefined ? "" : id === this.ids.get(of) ? `line ${line}: ` : `${id}, line ${line}: `;
    if (message === "") return `${place}${name || "Error"}, without a message`;
    return cut(place + said);
  }

  /** Where there is no memory for an error, null is thrown in its place. Memory grows by twentieths at least. */
  private isWithoutRoom(error: QuickJSHandle): boolean {
    return this.context.eq(error, this.context.null) && this.memory.buffer.byteLength > 0.95 * limits.memoryBytes;
  }

  /** Of what ended even the telling, its sign. */
  private endOf(error: QuickJSHandle): string {
    const { context } = this;
    if (this.isWithoutRoom(error)) return outOfMemory;
    const [name, message] = ["name", "message"].map((member) => context.getProp(error, member).consume((value) => context.getString(value)));
    return `${name}: ${message}`;
  }

  /** What is wrong with a source that cannot be read: the brackets that are open, if it could be read with these closed. */
  private unread(error: QuickJSHandle, name: string, text: string): string {
    const said = this.told(error, name);
    const line = /^line (\d+): SyntaxError: /.exec(said)?.[1];
    if (line === undefined) return said;
    const open = unclosed(text);
    if (open !== undefined && this.canRead(open.closed)) return open.sentence;
    const last = text.trimEnd().split("\n").length;
    return Number(line) > last ? `line ${last}: SyntaxError: the source ends too early` : said;
  }

  /** Nothing of it runs: a source is read to its end before its first line throws. */
  private canRead(text: string): boolean {
    const result = this.context.evalCode(`throw 0;\n${text}`, "closed.js", { type: "module" });
    return (result.error ?? result.value).consume((handle) => result.error === undefined || this.context.typeof(handle) === "number");
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
    if (this.logged.length < limits.loggedLines) this.logged.push(cut(text));
  }
}

const outOfMemory = "InternalError: out of memory";
const overflow = "InternalError: stack overflow";
/** What QuickJS says where a limit ends a call, and what is said of the call. */
const ends: readonly (readonly [sign: string, sentence: string])[] = [
  ["InternalError: interrupted", `had not ended after ${limits.milliseconds / 1000} second, and was stopped. Is there a loop that never ends?`],
  [outOfMemory, `asked for more than ${limits.memoryBytes / 2 ** 20} MiB of memory, and was stopped.`],
  [overflow, "called itself too deeply, and was stopped. Does a function call itself for ever?"],
];

/** No letter of two halves is parted. */
function cut(text: string): string {
  if (text.length <= limits.characters) return text;
  return `${text.slice(0, limits.characters - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
