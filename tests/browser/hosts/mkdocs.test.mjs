/** MkDocs with Material: its own light and dark, and pages that are exchanged without being loaded. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firstResult, followsSwitch, openNotes } from "./notes.mjs";

let notes;

before(async () => {
  notes = await openNotes("mkdocs", { make: (out) => ["mkdocs", "build", "--quiet", "--strict", "--site-dir", out] });
});
after(() => notes?.close());

test("the widget is there, in the notes' light and dark", async () => {
  const page = await notes.page();
  const widget = await firstResult(page);
  assert.equal(await page.locator("p:has(shardlab-pipeline)").count(), 0);
  assert.equal(await page.getByText("What follows is Markdown again.").locator("em").count(), 1);
  await followsSwitch(widget, () => page.locator("label[for^=__palette]:visible").click());
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("it comes again on a page that is left and found again without being loaded", async () => {
  const page = await notes.page();
  await firstResult(page);
  await page.evaluate(() => (window.stays = true));
  for (let times = 0; times < 2; times += 1) {
    await page.getByRole("link", { name: "Another chapter" }).last().click();
    await page.getByText("It has no widget").waitFor();
    assert.equal(await page.locator("shardlab-pipeline").count(), 0);
    await page.getByRole("link", { name: "back", exact: true }).click();
    await firstResult(page);
  }
  assert.equal(await page.evaluate(() => window.stays), true);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("what is typed into the widget is no command to the notes", async () => {
  const page = await notes.page();
  const widget = await firstResult(page);
  await widget.locator("[data-parameter=stages] input[type=text]").focus();
  await page.keyboard.press("Control+A");
  for (const key of ["n", "p", "s", "f", "/"]) await page.keyboard.press(key);
  assert.equal(await widget.evaluate(({ state }) => state.stages), "npsf/");
  assert.equal(new URL(page.url()).pathname, "/");
  await page.close();
});
