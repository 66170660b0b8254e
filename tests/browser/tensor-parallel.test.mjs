import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";

let site;
let page;
let layers;
let price;

before(async () => {
  site = await open();
  page = await site.lab({ only: ["tensor-parallel", "tensor-parallel-cost"] });
  layers = widget(page, "tensor-parallel");
  price = widget(page, "tensor-parallel-cost");
});

beforeEach(() => restart(page));
after(() => site?.close());

const show = (state) => layers.setAll(state);

/** What stands at the gates of the figure: "↓ forward: passed on". */
const crossings = async () => (await layers.figureTexts()).filter((text) => /^[↓↑] /.test(text));

test("backward, columns need the all-reduce that they did not need forward, and rows need none", async () => {
  await show({ pass: "backward" });
  assert.deepEqual(await layers.readouts(), { weights: "64 B", bytes: "64 B", flops: "32", error: "0" });
  assert.match(await layers.caption(), /partial sum of all of ∂x\. An all-reduce adds them/);
  const drawn = await layers.figureTexts();
  for (const text of ["+", "all-reduce", "Wᵀ·∂y, in one place"]) assert.ok(drawn.includes(text), text);
  await show({ split: "row" });
  assert.equal(await layers.readout("bytes"), "0 B");
  assert.match(await layers.caption(), /Nothing is sent \(Megatron's g passes ∂y on\)/);
});

test("a forgotten all-reduce: nothing fails, and the numbers are wrong", async () => {
  await show({ split: "row", forget: "forward-all-reduce" });
  assert.notEqual(await layers.readout("error"), "0");
  assert.equal(await layers.readout("bytes"), "0 B");
  assert.match(await layers.caption(), /forgotten: rank 0 takes its own partial sum .* Nothing fails; the numbers are wrong/);
  await show({ split: "column" });
  assert.equal(await layers.readout("error"), "0", "by columns there is none to forget");
});

test("the MLP: one all-reduce forward at g, one backward at f", async () => {
  await show({ split: "mlp", ranks: "4" });
  assert.deepEqual(await crossings(), [
    "↓ forward: passed on",
    "↑ backward: all-reduce, 3.07 kB a rank",
    "↓ forward: all-reduce, 3.07 kB a rank",
    "↑ backward: passed on",
  ]);
  const { collectives, bytes, weights, error } = await layers.readouts();
  assert.deepEqual([collectives, bytes, weights], ["1 + 1", "384 B", "2.05 kB"]);
  assert.match(error, /^\d·10⁻¹⁶$/);
  assert.ok((await layers.reasons()).includes("2 · S · (N − 1) / N = 2 · 2 048 · (4 − 1) / 4 = 3 072 B"));
});

test("a layer has two all-reduces forward and two backward; parts of the sequence gather and scatter", async () => {
  await show({ split: "transformer", ranks: "4" });
  assert.equal(await layers.readout("collectives"), "2 + 2");
  await show({ sequenceParallel: "kept" });
  assert.equal(await layers.readout("collectives"), "4 + 4");
  await show({ sequenceParallel: "again" });
  assert.equal(await layers.readout("collectives"), "4 + 6");
  assert.match((await crossings())[1], /^↑ backward: all-gather \+ reduce-scatter/);
  const rows = await layers.table();
  assert.deepEqual(rows[1].slice(0, 4), ["forward", "all-gather", "attention input", "4"]);
  assert.equal(rows.length, 1 + 10 + 1, "and once a step the gradients of the LayerNorms");
});

test("rows first: an activation of partial sums is no activation of the sum", async () => {
  await show({ split: "mlp", forget: "column-first" });
  assert.match(await layers.caption(), /Rows come first: .* off by up to \d+(\.\d+)? % of the largest/);
});

test("heads: fewer keys and values than ranks are copied, and said so; heads that do not divide are refused", async () => {
  await show({ split: "attention", ranks: "8", kvHeads: "2" });
  assert.ok((await layers.figureTexts()).includes("key and value heads: each on 4 ranks"));
  await show({ ranks: "3" });
  assert.match((await layers.error("heads")).text, /^Heads must be a multiple of ranks/);
  assert.match(await layers.caption(), /last valid input is shown/);
  await show({ ranks: "8" });
  assert.equal((await layers.error("heads")).invalid, false);
  await show({ kvHeads: "", forget: "whole-heads" });
  assert.match(await layers.caption(), /a rank takes rows of other heads, or keys, for its queries/);
});

test("a layer of Llama-3-70B: 134.2 MB four times, which the network holds up", async () => {
  assert.match(await price.caption(), /^8 ranks in one node call 4 collectives of 134\.2 MB a layer/);
  const { token, inside, between, computing, share } = await price.readouts();
  assert.deepEqual([token, inside, between, computing, share], ["115 kB", "2.2 ms", "19.1 ms", "15.2 ms", "12.6 %"]);
  const reasons = await price.reasons();
  assert.ok(reasons.includes("tokens · hidden · 2 B = 8 192 · 8 192 · 2 B = 134 217 728 B"), reasons.join("\n"));
  assert.ok(reasons.some((text) => text.startsWith("calls · (steps · α + sent / β) = 4 · (14 · 2 µs + 234.9 MB / (450 GB/s))")));
  await price.set("source", "config");
  assert.equal(await price.readout("token"), "115 kB", "the example is that model");
  await price.set("ranks", "16");
  assert.match(await price.caption(), /^16 ranks on 2 nodes/);
  assert.ok((await price.figureTexts()).includes("16 on 2 nodes"));
});

test("what a layer's price refuses stands at its control", async () => {
  for (const [parameter, text, rule, place = parameter] of [
    ["ranks", "3", /multiple of ranks/, "heads"],
    ["heads", "28", /must divide heads, which is 28/, "kvHeads"],
    ["sequence", "0", /whole number/],
    ["microBatch", "2.5", /whole number/],
    ["perNode", "0", /at least 1/],
    ["flopsPerSecond", "0", /from 1/],
    ["interBytesPerSecond", "0", /from 1/],
    ["hiddenSize", "2.5", /whole number/],
  ]) {
    await restart(page);
    await price.set(parameter, text);
    const error = await price.error(place);
    assert.ok(error.invalid, `${parameter} = ${text}`);
    assert.match(error.text, rule, `${parameter} = ${text}`);
    assert.match(await price.caption(), /last valid input is shown/);
  }
});
