import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { collisions, open, restart, widget } from "./browser.mjs";
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

/** The left and right ends of the first shape that a selector finds. */
function ends(selector) {
  return gantt.root
    .locator(`.figure ${selector}`)
    .first()
    .evaluate((one) => [one.getBBox().x, one.getBBox().x + one.getBBox().width]);
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
    const lane = await ends("rect.bubble");
    for (const [schedule, microBatches, share] of [
      ["1f1b", "4", 3 / 7],
      ["gpipe", "8", 3 / 11],
      ["1f1b", "16", 3 / 19],
      ["1f1b", "32", 3 / 35],
      ["gpipe", "64", 3 / 67],
    ]) {
      await gantt.setAll({ schedule, microBatches, bubbles: "collected" });
      const [start, end] = await ends("rect.collected");
      const [left, right] = await ends("rect.bubble");
      assert.ok(Math.abs(end - right) < 0.01, "it ends with the lanes");
      assert.ok(Math.abs((end - start) / (right - left) - share) < 1e-3, `${schedule}, ${microBatches} micro-batches`);
      const written = await gantt.root.locator(".figure text.middle").textContent();
      assert.equal(written.replace(/\s/, " "), await gantt.readout("bubble-of-total"));
    }
    assert.equal(await gantt.root.locator(".transport").count(), 0, "there are no moments to walk to");
    await gantt.setAll({ stages: "1" });
    assert.equal(await gantt.root.locator(".figure rect.collected").count(), 0);
    await gantt.setAll({ stages: "4", microBatches: "4", schedule: "1f1b", bubbles: "in-place" });
    assert.deepEqual(await ends("rect.bubble"), lane);
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

describe("activations in bytes", () => {
  const column = () =>
    gantt.root
      .locator(".figure text.name.end")
      .evaluateAll((all) => all.map((one) => one.textContent.trim()));

  test("stand in the figure, the readouts, the sentence, the table and the formulas", async () => {
    await gantt.setAll({ microBatches: "8", activationBytes: "1.5GiB" });
    assert.equal(await gantt.readout("peak"), "6 GiB");
    assert.match(await gantt.caption(), /Most activations held, from stage 0: 6, 4\.5, 3, 1\.5\sGiB\.$/);
    assert.deepEqual(await column(), ["6", "4.5", "3", "1.5"]);
    const texts = (await gantt.figureTexts()).map((text) => text.replace(/\s/g, " "));
    assert.ok(texts.includes("most held, GiB"));
    assert.ok(texts.includes("activations held, stage 0 outermost: at most 6 GiB; stage 3 innermost: 1.5 GiB"), texts.join("\n"));
    const [head, first] = await gantt.table();
    assert.deepEqual(head.slice(7), ["most in flight", "most held", "in bytes"]);
    assert.deepEqual(first.slice(7), ["4", "6 GiB", "6 442 450 944"]);
    assert.ok((await gantt.reasons()).some((reason) => reason.endsWith("4 · 1 610 612 736 = 6 442 450 944 B")));
    await gantt.step(5);
    assert.match(await gantt.caption(), /Activations held, from stage 0: 6, 4\.5, 3, 1\.5\sGiB\.$/);
  });

  test("are in the units that were typed, in GiB where there were none, and in chunks where there is nothing", () =>
    gantt.expects([
      [{ activationBytes: "300MB" }, { peak: "1.2 GB" }],
      [{ activationBytes: "300MiB" }, { peak: "1.17 GiB" }],
      [{ activationBytes: "1073741824" }, { peak: "4 GiB" }],
      [{ activationBytes: "0" }, { peak: "4" }],
      [{ activationBytes: "" }, { peak: "4" }],
    ]));

  test("of a schedule below are those of the same stages, cut into its own chunks", async () => {
    await gantt.setAll({ microBatches: "8", schedule: "interleaved", compare: "1f1b", activationBytes: "1GiB" });
    assert.deepEqual(await column(), ["11", "9", "7", "5", "8", "6", "4", "2"]);
    assert.match(await gantt.caption(), /held on stage 0 at most 11\sGiB and 8\sGiB\.$/);
    const heights = await gantt.root
      .locator(".figure .held path:first-child")
      .evaluateAll((paths) => paths.map((path) => path.getBBox().height));
    assert.ok(Math.abs(heights[0] / heights[1] - 11 / 8) < 1e-3, "and their plots have one scale");
  });

  test("are in the link", async () => {
    await gantt.set("activationBytes", "1.5GiB");
    const link = await gantt.root.evaluate((element) => element.permalink());
    assert.ok(link.includes("pipeline.activation-bytes=1.5GiB"), link);
  });

  test("run into no other text, in any room", async () => {
    const narrow = await site.lab({ width: 390, only: "pipeline" });
    for (const one of [gantt, widget(narrow, "pipeline")]) {
      for (const state of [
        { activationBytes: "1.2345GiB" },
        { activationBytes: "255MiB" },
        { activationBytes: "1023MiB", schedule: "gpipe", microBatches: "1", step: "1" },
        { activationBytes: "12.34MB", schedule: "gpipe", stages: "16", microBatches: "64", compare: "1f1b" },
      ]) {
        await one.root.evaluate(async (element, texts) => {
          element.state = texts;
          await element.updateComplete;
        }, state);
        assert.deepEqual(await one.root.locator(".figure svg").evaluate(collisions), [], JSON.stringify(state));
      }
    }
    await narrow.close();
  });
});

describe("a gradient sync", () => {
  const synced = () =>
    gantt.root
      .locator(".figure g.sync > path")
      .evaluateAll((paths) => paths.map((path) => path.getBBox()).map(({ x, width }) => [x, x + width]));

  test("is drawn after each stage's last operation, and takes its time", async () => {
    assert.deepEqual(await synced(), []);
    assert.ok(!(await gantt.figureTexts()).includes("S"));
    await gantt.set("gradientSync", "3");
    assert.equal(await gantt.readout("makespan"), "24");
    assert.equal(await gantt.readout("formula"), await gantt.readout("bubble-of-total"));
    const [left, right] = await ends("rect.bubble");
    const unit = (right - left) / 24;
    const lastEnds = [21, 19, 17, 15];
    for (const [stage, [from, to]] of (await synced()).entries()) {
      assert.ok(Math.abs(from - left - lastEnds[stage] * unit) < 0.1, `stage ${stage} begins`);
      assert.ok(Math.abs(to - from - 3 * unit) < 2, `stage ${stage} takes 3`);
    }
    assert.equal((await synced()).length, 4);
    assert.ok((await gantt.figureTexts()).includes("gradient sync takes 3"));
  });

  test("is walked through, collected, zoomed into and compared as operations are", async () => {
    await gantt.set("gradientSync", "3");
    const count = Number((await gantt.root.locator(".position").textContent()).match(/of (\d+)/)[1]);
    await gantt.step(count);
    assert.match(await gantt.caption(), /^Up to time 24: stage 0 runs its gradient sync, stage 1 waits/);
    await gantt.step(0);
    await gantt.set("bubbles", "collected");
    const [block] = await ends("rect.collected");
    for (const [, to] of await synced()) assert.ok(to <= block && to > block - 3, "idle time follows the sync");
    await gantt.setAll({ bubbles: "in-place", compare: "gpipe" });
    assert.equal((await synced()).length, 8);
    await gantt.setAll({ zoom: "2", from: "0" });
    assert.equal((await synced()).length, 0, "it is outside of the window");
    await gantt.setAll({ from: "50" });
    assert.equal((await synced()).length, 8);
  });

  test("stands in the formulas", async () => {
    await gantt.setAll({ microBatches: "8", gradientSync: "3" });
    const reasons = await gantt.reasons();
    for (const formula of [
      "(M + P − 1) (F + B) + S = 36",
      "1 − (work + S) / makespan = 1 − 27 / 36 = 25 %",
      "(makespan − S) / work − 1 = 33 / 24 − 1 = 37.5 %",
    ]) {
      assert.ok(reasons.includes(formula), `${formula} in ${reasons.join("\n")}`);
    }
  });
});

describe("the lower bound", () => {
  const name = async () => (await gantt.figureTexts()).filter((text) => text.startsWith("lower bound"));

  test("has a line with its name where a schedule could end earlier, and none elsewhere", async () => {
    assert.deepEqual(await name(), [], "1F1B with whole backwards is as short as can be");
    await gantt.setAll({ schedule: "zb-h1", weightGradient: "0.5" });
    assert.deepEqual(await name(), [`lower bound ${await gantt.readout("lower-bound")}`]);
    const lane = await ends("rect.bubble");
    const [line] = await ends("path.bound");
    const share = Number(await gantt.readout("lower-bound")) / Number(await gantt.readout("makespan"));
    assert.ok(Math.abs((line - lane[0]) / (lane[1] - lane[0]) - share) < 1e-3);
    await gantt.setAll({ zoom: "2", from: "50" });
    assert.deepEqual(await name(), [`lower bound ${await gantt.readout("lower-bound")}`], "of all, not from the left of the window");
    await gantt.setAll({ from: "0" });
    assert.deepEqual(await name(), [], "outside of the window");
  });

  test("is on no other text, in any room", async () => {
    const narrow = await site.lab({ width: 390, only: "pipeline" });
    for (const one of [gantt, widget(narrow, "pipeline")]) {
      for (const state of [
        { schedule: "zb-h1", weightGradient: "0.5" },
        { schedule: "zb-2p", microBatches: "8", weightGradient: "0.5", compare: "interleaved", communication: "1" },
        { schedule: "gpipe", stages: "8", microBatches: "1", communication: "10" },
        { schedule: "interleaved", microBatches: "16", communication: "0.5", compare: "dualpipe-v" },
        { schedule: "1f1b", stageFactors: "1,1,9,1", zoom: "2", from: "50" },
        { schedule: "1f1b", stages: "16", microBatches: "2", communication: "3", step: "20" },
      ]) {
        await one.root.evaluate(async (element, texts) => {
          element.state = texts;
          await element.updateComplete;
        }, state);
        assert.deepEqual(await one.root.locator(".figure svg").evaluate(collisions), [], JSON.stringify(state));
      }
    }
    await narrow.close();
  });
});

describe("the part of the time that is shown", () => {
  const zoom = async () => {
    await gantt.settled();
    const { zoom, from } = await gantt.state();
    return [zoom, from];
  };
  const shown = () => gantt.root.locator(".magnifier [role=status]").textContent();

  test("is chosen by buttons, around its middle, and undone a press at a time", async () => {
    assert.equal(await shown(), "all of the time");
    for (const [name, expected] of [
      ["zoom in", ["2", "25"]],
      ["zoom in", ["4", "37.5"]],
      ["move the window on", ["4", "43.75"]],
      ["move the window back", ["4", "37.5"]],
      ["zoom out", ["2", "25"]],
      ["whole picture", ["1", "0"]],
      ["zoom in", ["2", "25"]],
    ]) {
      await gantt.press(name);
      assert.deepEqual(await zoom(), expected, name);
    }
    assert.equal(await shown(), "time 5.25 to 15.75, 2 times");
    assert.equal(await gantt.control("zoom").locator("select").inputValue(), "2", "the controls say the same");
    assert.equal(await gantt.control("from").locator("input[type=text]").inputValue(), "25");
    await gantt.press("Undo");
    assert.deepEqual(await zoom(), ["1", "0"]);
  });

  test("is never beyond what there is, and a button that leads nowhere says so", async () => {
    const disabled = () =>
      gantt.root
        .locator(".magnifier button[aria-disabled=true]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.deepEqual(await disabled(), ["zoom out", "whole picture", "move the window back", "move the window on"]);
    await gantt.setAll({ zoom: "1024", from: "100" });
    assert.deepEqual(await disabled(), ["zoom in", "move the window on"]);
    await gantt.root.getByRole("button", { name: "zoom in" }).click({ force: true });
    assert.deepEqual(await zoom(), ["1024", "100"]);
    await gantt.setAll({ zoom: "2", from: "49" });
    await gantt.press("move the window on");
    assert.deepEqual(await zoom(), ["2", "50"]);
    await gantt.set("bubbles", "collected");
    assert.equal(await gantt.root.locator(".magnifier").count(), 0, "of collected idle time all is shown");
  });

  test("follows the keys of a figure that has the focus, and movements are undone at once", async () => {
    await gantt.root.locator(".figure").focus();
    for (const [key, expected] of [
      ["ArrowRight", ["1", "0"]],
      ["+", ["2", "25"]],
      ["=", ["4", "37.5"]],
      ["ArrowRight", ["4", "43.75"]],
      ["ArrowRight", ["4", "50"]],
      ["ArrowLeft", ["4", "43.75"]],
      ["Control+z", ["4", "37.5"]],
      ["-", ["2", "25"]],
      ["0", ["1", "0"]],
    ]) {
      await page.keyboard.press(key);
      assert.deepEqual(await zoom(), expected, key);
    }
    await page.keyboard.press("?");
    await gantt.settled();
    assert.match(await gantt.root.locator(".keys").textContent(), /on the figure: zoom in, zoom out/);
    await page.keyboard.press("?");
  });

  test("is not touched by keys that a control or the page has the focus for", async () => {
    await gantt.set("zoom", "4");
    for (const place of ["[data-parameter=schedule] select", ".magnifier button", "[name=step]", "[data-parameter=stages] [type=range]"]) {
      await gantt.root.locator(place).first().focus();
      for (const key of ["+", "-", "0"]) await page.keyboard.press(key);
      assert.deepEqual(await zoom(), ["4", "0"], place);
    }
  });

  test("is moved by an arrow only where the figure cannot be scrolled any further", async () => {
    const narrow = await site.lab({ width: 390, only: "pipeline" });
    const one = widget(narrow, "pipeline");
    await one.setAll({ microBatches: "16", zoom: "2" });
    const frame = one.root.locator(".figure");
    const from = async () => {
      await narrow.keyboard.press("ArrowRight");
      await one.settled();
      return (await one.state()).from;
    };
    await frame.focus();
    assert.equal(await from(), "0");
    await frame.evaluate((box) => box.scrollTo({ left: box.scrollWidth, behavior: "instant" }));
    assert.equal(await from(), "12.5");
    await narrow.close();
  });

  test("is chosen by buttons that a finger can hit", async () => {
    const sizes = await gantt.root
      .locator(".magnifier button")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)));
    assert.equal(sizes.length, 5);
    assert.ok(Math.min(...sizes) >= 32, sizes.join(", "));
  });
});

