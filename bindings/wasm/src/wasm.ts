import { ShardlabError, wrongKind } from "./error.js";
import createCore, { type Core } from "./shardlab.mjs";
import type { LoadOptions } from "./types.js";

type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** Fetches (or reads, in Node.js) and compiles the module. */
export async function compile(source?: LoadOptions["wasm"]): Promise<WebAssembly.Module> {
  const bytes = await bytesOf(source);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw unusable(
      source,
      `be WebAssembly that may be compiled here (${reason(error)}); a page's Content-Security-Policy has to allow ` +
        "'wasm-unsafe-eval'",
    );
  }
}

/** Starts a compiled module: a memory of its own, empty. */
export function instantiate(module: WebAssembly.Module): Promise<Core> {
  return new Promise((resolve, reject) => {
    createCore({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then(done, reject);
        return {};
      },
      // The glue code would work out an address for a file that it never asks for.
      locateFile: (name) => name,
    }).then(resolve, reject);
  });
}

async function bytesOf(source: LoadOptions["wasm"]): Promise<Bytes> {
  if (source === undefined) {
    return bytesAt(new URL("./shardlab.wasm", import.meta.url));
  }
  if (source instanceof URL || typeof source === "string") {
    return bytesAt(source);
  }
  if (ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === "[object ArrayBuffer]") {
    return source as Bytes;
  }
  throw wrongKind("wasm", source, "be the bytes of shardlab.wasm, or their address");
}

function bytesAt(address: URL | string): Promise<Bytes> {
  const isRemote = /^(https?|data|blob):/.test(String(address));
  return isInNode() && !isRemote ? readFromDisk(address) : fetchBytes(address);
}

/** True in Node.js and what is compatible with it. */
export function isInNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return typeof process?.versions?.node === "string";
}

async function readFromDisk(address: URL | string): Promise<Bytes> {
  const fileSystem = "node:fs/promises";
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ fileSystem);
  try {
    return await readFile(String(address).startsWith("file:") ? new URL(address) : address);
  } catch (error) {
    throw unusable(address, `be a file that can be read (${reason(error)})`);
  }
}

async function fetchBytes(address: URL | string): Promise<Bytes> {
  try {
    const response = await fetch(address);
    if (response.ok) {
      return await response.arrayBuffer();
    }
    throw new Error(`the server answered ${response.status} ${response.statusText}`.trimEnd());
  } catch (error) {
    throw unusable(address, `be an address that can be fetched (${reason(error)})`);
  }
}

function unusable(source: LoadOptions["wasm"], rule: string): ShardlabError {
  const isAddress = typeof source === "string" || source instanceof URL;
  return new ShardlabError("wasm", isAddress ? String(source) : "bytes", rule);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
