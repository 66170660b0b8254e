import { ShardlabError, wrongKind } from "./error.js";
import { address, glue, optionOf } from "./modules.js";
import type { Core } from "./shardlab.mjs";
import type { LoadOptions, ModuleName } from "./types.js";

type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** Fetches (or reads, in Node.js) and compiles a module. */
export async function compile(name: ModuleName, source?: LoadOptions["wasm"]): Promise<WebAssembly.Module> {
  const bytes = await bytesOf(name, source);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw unusable(
      optionOf[name],
      source,
      `be WebAssembly that may be compiled here (${reason(error)}); a page's Content-Security-Policy has to allow ` +
        "'wasm-unsafe-eval'",
    );
  }
}

/** Starts a compiled module: a memory of its own, empty. */
export async function instantiate(name: ModuleName, module: WebAssembly.Module): Promise<Core> {
  const { default: createCore } = await glue[name]();
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

async function bytesOf(name: ModuleName, source: LoadOptions["wasm"]): Promise<Bytes> {
  if (source === undefined) {
    return bytesAt(optionOf[name], address[name]());
  }
  if (source instanceof URL || typeof source === "string") {
    return bytesAt(optionOf[name], source);
  }
  if (ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === "[object ArrayBuffer]") {
    return source as Bytes;
  }
  throw wrongKind(optionOf[name], source, `be the bytes of ${name}.wasm, or their address`);
}

function bytesAt(option: string, place: URL | string): Promise<Bytes> {
  const isRemote = /^(https?|data|blob):/.test(String(place));
  return isInNode() && !isRemote ? readFromDisk(option, place) : fetchBytes(option, place);
}

/** True in Node.js and what is compatible with it. */
export function isInNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return typeof process?.versions?.node === "string";
}

async function readFromDisk(option: string, place: URL | string): Promise<Bytes> {
  const fileSystem = "node:fs/promises";
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ fileSystem);
  try {
    return await readFile(String(place).startsWith("file:") ? new URL(place) : place);
  } catch (error) {
    throw unusable(option, place, `be a file that can be read (${reason(error)})`);
  }
}

async function fetchBytes(option: string, place: URL | string): Promise<Bytes> {
  try {
    const response = await fetch(place);
    if (response.ok) {
      return await response.arrayBuffer();
    }
    throw new Error(`the server answered ${response.status} ${response.statusText}`.trimEnd());
  } catch (error) {
    throw unusable(option, place, `be an address that can be fetched (${reason(error)})`);
  }
}

function unusable(option: string, source: LoadOptions["wasm"], rule: string): ShardlabError {
  const isAddress = typeof source === "string" || source instanceof URL;
  return new ShardlabError(option, isAddress ? String(source) : "bytes", rule);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
