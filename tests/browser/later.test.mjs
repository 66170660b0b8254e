/** What a widget loads after its first picture: the tools, a question, other pictures. It may be slow to come, or not come at all. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.mjs";
import { host, started } from "./host.mjs";

let site;

before(async () => {
  site = await open();
});
after(() => site.close());

/** The parts that hold up, by a text in them. */
const parts = { tools: "The citation is copied.", training: "lossesSerial", question: "Not quite." };
const missing = /This part of the page could not be loaded\. Does its server still answer\?/;

/**
 * Opens a page with a widget of which a part does not come.
 * @returns the page, the widget, and `release`, which lets the part come, or fail
 */
async function without(part, id, attributes = "") {
  let release;
  const isFree = new Promise((resolve) => (release = resolve));
  const page = await host(site, `<shardlab-${id} ${attributes}></shardlab-${id}>`);
  await page.route("**/chunks/*.js", async (route) => {
    const response = await route.fetch();
    if (!(await response.text()).includes(parts[part])) await route.fulfill({ response });
    else if ((await isFree) === "come") await route.fulfill({ response });
    else await route.abort();
  });
  await page.evaluate((address) => void import(address), `${site.url}widgets/${id}.js`);
  return { page, widget: page.locator(`shardlab-${id}`), release };
}

/** What is still on its way is let go. */
async function close(page) {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
}

test("what is asked of the tools before they are there, they do when they are", async () => {
  const { page, widget, release } = await without("tools", "all-reduce");
  await widget.locator(".figure svg").waitFor();
  assert.equal(await widget.locator(".toolbar button").count(), 0);
  await widget.locator(".figure").press("?");
  const picture = widget.evaluate((one) => one.toSVG());
  await widget.locator(".figure").press("End");
  await widget.locator(".position", { hasText: "6 of 6" }).waitFor();
  const height = await widget.evaluate((one) => one.offsetHeight);
  release("come");
  await widget.locator(".keys", { hasText: "show or hide this" }).waitFor();
  assert.match(await picture, /^<svg /);
  await widget.locator(".figure").press("?");
  await widget.locator(".keys").waitFor({ state: "detached" });
  assert.equal(await widget.evaluate((one) => one.offsetHeight), height, "their room was there before");
  assert.deepEqual(page.trouble, []);
  await close(page);
});

test("without the tools a widget shows what it shows, and says what is missing to who wants them", async () => {
  const { page, widget, release } = await without("tools", "all-reduce");
  release("fail");
  await started(widget);
  await widget.locator(".figure").press("?");
  assert.match(await widget.locator(".notices").innerText(), missing);
  await widget.locator(".figure").press("End");
  await widget.locator(".position", { hasText: "6 of 6" }).waitFor();
  await close(page);
});

test("a picture that cannot be had is told, and the last one stays", async () => {
  const { page, widget, release } = await without("training", "data-parallel");
  release("fail");
  await started(widget);
  const before = await widget.locator(".figure svg").getAttribute("aria-label");
  await widget.locator("input[name=show][value=training]").check();
  assert.match(await widget.locator(".caption .error").innerText(), missing);
  assert.equal(await widget.locator(".figure svg").getAttribute("aria-label"), before);
  await widget.locator("input[name=show][value=average]").check();
  await widget.locator(".caption .error").waitFor({ state: "detached" });
  await close(page);
});

test("no number is seen before its question is there", async () => {
  const { page, widget, release } = await without("question", "all-reduce", "predict");
  await widget.locator(".widget").waitFor();
  assert.equal(await widget.locator(".tiles, .figure svg").count(), 0);
  release("come");
  await widget.locator(".question .show").waitFor();
  assert.equal(await widget.locator(".masked").count(), await widget.locator(".tiles dd").count());
  await widget.locator(".question .show").click();
  await widget.locator(".tiles dd", { hasText: "1.5×" }).waitFor();
  assert.deepEqual(page.trouble, []);
  await close(page);
});

test("where there is no question to be had, the numbers are shown", async () => {
  const { page, widget, release } = await without("question", "all-reduce", "predict");
  release("fail");
  await widget.locator(".tiles dd", { hasText: "1.5×" }).waitFor();
  await close(page);
});