describe("a hand on an operation", () => {
  const inSight = (one = gantt) => one.root.locator(".figure").scrollIntoViewIfNeeded();

  /** The middle of the right end of a sample, by what stands on it. */
  async function endOfSample(sign, one = gantt) {
    await inSight(one);
    return one.root
      .locator(".figure g > rect.piece:first-child")
      .evaluateAll((samples, wanted) => {
        const { right, top, height } = samples
          .find((one) => one.parentElement.querySelector("text")?.textContent.trim() === wanted)
          .getBoundingClientRect();
        return { x: right, y: top + height / 2 };
      }, sign);
  }

  /** Where the first operation of stage 0 ends. */
  async function firstEnd() {
    await inSight();
    const [left, top] = await gantt.root
      .locator(".figure rect.bubble")
      .first()
      .evaluate((lane) => [lane.getBoundingClientRect().left, lane.getBoundingClientRect().top]);
    return { x: left + (await unit()), y: top + 12 };
  }

  /** Pixels of a unit of time. */
  async function unit() {
    const [left, right] = await ends("rect.bubble");
    return (right - left) / Number(await gantt.readout("makespan"));
  }

  async function drag({ x, y }, ...ways) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (const way of ways) await page.mouse.move(x + way, y);
  }

  async function texts() {
    await gantt.settled();
    const { forward, backward, weightGradient } = await gantt.state();
    return [forward, backward, weightGradient];
  }

  test("lengthens it as far as it moves, in quarters, and the picture follows before it lets go", async () => {
    const [from, pixels] = [await firstEnd(), await unit()];
    await drag(from, 5, pixels * 1.05);
    await page.waitForFunction(() => document.querySelector("shardlab-pipeline").state.forward === "2");
    assert.deepEqual(await texts(), ["2", "2", ""]);
    assert.equal(await gantt.readout("makespan"), "28");
    assert.ok(Math.abs((await unit()) - pixels) < 0.01, "the scale stays while it is held");
    await page.mouse.move(from.x - pixels * 0.45, from.y);
    await page.waitForFunction(() => document.querySelector("shardlab-pipeline").state.forward === "0.5");
    await gantt.settled();
    assert.ok(Math.abs((await unit()) - pixels) < 0.01, "where it gets shorter, too");
    await page.mouse.up();
    assert.deepEqual(await texts(), ["0.5", "2", ""]);
    const [left, right] = await ends("rect.bubble");
    const room = await gantt.root.locator(".figure svg").evaluate((one) => one.viewBox.baseVal.width);
    assert.ok(right - left > room - 120, "let go of, it fills its room again");
    assert.equal(await gantt.control("forward").locator("input[type=text]").inputValue(), "0.5", "the field says the same");
  });

  test("is one step of undo, however far it went", async () => {
    await drag(await firstEnd(), 10, 30, 60, 90);
    await page.mouse.up();
    const [dragged] = await texts();
    assert.ok(Number(dragged) > 2, dragged);
    await gantt.press("Undo");
    assert.deepEqual(await texts(), ["1", "2", ""]);
    await gantt.press("Redo");
    assert.deepEqual(await texts(), [dragged, "2", ""]);
  });

  test("changes what is shown once a frame", async () => {
    await drag(await firstEnd(), 10);
    await page.evaluate(() => {
      globalThis.changes = 0;
      addEventListener("shardlab-change", () => (globalThis.changes += 1));
    });
    const changes = await gantt.root.evaluate(async (element) => {
      const figure = element.shadowRoot.querySelector(".figure");
      const move = (clientX) => figure.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY: 300 }));
      for (let x = 300; x < 700; x += 1) move(x);
      await new Promise(requestAnimationFrame);
      return globalThis.changes;
    });
    assert.equal(changes, 1, "of 400 movements");
    await page.mouse.up();
  });

  test("takes hold of no place but an end, and a click changes nothing", async () => {
    const { x, y } = await firstEnd();
    const figure = gantt.root.locator(".figure");
    await page.evaluate(() => {
      globalThis.changes = 0;
      addEventListener("shardlab-change", () => (globalThis.changes += 1));
    });
    await page.mouse.move(x, y);
    assert.equal(await figure.getAttribute("data-grip"), "");
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(x - (await unit()) / 2, y);
    assert.equal(await figure.getAttribute("data-grip"), null);
    await drag({ x: x - (await unit()) / 2, y }, 80);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["1", "2", ""]);
    assert.equal(await page.evaluate(() => globalThis.changes), 0);
  });

  test("lengthens by a sample below the figure too, a step every ten pixels", async () => {
    await drag(await endOfSample("B0"), 4, 21);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["1", "2.5", ""]);
    await gantt.setAll({ schedule: "zb-h1", backward: "2" });
    await drag(await endOfSample("W0"), -10);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["1", "1.75", "0.75"], "the input gradient takes as long as before");
    await drag(await endOfSample("I0"), 10);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["1", "2", "0.75"], "and then the weight gradient");
  });

  test("may be a finger, which scrolls the page from anywhere else", async () => {
    const phone = await site.lab({ width: 390, hasTouch: true, only: "pipeline" });
    const one = widget(phone, "pipeline");
    await phone.evaluate(() => {
      globalThis.kept = [];
      addEventListener("touchstart", ({ defaultPrevented }) => globalThis.kept.push(defaultPrevented));
    });
    const input = await phone.context().newCDPSession(phone);
    const touch = (type, ...touchPoints) => input.send("Input.dispatchTouchEvent", { type, touchPoints });
    const { x, y } = await endOfSample("B0", one);
    await touch("touchStart", { x, y });
    await touch("touchMove", { x: x + 21, y: y + 9 });
    await touch("touchEnd");
    await phone.waitForFunction(() => document.querySelector("shardlab-pipeline").state.backward === "2.5");
    const lane = await one.root.locator(".figure rect.bubble").first().boundingBox();
    await touch("touchStart", { x: lane.x + 9, y: lane.y + 10 });
    await touch("touchEnd");
    assert.deepEqual(await phone.evaluate(() => globalThis.kept), [true, false], "cells are too narrow for a finger");
    assert.deepEqual(phone.trouble, []);
    await phone.close();
  });

  test("counts for the whole stage: a chunk's end moves by its part, and a slow stage's by its factor", async () => {
    await gantt.setAll({ schedule: "interleaved", microBatches: "4", stageFactors: "2, 1, 1, 1" });
    const pixels = await unit();
    const { x, y } = await firstEnd();
    await drag({ x, y }, pixels * 0.5);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["1.5", "2", ""], "2 times 1/2 of it, and half a unit more");
  });

  test("is never nothing, and steps are sensible for what is long or short", async () => {
    await drag(await firstEnd(), -400);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["0.25", "2", ""]);
    await gantt.setAll({ forward: "30", backward: "60" });
    await drag(await endOfSample("0"), 20);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["35", "60", ""]);
    await gantt.setAll({ forward: "0.5", backward: "1" });
    await drag(await endOfSample("0"), 10);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["0.6", "1", ""]);
  });
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
