/** Traces and runs of the reader's own, and what the page makes of them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { collisions, open, restart, widget } from "./browser.mjs";

let site;
let page;
let measure;

before(async () => {
  site = await open();
  page = await site.lab({ only: ["measure", "crossover"] });
  measure = widget(page, "measure");
});
after(() => site?.close());
afterEach(async () => {
  assert.deepEqual(page.trouble, []);
  await restart(page);
});

const traces = new URL("../data/traces/", import.meta.url);
const dlrm = [0, 1].map((rank) => file(`dlrm_8xV100_rank${rank}.json.gz`));
const collectives = file("collectives_2xA100_rank0.json.gz");

function file(name, buffer = readFileSync(new URL(name, traces))) {
  return { name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) };
}

async function choose(...files) {
  await measure.set("source", "files");
  await measure.control("files").locator("input[type=file]").setInputFiles(files);
  await measure.settled();
}

function kernel(ts, dur, more = {}) {
  return { ph: "X", cat: "kernel", name: "gemm", pid: 0, tid: 7, ts, dur, ...more };
}

const error = (parameter) => measure.control(parameter).locator(".error").textContent();

test("a sample is there from the start, and says where the time of two ranks went", async () => {
  assert.deepEqual(await measure.readouts(), {
    hidden: "3.16 %",
    exposed: "16.6 ms",
    compute: "7.18 %",
    idle: "40.5 %",
    collectives: "16",
  });
  const texts = await measure.figureTexts();
  for (const text of ["rank 0", "rank 1", "all-reduce ×6", "all-to-all ×10", "13 ms, 49.3 % idle"]) assert.ok(texts.includes(text), text);
  assert.match(await measure.caption(), /Compute hides 3\.16 % of the communication\. .* ranks wait 5\.63 ms .* 645 of 645 events used\./);
});

test("the reader's own traces, compressed, of several ranks", async () => {
  await choose(...dlrm);
  assert.match(await measure.caption(), /^Of 31\.8 ms, the sum of 2 devices, .* 645 of 645 events used\./);
  await choose(dlrm[1]);
  assert.match(await measure.caption(), /^Of 18\.7 ms, \d/);
  assert.equal(await measure.readout("collectives"), "8");
  assert.deepEqual(await measure.root.locator(".chosen-files li").allTextContents(), ["dlrm_8xV100_rank1.json.gz"]);
  const rows = await measure.table();
  assert.deepEqual(rows[1].slice(0, 4), ["rank 1", "all-to-all", "24 576", "8"]);
  await choose(collectives);
  assert.equal(await measure.readout("collectives"), "21");
  assert.ok((await measure.table()).some((cells) => cells[2] === "8 196 000"));
  await measure.set("show", "model");
  assert.match(await measure.caption(), /1 line through 5 sizes is off by 4\.47 % at the median size/);
});

test("files are dropped, too, and are no part of a link", async () => {
  await measure.set("source", "files");
  await measure.root.evaluate(async (element, bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], "rank0.json.gz"));
    const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
    element.shadowRoot.querySelector(".drop").dispatchEvent(drop);
    await element.updateComplete;
  }, [...dlrm[0].buffer]);
  assert.equal(await measure.readout("collectives"), "8");
  const link = await measure.root.evaluate((element) => element.permalink());
  assert.match(link, /measure\.source=files$/);
  await measure.root.getByRole("button", { name: "Copy link" }).click();
  await measure.root.locator(".said", { hasText: /leaves out .*Open files/ }).waitFor();
});

test("before a file is open, the sample is shown and said to be one", async () => {
  await measure.set("source", "files");
  assert.match(await measure.caption(), /^No file is open yet: this is the sample\./);
});

test("a run of nccl-tests gives a link, which leads to the other widgets", async () => {
  await measure.setAll({ source: "run", regimes: "3" });
  assert.deepEqual(await measure.readouts(), { latency: "12.7 µs", bandwidth: "255 GB/s", error: "2.78 %", heldOut: "10.5 %" });
  const reasons = (await measure.reasons()).join("\n");
  assert.match(reasons, /α = latency/);
  await measure.root.getByRole("link", { name: "Use this link: ring against tree" }).click();
  const crossover = widget(page, "crossover");
  await crossover.settled();
  await page.waitForFunction(() => document.activeElement.localName === "shardlab-crossover");
  const { ranks, latencySeconds, bytesPerSecond } = await crossover.state();
  assert.equal(ranks, "8");
  // The ring of the lab takes as long as the largest sizes were measured to: 2 · 7/8 / β is the time of a byte.
  assert.ok(Math.abs(Number(latencySeconds) * 14 - 12.7e-6) < 0.1e-6);
  assert.ok(Math.abs(Number(bytesPerSecond) / 1.75 - 255e9) < 1e9);
});

test("the runs of a file that holds several are a button each", async () => {
  const rows = ["ring", "tree", "mpi"].flatMap((algorithm, index) =>
    [1, 2, 4, 8, 16].map((size) => ({ algorithm, bytes: size * 1000, seconds: (index + 1) * 1e-6 * (5 + size), wrong: 0 })),
  );
  await choose(file("mpi.json", JSON.stringify({ format: "shardlab-mpi", version: 1, ranks: 4, collective: "all_reduce", rows })));
  assert.match(await measure.root.locator(".offers").textContent(), /Shown is ring\./);
  await measure.press("mpi");
  assert.match(await measure.root.locator(".offers").textContent(), /Shown is mpi\./);
  assert.equal(await measure.readout("latency"), "15 µs");
  // Another file has no run of that name: its first is shown.
  await choose(file("run.csv", "size_B,oop_time_us\n1000,7\n2000,9\n4000,13\n"));
  assert.equal(await measure.readout("latency"), "5 µs");
  await choose(file("short.csv", "size_B,oop_time_us\n1000,7\n"));
  assert.match(await error("files"), /from 3 to 128 different sizes.*short\.csv/s);
});

test("a fit has as few lines as serve, or as many as are asked for, of runs and of traces", async () => {
  const lines = async () => (await measure.reasons()).filter((reason) => reason.startsWith("latency")).length;
  await choose(collectives);
  await measure.set("show", "model");
  assert.equal(await lines(), 1);
  const sizes = [1, 2, 4, 8, 16, 32, 64].map((size) => 2 ** 10 * size);
  const events = sizes.map((size, index) =>
    kernel(1000 * index, size > 2 ** 13 ? size / 100 : 10 + size / 1000, { name: "ncclDevKernel_AllReduce_Sum_f32_RING_LL", args: { "Collective name": "allreduce", "In msg nelems": size, "Out msg nelems": size, dtype: "Byte", "Group size": 8 } }),
  );
  await choose(file("kinked.json", JSON.stringify({ traceEvents: events })));
  assert.equal(await lines(), 2);
  await measure.set("regimes", "1");
  assert.equal(await lines(), 1);
  await measure.set("regimes", "3");
  assert.match(await error("regimes"), /must leave each at least 3 sizes/);
});

test("times that do not grow tell a latency and no bandwidth", async () => {
  await measure.set("source", "text");
  await measure.set("text", "size_B,oop_time_us\n8,12\n16,12\n32,12\n64,12\n128,12\n");
  assert.match(await measure.caption(), /These times tell no link: they do not grow with the size/);
  assert.deepEqual(Object.keys(await measure.readouts()), ["latency", "error", "heldOut"]);
  assert.match((await measure.reasons()).join("\n"), /^latency = 12 µs$/m);
});

test("what is pasted may be a table, JSON of nccl-tests, or a trace", async () => {
  await measure.set("source", "text");
  assert.match(await measure.caption(), /1 line through 5 sizes/);
  const results = [1, 2, 4].map((size) => ({ size: size * 1000, redop: "sum", out_of_place: { time: 10 * size, alg_bw: 0.1, nwrong: 0 } }));
  await measure.set("text", JSON.stringify({ version: 3, start_time: "", args: ["all_reduce_perf"], config: { devices: [{ rank: 3 }] }, results }));
  assert.match(await measure.caption(), /1 line through 3 sizes .* 3 lines of the text used/);
  await measure.set("text", JSON.stringify([kernel(1, 5), kernel(10, 5)]));
  assert.match(await measure.caption(), /^Of 14 µs, 71\.4 % is compute, .* There is no communication\. 2 of 2 events used\./);
  await measure.set("text", '{"other": 1}');
  assert.match(await error("text"), /must be a trace of torch\.profiler/);
  await measure.set("text", "no table");
  assert.match(await error("text"), /at least one row/);
});

test("a file that is no trace, or two that do not go together, are refused by name", async () => {
  await choose(file("notes.json", '{"a": [1]}'));
  assert.match(await error("files"), /must be a trace of torch\.profiler.*notes\.json/s);
  await choose(file("notes.txt", "no table\n"));
  assert.match(await error("files"), /^Open files must have a CSV's columns .*notes\.txt: a text of 1 line without a row/s);
  const rank0 = (name) => file(name, JSON.stringify({ distributedInfo: { rank: 0, world_size: 2 }, traceEvents: [kernel(1, 5)] }));
  await choose(rank0("a.json"), rank0("b.json"));
  assert.match(await error("files"), /different ranks of one job.*rank 0 in number 1 and in number 2/s);
  await choose(dlrm[0], file("run.csv", "size_B,oop_time_us\n8,1\n16,2\n32,3\n"));
  assert.match(await error("files"), /traces of a job's ranks, or one file with a run/);
});

test("events that are ignored have their reasons, and a file that broke off says so", async () => {
  const events = [kernel(1, 5), kernel(7, -1), kernel("9", 2), { ph: "M", name: "process_name" }, kernel(20, 5)];
  await choose(file("broken.json", `{"traceEvents": ${JSON.stringify(events).slice(0, -1)}, {"ph": "X", `));
  assert.match(await measure.caption(), /3 of 5 events used\. A file breaks off/);
  await measure.disclose("more");
  const more = await measure.root.locator("details.more").textContent();
  for (const text of [/a negative duration/, /arrows, marks and names/, /had its time as text/, /read up to byte/]) assert.match(more, text);
});

test("a large trace tells how far it is, and is stopped by a button; what was shown stays", async () => {
  await measure.set("source", "files");
  // Of a disk that is slow without end: the first quarter comes, and then nothing.
  await measure.root.evaluate((element) => {
    const large = new File(['{"traceEvents": [', " ".repeat(2 ** 22 - 19), "]}"], "large.json");
    const slice = large.slice.bind(large);
    large.slice = (from, to) => (from === 0 ? slice(from, to) : { arrayBuffer: () => new Promise(() => {}) });
    element.choose(element.routine.parameters.find(({ name }) => name === "files"), [large]);
  });
  const stop = measure.root.getByRole("button", { name: "Stop", exact: true });
  await stop.waitFor();
  assert.match(await measure.root.locator(".working").textContent(), /^25\s% read\.$/);
  await measure.root.locator(".unseen[role=status]", { hasText: /^25\s% read\.$/ }).waitFor();
  await stop.click();
  await measure.settled();
  assert.match(await measure.caption(), /^Stopped: this is what was shown before\./);
  assert.equal(await measure.root.locator(".caption .error").count(), 0);
  assert.equal(await measure.root.evaluate((element) => element.shadowRoot.activeElement.classList.contains("figure")), true);
  assert.equal(await measure.readout("collectives"), "16");
});

test("at every width, no text of a picture is on another", async () => {
  for (const state of [{}, { source: "run", regimes: "3" }, { show: "model" }]) {
    await measure.root.evaluate((element, texts) => (element.state = texts), state);
    for (const width of [320, 390, 600, 900]) {
      await page.setViewportSize({ width, height: 900 });
      await measure.root.evaluate(async (element) => {
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        await element.updateComplete;
      });
      assert.deepEqual(await measure.root.locator(".figure svg").evaluate(collisions), [], `${JSON.stringify(state)} ${width}`);
    }
  }
});
