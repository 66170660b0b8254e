/**
 * Still pictures of every preset, `static/ID.svg` and `static/ID-PRESET.svg`, and the same as PNG: for print, for mail,
 * for readers without JavaScript. They are drawn by the widgets' own code and stand by themselves.
 */

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import render from "dom-serializer";
import { Element, isTag, Text } from "domhandler";
import { build } from "esbuild";
import { parseDocument } from "htmlparser2";
import { web } from "./bundling.mjs";
import { PictureStyle } from "./picture-style.mjs";

/** Of the drawing, and of the paper around it, in CSS pixels. */
const width = 760;
const margin = 16;
/** Pixels of a PNG to one of those. */
const scale = 2;

/** What is escaped stays so, and all other signs are themselves. */
const xml = { xmlMode: true, decodeEntities: false };

export class Pictures {
  /**
   * @param painting draws
   * @param converter the command that makes pixels of an SVG: librsvg's
   */
  constructor({ painting, converter }) {
    Object.assign(this, { painting, converter });
  }

  /** Writes all pictures of all widgets into the folder `static`. */
  async write(out) {
    const folder = path.join(out, "static");
    await mkdir(folder, { recursive: true });
    this.style = new PictureStyle(await figureStyle(), this.painting.code.carried);
    for (const routine of this.painting.routines) {
      for (const preset of routine.presets) {
        const file = path.join(folder, nameOf(routine, preset));
        await writeFile(`${file}.svg`, await this.picture(routine, preset));
        await this.convert(file);
      }
    }
  }

  async picture(routine, preset) {
    const { figure } = await this.painting.view(routine, preset.texts, width);
    if (figure === undefined) throw new Error(`The preset ${preset.name} of ${routine.id} is too large to draw.`);
    return standing(figure.text, this.style, { name: nameOf(routine, preset), title: this.painting.code.escaped(`${routine.title}: ${preset.label}`) });
  }

  async convert(file) {
    try {
      await promisify(execFile)(this.converter, ["--zoom", String(scale), "--output", `${file}.png`, `${file}.svg`]);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      throw new Error(`There is no ${this.converter}, which makes the pictures' PNG files: install Debian's librsvg2-bin.`);
    }
  }
}

function nameOf({ id }, { name }) {
  return name === "default" ? id : `${id}-${name}`;
}

/** The rules of figures as one text, with what they import. */
async function figureStyle() {
  const { outputFiles } = await build({
    absWorkingDir: web,
    stdin: { contents: '@import "./tokens.css"; @import "./figure.css";', resolveDir: path.join(web, "src"), loader: "css" },
    bundle: true,
    write: false,
  });
  return outputFiles[0].text;
}

/**
 * A drawing with its style in its own attributes, as in light, and what differs in dark behind a media query; with a
 * title, a description and paper.
 */
function standing(text, style, { name, title }) {
  const around = parseDocument(`<div class="figure">${text}</div>`, xml).children[0];
  const svg = around.children[0];
  const [light, dark] = ["light", "dark"].map((scheme) => style.of(around, scheme));
  const darker = new Classes();
  for (const element of within(svg)) {
    delete element.attribs.class;
    const [own, other] = [light.get(element), dark.get(element)];
    for (const [property, value] of own) element.attribs[property] = value;
    darker.give(element, [...other].filter(([property, value]) => own.get(property) !== value));
  }
  const description = svg.attribs["aria-label"];
  const paper = tag("rect", { ...lay(svg), fill: style.token("--panel", "light") });
  darker.give(paper, [["fill", style.token("--panel", "dark")]]);
  delete svg.attribs["aria-label"];
  Object.assign(svg.attribs, { xmlns: "http://www.w3.org/2000/svg", "aria-labelledby": `${name}-title ${name}-description` });
  const named = [
    tag("title", { id: `${name}-title` }, title),
    tag("desc", { id: `${name}-description` }, description),
    tag("style", {}, darker.sheet()),
    paper,
  ];
  svg.children.unshift(...named);
  return `${render(svg, { ...xml, encodeEntities: false })}\n`;
}

/** Gives the drawing a margin. @returns where its paper lies */
function lay(svg) {
  const [x, y, w, h] = svg.attribs.viewBox.split(" ").map(Number);
  const paper = { x: x - margin, y: y - margin, width: w + 2 * margin, height: h + 2 * margin };
  Object.assign(svg.attribs, { width: String(paper.width), height: String(paper.height), viewBox: Object.values(paper).join(" ") });
  return Object.fromEntries(Object.entries(paper).map(([key, value]) => [key, String(value)]));
}

function* within(element) {
  yield element;
  for (const child of element.children.filter(isTag)) yield* within(child);
}

function tag(name, attributes, text) {
  return new Element(name, attributes, text === undefined ? [] : [new Text(text)]);
}

/** What elements are in dark: a class for each set of declarations. */
class Classes {
  constructor() {
    this.names = new Map();
  }

  give(element, declarations) {
    if (declarations.length === 0) return;
    const text = declarations.map(([property, value]) => `${property}:${value}`).join(";");
    if (!this.names.has(text)) this.names.set(text, `d${this.names.size}`);
    element.attribs.class = this.names.get(text);
  }

  sheet() {
    const rules = [...this.names].map(([text, name]) => `.${name}{${text}}`);
    return `@media (prefers-color-scheme:dark){${rules.join("")}}`;
  }
}
