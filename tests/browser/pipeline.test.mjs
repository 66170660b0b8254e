import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";
import { ends } from "./gantt.mjs";
import { repeated } from "./tier.mjs";

let site;
let page;
let gantt;

before(async () => {
  site = await open();
  page = await site.lab({ only: ["pipeline", "bubble"] });
  gantt = widget(page, "pipeline");
});

after(() => site?.close());

beforeEach(() => restart(page));

/** How often each kind of operation is drawn with its number. */
function numbered(kind) {
  return gantt.root.locator(`.figure g.${kind} > text`).count();
}

describe("the bubble", () => {
  test("is measured on the executed schedule, and the formula says the same", async () => {
    const cases = [
      ["4", "1", "75 %"],
      ["4", "4", "42.9 %"],
      ["4", "8", "27.3 %"],
      ["4", "16", "15.8 %"],
      ["4", "32", "8.57 %"],
      ["8", "8", "46.7 %"],
      ["8", "32", "17.9 %"],
      ["1", "5", "0 %"],
    ];
    for (const schedule of ["1f1b", "gpipe"]) {
      await gantt.set("schedule", schedule);
      await gantt.expects(
        cases.map(([stages, microBatches, idle]) => [
          { stages, microBatches },
          { "bubble-of-total": idle, formula: idle },
        ]),
      );
    }
  });

  test("starts at 42.9 % and the five-minute path leads to 15.8 %", async () => {
    assert.equal(await gantt.readout("bubble-of-total"), "42.9 %");
    await page.getByRole("link", { name: "Take 16 micro-batches" }).click();
    await gantt.settled();
    assert.equal(await gantt.readout("bubble-of-total"), "15.8 %");
    await page.getByRole("link", { name: "GPipe below it" }).click();
    await gantt.settled();
    assert.match(await gantt.caption(), /idle both 15\.8 % of the time; in flight on stage 0 at most 4 and 16\.$/);
  });

  test("has two definitions, both with the user's numbers", async () => {
    await gantt.set("microBatches", "8");
    assert.equal(await gantt.readout("bubble-of-ideal"), "37.5 %");
    const reasons = await gantt.reasons();
    for (const formula of [
      "(M + P − 1) (F + B) = 33",
      "1 − work / makespan = 1 − 24 / 33 = 27.3 %",
      "makespan / work − 1 = 33 / 24 − 1 = 37.5 %",
      "2 M borders = 2 · 8 · 3 = 48",
    ]) {
      assert.ok(reasons.includes(formula), `${formula} in ${reasons.join("\n")}`);
    }
  });

  test("has its formula with what is computed again", async () => {
    await gantt.set("recompute", "on");
    assert.ok((await gantt.reasons()).includes("(M + P − 1) (F + B) = 28"));
    assert.match(await gantt.root.locator(".why .note").first().textContent(), /F = 1, B = 3 with the forward again\./);
  });

  test("has no formula where stages wait for messages, and that is said", async () => {
    await gantt.expects([
      [{ microBatches: "2", communication: "1" }, { makespan: "21", formula: "– does not apply" }],
      [{ stages: "1" }, { formula: "0 %" }],
    ]);
    await gantt.set("stages", "4");
    await gantt.disclose("why");
    const note = gantt.root.locator(".why .note", { hasText: "it holds for equal stages, no communication time" });
    assert.equal(await note.count(), 1);
  });

  test("collected is one block at the end, as wide as its share, with the share written on it", async () => {
    const lane = await ends(gantt, "rect.bubble");
    for (const [schedule, microBatches, share] of [
      ["1f1b", "4", 3 / 7],
      ["gpipe", "8", 3 / 11],
      ["1f1b", "16", 3 / 19],
      ["1f1b", "32", 3 / 35],
      ["gpipe", "64", 3 / 67],
    ]) {
      await gantt.setAll({ schedule, microBatches, bubbles: "collected" });
      const [start, end] = await ends(gantt, "rect.collected");
      const [left, right] = await ends(gantt, "rect.bubble");
      assert.ok(Math.abs(end - right) < 0.01, "it ends with the lanes");
      assert.ok(Math.abs((end - start) / (right - left) - share) < 1e-3, `${schedule}, ${microBatches} micro-batches`);
      const written = await gantt.root.locator(".figure text.middle").textContent();
      assert.equal(written.replace(/\s/, " "), await gantt.readout("bubble-of-total"));
    }
    assert.equal(await gantt.root.locator(".transport").count(), 0, "there are no moments to walk to");
    await gantt.setAll({ stages: "1" });
    assert.equal(await gantt.root.locator(".figure rect.collected").count(), 0);
    await gantt.setAll({ stages: "4", microBatches: "4", schedule: "1f1b", bubbles: "in-place" });
    assert.deepEqual(await ends(gantt, "rect.bubble"), lane);
    assert.equal(await gantt.root.locator(".transport").count(), 1);
  });
});

