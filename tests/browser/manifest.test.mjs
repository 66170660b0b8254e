/** The manifest of the elements says what the running elements have: neither more nor less. */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, siteDirectory, tags, unfold } from "./browser.mjs";

const sources = fileURLToPath(new URL("../../web/src", import.meta.url));
const { modules } = JSON.parse(await readFile(path.join(siteDirectory(), "custom-elements.json"), "utf8"));
const elements = modules.flatMap(({ declarations }) => declarations);
const [first] = elements;
const names = (all) => all.map(({ name }) => name).sort();

let site;
let page;

before(async () => {
  site = await open();
  page = await site.lab();
});
after(() => site?.close());

async function allSources(ending) {
  const found = await readdir(sources, { recursive: true });
  return Promise.all(found.filter((name) => name.endsWith(ending)).map((name) => readFile(path.join(sources, name), "utf8")));
}

const matches = (texts, pattern) => [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)))].sort();

test("every widget of the page is in it", async () => {
  assert.deepEqual(names(elements.map(({ tagName }) => ({ name: tagName }))), [...new Set(await tags(page))].sort());
});

test("attributes are those that the elements observe, with the text that the control starts with", async () => {
  for (const { tagName, attributes } of elements) {
    const found = await page.evaluate((tag) => {
      const Element = customElements.get(tag);
      const element = new Element();
      document.createElement("div").append(element);
      return { observed: Element.observedAttributes, starts: new Element().routine.parameters.map(({ name, initial }) => [name, initial]) };
    }, tagName);
    assert.deepEqual(names(attributes), found.observed.sort(), tagName);
    const starts = attributes.filter((one) => one.default !== undefined && one.deprecated === undefined);
    const kept = found.starts.filter(([name]) => attributes.some(({ fieldName }) => fieldName === name));
    assert.deepEqual(starts.map((one) => [one.fieldName, JSON.parse(one.default)]), kept, tagName);
  }
});

test("properties and methods are those of the elements, and can be written where the manifest says so", async () => {
  for (const { tagName, members } of elements) {
    const wrong = await page.evaluate(([tag, described]) => {
      const Element = customElements.get(tag);
      const descriptor = (name) => {
        for (let one = Element.prototype; one !== HTMLElement.prototype; one = Object.getPrototypeOf(one)) {
          const own = Object.getOwnPropertyDescriptor(one, name);
          if (own !== undefined) return own;
        }
      };
      return described
        .filter((member) => !member.static)
        .filter(({ kind, name, readonly }) => {
          const own = descriptor(name);
          if (kind === "method") return typeof own?.value !== "function";
          return own?.get === undefined || (own.set === undefined) !== (readonly === true);
        })
        .map(({ name }) => name);
    }, [tagName, members]);
    assert.deepEqual(wrong, [], tagName);
    const own = await page.evaluate((tag) => Object.keys(customElements.get(tag).prototype), tagName);
    assert.deepEqual(own.filter((name) => !members.some((member) => member.name === name)), [], tagName);
  }
});

test("values of choices are those that can be chosen", async () => {
  for (const { tagName, attributes } of elements) {
    const parameters = await page.evaluate((tag) => document.querySelector(tag).routine.parameters.map(({ name, choices }) => [name, choices?.map(({ value }) => value)]), tagName);
    for (const [name, choices] of parameters.filter(([, found]) => found !== undefined)) {
      const { type } = attributes.find(({ fieldName }) => fieldName === name);
      assert.deepEqual(matches([type.text], /"([^"]+)"/g), [...choices].sort(), `${tagName} ${name}`);
    }
  }
});

test("parts and slots are those of the rendered trees", async () => {
  await unfold(page);
  const found = await page.evaluate(() => {
    const trees = [...document.querySelectorAll("main *")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
    const all = (selector, name) => [...new Set(trees.flatMap((tree) => [...tree.querySelectorAll(selector)].map((one) => one.getAttribute(name) ?? "")))];
    return { parts: all("[part]", "part").flatMap((part) => part.split(" ")), slots: all("slot", "name") };
  });
  assert.deepEqual(found.parts.sort(), names(first.cssParts));
  // The one without a name gives way to the figure.
  assert.deepEqual(["", ...found.slots].sort(), names(first.slots));
});

test("until there is a figure, there is the slot without a name", async () => {
  const slots = await page.evaluate(async () => {
    const element = document.createElement("shardlab-bubble");
    element.hidden = true;
    document.body.append(element);
    await new Promise((resolve) => setTimeout(resolve));
    const found = [...element.shadowRoot.querySelectorAll("slot")].map(({ name }) => name);
    element.remove();
    return found;
  });
  assert.ok(slots.includes(""));
});

test("events are those that the code dispatches", async () => {
  const texts = await allSources(".ts");
  const inElements = texts.filter((text) => /extends LitElement implements ShardlabMembers/.test(text));
  const own = matches(inElements, /(?:new (?:Custom)?Event|this\.emit)\("([a-z-]+)"/g);
  assert.deepEqual(own, names(first.events));
});

test("variables are those of the style sheets", async () => {
  assert.deepEqual(matches(await allSources(".css"), /var\((--shardlab-[a-z0-9-]+)/g), names(first.cssProperties));
});

test("states are on where they hold, and off elsewhere", async () => {
  assert.deepEqual(names(first.cssStates), ["error", "loading", "playing"]);
  const states = await page.evaluate(async () => {
    const element = document.querySelector("shardlab-all-reduce");
    const on = () => ["error", "loading", "playing"].filter((name) => element.matches(`:state(${name})`));
    const found = [on()];
    element.scrollIntoView();
    element.play();
    await element.updateComplete;
    found.push(on());
    element.pause();
    element.state = { ...element.state, ranks: "x" };
    await element.updateComplete;
    found.push(on());
    element.state = {};
    await element.updateComplete;
    found.push(on());
    const asleep = Object.assign(document.createElement("shardlab-all-reduce"), { hidden: true });
    document.body.append(asleep);
    await new Promise((resolve) => setTimeout(resolve));
    found.push(asleep.matches(":state(loading)"));
    asleep.remove();
    return found;
  });
  assert.deepEqual(states, [[], ["playing"], ["error"], [], true]);
  assert.deepEqual(page.trouble, []);
});

test("where a browser knows no such states, everything else is there", async () => {
  const old = await site.page();
  await old.addInitScript(() => {
    const refuse = () => {
      throw new SyntaxError("states begin with two dashes");
    };
    for (const name of ["add", "delete"]) CustomStateSet.prototype[name] = refuse;
  });
  await old.goto(`${site.url}gallery.html`);
  await old.evaluate(() => document.querySelector("shardlab-all-reduce").ready);
  assert.equal(await old.locator("shardlab-all-reduce .figure svg").count(), 1);
  assert.deepEqual(old.trouble, []);
  await old.close();
});
