import { complete, type CompleteOptions } from "./complete.js";
import { labFrom, resultOf } from "./lab.js";
import { moduleOf, requireModule } from "./modules.js";
import type { Export } from "./shardlab.mjs";
import { startThread, type Thread } from "./thread.js";
import { measured, type TraceStepOptions } from "./trace-files.js";
import type { AsyncLab, LoadInWorkerOptions, ModuleName } from "./types.js";

/** What the worker is asked: to start a module, and to run the routines of those that it has. */
export type Request =
  | { readonly id: number; readonly name: ModuleName; readonly module: WebAssembly.Module }
  | { readonly id: number; readonly routine: Export; readonly options: CompleteOptions | TraceStepOptions };

/** What the worker answers; `failure` says why it could not even try. */
export type Reply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

/** Gives a compiled module. */
export type Compiled = (name: ModuleName) => Promise<WebAssembly.Module>;

/**
 * The routines over modules that run in a worker. Options are checked in this thread, before they are sent. The first of
 * the modules is started at once, so that what is wrong shows early; another when the first of its routines is called.
 */
export async function labInWorker(
  compiled: Compiled,
  modules: readonly ModuleName[],
  script: Pick<LoadInWorkerOptions, "worker" | "workerType">,
): Promise<AsyncLab> {
  const name = modules[0]!;
  const first = await compiled(name);
  const calls = new Calls(await startThread(script));
  const started = new Map<ModuleName, Promise<unknown>>();
  const start = async (name: ModuleName, module: WebAssembly.Module): Promise<unknown> =>
    calls.send((id) => ({ id, name, module }));
  const starting = (name: ModuleName): Promise<unknown> => {
    let running = started.get(name);
    if (running === undefined) {
      running = compiled(name).then((module) => start(name, module));
      started.set(name, running);
      running.catch(() => started.delete(name));
    }
    return running;
  };
  try {
    started.set(name, start(name, first));
    await started.get(name);
  } catch (error) {
    calls.end("the lab did not start");
    throw error;
  }
  const lab = labFrom(async (routine, given) => {
    const module = moduleOf(routine, modules);
    requireModule(routine, module, modules);
    const filled = complete(routine, given);
    await starting(module);
    return resultOf(routine, filled, await calls.send((id) => ({ id, routine, options: filled })));
  });
  const measureTraces = async (given: unknown): Promise<unknown> => {
    requireModule("measureTraces", "traces", modules);
    return measured(given, async (routine, options) => {
      await starting("traces");
      return calls.send((id) => ({ id, routine, options }));
    });
  };
  return { ...lab, measureTraces, close: () => calls.end("the lab was closed") } as unknown as AsyncLab;
}

interface Call {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The calls under way in a worker. */
class Calls {
  private readonly underWay = new Map<number, Call>();
  private nextId = 0;
  private whyEnded = "";

  constructor(private readonly thread: Thread) {
    thread.listen(
      (reply) => this.settle(reply as Reply),
      (reason) => this.end(`the lab's worker failed: ${reason}`),
    );
  }

  async send(request: (id: number) => Request): Promise<unknown> {
    if (this.whyEnded !== "") {
      throw new Error(this.whyEnded);
    }
    const id = this.nextId++;
    const answer = new Promise((resolve, reject) => this.underWay.set(id, { resolve, reject }));
    this.thread.hold(true);
    try {
      this.thread.post(request(id));
    } catch (error) {
      this.underWay.delete(id);
      throw error;
    }
    return answer;
  }

  /** Stops the worker and rejects what it still had to do. */
  end(why: string): void {
    if (this.whyEnded === "") {
      this.whyEnded = why;
      this.thread.stop();
    }
    for (const call of this.underWay.values()) {
      call.reject(new Error(this.whyEnded));
    }
    this.underWay.clear();
  }

  private settle(reply: Reply): void {
    const call = this.underWay.get(reply.id);
    this.underWay.delete(reply.id);
    if ("failure" in reply) {
      call?.reject(new Error(`the lab's worker failed: ${reply.failure}`));
    } else {
      call?.resolve(reply.answer);
    }
    this.thread.hold(this.underWay.size > 0);
  }
}