describe("GPipe and 1F1B", () => {
  test("take the same time, and 1F1B less memory", () =>
    gantt.expects([
      [{ microBatches: "8" }, { makespan: "33", peak: "4" }],
      [{ schedule: "gpipe" }, { makespan: "33", peak: "8", "bubble-of-total": "27.3 %", "bubble-of-ideal": "37.5 %" }],
      [{ stages: "8", microBatches: "32", backward: "1" }, { makespan: "78", peak: "32" }],
      [{ schedule: "1f1b" }, { makespan: "78", peak: "8" }],
      [{ forward: "2", backward: "2" }, { makespan: "156", "bubble-of-total": "17.9 %" }],
      [
        { stages: "4", microBatches: "2", forward: "1" },
        { makespan: "15", "bubble-of-ideal": "150 %", "bubble-of-total": "60 %" },
      ],
    ]));

  test("stand under each other on one axis", async () => {
    await gantt.setAll({ microBatches: "8", compare: "gpipe" });
    assert.match(await gantt.caption(), /^1F1B and GPipe: makespan both 33, idle both 27\.3 % .* at most 4 and 8\.$/);
    const texts = await gantt.figureTexts();
    for (const name of ["1F1B: 27.3 % idle", "GPipe: 27.3 % idle"]) assert.ok(texts.includes(name), name);
    assert.deepEqual(
      (await gantt.table()).slice(1).map((row) => [row[0], row[7]]),
      ["1F1B", "GPipe"].flatMap((name, at) =>
        [0, 1, 2, 3].map((stage) => [`${name}, stage ${stage}`, at === 1 ? "8" : String(4 - stage)]),
      ),
    );
    await gantt.setAll({ schedule: "gpipe", compare: "1f1b", communication: "1" });
    assert.match(await gantt.caption(), /^GPipe and 1F1B: makespan 39 and 49, idle/);
    const widths = await gantt.root
      .locator(".figure rect.bubble")
      .evaluateAll((lanes) => lanes.map((lane) => lane.getBBox().width));
    assert.ok(widths[0] < widths[4], "the longer schedule has the longer lanes");
  });

  test("show what each stage holds over time, up to the limit of stage 0", async () => {
    await gantt.setAll({ microBatches: "8", compare: "gpipe" });
    const plots = await gantt.root
      .locator(".figure .held")
      .evaluateAll((groups) => groups.map((group) => [...group.children].map((path) => path.getBBox().height)));
    assert.equal(plots.length, 2);
    const [ofOneForward, ofGpipe] = plots;
    const unit = ofGpipe[0] / 8;
    assert.deepEqual(ofOneForward.map((height) => Math.round(height / unit)), [4, 3, 2, 1]);
    assert.deepEqual(ofGpipe.map((height) => Math.round(height / unit)), [8, 8, 8, 8]);
    const labels = (await gantt.figureTexts()).filter((text) => /at most/.test(text));
    assert.match(labels[0], /stage 0 outermost: at most 4; stage 3 innermost: 1/);
    assert.match(labels[1], /at most 8/);
  });
});

