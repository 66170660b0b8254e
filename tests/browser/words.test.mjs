/** The texts of the widgets in other languages: a long one that nobody speaks, and the catalogues. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { textsOf } from "../../web/texts.mjs";
import { open } from "./browser.mjs";
import { host, started } from "./host.mjs";
import { source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { routines } = await source("routines/index.ts");
const { default: chinese } = await source("words/zh-hans.ts");
const { languageOf } = await source("language.ts");
const { letters } = await source("figures/lettering.ts");
const sources = fileURLToPath(new URL("../../web/src", import.meta.url));

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const file = path.join(folder, one.name);
    if (one.isDirectory()) return ["course", "tests-view", "words"].includes(one.name) ? [] : filesIn(file);
    return /(?<!\.d)\.ts$/.test(one.name) ? [file] : [];
  });
}

const blanks = (text) => [...text.matchAll(/\{\d+\}/g)].map(([blank]) => blank).sort();

describe("Simplified Chinese", () => {
  test("has every text of every source", () => {
    const lacking = filesIn(sources).flatMap((file) => {
      const { said, described } = textsOf(file);
      return [...new Set([...said, ...described])].filter((text) => !(text in chinese)).map((text) => `${path.relative(sources, file)}: ${text}`);
    });
    assert.deepEqual(lacking, []);
  });

  test("has each text once, in one of its parts", async () => {
    const parts = readdirSync(path.join(sources, "words/zh-hans"));
    const sizes = await Promise.all(parts.map(async (name) => Object.keys((await source(`words/zh-hans/${name}`)).default).length));
    assert.equal(sizes.reduce((sum, size) => sum + size), Object.keys(chinese).length);
  });

  test("puts in what the English texts put in", () => {
    for (const [text, other] of Object.entries(chinese)) assert.deepEqual(blanks(other), blanks(text), text);
  });

  test("takes twice the room of Latin letters in a figure", () => {
    assert.equal(letters("exposed 7.68 ms"), 15);
    assert.equal(letters("暴露 7.68 ms"), 12);
    assert.equal(letters("（busbw）"), 9);
  });

  test("is spoken where a page is Chinese, and not where it is Traditional", () => {
    for (const tag of ["zh", "zh-CN", "zh-Hans", "zh-Hans-SG", "ZH-hans"]) assert.equal(languageOf(tag), "zh-Hans", tag);
    for (const tag of ["", "en", "zh-Hant", "zh-TW", "zh-Hant-CN", "zha", "de"]) assert.equal(languageOf(tag), "en", tag);
  });
});

let site;
before(async () => {
  site = await open();
});
after(() => site?.close());

/** Texts in marks, longer by half, so that a text without them was forgotten. */
function lengthen(element) {
  const longer = (text) => `⟦${text}${"~".repeat(Math.ceil(text.length / 2))}⟧`;
  element.strings = new Proxy({}, { get: (_, text) => (typeof text === "string" ? longer(text) : undefined), has: () => true });
}

/** What a reader sees or hears of a widget that is not in marks; code, formulas, titles of works and what is typed aside. */
function forgotten(element) {
  const aside = "code, kbd, [role=math], .address, q, a[href^=http], textarea, style, .typed, [translate=no]";
  const found = [];
  const look = (text, where) => {
    let rest = text;
    // What is cut where it has no room lacks its end.
    for (let before; before !== rest; ) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*(⟧|…$)/g, "")];
    if (/\p{L}{3,}/u.test(rest.replace(/(?<!\p{L})(GiB|MiB|KiB|TiB|PiB|FLOPs?|GFLOPs?|TFLOPs?|PFLOPs?)\b/gu, ""))) found.push(`${where}: ${text.trim().slice(0, 160)}`);
  };
  // A text that is set in several lines of a figure has its marks in the first and the last.
  let begun = "";
  const whole = (text) => {
    const lines = begun + text;
    begun = /⟦[^⟧…]*$/.test(lines) ? `${lines} ` : "";
    return begun === "" ? lines : "";
  };
  const walker = document.createTreeWalker(element.shadowRoot, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const box = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (box === null || box.closest(aside) !== null) continue;
    if (node.nodeType === Node.TEXT_NODE) look(whole(node.data), box.localName);
    else for (const name of ["aria-label", "aria-valuetext", "title", "placeholder"]) if (node.hasAttribute(name) && node.name !== "step" && node.type !== "range") look(node.getAttribute(name), `${box.localName} ${name}`);
  }
  look(begun, "an end is missing");
  return [...new Set(found)];
}

