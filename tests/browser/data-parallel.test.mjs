import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";

let site;
let page;
let one;

before(async () => {
  site = await open();
  page = await site.lab({ only: "data-parallel" });
  one = widget(page, "data-parallel");
});

afterEach(() => restart(page));

after(() => site?.close());

const number = (text) => Number(text.replace("−", "-").replace(/·10(.+)/, (_, power) => `e${[...power].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".indexOf(sign)).map((digit) => (digit === 10 ? "-" : digit)).join("")}`));

/** Moments of a drawn line, as pairs of coordinates. */
const curve = (kind) =>
  one.root.locator(`.figure path.curve.${kind}`).last().getAttribute("d").then((path) => path.match(/[\d.]+ [\d.]+/g));

test("one average is what an address without a choice shows, and its controls stand alone", async () => {
  assert.equal(await one.readout("average"), "10");
  for (const name of ["ranks", "optimizer", "layers", "trainingFault"]) assert.equal(await one.control(name).count(), 0, name);
  await one.set("fault", "drop");
  assert.equal(await one.control("rank").count(), 1);
  await one.set("show", "training");
  for (const name of ["gradients", "fault", "rank", "layers"]) assert.equal(await one.control(name).count(), 0, name);
});

test("serial and parallel curves lie on each other at every stage, and stage 3 sends 3/2 of stage 2", async () => {
  await one.set("show", "training");
  const sent = [];
  for (const zeroStage of ["0", "1", "2", "3"]) {
    await one.set("zeroStage", zeroStage);
    assert.deepEqual(await curve("serial"), await curve("parallel"));
    const found = await one.readouts();
    assert.equal(found["loss-serial"], found["loss-parallel"]);
    assert.ok(number(found.difference) < 1e-12, found.difference);
    sent.push(found.bytes);
  }
  assert.deepEqual(sent, ["11.5 kB", "11.5 kB", "11.5 kB", "17.3 kB"]);
  const why = await one.reasons();
  assert.ok(why.includes("3 · S · (R − 1) / R = 3 · 7 680 · (4 − 1) / 4 = 17.3 kB"), why.join("\n"));
  assert.ok(why.includes("Ψ / R + Ψ / R = 960 / 4 + 960 / 4 = 480"), why.join("\n"));
  assert.match(await one.caption(), /curves lie on each other, and weights differ by .*rounding.*gathers parameters twice a step/);
});

test("each stage leaves a rank less: 3 840, 2 400, 1 680 and 960 numbers of Adam's", async () => {
  await one.setAll({ show: "training", optimizer: "adam", learningRate: "0.01" });
  const held = [];
  for (const zeroStage of ["0", "1", "2", "3"]) {
    await one.set("zeroStage", zeroStage);
    held.push((await one.readout("held")).replace(/\s/g, " "));
  }
  assert.deepEqual(held, ["3 840", "2 400", "1 680", "960"]);
});

test("a dropped or doubled gradient is seen from the first step, and replicas agree all the same", async () => {
  await one.set("show", "training");
  for (const fault of ["drop", "double"]) {
    await one.set("trainingFault", fault);
    const { difference, replicas } = await one.readouts();
    assert.ok(number(difference) > 0.01, difference);
    assert.equal(replicas, "0");
    assert.notDeepEqual(await curve("serial"), await curve("parallel"));
    assert.match(await one.caption(), /^Hypothetical: .*From step 1 on weights differ.*All replicas agree.* In reality: NCCL .*timeout/);
  }
});

test("a rank that misses an all-gather differs from that step on, for good at stage 0 alone", async () => {
  await one.setAll({ show: "training", trainingFault: "miss-gather", faultRank: "1", faultStep: "30" });
  assert.match(await one.caption(), /in step 30 rank 1 .*From step 30 on weights differ.*Replicas diverge/);
  assert.ok((await one.figureTexts()).includes("step 30: rank 1 misses the all-gather"));
  const rows = await one.table();
  assert.equal(rows[29][4], "0");
  assert.notEqual(rows[30][4], "0");
  assert.notEqual(rows.at(-1)[4], "0");
  await one.set("zeroStage", "1");
  assert.match(await one.caption(), /Replicas differ by .* and meet again/);
  assert.equal((await one.table()).at(-1)[4], "0");
});

