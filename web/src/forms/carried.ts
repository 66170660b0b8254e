/** The lab's bytes, where a page carries them itself: gzip, in base64. */

import type { LoadInWorkerOptions, ModuleName } from "shardlab";

export interface Carried {
  /** WebAssembly, by module */
  modules: Readonly<Partial<Record<ModuleName, string>>>;
  /** the worker's script */
  worker: string;
}

const optionOf = {
  shardlab: "wasm",
  training: "trainingWasm",
  pipelines: "pipelinesWasm",
  memory: "memoryWasm",
  verify: "verifyWasm",
  traces: "tracesWasm",
} as const;

/** Ready for the package. The worker has an address in this document, so that nothing is asked of a server. */
export async function unpacked({ modules, worker }: Carried): Promise<LoadInWorkerOptions> {
  const names = Object.keys(modules) as ModuleName[];
  const entries = names.map(async (name) => [optionOf[name], await inflated(modules[name]!)] as const);
  const script = new Blob([await inflated(worker)], { type: "text/javascript" });
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    modules: names,
    worker: URL.createObjectURL(script),
    workerType: "classic",
  };
}

/** The bytes of a text that is carried. */
export async function inflated(base64: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
