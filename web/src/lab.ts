/** The lab that all widgets of a page share. */

import { load, loadInWorker, type AsyncLab, type Lab } from "shardlab";

/** Why the lab does not run, for a reader who did not write it. */
export class LabUnavailable extends Error {}

let started: Promise<AsyncLab> | undefined;

/** Starts the lab when it is first asked for: in a worker, or where there can be none, on the page's own thread. */
export function sharedLab(): Promise<AsyncLab> {
  started ??= start();
  return started;
}

async function start(): Promise<AsyncLab> {
  if (typeof WebAssembly === "undefined") {
    throw new LabUnavailable(
      "This browser has no WebAssembly, or it is switched off. The lab needs it: please try a current browser.",
    );
  }
  try {
    return await loadInWorker();
  } catch {
    return inPromises(await loadHere());
  }
}

async function loadHere(): Promise<Lab> {
  try {
    return await load();
  } catch (error) {
    throw new LabUnavailable(explain(error));
  }
}

function explain(error: unknown): string {
  const detail = error instanceof Error ? error.message : String(error);
  // Chromium says "violates", WebKit "refused to", Firefox "blocked by CSP".
  if (/violates the following content security|refused to|blocked by csp/i.test(detail)) {
    return `This page's security policy blocks WebAssembly, so the lab cannot run here. (${detail})`;
  }
  return (
    "The lab's WebAssembly could not be loaded. Is the file shardlab.wasm beside the page, and does the server " +
    `deliver it? (${detail})`
  );
}

function inPromises(lab: Lab): AsyncLab {
  const routines = Object.entries(lab as unknown as Record<string, (options: unknown) => unknown>);
  const wrapped = routines.map(([name, routine]) => [name, async (options: unknown) => routine(options)]);
  return { ...Object.fromEntries(wrapped), close() {} } as AsyncLab;
}
