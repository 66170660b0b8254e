import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { open, otherState, passQuestions, settled, siteDirectory, tags, unfold, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

test("the page stands from a sub-path, asks no other host and prints nothing", async () => {
  const page = await site.lab();
  assert.deepEqual(await tags(page), [
    "shardlab-all-reduce",
    "shardlab-all-reduce-cost",
    "shardlab-crossover",
    "shardlab-nccl-tuning",
    "shardlab-data-parallel",
    "shardlab-tensor-parallel",
    "shardlab-tensor-parallel-cost",
    "shardlab-pipeline",
    "shardlab-bubble",
    "shardlab-zero",
    "shardlab-memory",
    "shardlab-measure",
    "shardlab-verify",
  ]);
  assert.equal((await page.locator("[data-readout]").count()) > 20, true);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("no file of the page names another host or the machine it was built on", () => {
  for (const name of ["index.html", "page.css", "tokens.css"]) {
    const text = readFileSync(path.join(siteDirectory(), name), "utf8");
    assert.doesNotMatch(text, /(src|href)="(https?:)?\//, `${name} has relative links only`);
  }
});

test("the content security policy is in force", async () => {
  const page = await site.page();
  await page.addInitScript(() => {
    globalThis.refused = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.refused.push(event.effectiveDirective));
  });
  await page.goto(site.url);
  await settled(page);
  assert.deepEqual(await page.evaluate(() => globalThis.refused), [], "the page itself breaks no rule");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.head.append(script);
    document.body.setAttribute("style", "color: red");
    const image = new Image();
    image.src = "http://127.0.0.2/image.png";
  });
  await page.waitForFunction(() => globalThis.refused.length >= 3);
  const refused = await page.evaluate(() => [...globalThis.refused].sort());
  assert.deepEqual(refused, ["img-src", "script-src-elem", "style-src-attr"]);
  assert.equal(await page.evaluate(() => globalThis.ran), undefined);
  await page.close();
});

for (const width of repeated([320], [390])) {
  test(`nothing scrolls sideways at ${width} pixels, and no text is smaller than 11`, async () => {
    const page = await site.lab({ width });
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(await sideways(), 0);
    await unfold(page);
    assert.equal(await sideways(), 0);
    await otherState(page);
    assert.equal(await sideways(), 0);
    await widget(page, "all-reduce").set("source", "powers");
    await widget(page, "all-reduce").set("ranks", "16");
    assert.equal(await sideways(), 0);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll("main *")].flatMap((element) =>
        [...(element.shadowRoot?.querySelectorAll("*") ?? [])]
          .filter((one) => !one.closest(".scroll, .figure") && one.getBoundingClientRect().right > innerWidth + 0.5)
          .map((one) => `${element.localName} ${one.localName}.${one.className}`),
      ),
    );
    assert.deepEqual(wide, []);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("main *")].flatMap((element) =>
        [...(element.shadowRoot?.querySelectorAll("svg text") ?? [])]
          .filter((text) => parseFloat(getComputedStyle(text).fontSize) < 11)
          .map((text) => `${element.localName} ${text.textContent}`),
      ),
    );
    assert.deepEqual(small, []);
    await page.close();
  });
}

test("every control is reached by Tab, and the focus gets out of the page again", async () => {
  const page = await site.lab();
  const expected = await page.evaluate(
    () =>
      [...document.querySelectorAll("main *")].flatMap((element) => [
        ...(element.shadowRoot?.querySelectorAll("input:not([type=radio]), input:checked, textarea, button, select, summary") ??
          []),
      ].filter((one) => one.checkVisibility())).length,
  );
  const reached = new Set();
  await page.locator(".skip").focus();
  for (let presses = 0; presses < expected + 60; presses += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const host = document.activeElement;
      const inner = host?.shadowRoot?.activeElement;
      if (!inner) return host === document.body ? "body" : "";
      const all = [...host.shadowRoot.querySelectorAll("*")];
      return `${host.localName} ${all.indexOf(inner)} ${inner.matches("input, textarea, button, select, summary") ? "" : "other"}`;
    });
    if (name === "body") break;
    if (name !== "" && !name.endsWith("other")) reached.add(name);
  }
  assert.equal(reached.size, expected);
  await page.close();
});

