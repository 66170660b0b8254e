import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";

let site;
let page;

before(async () => {
  site = await open();
  page = await site.lab();
});

after(() => site?.close());

beforeEach(() => restart(page));

function expects(id, cases) {
  return widget(page, id).expects(cases);
}

test("all-reduce cost: how much of the time is latency", async () => {
  await expects("all-reduce-cost", [
    [{}, { steps: "14", bytes: "112 MB", seconds: "2.31 ms", "latency-share": "3.03 %" }],
    [{ ranks: "256" }, { steps: "510", seconds: "5.1 ms", "latency-share": "50 %" }],
    [
      { ranks: "4", bytes: "1000000" },
      { steps: "6", bytes: "1.5 MB", seconds: "60 µs", "latency-share": "50 %" },
    ],
    [{ latencySeconds: "1e-3" }, { seconds: "6.03 ms" }],
    [{ bytesPerSecond: "1e9" }, { seconds: "7.5 ms" }],
    [{ ranks: "1" }, { steps: "0", bytes: "0 MB", seconds: "0 s", "latency-share": "0 %" }],
    [
      { ranks: "4", latencySeconds: "0", bytes: "0" },
      { bytes: "0 B", seconds: "0 s", "latency-share": "0 %" },
    ],
  ]);
  const cost = widget(page, "all-reduce-cost");
  await cost.setAll({ ranks: "8", bytes: "2MB", latencySeconds: "5us", bytesPerSecond: "50GB/s" });
  assert.equal(await cost.readout("latency-share"), "50 %", "at N · α · β");
  assert.match(await cost.caption(), /^With 8 ranks and 2 MB, latency is 50 % of the time\. It is half at 2 MB/);
  assert.ok((await cost.reasons()).includes("N · α · β = 8 · 5 µs · 50 GB/s = 2 MB"));
  assert.deepEqual((await cost.table()).map(([ranks]) => ranks), ["ranks", "2", "8", "64", "256", "1 024"]);
});

test("what NCCL would choose, by size and by world", async () => {
  await expects("nccl-tuning", [
    [{}, { choice: "Ring LL128", seconds: "32.2 µs" }],
    [{ bytes: "64kB" }, { choice: "Ring LL" }],
    [{ bytes: "1GB" }, { choice: "Ring Simple" }],
    [{ ranks: "32", nodes: "8", bytes: "64kB" }, { choice: "Tree LL" }],
  ]);
  const tuning = widget(page, "nccl-tuning");
  await tuning.setAll({ ranks: "4", nodes: "1", bytes: "1MB" });
  assert.match(await tuning.caption(), /By size: Ring LL up to 524 kB, Ring LL128 up to 4\.19 MB and Ring Simple\.$/);
  assert.ok((await tuning.reasons()).includes("latency + S / rate = 28.8 µs + 1 MB / (160 GB/s) = 35 µs"));
  await tuning.set("arch", "blackwell");
  assert.match(await tuning.control("arch").locator(".error").textContent(), /blackwell/, "2.18 has no constants for it");
});

test("data-parallel average", async () => {
  const bars = widget(page, "data-parallel");
  assert.deepEqual(await bars.readouts(), { average: "10", serial: "10", difference: "0", bytes: "16 B" });
  await bars.set("gradients", "4,1\n8,2\n12,6\n");
  assert.equal(await bars.readout("average"), "8; 3");
  assert.ok((await bars.figureTexts()).includes("mean 8"));
  assert.ok((await bars.reasons()).includes("(g₀ + g₁ + … ) / N = (4 + 8 + 12) / 3 = 8"));
});

test("a gradient that is lost or counted twice, said to be a thought experiment", async () => {
  const broken = widget(page, "data-parallel");
  await broken.set("fault", "drop");
  assert.deepEqual(await broken.readouts(), { average: "6", others: "8", serial: "10", bytes: "16 B" });
  assert.match(
    await broken.caption(),
    /^Hypothetical: rank 3 .* sum is 24; over 4 ranks that is 6, too small.*; over the 3 that are left it is 8, biased.*waits, until a timeout/,
  );
  const drawn = await broken.figureTexts();
  for (const text of ["applied 6", "mean of all 10", "16, lost"]) assert.ok(drawn.includes(text), text);
  assert.ok((await broken.reasons()).includes("(g₀ + g₁ + … ) / N = (4 + 8 + 12 + 0) / 4 = 6"));
  assert.ok((await broken.reasons()).includes("24 / (4 − 1) = 8"));
  await broken.set("rank", "0");
  assert.deepEqual([await broken.readout("average"), await broken.readout("others")], ["9", "12"]);
  await broken.setAll({ fault: "double", rank: "3" });
  assert.deepEqual(await broken.readouts(), { average: "14", serial: "10", bytes: "16 B" });
  assert.match(await broken.caption(), /^Hypothetical: .* counted twice\. The sum is 56; .* 14, too large/);
  assert.ok((await broken.figureTexts()).includes("16, twice"));
  for (const rank of ["4", "-1", "1.5", "", "x"]) {
    await broken.set("rank", rank);
    assert.match((await broken.error("rank")).text, /must be a whole number from 0 to 3/);
  }
  await broken.setAll({ rank: "0", gradients: "5\n", fault: "drop" });
  assert.deepEqual(await broken.readouts(), { average: "0", serial: "5", bytes: "0 B" });
});

