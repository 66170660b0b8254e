/** The dialog in which an author takes a widget elsewhere. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { violations } from "./accessibility.mjs";
import { open, siteDirectory } from "./browser.mjs";
import { host, started } from "./host.mjs";
import { hostNames, snippet } from "./snippets.mjs";
import { repeated } from "./tier.mjs";

let site;

before(async () => {
  site = await open();
});
after(() => site.close());

/** The lab's page with the pipeline's dialog open. */
async function opened({ fragment = "#v=1&pipeline.micro-batches=16", ...options } = {}) {
  const page = await site.lab({ only: "pipeline", fragment, ...options });
  const dialog = await press(page);
  return { page, dialog, text: () => dialog.getByLabel("Text to copy", { exact: true }).inputValue() };
}

async function press(page) {
  const widget = page.locator("shardlab-pipeline");
  await widget.getByRole("button", { name: "Embed", exact: true }).click();
  const dialog = widget.getByRole("dialog", { name: "Embed “Pipeline schedule”" });
  await dialog.waitFor();
  return dialog;
}

const of = (host, choice = {}) => snippet(host, { base: site.url, attributes: { "micro-batches": "16" }, ...choice });

/** What has the focus, through shadow trees. */
const focused = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    // Between the last and the first stop it is the browser's own.
    const isBrowsers = element === document.body;
    return { inside: isBrowsers || element.closest("dialog") !== null, name: isBrowsers ? "" : element.textContent.trim() };
  });

test("each tab has its host's text, and what it needs once", async () => {
  const { page, dialog, text } = await opened();
  for (const [index, name] of hostNames.entries()) {
    await dialog.getByRole("tab").nth(index).click();
    const { once, caution } = of(name);
    assert.equal(await text(), of(name).text);
    if (once !== undefined) assert.equal(await dialog.getByLabel("Text to copy once", { exact: true }).inputValue(), once.text);
    assert.equal(await dialog.getByText(caution, { exact: true }).count(), 1);
  }
  assert.match(await dialog.getByRole("note").textContent(), /lead to this machine and do not work elsewhere/);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("what is chosen is in the text, and seen in the preview", async () => {
  const { page, dialog, text } = await opened();
  await dialog.getByLabel("Theme").selectOption("dark");
  await dialog.getByLabel("Language").selectOption("zh-Hans");
  await dialog.getByLabel("Width").selectOption("720");
  await dialog.getByLabel("Height of a frame, px").fill("500");
  for (const label of ["Controls are locked", "A question comes first", "Title", "Tools"]) await dialog.getByLabel(label, { exact: true }).check();
  const attributes = { "micro-batches": "16", hide: "title toolbar", lock: "all", predict: "", theme: "dark", lang: "zh-Hans" };
  assert.equal(await text(), of("html", { attributes, width: 720 }).text);
  await dialog.getByRole("tab", { name: "iframe", exact: true }).click();
  assert.equal(await text(), of("iframe", { attributes, width: 720, height: 500 }).text);
  const preview = page.frameLocator("dialog iframe").locator("shardlab-pipeline");
  await preview.getByRole("group", { name: /question/i }).or(preview.locator(".question")).first().waitFor();
  assert.deepEqual(await preview.evaluate((one) => ["theme", "lock", "hide"].map((name) => one.getAttribute(name))), ["dark", "all", "title toolbar"]);
  await dialog.getByLabel("It starts as it is now").uncheck();
  assert.equal(new URL(await dialog.locator("iframe").getAttribute("src")).searchParams.has("micro-batches"), false);
  await dialog.getByLabel("Height of a frame, px").fill("9");
  await dialog.getByLabel("Height of a frame, px").blur();
  assert.equal(await dialog.getByLabel("Height of a frame, px").inputValue(), "120");
  assert.equal(await page.locator("shardlab-pipeline").evaluate(({ state }) => state.microBatches), "16", "the widget itself stays as it was");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("by keyboard: arrows go through the tabs, the focus stays inside, Escape ends it and gives the focus back", async () => {
  const { page, dialog, text } = await opened();
  await page.evaluate(() => {
    window.heard = [];
    document.addEventListener("keydown", ({ key }) => key === "Tab" || heard.push(key));
  });
  await dialog.getByRole("tab", { selected: true }).focus();
  for (const [key, host] of [["ArrowRight", "iframe"], ["End", "courses"], ["ArrowRight", "html"], ["ArrowLeft", "courses"], ["Home", "html"]]) {
    await page.keyboard.press(key);
    assert.equal(await text(), of(host).text, key);
    assert.equal(await dialog.getByRole("tab", { selected: true }).evaluate((tab) => tab === tab.getRootNode().activeElement), true);
  }
  assert.equal(await dialog.locator("[role=tab][tabindex='0']").count(), 1);
  await page.keyboard.press("r");
  assert.equal(await page.locator("shardlab-pipeline").evaluate(({ state }) => state.microBatches), "16");
  const stops = await dialog.locator("button, input, select, textarea, a").count();
  for (let times = 0; times < stops; times += 1) {
    await page.keyboard.press("Tab");
    const { inside, name } = await focused(page);
    assert.ok(inside, `the focus is on ${name}`);
  }
  await dialog.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await focused(page), { inside: false, name: "Embed" });
  assert.deepEqual(await page.evaluate(() => heard), []);
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  const preview = page.frameLocator("dialog iframe");
  await preview.locator("shardlab-pipeline .figure").press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a text is copied, and where that is not allowed it is selected", async () => {
  const { page, dialog, text } = await opened({ permissions: ["clipboard-read", "clipboard-write"] });
  await dialog.getByRole("button", { name: "Copy: Text to copy", exact: true }).click();
  await dialog.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await text());
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("no"))));
  await dialog.getByRole("button", { name: "Copy: Text to copy", exact: true }).click();
  await dialog.getByText("Selected: copy it with the keyboard.").waitFor();
  const selected = dialog.getByLabel("Text to copy", { exact: true });
  assert.equal(await selected.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd)), await text());
  await page.close();
});

