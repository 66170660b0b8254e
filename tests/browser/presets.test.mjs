/** Every preset of every widget: as data, as an attribute and in an address. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { open } from "./browser.mjs";
import { host, started } from "./host.mjs";
import { source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { routines } = await source("routines/index.ts");
const { active, initialTexts, kebab, refusal } = await source("parameter.ts");
const { serialiseOne } = await source("link.ts");

describe("as data", () => {
  for (const { id, parameters, presets } of routines) {
    test(`${id} has a few, by names that can be written, and says what each shows`, () => {
      assert.ok(presets.length >= 3 && presets.length <= 6);
      assert.deepEqual([presets[0].name, presets[0].texts], ["default", {}]);
      assert.equal(new Set(presets.map(({ name }) => name)).size, presets.length);
      assert.equal(new Set(presets.map(({ label }) => label)).size, presets.length);
      for (const { name, label } of presets) {
        assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
        assert.match(label, /^[A-Z0-9].{7,}[^.]$/);
      }
    });

    test(`${id}: each sets what can be set there, to something else, and is a short link`, () => {
      const initial = initialTexts(parameters);
      for (const { name, texts } of presets.slice(1)) {
        const all = { ...initial, ...texts };
        const there = active(parameters, all);
        for (const [key, text] of Object.entries(texts)) {
          const parameter = there.find((one) => one.name === key);
          assert.ok(parameter !== undefined, `${name} sets ${key}, which has no control then`);
          assert.equal(refusal(parameter, text), undefined);
        }
        assert.ok(Object.entries(texts).some(([key, text]) => initial[key] !== text), name);
        assert.ok(serialiseOne({ id, parameters, texts: all, initial }).length < 200, name);
      }
    });
  }
});

let site;
before(async () => {
  site = await open();
});
after(() => site?.close());

/** Of a widget that is shown: its state, its picture and whatever it complains of. */
function shown(widget) {
  return widget.evaluate(({ state, shadowRoot }) => ({
    state,
    picture: shadowRoot.querySelector(".figure").innerHTML.replace(/<!--.*?-->/g, ""),
    trouble: [...shadowRoot.querySelectorAll(".notices, .error, .stale, .trouble, [aria-invalid=true]")]
      .map((one) => (one.matches("[aria-invalid]") ? one.name || one.id : one.textContent.trim()))
      .filter((text) => text !== ""),
  }));
}

describe("as an attribute", () => {
  let page;
  before(async () => {
    page = await host(site, '<main></main><script type="module" src="widgets/index.js"></script>');
  });
  after(() => page?.close());

  async function element(id, attributes) {
    await page.evaluate(
      ([tag, given]) => {
        const one = document.createElement(tag);
        for (const [name, text] of Object.entries(given)) one.setAttribute(name, text);
        document.querySelector("main").replaceChildren(one);
      },
      [`shardlab-${id}`, attributes],
    );
    const widget = page.locator(`shardlab-${id}`);
    await started(widget);
    return shown(widget);
  }

  for (const { id, parameters, presets } of routines) {
    test(`${id} starts with it, without a notice, and its picture is its own`, async () => {
      const pictures = new Set();
      for (const { name, texts } of presets) {
        const { state, picture, trouble } = await element(id, { preset: name });
        assert.deepEqual(trouble, [], name);
        assert.deepEqual(state, { ...initialTexts(parameters), ...texts }, name);
        assert.match(picture, /<svg/, name);
        pictures.add(picture);
      }
      assert.equal(pictures.size, presets.length);
    });

    test(`${id}: what is written beside it wins`, async () => {
      const { name, texts } = presets.at(-1);
      const [key] = Object.keys(texts).filter((one) => one !== "step");
      const { initial } = parameters.find((one) => one.name === key);
      const { state } = await element(id, { preset: name, [kebab(key)]: initial });
      assert.equal(state[key], initial);
    });
  }

  test("one that there is not is told, with those that there are", async () => {
    const { trouble } = await element("bubble", { preset: "none" });
    assert.match(trouble.join(), /preset="none" must be one of default, one-micro-batch, more-micro-batches, more-stages\./);
  });

  test("it follows a change, and reset leads back to it", async () => {
    await element("bubble", { preset: "more-stages" });
    const states = await page.locator("shardlab-bubble").evaluate(async (one) => {
      const found = [];
      one.preset = "one-micro-batch";
      await one.updateComplete;
      found.push(one.state);
      one.state = { stages: "9" };
      one.reset();
      await one.updateComplete;
      return [...found, one.state];
    });
    const preset = { stages: "4", microBatches: "1" };
    assert.deepEqual(states, [preset, preset]);
  });

  test("nothing was printed", () => assert.deepEqual(page.trouble, []));
});

describe("in the address of an embed", () => {
  for (const { id, parameters, presets } of repeated(routines.slice(0, 2), routines.slice(2))) {
    test(`${id} starts with it; a key beside it wins`, async () => {
      for (const { name, texts } of repeated([presets.at(-1)], presets.slice(0, -1))) {
        const page = await site.page();
        await page.goto(`${site.url}embed/${id}.html?preset=${name}`);
        const widget = page.locator(`shardlab-${id}`);
        await started(widget);
        const { state, trouble } = await shown(widget);
        assert.deepEqual(trouble, [], name);
        assert.deepEqual(state, { ...initialTexts(parameters), ...texts }, name);
        await page.close();
      }
      const [key, text] = Object.entries(presets.at(-1).texts).at(-1);
      const { initial } = parameters.find((one) => one.name === key);
      const page = await site.page();
      await page.goto(`${site.url}embed/${id}.html?${kebab(key)}=${encodeURIComponent(initial)}&preset=${presets.at(-1).name}`);
      await started(page.locator(`shardlab-${id}`));
      assert.deepEqual((await shown(page.locator(`shardlab-${id}`))).state[key], initial, `not ${text}`);
      await page.close();
    });
  }
});
