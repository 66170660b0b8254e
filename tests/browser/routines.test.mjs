import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, widget } from "./browser.mjs";

let site;
let page;

before(async () => {
  site = await open();
});

after(() => site?.close());

beforeEach(async () => {
  await page?.close();
  page = await site.lab();
});

function expects(id, cases) {
  return widget(page, id).expects(cases);
}

describe("ring all-reduce", () => {
  test("takes 2(N-1) steps and sends 2(N-1)/N of the tensor", () =>
    expects("all-reduce", [
      [{}, { steps: "0 / 6", sent: "0 B", bytes: "48 B", factor: "1.5×" }],
      [{ ranks: "2" }, { steps: "0 / 2", bytes: "32 B", factor: "1×" }],
      [
        { ranks: "8", elements: "8" },
        { steps: "0 / 14", bytes: "112 B", factor: "1.75×" },
      ],
      [
        { ranks: "64", elements: "64" },
        { steps: "0 / 126", bytes: "1 008 B", factor: "1.96875×" },
      ],
      [
        { ranks: "1", elements: "4" },
        { steps: "0 / 0", bytes: "0 B", factor: "0×" },
      ],
    ]));

  test("shows each chunk's sum grow from step to step", async () => {
    const ring = widget(page, "all-reduce");
    await ring.step(1);
    assert.deepEqual((await ring.table()).slice(1), [
      ["rank 0", "1", "1", "1", "1 001"],
      ["rank 1", "11", "10", "10", "10"],
      ["rank 2", "100", "110", "100", "100"],
      ["rank 3", "1 000", "1 000", "1 100", "1 000"],
    ]);
    assert.equal(await ring.readout("sent"), "8 B");
    for (const text of ["0011", "0110", "1100", "1001"]) assert.ok((await ring.figureTexts()).includes(text), text);

    await ring.step(3);
    assert.match(await ring.caption(), /reduce-scatter is done/);
    assert.equal((await ring.figureTexts()).filter((text) => text === "1111").length, 4);

    await ring.step(6);
    const sums = (await ring.figureTexts()).filter((text) => text === "1111");
    assert.equal(sums.length, 16 + 4, "16 chunks, and 4 on the links");
    assert.equal(await ring.readout("sent"), "48 B");
  });

  test("walks by the buttons, and the position stays where ranks change", async () => {
    const ring = widget(page, "all-reduce");
    await ring.root.getByRole("button", { name: "one step on" }).click();
    await ring.settled();
    await ring.root.getByRole("button", { name: "one step on" }).click();
    await ring.settled();
    assert.equal(await ring.readout("steps"), "2 / 6");
    await ring.root.getByRole("button", { name: "one step back" }).click();
    await ring.settled();
    await ring.set("ranks", "3");
    assert.equal(await ring.readout("steps"), "1 / 4");
    await ring.root.getByRole("button", { name: "to the start" }).click();
    await ring.settled();
    assert.equal(await ring.readout("steps"), "0 / 4");
  });

  test("sums the user's own tensors, divisible or not", async () => {
    const ring = widget(page, "all-reduce");
    await ring.set("source", "csv");
    await ring.set("csv", "1,2.5,3\n10,20,-30\n");
    await ring.step(2);
    assert.deepEqual((await ring.table()).slice(1), [
      ["rank 0", "11", "22.5", "−27"],
      ["rank 1", "11", "22.5", "−27"],
    ]);
    assert.equal(await ring.readout("bytes"), "24 B");
    await ring.set("csv", "1,2,3\n4,5,6\n7,8,9\n1,1,1\n");
    await ring.step(6);
    assert.deepEqual((await ring.table())[4], ["rank 3", "13", "16", "19"]);
  });

  test("chunks need not be there", async () => {
    await expects("all-reduce", [
      [
        { ranks: "4", elements: "3" },
        { steps: "0 / 6", bytes: "32 to 40 B" },
      ],
      [{ elements: "0" }, { steps: "0 / 6", bytes: "0 B" }],
      [{ elements: "73" }, { bytes: "872 to 880 B" }],
    ]);
    assert.ok((await widget(page, "all-reduce").reasons()).includes("2 (N − 1) · elements = 2 (4 − 1) · 73 = 438"));
  });

  test("says so where it is too large to draw, and computes it all the same", async () => {
    await expects("all-reduce", [[{ ranks: "64", elements: "64" }, { steps: "0 / 126" }]]);
    const ring = widget(page, "all-reduce");
    assert.match(await ring.caption(), /Drawn up to 16 ranks/);
    assert.equal(await ring.root.locator(".figure svg").count(), 0);
    await ring.step(126);
    assert.deepEqual((await ring.table())[1].slice(0, 2), ["rank 0", "2 080"]);
  });
});

