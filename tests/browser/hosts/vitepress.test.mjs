/** VitePress: made on a server by Vue, taken over by Vue in the browser. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firstResult, followsSwitch, openNotes } from "./notes.mjs";

let notes;

before(async () => {
  notes = await openNotes("vitepress", { make: (out) => ["vitepress", "build", ".", "--outDir", out] });
});
after(() => notes?.close());

test("the widget is there, in the notes' light and dark", async () => {
  const page = await notes.page();
  const widget = await firstResult(page);
  assert.equal(await page.locator("p:has(shardlab-pipeline)").count(), 0);
  await followsSwitch(widget, () => page.locator(".VPSwitchAppearance:visible").click());
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("it comes again on a page that is left and found again without being loaded", async () => {
  const page = await notes.page();
  await firstResult(page);
  await page.evaluate(() => (window.stays = true));
  await page.locator("main").getByRole("link", { name: "Another chapter" }).click();
  await page.getByText("It has no widget").waitFor();
  await page.locator("main").getByRole("link", { name: "back", exact: true }).click();
  await firstResult(page);
  assert.equal(await page.evaluate(() => window.stays), true);
  assert.deepEqual(page.trouble, []);
  await page.close();
});
