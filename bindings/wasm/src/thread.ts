import type { LoadInWorkerOptions } from "./types.js";
import { isInNode } from "./wasm.js";

type Script = Pick<LoadInWorkerOptions, "worker" | "workerType">;

/** A worker of a browser or of Node.js, reduced to what both have. */
export interface Thread {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void, onFailure: (reason: string) => void): void;
  /** In Node.js a thread that is not held does not keep the process alive. */
  hold(isHeld: boolean): void;
  stop(): void;
}

/** Starts `worker.js`, or the script at another address. */
export function startThread({ worker, workerType }: Script): Promise<Thread> {
  return isInNode() ? startInNode(worker) : Promise.resolve(startInBrowser(worker, workerType));
}

/** Bundlers look for the words of the first worker. */
function ownWorker(): Worker {
  const { origin } = new URL(import.meta.url);
  if (origin === location.origin || origin === "null") return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return workerOfAnotherHost(new URL("./worker.js", import.meta.url));
}

/** Browsers start no worker from another host's script, but from one of their own that imports it. */
function workerOfAnotherHost(script: URL): Worker {
  const text = new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" });
  const address = URL.createObjectURL(text);
  const worker = new Worker(address, { type: "module" });
  worker.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
  return worker;
}

function startInBrowser(script: Script["worker"], type: WorkerType = "module"): Thread {
  const worker = script === undefined ? ownWorker() : new Worker(script, { type });
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.onmessage = (event) => onMessage(event.data);
      worker.onmessageerror = () => onFailure("a message could not be read");
      worker.onerror = (event) => onFailure(event.message || "its script could not be loaded");
    },
    hold: () => undefined,
    stop: () => worker.terminate(),
  };
}

/** As much of node:worker_threads' Worker as is used here. */
interface NodeWorker {
  postMessage(message: unknown): void;
  on(event: string, listener: (value: unknown) => void): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

async function startInNode(script?: URL | string): Promise<Thread> {
  const threads = "node:worker_threads";
  const { Worker } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ threads)) as {
    Worker: new (script: URL | string, options: { execArgv: string[] }) => NodeWorker;
  };
  // Options of the process itself, such as --input-type, need not fit the worker's script.
  const worker = new Worker(script ?? new URL("./worker.js", import.meta.url), { execArgv: [] });
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.on("message", onMessage);
      worker.on("messageerror", () => onFailure("a message could not be read"));
      worker.on("error", (error) => onFailure(String(error)));
    },
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    stop: () => void worker.terminate(),
  };
}