const openAll = (element) => element.shadowRoot.querySelectorAll("details:not(.menu)").forEach((one) => (one.open = true));

describe("a language that nobody speaks", () => {
  for (const { id, presets } of routines) {
    test(`${id}: nothing is said that no catalogue can say, and all of it fits in 320 px`, async () => {
      const body = `<shardlab-${id}></shardlab-${id}><script type="module" src="widgets/${id}.js"></script>`;
      const page = await host(site, body, { width: 320 });
      const widget = page.locator(`shardlab-${id}`);
      await started(widget);
      await widget.evaluate(lengthen);
      for (const { texts } of [presets[0], ...repeated([presets[presets.length - 1]], presets.slice(1, -1))]) {
        await widget.evaluate(async (element, state) => {
          element.state = state;
          await element.updateComplete;
        }, texts);
        await widget.evaluate(openAll);
        await widget.evaluate((element) => element.updateComplete);
        await widget.evaluate((element) => element.updateComplete);
        assert.deepEqual(await widget.evaluate(forgotten), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is no wider than its window");
      }
      assert.deepEqual(page.trouble, []);
      await page.close();
    });
  }
});

describe("the exercise", () => {
  test("says nothing that no catalogue can say, but what its cases complain of, in any task", async () => {
    const page = await host(site, '<shardlab-exercise></shardlab-exercise><script type="module" src="exercise/view.js"></script>', { width: 320 });
    const exercise = page.locator("shardlab-exercise");
    await exercise.evaluate((element) => customElements.whenDefined("shardlab-exercise").then(() => element.ready));
    await exercise.evaluate(lengthen);
    for (const id of await exercise.locator("option").evaluateAll((all) => all.map(({ value }) => value))) {
      await exercise.evaluate((element, task) => {
        element.task = task;
        return element.run();
      }, id);
      await exercise.evaluate(openAll);
      await exercise.evaluate((element) => element.updateComplete);
      // In a paragraph code stands between marks: it is looked at as a whole.
      const found = await exercise.evaluate(forgotten);
      assert.deepEqual(found.filter((one) => !/^(dd|p): /.test(one)), [], id);
      const paragraphs = await exercise.locator("dd, p:not([translate], [lang] p)").evaluateAll((all) => all.map((one) => one.textContent.replace(/\s+/g, " ").trim()));
      assert.deepEqual(paragraphs.filter((one) => !/⟦.*⟧$/.test(one)), [], id);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is no wider than its window");
    }
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("speaks the language that its frame's address asks for", async () => {
    const page = await site.page();
    await page.goto(`${site.url}embed/exercise.html?lang=zh-CN&task=all-reduce-cost`);
    await page.locator("shardlab-exercise").evaluate((element) => element.ready.then(() => element.run()));
    assert.equal(await page.getByRole("button", { name: chinese.Run, exact: true }).count(), 1);
    assert.equal((await page.locator(".does").textContent()).trim(), chinese["Say what a ring all-reduce costs without running it: its steps, and the bytes that each rank sends."]);
    const status = async () => (await page.locator(".status").textContent()).trim();
    assert.equal(await status(), "3 个测试用例中 0 个通过，3 个失败。");
    for (const [source, said] of [
      ["while (true) {}", "没有运行任何测试用例：allReduceCost 在任何调用之前，1 秒后仍未结束，已被停止。是否有循环永不结束？"],
      ["function allReduceCost() {", "没有运行任何测试用例：第 1 行：SyntaxError：这一行的 { 始终没有闭合：末尾或之前缺少 }。"],
      ["const f = (a, [b) => a;", "没有运行任何测试用例：第 1 行：SyntaxError：这一行的 [ 在其后的 ) 之前没有闭合。"],
      ["const none = 1;", "没有运行任何测试用例：没有函数 allReduceCost。"],
    ]) {
      await page.locator("shardlab-exercise").evaluate((element, work) => {
        element.work = work;
        return element.run().then(() => element.updateComplete);
      }, `// ==== all-reduce-cost ====\n${source}\n`);
      assert.equal(await status(), said);
    }
    assert.deepEqual(page.trouble.filter((one) => !one.startsWith("request: blob:")), []);
    await page.close();
  });
});

describe("the language of a page", () => {
  const undo = (widget) => widget.locator(".toolbar button").first();

  test("is spoken by a widget, and followed when it changes", async () => {
    const page = await host(site, '<div lang="zh-CN"><shardlab-zero></shardlab-zero></div><script type="module" src="widgets/zero.js"></script>');
    const widget = page.locator("shardlab-zero");
    await started(widget);
    assert.equal((await undo(widget).textContent()).trim(), chinese.Undo);
    assert.equal(await widget.locator("section").getAttribute("lang"), "zh-Hans");
    assert.equal((await widget.locator("h3").textContent()).trim(), chinese["ZeRO memory"]);
    await widget.evaluate(async (element) => {
      element.lang = "en";
      await element.updateComplete;
    });
    assert.equal((await undo(widget).textContent()).trim(), "Undo");
    await page.evaluate(() => {
      document.querySelector("div").removeAttribute("lang");
      document.querySelector("shardlab-zero").removeAttribute("lang");
      document.documentElement.lang = "zh";
    });
    await page.waitForFunction((text) => document.querySelector("shardlab-zero").shadowRoot.querySelector(".toolbar button").textContent.trim() === text, chinese.Undo);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("is what an embed's address says, and costs no request", async () => {
    const page = await site.page();
    await page.goto(`${site.url}embed/zero.html?lang=zh&capacity=none`);
    const widget = page.locator("shardlab-zero");
    await started(widget);
    assert.equal((await undo(widget).textContent()).trim(), chinese.Undo);
    assert.equal(await page.locator("html").getAttribute("lang"), "zh");
    assert.doesNotMatch(await widget.locator(".notices").textContent(), /must|Shown/);
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.startsWith("http")).length), 0);
    await page.close();
  });

  test("gives way to an author's own words, text by text", async () => {
    const page = await host(site, '<shardlab-zero></shardlab-zero><script type="module" src="widgets/zero.js"></script>');
    await page.locator("shardlab-zero").evaluate((element) => (element.strings = { Undo: "Take back", "{0} rank": "{0} GPUs" }));
    const widget = page.locator("shardlab-zero");
    await started(widget);
    assert.equal((await undo(widget).textContent()).trim(), "Take back");
    assert.match(await widget.locator(".caption").first().textContent(), /on 8 GPUs:/);
    await page.close();
  });
});

describe("what is refused", () => {
  test("is refused in Chinese, with its numbers and as many of them as there are", async () => {
    const body = '<shardlab-all-reduce lang="zh"></shardlab-all-reduce><script type="module" src="widgets/all-reduce.js"></script>';
    const page = await host(site, body);
    const widget = page.locator("shardlab-all-reduce");
    await started(widget);
    for (const [state, said] of [
      [{ follow: "one", chunk: "9" }, "是 0 到 3 之间的整数"],
      [{ fault: "miss-hop", faultRank: "1", faultStep: "9" }, "是 rank 1 会发送可能出错的数据的一步：1、2、3、4、5"],
    ]) {
      await widget.evaluate((element, texts) => (element.state = texts), state);
      await widget.locator(".error", { hasText: said }).waitFor();
    }
    await page.close();
  });
});
