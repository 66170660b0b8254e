/** How fast a trace is read, beside JSON.parse on the same text: bytes per second. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const rounds = 5;
/** Events as torch.profiler writes them, with their arguments: operations of the host, launches, arrows and kernels. */
const blocks = 60_000;

function block(index) {
  const ts = (1712195495520871 + 40 * index).toFixed(3);
  const on = (cat, name, pid, tid, dur, args) => `
  {
    "ph": "X", "cat": "${cat}", "name": "${name}", "pid": ${pid}, "tid": ${tid},
    "ts": ${ts}, "dur": ${dur},
    "args": {
      ${args}
    }
  }`;
  const launch = `"External id": ${index},"cbid": 211,"correlation": ${index}`;
  const shape = `"queued": 0, "device": 0, "context": 1, "stream": 7, "registers per thread": 32, "shared memory": 0, "blocks per SM": 0.5, "warps per SM": 2, "grid": [54, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 3`;
  return [
    on("cpu_op", "aten::add_", 4242, 4242, 20.5, `"External id": ${index},"Record function id": 0, "Ev Idx": ${index}`),
    on("cuda_runtime", "cudaLaunchKernel", 4242, 4242, 5.25, launch),
    `\n  {\n    "ph": "s", "id": ${index}, "pid": 4242, "tid": 4242, "ts": ${ts},\n    "cat": "ac2g", "name": "ac2g"\n  }`,
    on("kernel", "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)", 0, 7, 8.125, `"External id": ${index}, "correlation": ${index},\n      ${shape}`),
  ].join(",");
}

function traceText() {
  return `{\n"schemaVersion": 1,\n"traceEvents": [${Array.from({ length: blocks }, (_, index) => block(index)).join(",")}\n]}\n`;
}

/** The best of some rounds: what else the machine does only slows one down. */
async function rate(bytes, work) {
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return (bytes / best) * 1000;
}

/**
 * @param command the `shardlab` of the native build; its start and the reading from the disk are in its time
 * @returns bytes per second of the three, and of copying the text
 */
export async function traceRates(command, packageDirectory) {
  const text = traceText();
  const bytes = new TextEncoder().encode(text);
  const folder = mkdtempSync(path.join(tmpdir(), "shardlab-bench-"));
  const file = path.join(folder, "trace.json");
  writeFileSync(file, bytes);
  const { load } = await import(pathToFileURL(path.join(packageDirectory, "index.js")));
  const lab = await load({ modules: ["traces"] });
  try {
    return {
      bytes: bytes.length,
      copied: await rate(bytes.length, () => bytes.slice()),
      native: await rate(bytes.length, () => execFileSync(command, ["measure", "trace", file])),
      wasm: await rate(bytes.length, () => lab.measureTraces({ files: bytes })),
      parsed: await rate(bytes.length, () => JSON.parse(text)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
