/** The lab that all widgets of a page share. */

import { load, loadInWorker, type AsyncLab, type Lab, type LoadInWorkerOptions } from "shardlab";
import { say, word, type Told } from "./words.js";

/** Why something does not work: what, why, and what can be done about it, a sentence each. */
export interface Trouble {
  code: "SHARDLAB-WASM" | "SHARDLAB-CSP" | "SHARDLAB-LOAD";
  message: Told;
  hint: Told;
}

/** Why the lab does not run, for a reader who did not write it. */
export class LabUnavailable extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.message());
  }
}

let started: Promise<AsyncLab> | undefined;
let provided: Promise<LoadInWorkerOptions> = Promise.resolve({});

/** Where the lab is to come from, for a page that carries it. To be said before it is first asked for. */
export function provide(options: Promise<LoadInWorkerOptions>): void {
  provided = options;
}

/** Starts the lab when it is first asked for: in a worker, or where there can be none, on the page's own thread. */
export function sharedLab(): Promise<AsyncLab> {
  started ??= start();
  return started;
}

async function start(): Promise<AsyncLab> {
  if (typeof WebAssembly === "undefined") {
    throw new LabUnavailable({
      code: "SHARDLAB-WASM",
      message: () => word("This browser has no WebAssembly, or it is switched off, and the lab needs it."),
      hint: () => word("Please try a current browser."),
    });
  }
  const options = await provided;
  try {
    return await loadInWorker(options);
  } catch {
    return inPromises(await loadHere(options));
  }
}

async function loadHere({ worker: _, workerType: __, ...options }: LoadInWorkerOptions): Promise<Lab> {
  try {
    return await load(options);
  } catch (error) {
    throw new LabUnavailable(explain(error));
  }
}

function explain(error: unknown): Trouble {
  const detail = error instanceof Error ? error.message : String(error);
  // Chromium says "violates", WebKit "refused to", Firefox "blocked by CSP".
  if (/violates the following content security|refused to|blocked by csp/i.test(detail)) {
    return {
      code: "SHARDLAB-CSP",
      message: () => say`This page's security policy blocks WebAssembly, so the lab cannot run here. (${detail})`,
      hint: () => word("The widget's iframe form brings a policy of its own."),
    };
  }
  return {
    code: "SHARDLAB-LOAD",
    message: () => say`The lab's WebAssembly could not be loaded. (${detail})`,
    hint: () => word("Is the file shardlab.wasm beside the lab's scripts, does the server deliver it, and does the page's security policy allow connect-src to it?"),
  };
}

function inPromises(lab: Lab): AsyncLab {
  const routines = Object.entries(lab as unknown as Record<string, (options: unknown) => unknown>);
  const wrapped = routines.map(([name, routine]) => [name, async (options: unknown) => routine(options)]);
  return { ...Object.fromEntries(wrapped), close() {} } as AsyncLab;
}
