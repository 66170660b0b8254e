import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { assertRefused, importBuilt, packageDirectory, repository } from "./support.mjs";

const run = promisify(execFile);
const wasmFile = path.join(packageDirectory, "shardlab.wasm");
const globalsBefore = Object.getOwnPropertyNames(globalThis);
const { load, loadInWorker, ShardlabError, version } = await importBuilt();
const globalsAfter = Object.getOwnPropertyNames(globalThis);

const server = createServer(async (request, response) => {
  if (request.url === "/shardlab.wasm") {
    response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(await readFile(wasmFile));
  } else if (request.url === "/page") {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>no module</title>");
  } else {
    response.writeHead(404).end("not here");
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => server.close());
const origin = `http://127.0.0.1:${server.address().port}`;

/** Runs a script in a process of its own, which ends by itself; gives what it printed. */
async function printed(script, nodeOptions = []) {
  const withPackage = script.replaceAll("PACKAGE", JSON.stringify(pathToFileURL(path.join(packageDirectory, "index.js"))));
  const { stdout, stderr } = await run(process.execPath, [...nodeOptions, "--input-type=module", "-e", withPackage], {
    timeout: 60_000,
  });
  assert.equal(stderr, "");
  return stdout.trim();
}

function works(lab) {
  assert.equal(lab.pipelineBubbleFraction({ stages: 8, microBatches: 4 }), 7 / 11);
}

test("importing the package adds no global", () => {
  assert.deepEqual(globalsAfter, globalsBefore);
});

test("the version is that of the library", async () => {
  const header = await readFile(path.join(repository, "core/include/shardlab/version.hpp"), "utf8");
  assert.match(header, new RegExp(`#define SHARDLAB_VERSION "${version.replaceAll(".", "[.]")}"`));
  assert.equal(JSON.parse(await readFile(path.join(packageDirectory, "package.json"), "utf8")).version, version);
});

test("load() gives one lab to all who ask without options", async () => {
  const [first, second] = await Promise.all([load(), load()]);
  assert.equal(first, second);
  works(first);
});

test("load({ wasm }) takes bytes, a file's path or address, and an address on the network", async () => {
  const bytes = await readFile(wasmFile);
  for (const wasm of [
    bytes,
    new Uint8Array(bytes).buffer,
    wasmFile,
    pathToFileURL(wasmFile),
    pathToFileURL(wasmFile).href,
    `${origin}/shardlab.wasm`,
    new URL(`${origin}/shardlab.wasm`),
  ]) {
    const lab = await load({ wasm });
    works(lab);
    assert.notEqual(lab, await load());
  }
});

test("what cannot be loaded is refused with its address and the reason", async () => {
  for (const [wasm, rule] of [
    [`${origin}/missing.wasm`, /fetched \(the server answered 404 Not Found\)/],
    [`${origin}/page`, /WebAssembly that may be compiled here/],
    ["http://127.0.0.1:1/shardlab.wasm", /fetched/],
    [path.join(packageDirectory, "missing.wasm"), /file that can be read \(ENOENT/],
    [path.join(packageDirectory, "package.json"), /WebAssembly that may be compiled here .*'wasm-unsafe-eval'/],
  ]) {
    for (const start of [load, loadInWorker]) {
      await assert.rejects(start({ wasm }), (error) => {
        assertRefused(error, ShardlabError, "wasm", rule, wasm);
        return true;
      });
    }
  }
  for (const wasm of [new Uint8Array(8), new ArrayBuffer(0), 5, null, {}]) {
    await assert.rejects(load({ wasm }), (error) => {
      assertRefused(error, ShardlabError, "wasm", /./);
      return true;
    });
  }
});

test("a load that failed can be tried again", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "shardlab-loading-"));
  after(() => rm(copy, { recursive: true }));
  await cp(packageDirectory, copy, { recursive: true, filter: (source) => !source.endsWith("shardlab.wasm") });
  const incomplete = await import(pathToFileURL(path.join(copy, "index.js")).href);
  await assert.rejects(incomplete.load(), incomplete.ShardlabError);
  await assert.rejects(incomplete.loadInWorker(), incomplete.ShardlabError);
  await cp(wasmFile, path.join(copy, "shardlab.wasm"));
  works(await incomplete.load());
});

