/** Runs the tests away from the page's thread. */

import createTests, { type TestsModule } from "./shardlab_tests.mjs";
import type { Reply, Request } from "./suite.js";

let compiled: Promise<WebAssembly.Module> | undefined;

function post(reply: Reply): void {
  postMessage(reply);
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL("./shardlab_tests.wasm", import.meta.url));
  if (!response.ok) throw new Error(`shardlab_tests.wasm could not be loaded: the server answered ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A fresh instance: Catch2's main can run only once in each. */
async function instantiate(): Promise<TestsModule> {
  compiled ??= compile();
  const module = await compiled;
  return new Promise((resolve, reject) => {
    createTests({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject);
        return {};
      },
      // The glue code would work out an address for a file that it never asks for.
      locateFile: (name) => name,
    }).then(resolve, reject);
  });
}

/** Catch2's way to name cases one by one. */
function specification(names: string[]): string {
  return names.map((name) => name.replace(/[\\,[]/g, "\\$&")).join(",");
}

async function answer(request: Request): Promise<void> {
  const tests = await instantiate();
  if (request.kind === "load") {
    post({ kind: "loaded", cases: tests.cases(), build: tests.build() });
    return;
  }
  tests.listen(post);
  const { names } = request;
  tests.callMain(["--reporter", "page", ...(names === undefined ? [] : [specification(names)])]);
  post({ kind: "done" });
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  answer(data).catch((error: unknown) => {
    post({ kind: "trouble", message: error instanceof Error ? error.message : String(error) });
  });
});
