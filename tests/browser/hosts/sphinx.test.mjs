/** Sphinx. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firstResult, isDark, openNotes } from "./notes.mjs";

let notes;

before(async () => {
  notes = await openNotes("sphinx", { make: (out) => ["sphinx-build", "-q", "-W", "-b", "html", ".", out] });
});
after(() => notes?.close());

test("the widget is there, and light on a theme that has no dark", async () => {
  const page = await notes.page();
  await page.emulateMedia({ colorScheme: "dark" });
  const widget = await firstResult(page);
  assert.equal(await isDark(widget), false);
  assert.equal(await page.getByText("What follows is reStructuredText again.").locator("em").count(), 1);
  const { width } = await widget.boundingBox();
  assert.ok(width <= (await page.getByRole("main").boundingBox()).width);
  assert.deepEqual(page.trouble, []);
  await page.close();
});
