// The script of loadInWorker()'s worker: it answers one Request after the other.

import { moduleOf } from "./modules.js";
import type { Reply, Request } from "./remote.js";
import type { Core } from "./shardlab.mjs";
import type { ModuleName } from "./types.js";
import { instantiate, isInNode } from "./wasm.js";

/** What a browser's worker scope and Node's parentPort have in common. */
interface Port {
  onmessage: ((event: { readonly data: Request }) => void) | null;
  postMessage(reply: Reply, transfer: ArrayBufferLike[]): void;
}

if (isInNode()) {
  const threads = "node:worker_threads";
  void import(/* webpackIgnore: true */ /* @vite-ignore */ threads).then(({ parentPort }) => serve(parentPort as Port));
} else {
  serve(globalThis as unknown as Port);
}

function serve(port: Port): void {
  const cores = new Map<ModuleName, Core>();

  const answerTo = async (request: Request): Promise<unknown> => {
    if ("module" in request) {
      cores.set(request.name, await instantiate(request.name, request.module));
      return undefined;
    }
    return cores.get(moduleOf(request.routine, [...cores.keys()]))?.[request.routine](request.options);
  };

  port.onmessage = ({ data: request }) => {
    answerTo(request).then(
      (answer) => port.postMessage({ id: request.id, answer }, buffersIn(answer)),
      (error: unknown) => port.postMessage({ id: request.id, failure: String(error) }, []),
    );
  };
}

/** The memory of every typed array in a result: it is handed over, not copied. */
function buffersIn(value: unknown): ArrayBufferLike[] {
  if (ArrayBuffer.isView(value)) {
    return [value.buffer];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(buffersIn) : [];
}