test("each formula is MathML, and is guarded by a test case that there is", async () => {
  const folder = new URL("../", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".cpp"));
  const titles = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), "utf8").matchAll(/TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g)].map(([, parts]) =>
      parts.trim().slice(1, -1).replace(/"\s*"/g, ""),
    ),
  );
  assert.ok(titles.length > 50);
  const page = await site.lab();
  await otherState(page);
  await widget(page, "bubble").set("stages", "4");
  for (const tag of await tags(page)) await widget(page, tag.replace("shardlab-", "")).disclose("why");
  const found = await page.evaluate(() =>
    [...document.querySelectorAll("main *")].flatMap((element) =>
      [...(element.shadowRoot?.querySelectorAll(".why dl > div") ?? [])].map((one) => ({
        name: `${element.localName}: ${one.querySelector("dt").textContent}`,
        guard: one.querySelector("q")?.textContent,
        formulas: one.querySelectorAll("math").length,
        text: one.querySelector(".formula").getAttribute("aria-label"),
        words: [...one.querySelectorAll("math > mrow > mtext")].map(({ textContent }) => textContent),
      })),
    ),
  );
  assert.ok(found.length > 20);
  for (const { name, guard, formulas, text, words } of found) {
    assert.ok(formulas > 0 && text !== "", name);
    if (guard !== undefined) assert.ok(titles.includes(guard), `${name} names the case "${guard}"`);
    assert.deepEqual(words.filter((word) => /[0-9=/]/.test(word)), [], `${name}: ${text}`);
  }
  assert.ok(found.filter(({ guard }) => guard !== undefined).length > 18);
  await page.close();
});

describe("where the lab cannot run, the page says why", () => {
  test("shardlab.wasm is missing", async () => {
    const page = await site.page();
    await page.route("**/shardlab.wasm", (route) => route.fulfill({ status: 404 }));
    await page.goto(site.url);
    await settled(page);
    const caption = await widget(page, "bubble").caption();
    assert.match(caption, /WebAssembly could not be loaded.*shardlab\.wasm.*404/);
    assert.equal(await page.locator("[role=alert]").count(), 13);
    await page.close();
  });

  test("shardlab.wasm is damaged", async () => {
    const page = await site.page();
    await page.route("**/shardlab.wasm", (route) => route.fulfill({ body: "not a module" }));
    await page.goto(site.url);
    await settled(page);
    assert.match(await widget(page, "bubble").caption(), /WebAssembly could not be loaded/);
    await page.close();
  });

  test("the policy forbids WebAssembly", async () => {
    const page = await site.page();
    await page.route(site.url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(" 'wasm-unsafe-eval'", "") });
    });
    await page.goto(site.url);
    await settled(page);
    assert.match(await widget(page, "bubble").caption(), /security policy blocks WebAssembly/);
    await page.close();
  });

  test("the browser has no WebAssembly", async () => {
    const page = await site.page();
    await page.addInitScript(() => delete globalThis.WebAssembly);
    await page.goto(site.url);
    await settled(page);
    assert.match(await widget(page, "bubble").caption(), /has no WebAssembly/);
    await page.close();
  });

  test("there is no JavaScript", async () => {
    const page = await site.page({ javaScriptEnabled: false });
    await page.goto(site.url);
    const ring = page.locator("shardlab-all-reduce");
    assert.match(await ring.innerText(), /Every rank holds its own numbers only.*needs JavaScript/s);
    assert.ok(await ring.locator(".wide svg").isVisible());
    assert.equal(await page.locator(".first .wide svg").count(), 13);
    await page.close();
  });

  test("without workers the lab runs on the page's own thread", async () => {
    const page = await site.page();
    await page.addInitScript(() => delete globalThis.Worker);
    await page.goto(site.url);
    await settled(page);
    await passQuestions(page);
    assert.equal(await widget(page, "bubble").readout("bubble-of-total"), "27.3 %");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
});
