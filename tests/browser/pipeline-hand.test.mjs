/** Taking hold of a pipeline: the part of the time that is shown, and the ends of operations. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";
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
    const [left, right] = await ends(gantt, "rect.bubble");
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
    const [left, right] = await ends(gantt, "rect.bubble");
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

  test("lengthens by a sample where the words of another language leave it", async () => {
    const speak = (strings) =>
      page.locator("shardlab-pipeline").evaluate((element, texts) => {
        element.strings = texts;
        return element.updateComplete;
      }, strings);
    const before = await endOfSample("B0");
    await drag(before);
    await page.mouse.up();
    await speak({ "forward takes {0}": "the forward of any of the stages takes {0}" });
    const from = await endOfSample("B0");
    assert.notEqual(from.x, before.x);
    await drag(from, 4, 21);
    await page.mouse.up();
    assert.deepEqual(await texts(), ["1", "2.5", ""]);
    await speak({});
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