test("it speaks the widget's language, also after a choice", async () => {
  const page = await host(site, '<shardlab-zero lang="zh"></shardlab-zero><script type="module" src="widgets/zero.js"></script>');
  const widget = page.locator("shardlab-zero");
  await started(widget);
  await widget.getByRole("button", { name: "嵌入", exact: true }).click();
  const dialog = widget.getByRole("dialog", { name: "嵌入“ZeRO 显存”" });
  for (const tab of await dialog.getByRole("tab").all()) {
    await tab.click();
    assert.doesNotMatch(await dialog.evaluate(words), /\b(a|and|in|is|it|of|once|the|to|with)\b/i);
  }
  assert.deepEqual(page.trouble, []);
  await page.close();
});

/** What a dialog says: names of hosts and what is code apart. */
function words(dialog) {
  const own = [...dialog.querySelectorAll("h4, label, legend, option, p, button:not([role=tab]), footer")].map((one) => one.textContent);
  const named = [...dialog.querySelectorAll("[aria-label], [title]")].map((one) => one.getAttribute("aria-label") ?? one.title);
  return [...own, ...named].join("\n");
}

for (const options of repeated([{ colorScheme: "dark" }, { width: 390 }], [{}, { forcedColors: "active" }, { width: 320, colorScheme: "dark" }])) {
  test(`nothing is out of reach: ${JSON.stringify(options)}`, async () => {
    const { page, dialog } = await opened(options);
    for (const name of ["HTML", "Docusaurus"]) {
      await dialog.getByRole("tab", { name, exact: true }).click();
      assert.deepEqual((await violations(page)).filter((one) => one.includes("dialog")), []);
    }
    assert.equal(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    await page.close();
  });
}

describe("where the widget stands elsewhere", () => {
  test("in a frame it says that there is no preview, and leads to the lab that the frame is of", async () => {
    const page = await site.page();
    await page.goto(`${site.url}embed/pipeline.html?micro-batches=16`);
    await page.locator("shardlab-pipeline").evaluate((one) => one.ready);
    const dialog = await press(page);
    assert.equal(await dialog.getByLabel("Text to copy", { exact: true }).inputValue(), of("html").text);
    assert.equal(await dialog.getByText("the preview is in the lab").count(), 1);
    assert.deepEqual(page.trouble.filter((one) => !one.startsWith("request: blob:")), []);
    await page.close();
  });

  test("as a file it does not know the address, and says so", async () => {
    const page = await site.page();
    await page.goto(`${pathToFileURL(path.join(siteDirectory(), "offline", "pipeline.html")).href}#v=1&micro-batches=16`);
    await page.locator("shardlab-pipeline").evaluate((one) => one.ready);
    const dialog = await press(page);
    assert.equal(await dialog.getByLabel("Text to copy", { exact: true }).inputValue(), snippet("html", { attributes: { "micro-batches": "16" } }).text);
    assert.match(await dialog.getByRole("note").textContent(), /does not know where the lab is published/);
    await page.close();
  });

  test("its author can leave it out", async () => {
    const page = await site.page();
    await page.goto(`${site.url}embed/pipeline.html?hide=embed`);
    const widget = page.locator("shardlab-pipeline");
    await widget.evaluate((one) => one.ready);
    assert.equal(await widget.getByRole("button", { name: "Embed", exact: true }).count(), 0);
    assert.equal(await widget.getByRole("button", { name: "Copy link" }).count(), 1);
    await page.close();
  });
});

for (const [url, base] of repeated([], [["https://notes.example/lab", "https://notes.example/lab/v1/"]])) {
  test("a lab that was told its address leads there", async () => {
    const { buildSite } = await import("../../web/build.mjs");
    const { published } = await import("../../web/published.mjs");
    const out = await mkdtemp(path.join(tmpdir(), "shardlab-site-"));
    await buildSite({ packageDirectory: process.env.SHARDLAB_PACKAGE, out, base: published(url) });
    const page = await site.page();
    await page.goto(`${pathToFileURL(path.join(out, "offline", "pipeline.html")).href}#v=1&micro-batches=16`);
    await page.locator("shardlab-pipeline").evaluate((one) => one.ready);
    const dialog = await press(page);
    assert.equal(await dialog.getByLabel("Text to copy", { exact: true }).inputValue(), of("html", { base }).text);
    assert.equal(await dialog.getByRole("note").count(), 0);
    await page.close();
    await rm(out, { recursive: true });
  });
}