test("all-reduce cost", () =>
  expects("all-reduce-cost", [
    [{}, { steps: "14", bytes: "1.75 GB", factor: "1.75×", seconds: "35.1 ms", "latency-share": "0.2 %" }],
    [{ ranks: "64" }, { steps: "126", factor: "1.96875×" }],
    [
      { ranks: "4", bytes: "1000000" },
      { steps: "6", bytes: "1.5 MB", factor: "1.5×", seconds: "60 µs" },
    ],
    [{ latencySeconds: "1e-3" }, { seconds: "6.03 ms" }],
    [{ bytesPerSecond: "1e9" }, { seconds: "7.5 ms" }],
    [
      { latencySeconds: "0", bytes: "0" },
      { bytes: "0 B", seconds: "0 s" },
    ],
    [
      { latencySeconds: "", bytesPerSecond: "" },
      { steps: "6", seconds: "– needs a link" },
    ],
  ]));

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
  assert.match(await broken.caption(), /^Hypothetical: rank 3 .* sum is 24.* 6 .* 8; .*waits, until a timeout/);
  assert.ok((await broken.reasons()).includes("(g₀ + g₁ + … ) / N = (4 + 8 + 12 + 0) / 4 = 6"));
  assert.ok((await broken.reasons()).includes("24 / (4 − 1) = 8"));
  await broken.set("rank", "0");
  assert.deepEqual([await broken.readout("average"), await broken.readout("others")], ["9", "12"]);
  await broken.setAll({ fault: "double", rank: "3" });
  assert.deepEqual(await broken.readouts(), { average: "14", serial: "10", bytes: "16 B" });
  for (const rank of ["4", "-1", "1.5", "", "x"]) {
    await broken.set("rank", rank);
    assert.match((await broken.error("rank")).text, /must be a whole number from 0 to 3/);
  }
  await broken.setAll({ rank: "0", gradients: "5\n", fault: "drop" });
  assert.deepEqual(await broken.readouts(), { average: "0", serial: "5", bytes: "0 B" });
});

test("quantities are typed with units", () =>
  expects("all-reduce-cost", [
    [{ bytes: "1GiB" }, { bytes: "1.879 GB" }],
    [{ bytes: "64MB", latencySeconds: "1ms", bytesPerSecond: "400Gb/s" }, { bytes: "112 MB", seconds: "16.2 ms" }],
  ]));

test("a letter that may mean either is said to be read in one way", async () => {
  const cost = widget(page, "all-reduce-cost");
  await cost.set("bytes", "8G");
  assert.equal(await cost.control("bytes").locator(".read").innerText(), "G is read as GB.");
  const ladder = widget(page, "zero");
  await ladder.set("params", "70B");
  assert.match(await ladder.readout("total"), /^385 GB/);
});

test("tensor-parallel matmul", async () => {
  const matmul = widget(page, "tensor-parallel");
  const product = await matmul.table();
  const sharded = await matmul.figure();
  assert.equal(await matmul.readout("error"), "0");
  assert.equal(await matmul.readout("bytes"), "0 B");

  await matmul.set("split", "row");
  assert.deepEqual(await matmul.table(), product, "the product does not depend on the split");
  assert.notEqual(await matmul.figure(), sharded, "the shards do");
  assert.equal(await matmul.readout("error"), "0");
  assert.equal(await matmul.readout("bytes"), "64 B");
  assert.match(await matmul.caption(), /all-reduce/);

  await matmul.set("ranks", "4");
  assert.deepEqual(await matmul.table(), product);
  assert.deepEqual([await matmul.readout("bytes"), await matmul.readout("weights")], ["96 B", "32 B"]);
  await matmul.set("inFeatures", "6");
  assert.equal(await matmul.readout("weights"), "64 B", "of 6 columns the largest shard has 2, of 4 rows each");
  await matmul.set("outFeatures", "3");
  assert.equal((await matmul.table()).length, 1 + 3);
  await matmul.set("batch", "5");
  assert.equal((await matmul.table())[1].length, 1 + 5);
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

test("an element takes its first values from its attributes", async () => {
  await page.evaluate(() => {
    const element = document.createElement("shardlab-bubble");
    element.id = "own";
    element.setAttribute("stages", "8");
    element.setAttribute("micro-batches", "32");
    document.querySelector("main").append(element);
    return element.updateComplete;
  });
  const text = await page.locator("#own [data-readout=bubble-of-total]").innerText();
  assert.equal(text.replace(/\s+/g, " "), "17.9 %");
});
