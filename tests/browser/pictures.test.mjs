/** The still pictures of presets: they stand by themselves, and show what the widgets show. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { Painting } from "../../web/first-paint.mjs";
import { PictureStyle } from "../../web/picture-style.mjs";
import { open, siteDirectory } from "./browser.mjs";
import { host } from "./host.mjs";
import { source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { parseDocument } = createRequire(new URL("../../web/package.json", import.meta.url))("htmlparser2");
const { routines } = await source("routines/index.ts");
const { carried } = await source("save.ts");

const folder = path.join(siteDirectory(), "static");
const names = routines.flatMap(({ id, presets }) => presets.map(({ name }) => (name === "default" ? id : `${id}-${name}`)));
const text = (name) => readFileSync(path.join(folder, `${name}.svg`), "utf8");
const sizeOf = (name) => /width="(\d+)" height="([\d.]+)"/.exec(text(name)).slice(1).map(Number);

test("there is one of each preset, as SVG and as PNG, and no other", () => {
  assert.deepEqual(readdirSync(folder).sort(), names.flatMap((name) => [`${name}.svg`, `${name}.png`]).sort());
});

test("each stands by itself", () => {
  for (const name of names) {
    const svg = text(name);
    assert.doesNotMatch(svg, /var\(|light-dark|color-mix|<script|<foreignObject|href=|@import|@font-face|NaN|undefined/i, name);
    assert.deepEqual([...svg.matchAll(/url\(([^)]*)\)/g)].filter(([, to]) => !svg.includes(` id="${to.slice(1)}"`)), [], name);
    const families = new Set([...svg.matchAll(/font-family="([^"]*)"/g)].map(([, family]) => family));
    assert.deepEqual([...families].filter((family) => !["sans-serif", "serif", "monospace"].includes(family)), [], name);
    const [, sheet] = /<style>(.*?)<\/style>/s.exec(svg);
    assert.match(sheet, /^@media \(prefers-color-scheme:dark\)\{(\.d\d+\{[^{}]+\})+\}$/, name);
  }
});

test("each says what it is, for those who do not see it", () => {
  for (const { id, title, presets } of routines) {
    for (const { name, label } of presets) {
      const svg = text(name === "default" ? id : `${id}-${name}`);
      const [, titleId, descriptionId] = /^<svg role="img" [^>]*aria-labelledby="(\S+) (\S+)"/.exec(svg);
      const said = new RegExp(`<title id="${titleId}">([^<]*)</title>`).exec(svg)[1];
      assert.equal(said, `${title}: ${label}`);
      assert.match(svg, new RegExp(`<desc id="${descriptionId}">[^<]{40,}</desc>`), name);
    }
  }
});

test("the pixels are twice as fine as the drawing, and not all of one colour", () => {
  for (const name of names) {
    const png = readFileSync(path.join(folder, `${name}.png`));
    const [width, height] = sizeOf(name);
    assert.deepEqual([png.toString("latin1", 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], ["PNG", 2 * width, Math.ceil(2 * height)], name);
    assert.ok(png.length > 4000, name);
  }
});

test("the style sheets of a widget are those that its pictures take", async () => {
  const painting = await Painting.by(process.env.SHARDLAB_PACKAGE);
  const { figureStyles } = await source("figures/styles.ts");
  const every = ["text", "ranks", "chunks", "ways", "sent", "operations", "bars", "curves", "training", "matches", "marks", "forced-colours"];
  const sheet = (name) => readFileSync(new URL(`../../web/src/${name}.css`, import.meta.url), "utf8");
  const imported = [...sheet("figure").matchAll(/"\.\/figure\/(.+)\.css"/g)].map(([, name]) => name);
  assert.deepEqual(imported, every);
  const styleOf = (sheets) => new PictureStyle([sheet("tokens"), ...sheets].join(""), carried);
  const whole = styleOf(every.map((name) => sheet(`figure/${name}`)));
  for (const { id, presets, styles = [] } of routines) {
    const own = styleOf(figureStyles(styles));
    for (const { name, texts } of presets) {
      const { figure } = await painting.view(painting.routine(id), texts, 760);
      const top = parseDocument(`<div class="figure">${figure.text}</div>`, { xmlMode: true }).children[0];
      const [expected, actual] = [whole, own].map((style) => [...style.of(top, "light").values()].map((one) => [...one]));
      assert.deepEqual(actual, expected, `${id}, ${name}`);
    }
  }
});

let site;
before(async () => {
  site = await open();
});
after(() => site?.close());

test("as an image it is on white, and on dark paper where that is asked for", async () => {
  for (const [colorScheme, paper] of [["light", [255, 255, 255]], ["dark", [26, 29, 35]]]) {
    const page = await host(site, '<img alt="" src="static/pipeline.svg">', { colorScheme });
    const corner = await page.locator("img").evaluate(async (image) => {
      await image.decode();
      const context = Object.assign(document.createElement("canvas"), { width: 20, height: 20 }).getContext("2d");
      context.drawImage(image, 0, 0);
      return [...context.getImageData(2, 2, 1, 1).data.slice(0, 3)];
    });
    assert.deepEqual(corner, paper, colorScheme);
    assert.deepEqual(page.trouble, []);
    await page.close();
  }
});

/** Runs in the page: of every element of a drawing its name, its own text and how it looks. */
function looks(svg, properties) {
  const channel = (number, most) => Math.round(Number(number) * most);
  const tidy = (value, name) =>
    name === "font-family"
      ? value.split(",").at(-1).trim()
      : value.replace(/color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)/, (_, ...parts) => `rgb(${parts.slice(0, 3).map((part) => channel(part, 255)).join(", ")})`);
  return [svg, ...svg.querySelectorAll("*")].map((element) => {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.replace(/\s+/g, " ").trim());
    return [element.localName, own.join(""), Object.fromEntries(properties.map((name) => [name, tidy(style.getPropertyValue(name), name)]))];
  });
}

