/** Runs the benchmarks natively and in WebAssembly and prints them side by side, each beside the bar it has. */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const built = (path) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url));
process.env.SHARDLAB_SITE ??= built("site");

function figures(command, args) {
  const lines = execFileSync(command, args, { encoding: "utf8" }).trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split("\t")).map(([name, value]) => [name, Number(value)]));
}

const gzipped = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const millions = (value) => `${(value / 1e6).toFixed(1)} M/s`;
const gigabytes = (value) => `${(value / 1e9).toFixed(2)} GB/s`;
const gigaflops = (value) => `${(value / 1e9).toFixed(1)} GFLOP/s`;
const times = (value) => `${value.toFixed(2)} x`;
const milliseconds = (value) => `${value.toFixed(0)} ms`;
const microseconds = (value) => `${value.toFixed(1)} µs`;

const rows = [["", "native", "WebAssembly", "WebAssembly / native", "bar"]];
const row = (what, native, wasm, ratio, bar) => rows.push([what, native, wasm, ratio, bar]);

console.log("Measuring natively ...");
const native = figures(built("native/tests/bench/shardlab_bench"), []);
console.log("Measuring in WebAssembly under Node ...");
const wasm = figures(process.execPath, [built("wasm/tests/bench/shardlab_bench.js")]);

/** A script of the page and all that it imports from the page's own scripts. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/(?:from|import)"(\.[^"]+)"/g)) {
    const imported = path.join(path.dirname(file), name);
    if (!imported.startsWith(built("site/shardlab/"))) withImports(imported, found);
  }
  return found;
}

/** [of any one widget by itself, that a widget adds to the others'], at most, bytes. */
function widgetSizes() {
  const all = readdirSync(built("site/widgets")).map((name) => withImports(built(`site/widgets/${name}`)));
  const size = (files) => [...files].reduce((sum, file) => sum + gzipped(file), 0);
  const alone = (one) => [...one].filter((file) => all.every((other) => other === one || !other.has(file)));
  return [Math.max(...all.map(size)), Math.max(...all.map((one) => size(alone(one))))];
}

row("size: WebAssembly of the lab, gzip", "", kilobytes(gzipped(built("package/shardlab.wasm"))), "", "<= 120 KB");
row("size: WebAssembly of what trains, gzip", "", kilobytes(gzipped(built("package/training.wasm"))), "", "<= 120 KB");
row("size: WebAssembly of pipelines, gzip", "", kilobytes(gzipped(built("package/pipelines.wasm"))), "", "<= 120 KB");
row("size: WebAssembly of memory, gzip", "", kilobytes(gzipped(built("package/memory.wasm"))), "", "<= 120 KB");
row("size: WebAssembly of verification, gzip", "", kilobytes(gzipped(built("package/verify.wasm"))), "", "<= 130 KB");
row("size: WebAssembly of traces, gzip", "", kilobytes(gzipped(built("package/traces.wasm"))), "", "<= 120 KB");
const [first, further] = widgetSizes();
row("size: JavaScript of a widget, gzip", "", kilobytes(first), "", "<= 25 KB");
row("size: what a further widget adds, gzip", "", kilobytes(further), "", "<= 8 KB");

console.log("Measuring the page in Chromium, its processor slowed down four times ...");
const { sliderTimes } = await import("./slider.mjs");
for (const { id, held, shown } of await sliderTimes()) {
  row(`slider: ${id}, thread held / picture after`, "", `${milliseconds(held)} / ${milliseconds(shown)}`, "", "<= 16 / 200 ms");
}

const ratio = (name) => times(wasm[name] / native[name]);
for (const [name, what] of [["", "8 x 8 MiB"], ["_cached", "8 x 64 KiB"]]) {
  row(`ring all-reduce ${what}, against memcpy plus add`, times(native[`ring_ratio${name}`]), times(wasm[`ring_ratio${name}`]), "", ">= 0.7 x");
  row(`ring all-reduce ${what}, bytes moved`, gigabytes(native[`ring_bytes_per_second${name}`]), gigabytes(wasm[`ring_bytes_per_second${name}`]), ratio(`ring_bytes_per_second${name}`), ">= 0.6 x");
}
row("ledger and price of a ring of 1024 ranks", milliseconds(native.ring_pricing_milliseconds), milliseconds(wasm.ring_pricing_milliseconds), times(native.ring_pricing_milliseconds / wasm.ring_pricing_milliseconds), "<= 100 ms");
for (const [name, operations] of [["_small", "65 536"], ["", "1 048 576"], ["_large", "8 388 608"]]) {
  const key = `pipeline_operations_per_second${name}`;
  row(`pipeline simulation, ${operations} operations`, millions(native[key]), millions(wasm[key]), ratio(key), ">= 20 / 10 M/s");
}
row("footprint of a 70B model on 8 stages, schedule known", microseconds(native.footprint_microseconds), microseconds(wasm.footprint_microseconds), times(native.footprint_microseconds / wasm.footprint_microseconds), "<= 20 µs");
console.log("Measuring the reading of a trace ...");
const { traceRates } = await import("./trace.mjs");
const trace = await traceRates(built("bin/shardlab"), built("package"));
const megabytes = (value) => `${(value / 1e6).toFixed(0)} MB/s`;
row(`trace of ${(trace.bytes / 1e6).toFixed(0)} MB, read`, megabytes(trace.native), megabytes(trace.wasm), times(trace.wasm / trace.native), "");
row(`the same against JSON.parse (${megabytes(trace.parsed)})`, times(trace.native / trace.parsed), times(trace.wasm / trace.parsed), "", ">= 0.5 x");
row(`the same against a copy of its bytes (${gigabytes(trace.copied)})`, times(trace.native / trace.copied), times(trace.wasm / trace.copied), "", "");
for (const type of ["float64", "float32"]) {
  const flops = `matmul_flops_${type}`;
  row(`matrix product 512 x 512 x 512, ${type}, against Eigen`, times(native[`matmul_ratio_${type}`]), "", "", ">= 0.7 x");
  row(`matrix product 512 x 512 x 512, ${type}`, gigaflops(native[flops]), gigaflops(wasm[flops]), ratio(flops), ">= 0.5 x");
}

const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
console.log();
for (const cells of rows) {
  console.log(cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "));
}
