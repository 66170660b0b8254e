/** The gallery: every widget with tables of what it has, of which only those run that are near. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { violations } from "./accessibility.mjs";
import { open, siteDirectory, tags, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

const { modules } = JSON.parse(readFileSync(path.join(siteDirectory(), "custom-elements.json"), "utf8"));
const elements = modules.flatMap(({ declarations }) => declarations);

let site;

before(async () => {
  site = await open();
});
after(() => site?.close());

async function gallery(options = {}, fragment = "") {
  const page = await site.page(options);
  await page.goto(`${site.url}gallery.html${fragment}`);
  await page.waitForFunction(() => document.querySelector("[data-widget]").results !== undefined);
  return page;
}

const running = (page) => page.evaluate(() => [...document.querySelectorAll("[data-widget]")].filter(({ results }) => results !== undefined).map(({ localName }) => localName));

test("it has every widget, and tables of what the manifest says", async () => {
  const page = await gallery();
  assert.deepEqual(await tags(page), elements.map(({ tagName }) => tagName));
  for (const { tagName, attributes } of elements) {
    const own = attributes.filter((one) => one.default !== undefined).map(({ name }) => name);
    const table = page.locator(`.chapter:has(> ${tagName}) > details`);
    assert.deepEqual(await table.locator("tbody th").allTextContents(), own, tagName);
  }
  const [{ events, cssParts, cssProperties, cssStates, slots }] = elements;
  for (const [title, described] of Object.entries({ Events: events, Parts: cssParts, Variables: cssProperties, States: cssStates, Slots: slots })) {
    const names = await page.getByRole("region", { name: title, exact: true }).locator("tbody th").allTextContents();
    assert.deepEqual(names, described.map(({ name }) => name || "none"), title);
  }
  const theme = page.getByRole("region", { name: "Attributes", exact: true }).locator("tr", { hasText: "theme" });
  assert.match(await theme.textContent(), /auto light dark/);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("its links lead somewhere, from the lab's page and back", async () => {
  const page = await gallery();
  const links = await page.evaluate(() => [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")));
  for (const link of links.filter((href) => !href.startsWith("#"))) assert.ok(existsSync(path.join(siteDirectory(), link)), link);
  for (const link of links.filter((href) => href.startsWith("#"))) assert.equal(await page.locator(link).count(), 1, link);
  for (const { tagName } of elements) {
    const id = tagName.replace("shardlab-", "");
    for (const form of ["embed", "offline"]) assert.ok(links.includes(`${form}/${id}.html`), `${form} ${id}`);
  }
  const lab = await site.page();
  await lab.goto(site.url);
  await lab.getByRole("link", { name: "Gallery" }).click();
  await lab.waitForURL(`${site.url}gallery.html`);
  await lab.close();
  await page.close();
});

test("a preset is shown when its button is pressed", async (t) => {
  const page = await gallery();
  const all = await page.locator(".presets").evaluateAll((lists) => lists.map((list) => list.parentElement.querySelector("[data-widget]").localName));
  if (all.length === 0) t.skip("no widget has presets");
  for (const tag of all) {
    const buttons = page.locator(`.chapter:has(> ${tag}) [data-preset]`);
    await buttons.last().click();
    const { texts, now } = await page.locator(tag).evaluate((one, name) => {
      const preset = one.routine.presets.find((found) => found.name === name);
      return { texts: preset.texts, now: one.state };
    }, await buttons.last().getAttribute("data-preset"));
    for (const [name, text] of Object.entries(texts)) assert.equal(now[name], text, `${tag} ${name}`);
    const pressed = await buttons.evaluateAll((found) => found.map((one) => one.getAttribute("aria-pressed")));
    assert.deepEqual(pressed, pressed.map((_, index) => String(index === pressed.length - 1)), tag);
  }
  await page.close();
});

test("a link to what a widget shows leads to the lab's page", async () => {
  const page = await gallery();
  const ring = widget(page, "all-reduce");
  await ring.set("ranks", "8");
  assert.equal(await ring.root.evaluate((one) => one.permalink()), `${site.url}#v=1&all-reduce.ranks=8`);
  await page.close();
});

test("only widgets that are near run, and the others when they come near", async () => {
  const page = await gallery();
  const before = await running(page);
  const last = elements.at(-1).tagName;
  assert.ok(before.length < elements.length / 2, before.join());
  assert.ok(!before.includes(last));
  await page.evaluate(() => document.querySelector("#common").scrollIntoView());
  await page.waitForFunction((tag) => document.querySelector(tag).results !== undefined, last);
  assert.ok((await running(page)).length < elements.length);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("one that is out of sight starts when it is asked for what it shows", async () => {
  const page = await gallery();
  const { tagName } = elements.at(-1);
  assert.match(await page.locator(tagName).evaluate((one) => one.toSVG()), /^<svg/);
  const other = elements.at(-2).tagName;
  assert.equal(await page.locator(other).evaluate((one) => one.ready.then(() => one.results !== undefined)), true);
  await page.close();
});

test("all are there on paper", async () => {
  const page = await gallery();
  assert.ok((await running(page)).length < elements.length);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForFunction(() => [...document.querySelectorAll("[data-widget]")].every(({ results }) => results !== undefined));
  await page.close();
});

test("without scripts there are its pictures and its tables", async () => {
  const context = await site.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}gallery.html`);
  assert.equal(await page.locator("[data-widget] > .first .wide svg").count(), elements.length);
  assert.ok(await page.locator("#common ~ h3").first().isVisible());
  await context.close();
});

const looks = repeated(
  [{ colorScheme: "dark", width: 320 }],
  [{ colorScheme: "light" }, { colorScheme: "light", width: 320 }, { colorScheme: "dark" }, { forcedColors: "active" }],
);
for (const look of looks) {
  test(`axe finds nothing, and nothing is wider than the page: ${JSON.stringify(look)}`, async () => {
    const page = await gallery(look);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll(".chapter > details")) details.open = true;
      return Promise.all([...document.querySelectorAll("[data-widget]")].map((one) => one.updateComplete));
    });
    assert.deepEqual(await violations(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
}
