/** Runs the benchmarks natively and in WebAssembly and prints them side by side, each beside the bar it has. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const built = (path) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url));
process.env.SHARDLAB_SITE ??= built("site");

function figures(command, args) {
  const lines = execFileSync(command, args, { encoding: "utf8" }).trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split("\t")).map(([name, value]) => [name, Number(value)]));
}

const kilobytes = (path) => `${(gzipSync(readFileSync(built(path)), { level: 9 }).length / 1000).toFixed(1)} KB`;
const millions = (value) => `${(value / 1e6).toFixed(1)} M/s`;
const gigabytes = (value) => `${(value / 1e9).toFixed(2)} GB/s`;
const times = (value) => `${value.toFixed(2)} x`;
const milliseconds = (value) => `${value.toFixed(0)} ms`;

const rows = [["", "native", "WebAssembly", "WebAssembly / native", "bar"]];
const row = (what, native, wasm, ratio, bar) => rows.push([what, native, wasm, ratio, bar]);

console.log("Measuring natively ...");
const native = figures(built("native/tests/bench/shardlab_bench"), []);
console.log("Measuring in WebAssembly under Node ...");
const wasm = figures(process.execPath, [built("wasm/tests/bench/shardlab_bench.js")]);

row("size: WebAssembly of the lab, gzip", "", kilobytes("package/shardlab.wasm"), "", "<= 120 KB");
row("size: the page's JavaScript, gzip", "", kilobytes("site/page.js"), "", "");

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
for (const [name, operations] of [["_small", "65 536"], ["", "1 048 576"], ["_large", "8 388 608"]]) {
  const key = `pipeline_operations_per_second${name}`;
  row(`pipeline simulation, ${operations} operations`, millions(native[key]), millions(wasm[key]), ratio(key), ">= 20 / 10 M/s");
}

const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
console.log();
for (const cells of rows) {
  console.log(cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "));
}
