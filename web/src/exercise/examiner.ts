/** Where the cases run: a worker that holds them, and the interpreter, as WebAssembly. */

import type { Report, RunEvent } from "./run.js";
import type { Source } from "./sandbox.js";

/** What the worker needs. */
export interface Parts {
  worker: URL | string;
  workerType: WorkerType;
  cases: ArrayBuffer;
  interpreter: ArrayBuffer;
}

export interface Title {
  name: string;
  tags: string;
}

export type Request =
  | { kind: "load"; cases: ArrayBuffer; interpreter: ArrayBuffer }
  | { kind: "run"; task: string; sources: readonly Source[] };
export type Reply =
  | RunEvent
  | { kind: "loaded"; titles: readonly Title[] }
  | { kind: "done"; report: Report }
  | { kind: "trouble"; message: string };

/** Milliseconds without a sign of life after which a run is ended by force: some loops do not ask whether they may go on. */
const patience = 2500;

const silent = `The function had not ended after ${patience / 1000} seconds, and was stopped. Is there a loop that never ends?`;

let provided: Promise<Parts> | undefined;

/** For a page that carries the parts itself. To be said before they are first asked for. */
export function provide(parts: Promise<Parts>): void {
  provided = parts;
}

async function fetched(): Promise<Parts> {
  const beside = (name: string) => new URL(`../exercise/${name}`, import.meta.url);
  const [cases, interpreter] = await Promise.all([beside("lab_exercise.wasm"), beside("quickjs.wasm")].map(bytes));
  return { worker: beside("worker.js"), workerType: "module", cases: cases!, interpreter: interpreter! };
}

async function bytes(address: URL): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname.split("/").pop()} could not be loaded: the server answered ${response.status}`);
  return response.arrayBuffer();
}

export class Examiner {
  private worker: Worker | undefined;
  private titles: readonly Title[] = [];
  private release: (() => void) | undefined;

  /** The titles of all cases, in their order. */
  async load(): Promise<readonly Title[]> {
    if (this.worker === undefined) await this.start();
    return this.titles;
  }

  /**
   * Runs the cases of a task.
   * @returns nothing where the run was stopped from outside
   */
  async run(task: string, sources: readonly Source[], onEvent: (event: RunEvent) => void): Promise<Report | undefined> {
    await this.load();
    const reply = await this.ask({ kind: "run", task, sources }, onEvent);
    return reply?.kind === "done" ? reply.report : undefined;
  }

  /** Ends a run at once. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.release?.();
  }

  private async start(): Promise<void> {
    provided ??= fetched();
    const { worker, workerType, cases, interpreter } = await provided.catch((error: unknown) => {
      provided = undefined;
      throw error;
    });
    this.worker = new Worker(worker, { type: workerType });
    const reply = await this.ask({ kind: "load", cases, interpreter }, () => undefined);
    if (reply?.kind === "loaded") this.titles = reply.titles;
  }

  /** Hands over every event until the worker is done; nothing where it was stopped before. */
  private ask(request: Request, onEvent: (event: RunEvent) => void): Promise<Reply | undefined> {
    const worker = this.worker!;
    let watch: ReturnType<typeof setTimeout> | undefined;
    const asked = new Promise<Reply | undefined>((resolve, reject) => {
      this.release = () => resolve(undefined);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || "the exercise's script could not be loaded"));
      };
      worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if (this.worker !== worker) return;
        clearTimeout(watch);
        if (data.kind === "trouble") reject(new Error(data.message));
        else if (data.kind === "loaded" || data.kind === "done") resolve(data);
        else {
          watch = setTimeout(() => resolve({ kind: "done", report: { logged: [], stopped: silent } }), patience);
          onEvent(data);
        }
      };
      worker.postMessage(request);
    });
    return asked
      .catch((error: unknown) => {
        this.stop();
        throw error;
      })
      .then((reply) => {
        if (reply?.kind === "done" && reply.report.stopped === silent) this.stop();
        return reply;
      })
      .finally(() => {
        clearTimeout(watch);
        this.release = undefined;
      });
  }
}
