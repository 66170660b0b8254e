/** Slides of reveal.js, whose keys are arrows, the space bar and letters. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firstResult, isDark, openNotes } from "./notes.mjs";

let notes;

before(async () => {
  notes = await openNotes("reveal");
});
after(() => notes?.close());

const slide = (page) => page.evaluate(() => Reveal.getIndices().h);

test("the widget is there on its slide, as dark as the slides", async () => {
  const page = await notes.page("#/1");
  const widget = await firstResult(page);
  assert.equal(await isDark(widget), true);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("its controls keep their keys, and all others move the slides", async () => {
  const page = await notes.page("#/1");
  const widget = await firstResult(page);
  await widget.locator("[data-parameter=stages] input[type=range]").focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "End"]) await page.keyboard.press(key);
  assert.notEqual(await widget.evaluate(({ state }) => state.stages), "4");
  assert.equal(await slide(page), 1);
  await widget.locator("[data-parameter=stages] input[type=text]").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("6 bfso");
  assert.equal(await slide(page), 1);
  assert.equal(await page.evaluate(() => Reveal.isPaused() || Reveal.isOverview()), false);
  await widget.getByRole("button", { name: "Reset", exact: true }).press("Enter");
  assert.equal(await widget.evaluate(({ state }) => state.stages), "4");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowRight");
  assert.equal(await slide(page), 2);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await slide(page), 1);
  assert.deepEqual(page.trouble, []);
  await page.close();
});
