/** What is drawn beside the operations of a pipeline: activations in bytes, a gradient sync, the lower bound. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { collisions, open, restart, widget } from "./browser.mjs";
import { ends } from "./gantt.mjs";

let site;
let page;
let gantt;

before(async () => {
  site = await open();
  page = await site.lab({ only: "pipeline" });
  gantt = widget(page, "pipeline");
});

after(() => site?.close());

beforeEach(() => restart(page));

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
    const [left, right] = await ends(gantt, "rect.bubble");
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
    const [block] = await ends(gantt, "rect.collected");
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
    const lane = await ends(gantt, "rect.bubble");
    const [line] = await ends(gantt, "path.bound");
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
