import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;
let page;
let ladder;

before(async () => {
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

async function column(name) {
  const [head, ...rows] = await ladder.table();
  return rows.map((row) => row[head.indexOf(name)]);
}

describe("the ladder", () => {
  test("of 7 billion parameters on 8 ranks, in GB and in GiB", async () => {
    assert.deepEqual(await rungs(), ["112 GB, does not fit", "38.5 GB", "26.25 GB", "14 GB"]);
    assert.deepEqual(await column("total"), ["112 GB", "38.5 GB", "26.25 GB", "14 GB"]);
    assert.deepEqual(await column("in GiB"), ["104.3 GiB", "35.86 GiB", "24.45 GiB", "13.04 GiB"]);
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
    assert.ok((await texts()).includes("80 GB of a GPU"));
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

  for (const width of repeated([320], [390, 1200])) {
    test(`no line crosses what is written at ${width} pixels`, async () => {
      const narrow = await site.lab({ only: "zero", width });
      const one = widget(narrow, "zero");
      for (const zeroStage of ["0", "1", "3"]) {
        await one.set("zeroStage", zeroStage);
        assert.deepEqual(await one.root.locator(".figure svg").evaluate(crossed), []);
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

describe("config.json", () => {
  const gpt2 = { model_type: "gpt2", n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024, vocab_size: 50257 };

  test("is counted, typed or opened", async () => {
    await ladder.set("source", "config");
    assert.ok((await ladder.reasons()).includes("N = 8 030 261 248"), "Llama-3-8B");
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
