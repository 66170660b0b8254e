/**
 * Links that have been given away, in tests/data/golden_links.txt: a widget, a fragment or a query, and the texts that stand
 * in its controls then where they differ from those that it starts with. Lines of that file are only ever appended: a link
 * of before stays what it was, and what is no longer read as it is written is read by `formerly` or by `migrations`.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { open } from "./browser.mjs";
import { started } from "./host.mjs";
import { generator, source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { routines } = await source("routines/index.ts");
const { active, initialTexts, kebab, positions } = await source("parameter.ts");
const { longestValue, parse, readOne, serialise, serialiseOne } = await source("link.ts");
const { authored } = await source("author.ts");
const { attributesOf } = await source("forms/address.ts");

const golden = readFileSync(new URL("../data/golden_links.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [id, link, texts, ...more] = line.split("\t");
    assert.deepEqual(more, [], line);
    const routine = routines.find((one) => one.id === id);
    return { id, link, routine, expected: { ...initialTexts(routine.parameters), ...JSON.parse(texts) } };
  });
const linksOf = (id) => golden.filter((one) => one.id === id);

/** What stands in the controls, read as the page or as an embed reads it; and what could not be understood. */
function read({ link, routine }) {
  if (link.startsWith("?")) {
    const { attributes, notices } = attributesOf(link, routine);
    const author = authored(routine, (name) => attributes.get(name) ?? null);
    return { texts: author.texts, notices: [...notices, ...author.notices] };
  }
  const initial = initialTexts(routine.parameters);
  const notices = [];
  if (!link.includes(`${routine.id}.`)) return { texts: { ...initial, ...readOne(link, routine, notices) }, notices };
  const found = parse(link, routines);
  assert.deepEqual([...found.states.keys()], [routine.id]);
  return { texts: { ...initial, ...found.states.get(routine.id) }, notices: found.notices };
}

describe("golden links", () => {
  for (const { id, presets } of routines) {
    test(`${id} has at least four, its presets by their states, and one by name`, () => {
      const links = linksOf(id);
      assert.ok(links.length >= 4);
      assert.ok(links.some(({ link }) => /^\?.*preset=/.test(link)));
      const initial = initialTexts(links[0].routine.parameters);
      for (const { name, texts } of presets.slice(1)) {
        const isThere = ({ expected }) => Object.entries({ ...initial, ...texts }).every(([key, text]) => expected[key] === text);
        assert.ok(links.some(isThere), `no link has the state of the preset ${name}: append one`);
      }
    });

    test(`${id}: each is read, without a word`, () => {
      for (const one of linksOf(id)) assert.deepEqual(read(one), { texts: one.expected, notices: [] }, one.link);
    });
  }
});

/** A text that may stand in a control. */
function legal({ kind, choices, range, optional, initial }, random) {
  const one = (list) => list[Math.floor(random() * list.length)];
  if (optional === true && random() < 0.3) return "";
  if (kind === "files") return initial;
  if (kind === "choice") return one(choices).value;
  if (kind === "step") return String(Math.floor(random() * 1e3));
  if (kind === "whole" || kind === "real") return range === undefined ? initial : String(one(positions(range)));
  const signs = [..."abc019 &=#?%+/.,;\"'<>{}\n\té€−"];
  return Array.from({ length: random() * 60 }, () => one(signs)).join("");
}

describe("what is written is what is read", () => {
  for (const routine of routines) {
    test(`${routine.id}, for its own parameters`, () => {
      const { id, parameters } = routine;
      const random = generator(id.length);
      const initial = initialTexts(parameters);
      for (let round = 0; round < 300; round += 1) {
        const texts = Object.fromEntries(parameters.map((parameter) => [parameter.name, legal(parameter, random)]));
        const stated = { id, parameters, texts, initial };
        const notices = [];
        assert.deepEqual({ ...initial, ...readOne(serialiseOne(stated), routine, notices) }, texts);
        const page = parse(`#${serialise([stated], "top")}`, routines);
        assert.deepEqual({ ...initial, ...page.states.get(id) }, texts);
        assert.deepEqual([page.place, ...page.notices, ...notices], ["top"]);
      }
    });

    test(`${routine.id}: a link of a version 1 page, with every control that is there, is the same state`, () => {
      const { id, parameters } = routine;
      const random = generator(7);
      const initial = initialTexts(parameters);
      for (let round = 0; round < 100; round += 1) {
        const drawn = Object.fromEntries(parameters.map((parameter) => [parameter.name, legal(parameter, random)]));
        const there = active(parameters, drawn).filter(({ name }) => drawn[name].length <= longestValue);
        const texts = { ...initial, ...Object.fromEntries(there.map(({ name }) => [name, drawn[name]])) };
        const keys = new URLSearchParams([["v", "1"], ...there.map(({ name }) => [`${id}.${kebab(name)}`, drawn[name]])]);
        const { states, notices } = parse(keys.toString(), routines);
        assert.deepEqual([{ ...initial, ...states.get(id) }, notices], [texts, []]);
      }
    });
  }
});