describe("every schedule", () => {
  test("has its bubble, its formula, its messages and what it holds", () =>
    gantt.expects([
      [{ microBatches: "8", schedule: "interleaved" }, { "bubble-of-total": "15.8 %", formula: "15.8 %", "bubble-of-ideal": "18.8 %", messages: "112", peak: "11" }],
      [{ chunks: "4" }, { "bubble-of-total": "8.57 %", messages: "240" }],
      [{ schedule: "looped-bfs", chunks: "2" }, { "bubble-of-total": "15.8 %", formula: "15.8 %", peak: "16" }],
      [{ schedule: "zb-h1" }, { makespan: "27", "bubble-of-total": "11.1 %", formula: "11.1 %", peak: "4" }],
      [{ schedule: "zb-h2" }, { makespan: "27", formula: "11.1 %", peak: "7" }],
      [{ schedule: "zb-1p" }, { makespan: "27", formula: "– there is none", peak: "4" }],
      [{ schedule: "zb-v" }, { "bubble-of-total": "5.88 %", formula: "5.88 %", peak: "8", messages: "96" }],
      [{ schedule: "dualpipe" }, { makespan: "26", formula: "7.69 %", peak: "5" }],
      [{ schedule: "dualpipe-v", microBatches: "10" }, { peak: "9" }],
    ]));

  test("stands below any other, and a chunk takes its part of a stage's time", async () => {
    await gantt.setAll({ microBatches: "8", schedule: "interleaved", compare: "1f1b" });
    assert.match(await gantt.caption(), /^Interleaved 1F1B and 1F1B: makespan 28\.5 and 33,/);
    assert.ok((await gantt.figureTexts()).includes("forward takes 0.5 a chunk"));
  });

  test("says its own claim", async () => {
    await gantt.set("schedule", "zb-h2");
    assert.match(await gantt.root.locator(".claim").textContent(), /parallelogram/);
  });

  test("keeps the rules of a framework when they are asked for", async () => {
    await gantt.setAll({ schedule: "interleaved", microBatches: "6" });
    assert.equal((await gantt.error("microBatches")).text, "");
    await gantt.set("rules", "megatron");
    assert.match((await gantt.error("microBatches")).text, /under Megatron-LM's rules/);
  });
});

test("slow stages, a weight gradient's share and memory are the reader's to choose", async () => {
  await gantt.expects([
    [{ microBatches: "8", stageFactors: "1, 1, 2, 1" }, { makespan: "55", formula: "– does not apply" }],
    [{ stageFactors: "", schedule: "zb-h1", weightGradient: "0.5" }, { makespan: "30" }],
    [{ schedule: "zb-2p", weightGradient: "", memoryLimit: "4" }, { peak: "4" }],
  ]);
  await gantt.set("stageFactors", "1, 2");
  assert.match((await gantt.error("stageFactors")).text, /4 numbers above 0/);
});

test("the critical path is outlined", async () => {
  await gantt.setAll({ mark: "critical" });
  assert.equal(await gantt.root.locator(".figure .critical").count(), 1);
});

test("zooms into any part of a schedule, down to its single operations", async () => {
  await gantt.setAll({ stages: "64", microBatches: "512", schedule: "interleaved", chunks: "4" });
  assert.match(await gantt.caption(), /zoom in for them/);
  assert.equal(await gantt.readout("makespan"), "1 583.25");
  await gantt.setAll({ zoom: "512", from: "20" });
  assert.doesNotMatch(await gantt.caption(), /zoom in for them/);
  assert.ok((await gantt.figureTexts()).includes("317.5"));
});

describe("a schedule of one's own", () => {
  test("is read, and what its letters mean is said", async () => {
    await gantt.set("schedule", "own");
    assert.equal(await gantt.readout("makespan"), "13");
    assert.match(await gantt.caption(), /newer letters, as its cells show: B is the whole backward/);
    await gantt.setAll({ csv: "0F0,0B0,0W0", weightGradient: "0.5" });
    assert.match(await gantt.caption(), /older letters/);
    assert.equal(await gantt.readout("makespan"), "3");
  });

  test("that waits for itself is explained by the operations that wait", async () => {
    await gantt.setAll({ schedule: "own", csv: "0F0,0B0,0F1,0B1\n1F1,1F0,1B1,1B0" });
    assert.match((await gantt.error("csv")).text, /a deadlock: device 0 waits in its backward of micro-batch 0/);
  });
});

test("the table names each stage's span, idle time and activations", async () => {
  await gantt.setAll({ microBatches: "2" });
  assert.deepEqual((await gantt.table()).slice(1), [
    ["stage 0", "0", "15", "9", "8", "0", "1", "2"],
    ["stage 1", "1", "13", "9", "6", "0", "3", "2"],
    ["stage 2", "2", "11", "9", "4", "0", "5", "2"],
    ["stage 3", "3", "9", "9", "3", "0", "6", "1"],
  ]);
  assert.match(await gantt.root.locator(".data caption").textContent(), /12 messages between stages/);
});

test("what operations take stands beside the figure", async () => {
  await gantt.setAll({ forward: "1.5", backward: "4", communication: "0.5" });
  const texts = await gantt.figureTexts();
  const expected = ["forward takes 1.5", "backward takes 4", "idle; sending on takes 0.5"];
  for (const text of expected) assert.ok(texts.includes(text), text);
});

test("walks through time, and says what each stage does and holds", async () => {
  await gantt.set("microBatches", "8");
  assert.equal(await gantt.root.locator(".now").count(), 0);
  await gantt.root.getByRole("button", { name: "one step on" }).click();
  await gantt.settled();
  assert.match(await gantt.caption(), /^Up to time 1: stage 0 runs F0, stage 1 waits.* in flight, from stage 0: 1, 0, 0, 0\.$/);
  await gantt.step(5);
  assert.match(await gantt.caption(), /^Up to time 6: stage 0 waits, .* stage 3 runs B0\. Activations in flight, from stage 0: 4, 3, 2, 1\.$/);
  assert.equal(await gantt.root.locator(".now").count(), 2, "through the lanes and through the plot");
  await gantt.step(31);
  assert.match(await gantt.root.locator(".position").textContent(), /time 33/);
  await gantt.set("bubbles", "collected");
  assert.equal(await gantt.root.locator(".now").count(), 0);
  await gantt.set("bubbles", "in-place");
  assert.match(await gantt.root.locator(".position").textContent(), /time 33/, "the moment is still there");
  await gantt.step(0);
  assert.match(await gantt.caption(), /^1F1B: idle 27\.3/);
});

test("draws numbered cells, then runs, then shares, then nothing, and the numbers stay", async () => {
  assert.deepEqual([await numbered("forward"), await numbered("backward")], [16 + 1, 16 + 1], "and the legend's");
  await gantt.setAll({ stages: "16", microBatches: "18" });
  assert.ok((await numbered("backward")) > 250);
  await gantt.setAll({ stages: "8", microBatches: "32" });
  assert.deepEqual([await numbered("forward"), await numbered("backward")], [1, 1], "where few numbers would fit there are none");
  await gantt.setAll({ stages: "16", microBatches: "18", compare: "gpipe" });
  assert.equal(await numbered("backward"), 1, "two schedules are twice as many");
  await gantt.setAll({ compare: "none", microBatches: "64" });
  assert.deepEqual([await numbered("forward"), await numbered("backward")], [1, 1]);
  assert.match(await gantt.caption(), /Beyond 600 operations/);
  const shapes = await gantt.root.locator(".figure svg *").count();
  assert.ok(shapes < 200, `${shapes} elements for 2048 operations`);
  assert.equal(await gantt.readout("makespan"), "237");
  await gantt.set("microBatches", "2000");
  assert.ok((await gantt.root.locator(".figure svg *").count()) < 200);
  assert.equal(await gantt.readout("makespan"), "6 045");
  await gantt.setAll({ stages: "128", microBatches: "200" });
  assert.equal(await gantt.root.locator(".figure svg").count(), 0);
  assert.match(await gantt.caption(), /Drawn up to 64 stages/);
  assert.equal(await gantt.readout("makespan"), "981");
});

for (const width of repeated([320], [390])) {
  test(`at ${width} pixels a Gantt scrolls in its own frame only, and may be reached by Tab`, async () => {
    const narrow = await site.lab({ only: "pipeline", width });
    const one = widget(narrow, "pipeline");
    const frame = one.root.locator(".figure");
    const scrolls = () => frame.evaluate((box) => box.scrollWidth > box.clientWidth);
    const sideways = () => narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await one.set("microBatches", "8");
    assert.equal(await scrolls(), true);
    assert.equal(await frame.getAttribute("tabindex"), "0");
    assert.equal(await sideways(), 0);
    for (const texts of [{ compare: "gpipe", stages: "16", microBatches: "64" }, { stages: "1", microBatches: "1" }]) {
      await one.setAll(texts);
      assert.equal(await scrolls(), false);
      assert.equal(await sideways(), 0);
    }
    assert.deepEqual(narrow.trouble, []);
    await narrow.close();
  });
}

test("bubble fraction by both definitions, over micro-batches and over stages", async () => {
  const bubble = widget(page, "bubble");
  await bubble.expects([
    [
      { stages: "4", microBatches: "1" },
      { "bubble-of-total": "75 %", "bubble-of-ideal": "300 %" },
    ],
    [{ microBatches: "4" }, { "bubble-of-total": "42.9 %", "bubble-of-ideal": "75 %" }],
    [{ microBatches: "8" }, { "bubble-of-total": "27.3 %", "bubble-of-ideal": "37.5 %" }],
    [{ microBatches: "16" }, { "bubble-of-total": "15.8 %" }],
    [{ microBatches: "32" }, { "bubble-of-total": "8.57 %" }],
    [{ stages: "8", microBatches: "8" }, { "bubble-of-total": "46.7 %" }],
    [{ microBatches: "32" }, { "bubble-of-total": "17.9 %" }],
    [{ microBatches: "4" }, { "bubble-of-total": "63.6 %" }],
    [{ stages: "1" }, { "bubble-of-total": "0 %", "bubble-of-ideal": "0 %" }],
  ]);
  await bubble.setAll({ stages: "4", microBatches: "8" });
  const texts = await bubble.figureTexts();
  const shown = ["P 4, M 1", "P 4, M 8", "P 4, M 32", "P 2, M 8", "P 8, M 8", "75 % idle", "27.3 % idle", "46.7 % idle"];
  for (const text of shown) assert.ok(texts.includes(text), text);
});
