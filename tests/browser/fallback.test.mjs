/** What an author puts into a widget's element: it is what a reader has before there is a result, and where there is none. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { open } from "./browser.mjs";
import { host, started } from "./host.mjs";
import { source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { frameHeight, rooms } = await source("room.ts");
const { routines } = await source("routines/index.ts");

const claim = "More micro-batches shrink the bubble.";
const figure = `<figure><img src="static/pipeline.svg" alt="${claim}"><figcaption>${claim} <a href="embed/pipeline.html">Open it</a></figcaption></figure>`;
const element = `<shardlab-pipeline>${figure}</shardlab-pipeline>`;
const script = '<script type="module" src="widgets/pipeline.js"></script>';
const style = '<link rel="stylesheet" href="widgets/fallback.css">';

let site;
before(async () => {
  site = await open();
});
after(() => site?.close());

const isSeen = (page, selector) =>
  page.locator(selector).evaluate((one) => one.checkVisibility() && one.getBoundingClientRect().height > 0);

test("without JavaScript it is what there is", async () => {
  const page = await host(site, element + script, { javaScriptEnabled: false });
  assert.ok(await page.locator("shardlab-pipeline img").isVisible());
  assert.ok(await page.getByRole("link", { name: "Open it" }).isVisible());
  assert.equal(await page.getByRole("img", { name: claim }).count(), 1);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("until the first result it is in the place of the figure, then it is gone for eyes and ears", async () => {
  const page = await host(site, element, { head: style });
  let deliver;
  const delivered = new Promise((resolve) => {
    deliver = resolve;
  });
  await page.route("**/*.wasm", async (route) => {
    await delivered;
    await route.continue();
  });
  await page.addScriptTag({ type: "module", url: "widgets/pipeline.js" });
  const widget = page.locator("shardlab-pipeline");
  await widget.locator(".figure slot").waitFor({ state: "attached" });
  assert.ok(await isSeen(page, "shardlab-pipeline img"));
  const margin = await page.locator("shardlab-pipeline > figure").evaluate((one) => getComputedStyle(one).margin);
  assert.equal(margin, "0px");
  deliver();
  await started(widget);
  assert.equal(await isSeen(page, "shardlab-pipeline img"), false);
  assert.equal(await page.getByRole("link", { name: "Open it" }).count(), 0);
  assert.equal(await widget.locator(".figure > svg").count(), 1);
  await page.close();
});

test("where a policy blocks WebAssembly the still picture stays, and why is said with a code", async () => {
  const page = await host(site, element, { policy: "script-src 'self'" });
  const widget = page.locator("shardlab-pipeline");
  await widget.evaluate((one) => {
    window.codes = [];
    one.addEventListener("shardlab-error", ({ detail }) => window.codes.push(detail.code));
  });
  await page.addScriptTag({ type: "module", url: "widgets/pipeline.js" });
  await started(widget);
  assert.deepEqual(await page.evaluate(() => window.codes), ["SHARDLAB-CSP"]);
  assert.ok(await isSeen(page, "shardlab-pipeline img"));
  const caption = widget.locator(".caption");
  assert.match(await caption.textContent(), /security policy blocks WebAssembly.*iframe form.*SHARDLAB-CSP/s);
  assert.equal(await caption.getAttribute("role"), "alert");
  assert.equal(await widget.locator(".figure > svg, .side").count(), 0, "and nothing is there to be set");
  assert.deepEqual(page.trouble.filter((one) => !/Content Security Policy|WebAssembly/.test(one)), []);
  await page.close();
});

test("the style sheet keeps room for what is not there yet, and no picture is wider than that", async () => {
  for (const width of [1200, 320]) {
    const page = await host(site, "<shardlab-zero></shardlab-zero>" + element, { head: style, width });
    await page.locator("img").evaluate((image) => image.decode());
    const [empty, filled, image] = await page.evaluate(() =>
      ["shardlab-zero", "shardlab-pipeline", "img"].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ width: w, height }) => [w, height]),
    );
    const kept = (id) => (width === 1200 ? rooms[id].column : rooms[id].phone);
    assert.equal(empty[1], kept("zero"));
    assert.ok(filled[1] >= kept("pipeline"));
    assert.ok(image[0] <= filled[0], `an image of ${image[0]} in ${filled[0]} pixels`);
    assert.ok(Math.abs(image[0] / image[1] - 792 / 424) < 0.01, "its form is kept");
    assert.deepEqual(page.trouble, []);
    await page.close();
  }
});

describe("the room that is kept for a widget", () => {
  test("is kept for every one", () => {
    assert.deepEqual(Object.keys(rooms).sort(), routines.map(({ id }) => id).sort());
  });

  for (const { id } of routines) {
    test(`is what ${id} needs, in a column and in frames`, async () => {
      const page = await host(site, `<shardlab-${id} style="display:block;min-height:${rooms[id].column}px"></shardlab-${id}><script type="module" src="widgets/${id}.js"></script>`, { head: "<style>body { margin: 0 }</style>" });
      const widget = page.locator(`shardlab-${id}`);
      await started(widget);
      const height = async (window, column = window) => {
        await page.setViewportSize({ width: window, height: 900 });
        // The picture follows the width a frame later.
        return widget.evaluate(async (one, width) => {
          one.style.maxWidth = `${width}px`;
          for (let frame = 0; frame < 4; frame += 1) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
            await one.updateComplete;
          }
          return one.getBoundingClientRect().height;
        }, column);
      };
      const within = (found, kept, where) => assert.ok(Math.abs(found - kept) <= 0.1 * kept, `${id} is ${found} pixels high ${where}, and ${kept} are kept`);
      within(await height(1200, 720), rooms[id].column, "in a column");
      for (const width of repeated([390, 720, 1200], [480, 600, 1000])) within(await height(width), frameHeight(id, width), `at ${width}`);
      assert.deepEqual(page.trouble, []);
      await page.close();
    });
  }

  test("is given back when the widget is there, and is lower", async () => {
    const page = await host(site, '<shardlab-bubble hide="controls readouts toolbar" style="display:block;min-height:3000px"></shardlab-bubble>');
    const widget = page.locator("shardlab-bubble");
    assert.equal(await widget.evaluate((one) => one.getBoundingClientRect().height), 3000);
    await page.addScriptTag({ type: "module", url: "widgets/bubble.js" });
    await started(widget);
    assert.ok(await widget.evaluate((one) => one.getBoundingClientRect().height < 1000));
    await page.close();
  });
});
