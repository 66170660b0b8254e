// Ring against tree: the sizes at which algorithms meet, and what was measured.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";

let site;
let page;
let crossover;

before(async () => {
  site = await open();
  page = await site.lab({ only: "crossover" });
  crossover = widget(page, "crossover");
});

after(() => site?.close());

beforeEach(() => restart(page));

test("ring and binomial tree meet at the published sizes", async () => {
  await crossover.expects([
    [{}, { crossover: "470.6 kB", first: "105 µs", second: "150 µs" }],
    [{ ranks: "64" }, { crossover: "2.841 MB" }],
    [{ latencySeconds: "1us", bytesPerSecond: "100GB/s" }, { crossover: "1.136 MB" }],
    [{ ranks: "2" }, { crossover: "no size" }],
  ]);
});

test("a pipelined tree's bound is met far later, and no number of slices reaches it", async () => {
  await crossover.expects([
    [{ second: "pipelined-tree-bound" }, { crossover: "8 MB" }],
    [{ ranks: "64" }, { crossover: "912 MB" }],
    [{ latencySeconds: "1us", bytesPerSecond: "100GB/s" }, { crossover: "364.8 MB" }],
  ]);
  assert.match(await crossover.caption(), /^Faster: Pipelined tree, its bound below 364\.8 MB and Ring above 364\.8 MB\./);
  const bound = await crossover.readout("second");
  await crossover.setAll({ second: "double-tree", slices: "64" });
  assert.notEqual(await crossover.readout("second"), bound);
});

test("halving-doubling is never behind the ring on a power of two, and it is said why rings are used", async () => {
  await crossover.set("second", "halving-doubling");
  assert.equal(await crossover.readout("crossover"), "no size");
  assert.match(await crossover.caption(), /^Faster: Halving-doubling at every size\./);
  await crossover.disclose("why");
  assert.match(await crossover.root.locator(".why").textContent(), /Why rings are used all the same/);
});

test("two kinds of link: a hierarchical all-reduce against a flat ring", async () => {
  await crossover.setAll({ second: "hierarchical", nodes: "several", ranks: "16" });
  assert.match(await crossover.caption(), /^Faster: Hierarchical/);
  await crossover.set("perNode", "5");
  const { text } = await crossover.error("perNode");
  assert.match(text, /perNode|ranks/);
});

test("a published run, with as few lines as serve, with one and with three", async () => {
  await crossover.set("measured", "aws_p5_8xH100_1node");
  assert.match(await crossover.caption(), /Measured \(aws_p5_8xH100_1node\): 3 lines through 32 sizes/);
  await crossover.set("regimes", "1");
  assert.match(await crossover.caption(), /Measured \(aws_p5_8xH100_1node\): 1 line through 32 sizes/);
  const one = parseFloat(await crossover.readout("error"));
  await crossover.set("regimes", "3");
  const three = parseFloat(await crossover.readout("error"));
  assert.ok(one > 9 && three < 5.5, `${one} % and ${three} %`);
  const rows = await crossover.table();
  assert.equal(rows.length, 33);
  assert.deepEqual(rows[0], ["bytes", "measured", "fitted", "off by", "off by, if left out"]);
});

test("what all_reduce_perf printed is read, and what cannot be is refused by name", async () => {
  await crossover.set("measured", "own");
  await crossover.set("text", "size_B,oop_time_us\n1000,11\n10000,12\n100000,20\n1000000,110\n");
  assert.match(await crossover.caption(), /1 line through 4 sizes is off by/);
  await crossover.set("text", "no table");
  const { invalid, text } = await crossover.error("text");
  assert.equal(invalid, true);
  assert.match(text, /text/);
  assert.match(await crossover.caption(), /^The last valid input is shown\./);
});

test("the link has it all", async () => {
  await crossover.setAll({ second: "double-tree", slices: "16", ranks: "64", measured: "mleng_8xA100_1node", regimes: "2" });
  const readouts = await crossover.readouts();
  const url = await crossover.root.evaluate((element) => element.permalink());
  await page.close();
  page = await site.lab({ fragment: new URL(url).hash });
  assert.deepEqual(await widget(page, "crossover").readouts(), readouts);
});
