import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { install } from "./consumer.mjs";
import { packageDirectory, repository } from "./support.mjs";

const run = promisify(execFile);
const requireFromWeb = createRequire(path.join(repository, "web/package.json"));

const { folder: consumer, packed, runScript, remove } = await install();
after(remove);

/** The files of the package, with those in its folders. */
async function builtFiles() {
  const entries = await readdir(packageDirectory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(packageDirectory, path.join(entry.parentPath ?? entry.path, entry.name)));
}

test("the packed files are the whole build and nothing else", async () => {
  const built = (await builtFiles()).filter((name) => !name.endsWith(".tsbuildinfo"));
  assert.deepEqual(packed.files.map((file) => file.path).sort(), built.sort());
  for (const name of ["LICENSE", "README.md", "index.js", "index.d.ts", "worker.js", "shardlab.mjs", "shardlab.wasm"]) {
    assert.ok(built.includes(name), name);
  }
});

test("no built file knows where it was built", async () => {
  for (const name of await builtFiles()) {
    const text = await readFile(path.join(packageDirectory, name), "latin1");
    assert.ok(!text.includes(repository.replace(/\/$/, "")), name);
  }
});

test("the package depends on nothing", async () => {
  const manifest = JSON.parse(await readFile(path.join(consumer, "node_modules/shardlab/package.json"), "utf8"));
  assert.deepEqual([manifest.name, manifest.license, manifest.type], ["shardlab", "MIT", "module"]);
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual(await readdir(path.join(consumer, "node_modules")).then((names) => names.filter((n) => n[0] !== ".")), [
    "shardlab",
  ]);
});

test("installed from its tarball, it runs on the main thread and in a worker", async () => {
  const { stdout } = await runScript(
    "good.mjs",
    `import { load, loadInWorker } from "shardlab";
     const lab = await load();
     const { result, steps } = lab.ringAllReduce({ buffers: [[1], [10], [100], [1000]] });
     console.log(steps, result.flatMap((row) => [...row]).join());
     const remote = await loadInWorker();
     console.log(await remote.pipelineBubbleFraction({ stages: 1, microBatches: 1 }));
     remote.close();`,
  );
  assert.equal(stdout, "6 1111,1111,1111,1111\n0\n");
});

test("installed from its tarball, a bad call ends the script with a sentence", async () => {
  await assert.rejects(
    runScript(
      "bad.mjs",
      `import { load } from "shardlab";
       (await load()).allReduceCost({ ranks: 0, bytes: 8 });`,
    ),
    (error) => {
      assert.equal(error.code, 1);
      assert.match(error.stderr, /ShardlabError: ranks is 0; it must be a whole number from 1 to/);
      return true;
    },
  );
});

test("a consumer's TypeScript is checked against the package, however it resolves modules", async () => {
  const source = `
    import { load, loadInWorker, ShardlabError, version, type AsyncLab, type Lab, type Matrix } from "shardlab";
    const lab: Lab = await load({ wasm: new Uint8Array(8) });
    const sum: Matrix = lab.ringAllReduce({ buffers: [[1, 2], Float64Array.of(3, 4)] }).result;
    const remote: AsyncLab = await loadInWorker();
    const fraction: number = await remote.pipelineBubbleFraction({ stages: 8, microBatches: 4 });
    const seconds: number | null = lab.allReduceCost({ ranks: 4, bytes: 8 }).seconds;
    try { lab.parseCsv({ text: version }); } catch (error) { if (error instanceof ShardlabError) error.rule.length; }
    // @ts-expect-error an unknown split
    lab.tensorParallelMatmul({ w: sum, x: sum, ranks: 2, split: "diagonal" });
    // @ts-expect-error an option that is missing
    lab.pipelineSchedule1f1b({ stages: fraction });
    // @ts-expect-error an option that does not exist
    lab.allReduceCost({ ranks: seconds ?? 1, bytes: 8, latency: 1 });
    // @ts-expect-error text where a number belongs
    lab.zeroMemoryPerGpu({ params: "7.5e9", ranks: 64, zeroStage: 3 });
  `;
  await writeFile(path.join(consumer, "consumer.mts"), source);
  const compiler = requireFromWeb.resolve("typescript/bin/tsc");
  for (const modules of [["ES2022", "bundler"], ["node16", "node16"]]) {
    const options = ["--module", modules[0], "--moduleResolution", modules[1], "--target", "es2022", "--strict"];
    await run(process.execPath, [compiler, ...options, "--noEmit", "consumer.mts"], {
      cwd: consumer,
    }).catch((error) => assert.fail(error.stdout));
  }
});

test("a bundler for browsers takes the package without a complaint", async () => {
  const { build } = requireFromWeb("esbuild");
  await writeFile(path.join(consumer, "page.js"), 'import { load } from "shardlab"; export const lab = load();\n');
  const { errors, warnings, outputFiles } = await build({
    absWorkingDir: consumer,
    entryPoints: ["page.js"],
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  assert.deepEqual([errors, warnings], [[], []]);
  assert.equal(outputFiles.length, 1);
});