const oddKeys = ["", "v", "__proto__", "constructor", "state", "preset", "lock", "hide", "lang", "units", "%", "a.b", "é"];
const oddValues = ["", " ", "-1", "0", "0.5", "1e999", "NaN", "Infinity", "0x10", "٣", "1".repeat(400), "null", "[object Object]", "<img src=x onerror=alert(1)>", "%", "%ff", "%00", "\u{1f600}", "all", "1e-300", "1GB", "9".repeat(17)];

/** The text of a link that nobody has written: keys of a widget and others, with values that may stand there and others. */
function anyLink({ id, parameters }, random) {
  const one = (list) => list[Math.floor(random() * list.length)];
  const written = (text) => (random() < 0.7 ? encodeURIComponent(text) : text.replace(/[\s#]/g, ""));
  const entry = () => {
    const parameter = one(parameters);
    const key = random() < 0.8 ? kebab(parameter.name) : one(oddKeys);
    const value = random() < 0.5 ? one(oddValues) : legal(parameter, random);
    return `${random() < 0.3 ? `${id}.` : ""}${written(key)}${random() < 0.95 ? "=" : ""}${written(value)}`;
  };
  return Array.from({ length: 1 + random() * 8 }, entry).join(one(["&", "&", "&", "&&"]));
}

let site;
before(async () => {
  site = await open();
});
after(() => site?.close());

describe("in an embed", () => {
  const opensAll = repeated([false], [true]).at(-1);

  for (const { id } of routines) {
    test(`${id} shows what each says`, async () => {
      const all = linksOf(id);
      const links = repeated(all.slice(0, 4), all.slice(4));
      const address = (link) => `${site.url}embed/${id}.html${link}`;
      const page = await site.page();
      const widget = page.locator(`shardlab-${id}`);
      for (const [index, { link, expected }] of links.entries()) {
        // To follow a fragment is as good as to open it, and quicker.
        const isFollowed = index > 0 && link.startsWith("#") && !opensAll;
        if (!isFollowed) await page.goto("about:blank");
        await page.goto(address(link));
        await started(widget);
        const found = await widget.evaluate(async (one) => {
          // A fragment that is followed is heard of by an event.
          await new Promise((resolve) => setTimeout(resolve));
          await one.updateComplete;
          const told = [...one.shadowRoot.querySelectorAll(".notices, .error, .stale")].map(({ textContent }) => textContent.trim());
          return { state: one.state, told: told.filter((text) => text !== "") };
        });
        assert.deepEqual(found, { state: expected, told: [] }, link);
      }
      assert.deepEqual(page.trouble.filter((one) => !one.startsWith("request: blob:")), []);
      await page.close();
    });
  }

  for (const routine of routines) {
    test(`${routine.id} shows something whatever a link says, and says it on no console`, async () => {
      const random = generator(routine.id.length + 11);
      const page = await site.page();
      const widget = page.locator(`shardlab-${routine.id}`);
      const address = `${site.url}embed/${routine.id}.html`;
      const links = Array.from({ length: repeated([12], [300]).at(-1) }, () => anyLink(routine, random));
      for (const [index, link] of links.entries()) {
        // What is opened takes ten times as long as what is followed.
        if (index % 30 === 0) {
          await page.goto("about:blank");
          await page.goto(`${address}?${link}#${link}`);
          await started(widget);
        }
        const found = await widget.evaluate(async (one, text) => {
          location.hash = text;
          await new Promise((resolve) => setTimeout(resolve));
          await one.updateComplete;
          const has = (part) => one.shadowRoot.querySelector(part) !== null;
          return { shows: has("[data-readout]") && has(".caption"), isGood: !has(".trouble, .caption .error, .stale, [aria-invalid=true]") };
        }, link);
        assert.deepEqual(found, { shows: true, isGood: true }, link);
      }
      assert.deepEqual(page.trouble.filter((one) => !one.startsWith("request: blob:")), []);
      await page.close();
    });
  }
});
