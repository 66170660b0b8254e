/** Docusaurus: made on a server by React, taken over by React in the browser. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { source } from "../sources.mjs";
import { firstResult, followsSwitch, openNotes } from "./notes.mjs";

const { rooms } = await source("room.ts");

let notes;

before(async () => {
  notes = await openNotes("docusaurus", { make: (out) => ["docusaurus", "build", "--out-dir", out] });
});
after(() => notes?.close());

test("the widget is there, in the notes' light and dark", async () => {
  const page = await notes.page();
  const widget = await firstResult(page);
  assert.equal(await page.locator("p:has(shardlab-pipeline)").count(), 0);
  assert.equal(await widget.evaluate((one) => one.style.minHeight), `${rooms.pipeline.column}px`);
  await followsSwitch(widget, () => page.getByRole("button", { name: /Switch between dark and light/ }).click());
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("it comes again on a page that is left and found again without being loaded", async () => {
  const page = await notes.page();
  await firstResult(page);
  await page.evaluate(() => (window.stays = true));
  await page.locator("article").getByRole("link", { name: "Another chapter" }).click();
  await page.getByText("It has no widget").waitFor();
  await page.locator("article").getByRole("link", { name: "back", exact: true }).click();
  await firstResult(page);
  assert.equal(await page.evaluate(() => window.stays), true);
  assert.deepEqual(page.trouble, []);
  await page.close();
});