/** A style in which a mixed colour that is half a step off is the other's. */
function rounded(style, other) {
  const channels = (value) => value.match(/\d+/g)?.map(Number) ?? [];
  const isAlike = (one, two) => /^rgb/.test(one) && /^rgb/.test(two) && channels(one).every((value, at) => Math.abs(value - channels(two)[at]) <= 1);
  return Object.fromEntries(Object.entries(style).map(([name, value]) => [name, isAlike(value, other[name]) ? other[name] : value]));
}

/** Runs in the page: shows a preset, and gives its figure this width. */
async function show([tag, preset, pixels]) {
  const widget = Object.assign(document.createElement(tag), { style: `width: ${pixels + 140}px` });
  widget.setAttribute("preset", preset);
  document.querySelector("main").replaceChildren(widget);
  await widget.ready;
  await widget.updateComplete;
  const figure = widget.shadowRoot.querySelector(".figure");
  for (let attempt = 0; attempt < 3 && figure.clientWidth !== pixels; attempt += 1) {
    widget.style.width = `${pixels + widget.offsetWidth - figure.clientWidth}px`;
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  }
  await widget.updateComplete;
}

/** Runs in the page: puts a still picture beside the widget, without its title, description, style and paper. */
function place(aside, svg) {
  aside.innerHTML = svg;
  const [title, description, sheet, paper] = aside.firstChild.children;
  for (const one of [title, description, paper]) one.remove();
  aside.prepend(sheet);
}

const saidIn = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, one]) => one.replaceAll("&nbsp;", " ").replace(/\s+/g, " ").trim());

describe("each looks as the widget does that shows the preset", () => {
  // What differs in dark is the same few colours everywhere.
  const inDark = ["all-reduce", "zero", "memory"];

  for (const colorScheme of ["light", "dark"]) {
    describe(colorScheme, () => {
      let page;
      before(async () => {
        const head = '<meta name="color-scheme" content="light dark"><script type="module" src="widgets/index.js"></script>';
        page = await host(site, '<main></main><aside style="font-size: 15px"></aside>', { colorScheme, head });
        await page.waitForFunction(() => customElements.get("shardlab-memory") !== undefined);
      });
      after(() => page?.close());

      const tried = routines.filter(({ id }) => colorScheme === "light" || repeated(inDark, [id]).includes(id));
      for (const { id, presets } of tried) {
        test(id, async () => {
          for (const { name } of presets) {
            const picture = text(name === "default" ? id : `${id}-${name}`);
            await page.evaluate(show, [`shardlab-${id}`, name, 760]);
            await page.locator("aside").evaluate(place, picture);
            const [live, still] = await Promise.all(
              ["main .figure svg", "aside svg"].map((drawing) => page.locator(drawing).evaluate(looks, carried)),
            );
            const content = (all) => all.map(([tag, said]) => `${tag} ${said}`);
            assert.deepEqual(content(still), content(live), name);
            still.forEach(([tag, said, style], index) => assert.deepEqual(rounded(style, live[index][2]), live[index][2], `${name}: ${tag} ${said}, number ${index}`));
            const taken = await page.locator(`shardlab-${id}`).evaluate((one) => one.toSVG());
            assert.deepEqual(saidIn(picture), saidIn(taken), `${name}: what is taken away`);
          }
        });
      }
    });
  }
});
