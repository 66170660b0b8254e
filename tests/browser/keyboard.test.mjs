import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { blur, open, settled, tags, unfold, widget } from "./browser.mjs";
import { generator } from "./sources.mjs";
import { repeated } from "./tier.mjs";

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

/** What has the focus: the widget's id, and whether what is inside matches. */
function focused(page, selector = "*") {
  return page.evaluate((wanted) => {
    const host = document.activeElement;
    const inner = host.shadowRoot?.activeElement;
    return { id: inner ? host.localName.replace("shardlab-", "") : "", matches: inner?.matches(wanted) ?? false };
  }, selector);
}

/** Presses Tab until the focus is on what is looked for. */
async function tabTo(page, id, selector) {
  for (let presses = 0; presses < 240; presses += 1) {
    const found = await focused(page, selector);
    if (found.id === id && found.matches) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector} of ${id}`);
}

const slider = (parameter) => `[data-parameter=${parameter}] [type=range]`;
const choice = (parameter) => `[data-parameter=${parameter}] [type=radio]`;

describe("each claim, by the keyboard alone, from the top of the page on", () => {
  let page;
  before(async () => {
    page = await site.page();
    await page.goto(site.url);
    await settled(page);
  });
  after(() => page?.close());

  /** Answers the question, goes to a control, presses keys one after the other, and expects a readout after each. */
  async function claim(id, control, readout, ...pressed) {
    const one = widget(page, id);
    if (await one.root.locator(".answers").count()) {
      await tabTo(page, id, ".answers button");
      await page.keyboard.press("Enter");
      await one.settled();
      assert.match(await one.root.locator(".verdict").textContent(), /You said/);
    }
    await tabTo(page, id, control);
    for (const [key, expected] of pressed) {
      await page.keyboard.press(key);
      await one.settled();
      assert.equal(await one.readout(readout), expected, `${id}: ${readout} after ${key}`);
    }
  }

  test("all-reduce: a step at a time to the sum, and never 2×", async () => {
    await claim("all-reduce", "[name=step]", "steps", ["ArrowRight", "1 / 6"], ["End", "6 / 6"], ["ArrowLeft", "5 / 6"]);
    await page.keyboard.press("End");
    await widget(page, "all-reduce").settled();
    assert.match(await widget(page, "all-reduce").caption(), /Every rank now holds the whole sum/);
    await claim("all-reduce", slider("ranks"), "factor", ["End", "1.875× = 1.875 GiB"], ["Home", "1× = 1 GiB"]);
  });

  test("its cost: latency decides on small tensors", async () => {
    await claim("all-reduce-cost", slider("ranks"), "steps", ["ArrowRight", "30"], ["ArrowLeft", "14"]);
    await claim("all-reduce-cost", slider("bytes"), "latency-share", ["Home", "100 %"]);
  });

  test("data parallelism: a lost rank changes the mean", () =>
    claim("data-parallel", choice("fault"), "average", ["ArrowRight", "6"], ["ArrowRight", "14"], ["ArrowRight", "10"]));

  test("tensor parallelism: a split by rows has to be summed", () =>
    claim("tensor-parallel", "[data-parameter=split] select", "bytes", ["ArrowDown", "64 B"], ["ArrowUp", "0 B"]));

  test("pipeline: GPipe takes as long, and holds more", async () => {
    await claim("pipeline", "[data-parameter=schedule] select", "makespan", ["ArrowDown", "21"], ["ArrowUp", "21"], ["ArrowDown", "21"]);
    const held = ["5", "6", "7", "8"].map((peak) => ["ArrowRight", peak]);
    await claim("pipeline", slider("microBatches"), "peak", ...held);
    assert.equal(await widget(page, "pipeline").readout("makespan"), "33");
  });

  test("bubble: more stages make it larger, more micro-batches smaller", async () => {
    await claim("bubble", slider("stages"), "bubble-of-total", ["ArrowRight", "33.3 %"], ["ArrowLeft", "27.3 %"]);
    await claim("bubble", slider("microBatches"), "bubble-of-total", ["ArrowRight", "25 %"], ["End", "4.48 %"]);
  });

  test("ZeRO: each stage takes less", async () => {
    const less = ["38.5 GB = 35.86 GiB", "26.25 GB = 24.45 GiB", "14 GB = 13.04 GiB"].map((total) => ["ArrowRight", total]);
    await claim("zero", slider("zeroStage"), "total", ["Home", "112 GB = 104.3 GiB"], ...less);
    assert.deepEqual(page.trouble, []);
  });
});

test("the focus gets out of every widget, in both directions, after as many presses as it has places", async () => {
  const page = await site.lab();
  await unfold(page);
  const all = await tags(page);
  for (const tag of repeated(all.slice(0, 3), all.slice(3))) {
    const places = await page.locator(tag).evaluate((element) => {
      for (const [id, where] of [["before", "beforebegin"], ["after", "afterend"]]) {
        document.getElementById(id)?.remove();
        element.insertAdjacentHTML(where, `<button id=${id}>${id}</button>`);
      }
      document.getElementById("before").focus();
      const all = element.shadowRoot.querySelectorAll("input, textarea, select, button, summary, a, [tabindex='0']");
      return [...all].filter((one) => one.checkVisibility()).length;
    });
    for (const [key, end] of [["Tab", "after"], ["Shift+Tab", "before"]]) {
      let presses = 0;
      do {
        await page.keyboard.press(key);
        presses += 1;
      } while (presses <= places + 1 && (await page.evaluate(() => document.activeElement.id)) !== end);
      assert.ok(presses <= places + 1, `${key} leaves ${tag}, which has ${places} places`);
    }
  }
  await page.close();
});

describe("the keys of the page around", () => {
  let page;
  before(async () => {
    page = await site.lab();
    await page.evaluate(() => {
      globalThis.heard = [];
      document.addEventListener("keydown", ({ key, defaultPrevented }) => globalThis.heard.push([key, defaultPrevented]));
    });
  });
  after(() => page?.close());

  const heard = () => page.evaluate(() => globalThis.heard.splice(0));
  const used = ["r", "?", "Home", "End", " ", "Control+z", "+", "-", "0", "ArrowRight"];

  test("are its own where the focus is outside", async () => {
    const states = () => page.evaluate(() => [...document.querySelectorAll("main *")].map(({ state }) => state));
    await blur(page);
    const before = await states();
    for (const key of used) await page.keyboard.press(key);
    const prevented = (await heard()).filter(([, is]) => is);
    assert.deepEqual(prevented, []);
    assert.deepEqual(await states(), before);
  });

  test("Space scrolls it, as everywhere", async () => {
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    await page.keyboard.press("Space");
    await page.waitForFunction(() => scrollY > 0);
  });

  test("reach it from inside a widget too, but for those that the widget uses", async () => {
    await page.locator("shardlab-all-reduce .figure").focus();
    await heard();
    for (const key of ["j", "Escape", "ArrowDown", "Control+s", "?"]) await page.keyboard.press(key);
    const keys = (await heard()).filter(([key]) => key !== "Control");
    assert.deepEqual(keys, [["j", false], ["Escape", false], ["ArrowDown", false], ["s", false]]);
  });
});

const keys = [
  ...["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"],
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"],
  ...["Enter", "Space", "Escape", "Backspace", "Delete", "Control+a", "Control+z", "Control+Shift+Z"],
  ...["a", "e", "k", "r", "R", "?", "0", "1", "7", ".", "-", "+"],
];
const pressesInRound = 50;
/** A few rounds on widgets of chance; in the full tier 500 keys on each. */
const roundsOn = (all, pick) => repeated([1, 2, 3].map(() => pick(all)), all.flatMap((tag) => Array(10).fill(tag)));

test("keys at random break nothing", async () => {
  const page = await site.lab();
  // Links that lead away and files to choose are not what is tested here.
  page.on("filechooser", () => {});
  await page.evaluate(() =>
    addEventListener("click", (event) => {
      const link = event.composedPath().find((one) => one.localName === "a");
      if (link !== undefined && new URL(link.href).pathname !== location.pathname) event.preventDefault();
    }),
  );
  const random = generator(20_261_129);
  const pick = (all) => all[Math.floor(random() * all.length)];
  const all = await tags(page);
  for (const [round, tag] of roundsOn(all, pick).entries()) {
    const start = page.locator(tag).locator("input:not([type=file]), textarea, button, summary, [tabindex='0']");
    const visible = await start.evaluateAll((found) => found.map((one) => one.checkVisibility()));
    await start.nth(pick(visible.flatMap((is, index) => (is ? [index] : [])))).focus();
    const pressed = [];
    for (let press = 0; press < pressesInRound; press += 1) {
      pressed.push(pick(keys));
      await page.keyboard.press(pressed.at(-1));
    }
    await settled(page);
    const trouble = page.trouble.filter((text) => !text.startsWith("request: blob:"));
    assert.deepEqual(trouble, [], `${tag}, round ${round}: ${pressed.join(" ")}`);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("main *")].map((element) => element.shadowRoot?.querySelector("section").textContent ?? "").join("\n"),
    );
    assert.doesNotMatch(shown, /\b(NaN|undefined|Infinity|\[object)/, `${tag}, round ${round}: ${pressed.join(" ")}`);
  }
  await page.close();
});