test("quantities are typed with units", () =>
  expects("all-reduce-cost", [
    [{ bytes: "1GiB" }, { bytes: "1.75 GiB" }],
    [{ bytes: "64MB", latencySeconds: "1ms", bytesPerSecond: "400Gb/s" }, { bytes: "112 MB", seconds: "16.2 ms" }],
  ]));

test("a letter that may mean either is said to be read in one way", async () => {
  const cost = widget(page, "all-reduce-cost");
  await cost.set("bytes", "8G");
  assert.equal(await cost.control("bytes").locator(".read").textContent(), "G is read as GB.");
  const ladder = widget(page, "zero");
  await ladder.set("params", "70B");
  assert.match(await ladder.readout("total"), /^385 GB/);
});

test("tensor-parallel matmul", async () => {
  const matmul = widget(page, "tensor-parallel");
  const product = await matmul.table();
  const sharded = await matmul.figure();
  assert.deepEqual(await matmul.readouts(), { weights: "64 B", bytes: "0 B", flops: "32", error: "0" });
  assert.match(await matmul.caption(), /nothing is sent\. That is so forward, and because x is on every rank: backward/);
  assert.ok((await matmul.figureTexts()).includes("nothing is sent"));

  await matmul.set("split", "row");
  assert.deepEqual(await matmul.table(), product, "the product does not depend on the split");
  assert.notEqual(await matmul.figure(), sharded, "the shards do");
  assert.deepEqual(await matmul.readouts(), { weights: "64 B", bytes: "64 B", flops: "32", error: "0" });
  assert.match(await matmul.caption(), /all-reduce/);
  const drawn = await matmul.figureTexts();
  for (const text of ["+", "all-reduce", "64 B per rank", "W·x, in one place"]) assert.ok(drawn.includes(text), text);
  assert.ok((await matmul.reasons()).includes("2 · batch · in · out / N = 2 · 2 · 4 · 4 / 2 = 32"));

  await matmul.set("ranks", "4");
  assert.deepEqual(await matmul.table(), product);
  assert.deepEqual([await matmul.readout("bytes"), await matmul.readout("weights")], ["96 B", "32 B"]);
  await matmul.set("inFeatures", "6");
  assert.equal(await matmul.readout("weights"), "64 B", "of 6 columns the largest shard has 2, of 4 rows each");
  assert.ok((await matmul.reasons()).includes("2 · batch · weights = 2 · 2 · 8 = 32"));
  await matmul.set("outFeatures", "3");
  assert.equal((await matmul.table()).length, 1 + 3);
  await matmul.set("batch", "5");
  assert.equal((await matmul.table())[1].length, 1 + 5);
  assert.equal(await matmul.readout("flops"), "60", "two for each of 5 inputs and 2 · 3 weights");
  const before = await matmul.table();
  await matmul.set("seed", "7");
  assert.notDeepEqual(await matmul.table(), before);
  assert.equal(await matmul.readout("error"), "0");
});

test("a slider moves its field and the result", async () => {
  const bubble = widget(page, "bubble");
  await bubble.control("stages").locator("input[type=range]").fill("7");
  await bubble.settled();
  assert.equal(await bubble.control("stages").locator("input[type=text]").inputValue(), "8");
  assert.equal(await bubble.readout("bubble-of-total"), "46.7 %");
});

test("a widget's own module is all that a page of one's own needs", async () => {
  const own = await site.page();
  await own.route(`${site.url}own.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>own</title><script type="module" src="widgets/zero.js"></script>
        <main><shardlab-zero ranks="64" params="7.5B"><p class="first">a picture</p><p>a note</p></shardlab-zero></main>`,
    }),
  );
  await own.goto(`${site.url}own.html`);
  await own.waitForFunction(() => customElements.get("shardlab-zero") !== undefined);
  const ladder = widget(own, "zero");
  await ladder.settled();
  assert.equal(await ladder.readout("total"), "31.41 GB = 29.25 GiB");
  assert.equal(await own.evaluate(() => customElements.get("shardlab-pipeline")), undefined);
  assert.equal(await ladder.root.locator(".first").count(), 0, "the picture gives way to the widget");
  assert.equal(await ladder.root.locator("> p").count(), 1, "and what else an author wrote does not");
  assert.deepEqual(own.trouble, []);
  await own.close();
});

test("a change is announced, what stands there from the start is not", async () => {
  const fresh = await site.lab({ only: ["bubble", "all-reduce-cost"] });
  const bubble = widget(fresh, "bubble");
  const announced = bubble.root.locator(".unseen[role=status]");
  const first = await bubble.root.locator(".unseen").first().textContent();
  assert.match(first, /^Interactive figure: Bubble fraction\. 4 stages and 8 micro-batches: .* Double the stages/);
  await bubble.set("stages", "8");
  await announced.filter({ hasText: /^8 stages and 8 micro-batches: 46\.7\s%/ }).waitFor({ state: "attached" });
  const untouched = await widget(fresh, "all-reduce-cost").root.locator(".unseen[role=status]").textContent();
  assert.equal(untouched, "");
  await fresh.close();
});

test("an element takes its first values from its attributes", async () => {
  await page.evaluate(() => {
    const element = document.createElement("shardlab-bubble");
    element.id = "own";
    element.setAttribute("stages", "8");
    element.setAttribute("micro-batches", "32");
    document.querySelector("main").append(element);
    return element.updateComplete;
  });
  const text = await page.locator("#own [data-readout=bubble-of-total]").textContent();
  assert.equal(text.replace(/\s+/g, " "), "17.9 %");
});