test("unequal batches: the mean of means is another training, weighted it is the serial one", async () => {
  await one.setAll({ show: "training", batches: "unequal" });
  assert.ok(number(await one.readout("difference")) > 0.01);
  assert.match(await one.caption(), /^Batches of 8 rows, and of 2 on rank 3.*From step 1 on/);
  await one.set("mean", "weighted");
  assert.ok(number(await one.readout("difference")) < 1e-12);
});

test("buckets: seven of them, by hand", async () => {
  await one.set("show", "buckets");
  // 12 layers of 20 MB and 1 ms: 20 MB at 1 ms, then 40 MB at a time, each 3 ms and 30 µs of latency; 20 MB are left.
  assert.deepEqual(await one.readouts(), {
    step: "19.7 ms",
    sequential: "30.2 ms",
    exposed: "7.68 ms",
    hidden: "57.8 %",
    buckets: "7",
  });
  assert.match(await one.caption(), /leaves after 1 layer of 12, at 1 ms\. As large as the others it would leave at 2 ms, .* longer\.$/);
  const rows = await one.table();
  assert.equal(rows.length, 8);
  assert.deepEqual(rows[1], ["1", "11", "20 000 000", "1", "1", "2.53"]);
  assert.deepEqual(rows[2].slice(0, 5), ["2", "10 to 9", "40 000 000", "3", "3"]);
  assert.ok((await one.reasons()).includes("1 − exposed / communication = 1 − 7.68 ms / 18.2 ms = 57.8 %"));
  await one.set("bucketBytes", "1TB");
  await one.set("firstBucketBytes", "1TB");
  assert.match(await one.caption(), /^One bucket holds all gradients/);
  assert.equal(await one.readout("hidden"), "0 %");
  await one.set("ranks", "1");
  assert.match(await one.caption(), /nothing is sent/);
});

test("more layers than are drawn are said to be", async () => {
  await one.setAll({ show: "buckets", layers: "65536" });
  assert.match(await one.caption(), /Drawn: layers one by one up to 400, buckets up to 400\.$/);
  assert.doesNotMatch(await one.figure(), /NaN|Infinity/);
});

const notWhole = ["", "abc", "nan", "2.5", "-1", "1e400", "1 2"];
const notReal = ["", "abc", "nan", "-1", "1e400"];
const bad = {
  training: {
    ranks: [...notWhole, "0", "65", "1e9"],
    steps: [...notWhole, "0", "10001", "10000"],
    learningRate: [...notReal, "1001", "100"],
    seed: [...notWhole, "1e12"],
    faultRank: [...notWhole.filter((text) => text !== ""), "4"],
    faultStep: [...notWhole, "0", "81"],
  },
  buckets: {
    ranks: [...notWhole, "0", "1e12"],
    layers: [...notWhole, "0", "65537", "1e12"],
    layerBytes: [...notWhole, "1e16", "1e300"],
    layerSeconds: [...notReal, "1e10"],
    bucketBytes: [...notWhole, "0", "1e300"],
    firstBucketBytes: [...notWhole, "0", "1e300"],
    latencySeconds: notReal,
    bytesPerSecond: [...notReal, "0"],
  },
};

for (const [show, parameters] of Object.entries(bad)) {
  for (const [parameter, texts] of Object.entries(parameters)) {
    test(`${show}: a bad ${parameter} is refused at its control`, async () => {
      await one.set("show", show);
      if (parameter.startsWith("fault")) await one.set("trainingFault", "miss-gather");
      // The most that the core takes is more than the page waits for.
      if (parameter === "steps") await one.set("ranks", "8");
      for (const text of texts) {
        await one.set(parameter, text);
        const error = await one.error(parameter);
        assert.ok(error.invalid, `${parameter} = ${JSON.stringify(text)}`);
        assert.match(error.text, / must .+\. (It is .+|Nothing is given)\.$/, `for ${JSON.stringify(text)}`);
      }
    });
  }
}

test("nothing of all this reached the console", () => assert.deepEqual(page.trouble, []));