test("a worker whose script is missing, or fails, rejects", async () => {
  const missing = pathToFileURL(path.join(packageDirectory, "missing.js"));
  await assert.rejects(loadInWorker({ worker: missing }), /the lab's worker failed: .*missing\.js/);
});

test("close() rejects the calls under way and all later ones, and may be called twice", async () => {
  const lab = await loadInWorker();
  const call = lab.randomMatrix({ rows: 4096, columns: 4096 });
  lab.close();
  lab.close();
  await assert.rejects(call, /^Error: the lab was closed$/);
  await assert.rejects(lab.pipelineBubbleFraction({ stages: 8, microBatches: 4 }), /^Error: the lab was closed$/);
});

test("a worker answers calls that were made together, in their order", async () => {
  const lab = await loadInWorker();
  const calls = [1, 2, 3, 4].map((stages) => lab.pipelineBubbleFraction({ stages, microBatches: 1 }));
  assert.deepEqual(await Promise.all(calls), [0, 1 / 2, 2 / 3, 3 / 4]);
  lab.close();
});

test("a script that forgets to close its worker ends all the same", async () => {
  const script = `
    import { loadInWorker } from PACKAGE;
    const lab = await loadInWorker();
    console.log(await lab.pipelineBubbleFraction({ stages: 2, microBatches: 1 }));`;
  assert.equal(await printed(script), "0.5");
});

test("no code is made out of text, as a strict Content-Security-Policy demands", async () => {
  const script = `
    import { load } from PACKAGE;
    try { new Function(""); console.log("allowed"); } catch { console.log("forbidden"); }
    const lab = await load();
    const { result } = lab.ringAllReduce({ buffers: [[1, 2], [10, 20]] });
    try { lab.ringAllReduce({ buffers: [[NaN]] }); } catch (error) { console.log(error.name, result.flatMap((row) => [...row]).join()); }`;
  assert.equal(
    await printed(script, ["--disallow-code-generation-from-strings"]),
    "forbidden\nShardlabError 11,22,11,22",
  );
});

test("the training module is fetched when its first routine is called, and by whom it is called", async () => {
  const lab = await loadInWorker({ trainingWasm: path.join(packageDirectory, "nowhere.wasm") });
  assert.equal(await lab.pipelineBubbleFraction({ stages: 2, microBatches: 1 }), 0.5);
  const block = { block: "mlp", ranks: 2 };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await assert.rejects(lab.tensorParallelBlock(block), { parameter: "trainingWasm", rule: /be a file that can be read/ });
  }
  lab.close();
  const other = await loadInWorker({ trainingWasm: await readFile(path.join(packageDirectory, "training.wasm")) });
  const together = await Promise.all([other.tensorParallelBlock(block), other.tensorParallelBlock(block)]);
  assert.deepEqual(together[0], together[1]);
  other.close();
});

test("the module of memory is fetched when its first routine is called", async () => {
  const lab = await loadInWorker({ memoryWasm: path.join(packageDirectory, "nowhere.wasm") });
  assert.equal(await lab.pipelineBubbleFraction({ stages: 2, microBatches: 1 }), 0.5);
  await assert.rejects(lab.accelerators(), { parameter: "memoryWasm", rule: /be a file that can be read/ });
  lab.close();
  const other = await loadInWorker({ memoryWasm: await readFile(path.join(packageDirectory, "memory.wasm")) });
  assert.deepEqual(await other.accelerators(), (await load()).accelerators());
  other.close();
});

test("the module of verification is fetched when its routine is called", async () => {
  const lab = await loadInWorker({ verifyWasm: path.join(packageDirectory, "nowhere.wasm") });
  assert.equal(await lab.pipelineBubbleFraction({ stages: 2, microBatches: 1 }), 0.5);
  await assert.rejects(lab.verify({}), { parameter: "verifyWasm", rule: /be a file that can be read/ });
  lab.close();
  const other = await loadInWorker({ verifyWasm: await readFile(path.join(packageDirectory, "verify.wasm")) });
  assert.deepEqual(await other.verify({}), (await load()).verify({}));
  other.close();
});

test("a page of data or tensor parallelism needs no module but that of training", async () => {
  const [alone, all] = await Promise.all([load({ modules: ["training"] }), load()]);
  const w = alone.randomMatrix({ rows: 4, columns: 4, seed: 1 });
  assert.deepEqual(w, all.randomMatrix({ rows: 4, columns: 4, seed: 1 }));
  const x = alone.parseCsv({ text: "1,2\n3,4\n5,6\n7,8" });
  for (const [routine, options] of [
    ["dataParallelGradientAverage", { gradients: w }],
    ["tensorParallelMatmul", { w, x, ranks: 2, split: "row" }],
    ["tensorParallelLinear", { w, x, outputGradient: x, ranks: 2, split: "column" }],
    ["tensorParallelMlp", { w1: w, w2: w, x, outputGradient: x, ranks: 2 }],
  ]) {
    assert.deepEqual(alone[routine](options), all[routine](options), routine);
  }
  assert.throws(() => alone.allReduceCost({ ranks: 2, bytes: 8 }), { parameter: "modules", rule: "have shardlab, for allReduceCost" });
});

test("each module is at most 120 KB of gzip, that of verification 130, and the code around them 25 KB", async () => {
  const gzipped = async (name) => gzipSync(await readFile(path.join(packageDirectory, name)), { level: 9 }).length;
  for (const module of ["shardlab.wasm", "training.wasm", "pipelines.wasm", "memory.wasm", "traces.wasm"]) {
    assert.ok((await gzipped(module)) <= 120_000, module);
  }
  // It computes with parts of all the others.
  assert.ok((await gzipped("verify.wasm")) <= 130_000);
  const scripts = ["index", "lab", "complete", "defaults", "matrix", "error", "remote", "thread", "modules", "wasm", "version", "trace-files"];
  const sizes = await Promise.all([...scripts.map((name) => `${name}.js`), "shardlab.mjs"].map(gzipped));
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 25_000);
});
