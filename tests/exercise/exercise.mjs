/** The exercise of the page, run in Node: the same cases, the same interpreter. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { casesAt, interpreter } from "../../web/exercise.mjs";

const sources = fileURLToPath(new URL("../../web/src/exercise/", import.meta.url));
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const folder = process.env.SHARDLAB_EXERCISE;

export const solutionText = await readFile(new URL("solution.js", import.meta.url), "utf8");

/** The sources of the page's exercise as a module for Node. */
async function bundled() {
  const { build } = require("esbuild");
  const out = await mkdtemp(path.join(tmpdir(), "shardlab-exercise-"));
  const outfile = path.join(out, "exercise.mjs");
  const of = (name) => `export * from "./${name}.js";`;
  await build({
    stdin: { contents: ["answers", "run", "sandbox", "tasks", "work"].map(of).join("\n"), resolveDir: sources },
    plugins: [casesAt(path.join(folder, "lab_exercise.mjs"))],
    bundle: true,
    format: "esm",
    platform: "browser",
    outfile,
    logLevel: "warning",
  });
  try {
    return await import(pathToFileURL(outfile));
  } finally {
    await rm(out, { recursive: true });
  }
}

export const exercise = await bundled();

const compiled = async (file) => WebAssembly.compile(await readFile(file));
export const modules = {
  cases: await compiled(path.join(folder, "lab_exercise.wasm")),
  interpreter: await compiled(interpreter),
};

export const solution = exercise.read(solutionText);

/** A solution in which a text stands in place of another. */
export function mutant(id, from, to) {
  const text = solution.get(id);
  if (!text.includes(from)) throw new Error(`the solution of ${id} has no ${from}`);
  return new Map(solution).set(id, text.replaceAll(from, to));
}

/** A solution in which a function does something else. */
export function replaced(id, body) {
  const { name, takes } = exercise.taskOf(id);
  return new Map(solution).set(id, `function ${name}({ ${Object.keys(takes).join(", ")} }) {\n${body}\n}\n`);
}

/** Tests a function of some work; gives how each case ended and what was said of the whole. @param clock in place of the machine's */
export async function tested(id, work, clock) {
  const task = exercise.taskOf(id);
  const results = [];
  const report = await exercise.run(modules, task, exercise.sources(work, task), (event) => {
    if (event.kind === "end") results.push(event.result);
  }, clock);
  const states = Object.fromEntries(["passed", "failed", "left"].map((state) => [state, results.filter((one) => one.state === state).length]));
  return { report, results, states, messages: results.flatMap(({ messages }) => messages) };
}
