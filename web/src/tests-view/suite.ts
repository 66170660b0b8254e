/** The tests and where they run: a worker, which holds them as a WebAssembly module. */

export interface Case {
  name: string;
  /** `[ring][determinism]`. */
  tags: string;
  file: string;
  line: number;
}

/** A failed assertion. */
export interface Failure {
  expression: string;
  /** With values in place of names; empty where that says no more. */
  expanded: string;
  messages: string[];
  file: string;
  line: number;
}

/** How a case ended; `passed` and `failed` count its assertions. */
export interface Result {
  name: string;
  ok: boolean;
  passed: number;
  failed: number;
  seconds: number;
  failures: Failure[];
}

/** What a build was made from and with, and hashes of the bits that it computes. */
export interface Build {
  /** The SHA-256 of the sources. */
  sources: string;
  compiler: string;
  bits: { name: string; hash: string }[];
}

export type TestEvent =
  | { kind: "start"; name: string }
  | { kind: "failure"; failure: Failure }
  | { kind: "end"; result: Result };

export interface Contents {
  cases: Case[];
  build: Build;
  /** Undefined where the page was made without a native build at hand. */
  native: Build | undefined;
}

/** What the view shows: the real tests, or any others. */
export interface Suite {
  load(): Promise<Contents>;
  /** Runs the named cases, or all, and ends when the last has ended. */
  run(names: string[] | undefined, onEvent: (event: TestEvent) => void): Promise<void>;
  /** Ends a run at once. */
  stop(): void;
}

export type Request = { kind: "load" } | { kind: "run"; names: string[] | undefined };
export type Reply =
  | TestEvent
  | { kind: "loaded"; cases: Case[]; build: Build }
  | { kind: "done" }
  | { kind: "trouble"; message: string };

export class WorkerSuite implements Suite {
  private worker: Worker | undefined;
  private release: (() => void) | undefined;

  async load(): Promise<Contents> {
    let loaded: { cases: Case[]; build: Build } | undefined;
    await this.ask({ kind: "load" }, (reply) => {
      if (reply.kind === "loaded") loaded = reply;
    });
    if (loaded === undefined) throw new Error("the tests were stopped before they were listed");
    return { cases: loaded.cases, build: loaded.build, native: await nativeBuild() };
  }

  run(names: string[] | undefined, onEvent: (event: TestEvent) => void): Promise<void> {
    return this.ask({ kind: "run", names }, (reply) => {
      if (reply.kind === "start" || reply.kind === "end") onEvent(reply);
    });
  }

  stop(): void {
    if (this.worker !== undefined) {
      // What it has said already, but nobody has heard yet, is not heard any more.
      this.worker.onmessage = null;
      this.worker.terminate();
      this.worker = undefined;
    }
    this.release?.();
  }

  /** Hands every reply to the function, until the worker is done. A worker that failed is not used again. */
  private ask(request: Request, onReply: (reply: Reply) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (message: string): void => {
        this.release = undefined;
        this.stop();
        reject(new Error(message));
      };
      this.release = resolve;
      this.worker ??= new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      this.worker.onerror = (event) => {
        event.preventDefault();
        fail(event.message || "the tests' script could not be loaded");
      };
      this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if (data.kind === "trouble") return fail(data.message);
        if (data.kind === "done" || data.kind === "loaded") this.release = undefined;
        onReply(data);
        if (data.kind === "done" || data.kind === "loaded") resolve();
      };
      this.worker.postMessage(request);
    });
  }
}

async function nativeBuild(): Promise<Build | undefined> {
  const response = await fetch(new URL("./native.json", import.meta.url));
  if (!response.ok) return undefined;
  return ((await response.json()) as Build | null) ?? undefined;
}
