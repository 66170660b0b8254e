import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { open, restart, widget } from "./browser.mjs";
import { source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

let site;
let page;
let ladder;
let lab;

before(async () => {
  lab = await (await importBuilt()).load();
  site = await open();
  page = await site.lab({ only: ["zero", "all-reduce-cost"] });
  ladder = widget(page, "zero");
});

after(() => site?.close());

beforeEach(() => restart(page));

async function texts() {
  return (await ladder.figureTexts()).map((text) => text.replace(/[\u00a0\u202f]/g, " "));
}

/** What is written beside the four bars. */
async function rungs() {
  const all = await texts();
  return [0, 1, 2, 3].map((stage) => all[all.indexOf(`stage ${stage}`) + 1]);
}

/** Llama 3 70B, of which more is known than its size. */
const seventy = { source: "preset", zeroStage: "3" };

async function column(name) {
  const [head, ...rows] = await ladder.table();
  return rows.map((row) => row[head.indexOf(name)]);
}

describe("the ladder", () => {
  test("of 7 billion parameters on 8 ranks, in GB and in GiB", async () => {
    assert.deepEqual(await rungs(), ["112 GB, does not fit", "38.5 GB", "26.25 GB", "14 GB"]);
    assert.deepEqual(await column("total"), ["112 GB", "38.5 GB", "26.25 GB", "14 GB"]);
    assert.deepEqual(await column("the same"), ["104.3 GiB", "35.86 GiB", "24.45 GiB", "13.04 GiB"]);
  });

  test("of the paper's 7.5 billion on 64 ranks", async () => {
    await ladder.setAll({ params: "7.5B", ranks: "64" });
    assert.deepEqual(await rungs(), ["120 GB, does not fit", "31.41 GB", "16.64 GB", "1.875 GB"]);
    assert.deepEqual(await column("total"), ["120 GB", "31.4063 GB", "16.6406 GB", "1.875 GB"]);
  });

  test("of 70 billion on 64 ranks, all in one unit", async () => {
    await ladder.setAll({ params: "70B", ranks: "64" });
    assert.deepEqual(await rungs(), [
      "1 120 GB, does not fit",
      "293.1 GB, does not fit",
      "155.3 GB, does not fit",
      "17.5 GB",
    ]);
  });

  test("has one stage chosen, read in GB and in GiB", () =>
    ladder.expects([
      [{}, { total: "38.5 GB = 35.86 GiB", parameters: "14 GB = 13.04 GiB", optimizer: "10.5 GB = 9.779 GiB" }],
      [{ zeroStage: "3" }, { total: "14 GB = 13.04 GiB", parameters: "1.75 GB = 1.63 GiB" }],
      [{ zeroStage: "2" }, { total: "26.25 GB = 24.45 GiB", gradients: "1.75 GB = 1.63 GiB" }],
      [{ zeroStage: "0" }, { total: "112 GB = 104.3 GiB", optimizer: "84 GB = 78.23 GiB" }],
    ]));

  test("says what it leaves out, and measures nothing of it", async () => {
    assert.ok((await texts()).includes("activations: not in this model"));
    const marks = ladder.root.locator(".figure .piece.unmeasured");
    const widths = async () => [...new Set(await marks.evaluateAll((all) => all.map((one) => one.getBBox().width)))];
    const before = await widths();
    await ladder.set("params", "70B");
    assert.deepEqual(await widths(), before, "the mark has no scale");
  });
});

test("the figure waits where it would tell the answer, and comes with it", async () => {
  const asked = await site.page();
  await asked.goto(site.url);
  for (const [id, answer] of [["zero", "Stage 2"], ["bubble", "13.6 %"]]) {
    const one = widget(asked, id);
    await one.settled();
    const drawing = one.root.locator(".figure svg");
    assert.equal(await drawing.isVisible(), false);
    assert.match(await one.root.locator(".figure").textContent(), /waits for your answer/);
    await one.press(answer);
    assert.equal(await drawing.isVisible(), true);
    assert.match(await one.root.locator(".verdict").textContent(), /Not quite\..* That takes /s);
  }
  await asked.close();
});

describe("the memory of a GPU", () => {
  test("is a line that stage 0 crosses, hatched beyond it", async () => {
    const beyond = ladder.root.locator(".figure .beyond");
    assert.equal(await beyond.count(), 1);
    assert.ok((await texts()).includes("80 GB of a GPU = 74.51 GiB"));
    await ladder.set("zeroStage", "0");
    assert.match(await ladder.caption(), /does not fit 80 GB; stage 1 is the first that does/);
    await ladder.set("capacity", "24GiB");
    assert.equal(await beyond.count(), 3);
    assert.match(await ladder.caption(), /does not fit 25\.8 GB; stage 3 is the first that does/);
    await ladder.set("capacity", "10GB");
    assert.match(await ladder.caption(), /no stage does on so few ranks/);
    await ladder.set("capacity", "141GB");
    assert.match(await ladder.caption(), /within 141 GB/);
    assert.equal(await beyond.count(), 0);
  });

  test("may be left out", async () => {
    await ladder.set("capacity", "");
    assert.equal(await ladder.root.locator(".figure .mark").count(), 0);
    assert.deepEqual(await rungs(), ["112 GB", "38.5 GB", "26.25 GB", "14 GB"]);
    assert.doesNotMatch(await ladder.caption(), /fit|within/);
  });

  for (const width of repeated([320, 1200], [390])) {
    test(`no line crosses what is written at ${width} pixels`, async () => {
      const narrow = await site.lab({ only: "zero", width });
      const one = widget(narrow, "zero");
      for (const state of [{ zeroStage: "0" }, { zeroStage: "1" }, { zeroStage: "3" }, { ...seventy, microBatches: "64" }, { recipe: "mixed-adam-fp32-gradients" }]) {
        await one.setAll(state);
        assert.deepEqual(await one.root.locator(".figure svg").evaluate(crossed), [], JSON.stringify(state));
      }
      await narrow.close();
    });
  }
});

/** Runs in the page: texts that a line, another text or the figure's edge cuts. */
function crossed(svg) {
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const box = (one) => one.getBoundingClientRect();
  const written = [...svg.querySelectorAll("text")];
  const lines = [...svg.querySelectorAll(".mark")];
  const frame = box(svg);
  return written.flatMap((text, index) => {
    const own = box(text);
    const others = [...lines, ...written.slice(index + 1)].filter((one) => meet(own, box(one)));
    const inside = own.left >= frame.left - 1 && own.right <= frame.right + 1;
    return others.length > 0 || !inside ? [`${text.textContent}: ${others.map((one) => one.textContent)} ${inside}`] : [];
  });
}

describe("what each rank sends", () => {
  test("is an all-reduce's bytes up to stage 2, and 1.5 times as much at stage 3", async () => {
    const shown = await texts();
    assert.equal(shown[shown.indexOf("stages 0–2") + 1], "24.5 GB (2Ψ)");
    assert.equal(shown[shown.lastIndexOf("stage 3") + 1], "36.75 GB (3Ψ), 1.5×");
    for (const name of ["AG fwd", "AG bwd", "RS bwd"]) assert.equal(shown[shown.indexOf(name) + 1], "12.25 GB", name);
    assert.deepEqual(await column("sent"), ["24.5 GB", "24.5 GB", "24.5 GB", "36.75 GB"]);
    await ladder.expects([
      [{ zeroStage: "2" }, { sent: "24.5 GB" }],
      [{ zeroStage: "3" }, { sent: "36.75 GB" }],
    ]);
    const formula = "3 · 2 · N · (R − 1) / R = 3 · 2 · 7 000 000 000 · (8 − 1) / 8 = 36 750 000 000 B";
    assert.ok((await ladder.reasons()).includes(formula));
  });

  test("agrees with the all-reduce of as many bytes", async () => {
    const cost = widget(page, "all-reduce-cost");
    await cost.setAll({ ranks: "8", bytes: "14GB" });
    await ladder.set("zeroStage", "0");
    assert.equal(await ladder.readout("sent"), await cost.readout("bytes"));
  });

  test("is nothing on one rank", async () => {
    await ladder.expects([[{ ranks: "1" }, { sent: "0 B", total: "112 GB = 104.3 GiB" }]]);
    assert.ok((await texts()).includes("0 B on one rank"));
  });
});

describe("accumulated gradients", () => {
  test("are sent once up to stage 1; from stage 2 on every micro-batch sends anew", async () => {
    await ladder.set("microBatches", "4");
    assert.deepEqual(await column("sent"), ["24.5 GB", "24.5 GB", "61.25 GB", "147 GB"]);
    const shown = await texts();
    assert.equal(shown[shown.indexOf("stages 0–1") + 1], "24.5 GB (2Ψ)");
    assert.equal(shown[shown.lastIndexOf("stage 2") + 1], "61.25 GB (5Ψ), 2.5×");
    assert.equal(shown[shown.lastIndexOf("stage 3") + 1], "147 GB (12Ψ), 6×");
    for (const name of ["4× AG fwd", "4× AG bwd", "4× RS bwd"]) assert.ok(shown.includes(name), name);
  });

  test("are as the lab prices them for a model, whatever the formats", async () => {
    for (const recipe of ["mixed-adam", "mixed-adam-fp32-gradients", "mixed-adam-both-gradients", "bf16-adam"]) {
      await ladder.setAll({ ...seventy, recipe, microBatches: "3" });
      for (const zeroStage of [0, 1, 2, 3]) {
        const gpu = "h100-80gb";
        const found = lab.footprint({ preset: "llama3-70b", gpu, dp: 8, zeroStage, recipe, microBatches: 3, sequence: 4096 });
        const sent = await ladder.root.evaluate(async (element, stage) => {
          element.state = { ...element.state, zeroStage: String(stage) };
          await element.updateComplete;
          return element.shadowRoot.querySelector("[data-readout=sent]").textContent.replace(/\s+/g, " ").trim();
        }, zeroStage);
        const [value, unit] = sent.split(" ");
        const expected = found.cost.dataBytes / { GB: 1e9, TB: 1e12 }[unit];
        assert.ok(Math.abs(Number(value) / expected - 1) < 1e-3, `${recipe}, stage ${zeroStage}: ${sent}, ${expected}`);
      }
    }
  });

  test("are drawn layer by layer, under the stage that is chosen", async () => {
    const lanes = async () => (await ladder.root.locator(".layers").textContent()).replace(/\s+/g, " ");
    await ladder.setAll({ microBatches: "4", zeroStage: "1" });
    assert.match(await lanes(), /Stage 1, layer by layer, the last of 4 micro-batches ?In a step 32 reduce-scatters, new weights gathered once/);
    await ladder.set("zeroStage", "2");
    assert.match(await lanes(), /Stage 2, layer by layer, each of 4 micro-batches.* 128 reduce-scatters, new weights gathered once/);
    await ladder.set("zeroStage", "3");
    assert.match(await lanes(), /Stage 3, .* each of 4 .* 256 all-gathers, 128 reduce-scatters/);
    await ladder.disclose("folded");
    await ladder.setAll({ layers: "3", microBatches: "1" });
    const cells = await ladder.root.locator(".layers g text").allTextContents();
    assert.deepEqual(cells.join(" "), "F1 AG F2 AG F3 AG B3 AG RS B2 AG RS B1 AG RS step");
    await ladder.set("zeroStage", "0");
    assert.equal((await ladder.root.locator(".layers g text").allTextContents()).join(" "), "F1 F2 F3 B3 RS B2 RS B1 RS step AG");
  });
});

test("stage 3 that keeps the weights it has gathered is stage 2, in memory and in traffic", async () => {
  await ladder.setAll({ zeroStage: "3", reshard: "kept" });
  assert.deepEqual(await rungs(), ["112 GB, does not fit", "38.5 GB", "26.25 GB", "26.25 GB"]);
  assert.deepEqual(await column("sent"), ["24.5 GB", "24.5 GB", "24.5 GB", "24.5 GB"]);
  assert.match(await ladder.caption(), /26\.25 GB of states on each at most, since it keeps the weights/);
  assert.match(await ladder.root.locator(".layers").textContent(), /32 all-gathers, 32 reduce-scatters/);
  const of2 = lab.footprint({ preset: "llama3-70b", gpu: "h100-80gb", dp: 8, zeroStage: 2, sequence: 4096, flash: true });
  await ladder.set("source", "preset");
  assert.equal(await ladder.readout("all"), `${Number((of2.mostLoadedRankBytes / 1e9).toPrecision(4))} GB = 342.9 GiB`);
});

describe("the precision", () => {
  test("is 16 bytes of a parameter, of which the optimizer has 12", async () => {
    assert.equal(await ladder.readout("each"), "16 B = 2 + 2 + 4 + 8");
    for (const text of ["weights, 2 B", "gradients, 2 B", "optimizer, 4 + 8 B"]) assert.ok((await texts()).includes(text), text);
    assert.match(await ladder.root.locator("header .claim").textContent(), /^16 bytes per parameter\. Stage 1 shards the 12 /);
  });

  test("of each recipe is the lab's; Muon alone needs to know a model's matrices", async () => {
    const { ladderRecipes } = await source("zero-parameters.ts");
    const known = lab.precisionRecipes();
    const alike = known.filter(({ momentBytes, matrixMomentBytes }) => momentBytes === matrixMomentBytes);
    assert.deepEqual(ladderRecipes.map(({ value }) => value), alike.map(({ name }) => name));
    for (const { name, weightBytes, gradientBytes, masterBytes, momentBytes } of alike) {
      await ladder.set("recipe", name);
      const parts = [weightBytes, gradientBytes, masterBytes, momentBytes];
      const sum = parts.reduce((all, one) => all + one);
      assert.equal(await ladder.readout("each"), `${sum} B = ${parts.join(" + ")}`);
      assert.equal((await column("total"))[0], `${7 * sum} GB`);
    }
  });

  test("gives a model the states that its footprint has", async () => {
    await ladder.disclose("folded");
    await ladder.setAll({ ...seventy, recipe: "adam-8bit", masterBytes: "3" });
    const found = lab.footprint({ preset: "llama3-70b", gpu: "h100-80gb", dp: 8, zeroStage: 3, recipe: "adam-8bit", masterBytes: 3 });
    const { weightBytes, gradientBytes, optimizerBytes } = found.perStage[0];
    const states = (weightBytes + gradientBytes + optimizerBytes) / 1e9;
    assert.equal((await column("total"))[3], `${Number(states.toPrecision(6))} GB`);
  });

  test("can be edited part by part, and refuses what is no number of bytes", async () => {
    await ladder.disclose("folded");
    await ladder.expects([
      [{ gradientBytes: "4" }, { each: "18 B = 2 + 4 + 4 + 8", gradients: "28 GB = 26.08 GiB", sent: "36.75 GB" }],
      [{ momentBytes: "0" }, { each: "10 B = 2 + 4 + 4 + 0" }],
    ]);
    const formula = "(1 · 4 + 1 · 2) · N · (R − 1) / R = (1 · 4 + 1 · 2) · 7 000 000 000 · (8 − 1) / 8 = 36 750 000 000 B";
    assert.ok((await ladder.reasons()).includes(formula));
    await ladder.set("momentBytes", "-1");
    assert.match((await ladder.error("momentBytes")).text, /moments must be a finite number from 0 to 64\. It is -1/);
    await ladder.setAll({ momentBytes: "", layers: "0" });
    assert.match((await ladder.error("layers")).text, /Layers must be a whole number from 1/);
  });
});

describe("of a model", () => {
  test("activations are the same at every stage, and what is left of stage 3 is its floor", async () => {
    await ladder.setAll(seventy);
    const found = [8, 1024].map((dp) => lab.footprint({ preset: "llama3-70b", gpu: "h100-80gb", dp, zeroStage: 3, sequence: 4096, flash: true }).perStage[0]);
    const [few, many] = found.map((stage) => {
      const activations = stage.activationBytes + stage.logitBytes + stage.recomputedBytes;
      return { activations, floor: activations + stage.gatheredBytes + stage.contextBytes + stage.communicationBytes, total: stage.totalBytes };
    });
    const gigabytes = (size) => `${Number((size / 1e9).toPrecision(4))} GB`;
    const read = async (id) => (await ladder.readout(id)).split(" =")[0];
    assert.equal(await read("activations"), gigabytes(few.activations));
    assert.equal(await read("all"), gigabytes(few.total));
    assert.equal(await read("floor"), gigabytes(few.floor));
    const shown = await texts();
    assert.equal(shown[shown.indexOf("activations") + 1], `${gigabytes(few.activations)}, too much`);
    assert.equal(shown[shown.indexOf("floor of 3") + 1], `${gigabytes(few.floor)}, too much`);
    assert.ok(shown.includes("activations, not sharded"));
    await ladder.set("ranks", "1024");
    assert.equal(await read("floor"), gigabytes(many.floor), "ranks do not lower it");
    assert.equal(await read("floor"), gigabytes(few.floor));
    assert.equal(await read("total"), "1.102 GB");
    await ladder.set("zeroStage", "1");
    assert.equal(await read("activations"), gigabytes(few.activations));
  });

  test("they follow the sequence and recomputation; on one rank nothing is gathered", async () => {
    await ladder.expects([
      [{ ...seventy, recompute: "full" }, { activations: "10.83 GB = 10.09 GiB", floor: "18.81 GB = 17.51 GiB" }],
      [{ sequence: "8192" }, { activations: "21.66 GB = 20.17 GiB" }],
    ]);
    assert.match(await ladder.caption(), /Llama 3 70B's activations add 21\.66 GB at every stage: with all that comes on top it is 174\.1 GB, which does not fit/);
    await ladder.set("ranks", "1");
    assert.ok(!(await texts()).includes("floor of 3"));
  });

  test("Why? adds up the floor, and the table has what comes on top", async () => {
    await ladder.setAll({ ...seventy, recompute: "full" });
    const [parts] = (await ladder.reasons()).filter((text) => text.startsWith("activations + gathered + context"));
    const [, values, sum] = parts.split(" = ").map((text) => text.replace(/[^\d+]/g, ""));
    assert.equal(values.split("+").reduce((all, one) => all + Number(one), 0), Number(sum));
    assert.deepEqual(await column("with all on top"), ["1.1646 TB", "408.969 GB", "283.03 GB", "163.071 GB"]);
  });
});

describe("config.json", () => {
  const gpt2 = { model_type: "gpt2", n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024, vocab_size: 50257 };

  test("is counted, typed or opened", async () => {
    await ladder.set("source", "config");
    assert.ok((await ladder.reasons()).includes("N = 8 030 261 248"), "Llama-3-8B");
    await ladder.set("sequence", "1024");
    const file = { name: "config.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(gpt2)) };
    await ladder.control("config").locator("input[type=file]").setInputFiles(file);
    await page.waitForFunction(() => document.querySelector("shardlab-zero").renderRoot.textContent.includes("124"));
    await ladder.settled();
    assert.ok((await ladder.reasons()).includes("N = 124 439 808"), "GPT-2");
  });

  test("has an unknown family or a missing field named", async () => {
    await ladder.set("source", "config");
    await ladder.set("config", JSON.stringify({ ...gpt2, n_embd: undefined }));
    assert.match((await ladder.error("config")).text, /n_embd/);
    await ladder.set("config", JSON.stringify({ ...gpt2, model_type: "rwkv" }));
    assert.match((await ladder.error("config")).text, /model_type.*rwkv/);
  });
});
