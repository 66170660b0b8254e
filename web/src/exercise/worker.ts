/** Runs the exercise away from the page's thread. */

import type { Reply, Request } from "./examiner.js";
import { casesOf, run, type Modules } from "./run.js";
import { taskOf } from "./tasks.js";

let modules: Modules | undefined;

function post(reply: Reply): void {
  postMessage(reply);
}

async function answer(request: Request): Promise<void> {
  if (request.kind === "load") {
    const [cases, interpreter] = await Promise.all([request.cases, request.interpreter].map((bytes) => WebAssembly.compile(bytes)));
    modules = { cases: cases!, interpreter: interpreter! };
    post({ kind: "loaded", titles: await casesOf(modules) });
  } else {
    post({ kind: "done", report: await run(modules!, taskOf(request.task)!, request.sources, post) });
  }
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  answer(data).catch((error: unknown) => {
    post({ kind: "trouble", message: error instanceof Error ? error.message : String(error) });
  });
});
