/**
 * The style sheets of figures, worked out for each element of a drawing as a browser does it: so that a picture can stand
 * where there are no style sheets, in print, in mail and in programs that know nothing of custom properties.
 */

import { compile, is } from "css-select";
import { generate, parse } from "css-tree";
import { isTag } from "domhandler";

/** Where every widget has its custom properties. */
const roots = [":root", ":host"];

export class PictureStyle {
  /**
   * @param css rules; what stands in an at-rule is for other media
   * @param carried the properties that a picture takes with it
   */
  constructor(css, carried) {
    this.carried = new Set(carried);
    this.rules = [];
    this.tokens = [];
    parse(css, { parseValue: false, parseCustomProperty: false })
      .children.filter(({ type }) => type === "Rule")
      .forEach((rule) => this.add(rule));
  }

  add({ prelude, block }) {
    const declarations = block.children.toArray().map(({ property, value }) => [property, generate(value).replace(/\s+/g, " ").trim()]);
    for (const selector of prelude.children.toArray()) {
      const text = generate(selector);
      if (roots.includes(text)) this.tokens.push(...declarations);
      else if (!text.includes(":host")) {
        this.rules.push({ matches: compile(text, { xmlMode: true }), weight: specificity(selector), declarations });
      }
    }
  }

  /**
   * Works out what each element below one has of its own; what it inherits is not repeated.
   * @param scheme light or dark
   * @returns properties, by element
   */
  of(top, scheme) {
    const found = new Map();
    const visit = (element, inherited) => {
      const { custom, own } = this.one(element, inherited, scheme);
      found.set(element, own);
      element.children.filter(isTag).forEach((child) => visit(child, custom));
    };
    visit(top, this.root(scheme));
    return found;
  }

  /** The value of a custom property that every drawing has. */
  token(name, scheme) {
    return this.root(scheme).get(name);
  }

  root(scheme) {
    const custom = new Map();
    for (const [name, text] of this.tokens) if (name.startsWith("--")) custom.set(name, resolved(text, custom, scheme));
    return custom;
  }

  one(element, inherited, scheme) {
    const all = this.declared(element);
    const custom = new Map(inherited);
    for (const [name, text] of all) if (name.startsWith("--")) custom.set(name, resolved(text, inherited, scheme));
    const own = new Map();
    for (const [name, text] of all) {
      const value = name.startsWith("--") ? undefined : resolved(text, custom, scheme);
      for (const [longhand, one] of expanded(name, value)) if (this.carried.has(longhand)) own.set(longhand, one);
    }
    // What cannot be worked out is as if it had not been said.
    for (const [name, value] of own) if (value === undefined) own.delete(name);
    return { custom, own };
  }

  /** The declarations of the rules that match, those that win last. */
  declared(element) {
    const matching = this.rules.filter(({ matches }) => is(element, matches, { xmlMode: true }));
    return matching.sort((one, two) => one.weight - two.weight).flatMap(({ declarations }) => declarations);
  }
}

/** As a number: no selector has a hundred classes. */
function specificity(selector) {
  return selector.children.toArray().reduce((sum, node) => sum + weight(node), 0);
}

function weight({ type, name, children }) {
  if (type === "IdSelector") return 1e4;
  if (type === "TypeSelector") return name === "*" ? 0 : 1;
  if (type === "Combinator" || name === "where") return 0;
  if (name === "is" || name === "not") return Math.max(...children.first.children.toArray().map(specificity));
  return 1e2;
}

const innermost = /\b(var|light-dark|color-mix)\(([^()]*)\)/;

/** The functions in a value, worked out; nothing where a custom property has no value. */
function resolved(text, custom, scheme) {
  let value = text;
  for (let found = innermost.exec(value); found !== null; found = innermost.exec(value)) {
    const [whole, name, content] = found;
    const [first, ...rest] = content.split(",").map((part) => part.trim());
    const one =
      name === "var"
        ? (custom.get(first) ?? (rest.length > 0 ? rest.join(", ") : undefined))
        : name === "light-dark"
          ? (scheme === "dark" ? rest[0] : first)
          : mixed(rest);
    if (one === undefined) return undefined;
    value = value.replace(whole, () => one);
  }
  return value;
}

/** `color-mix(in srgb, #rrggbb 20%, #rrggbb)` as one colour. */
function mixed([first, second]) {
  const [, colour, percent] = /^(#\w+) ([\d.]+)%$/.exec(first) ?? [];
  if (percent === undefined) throw new Error(`A figure's style mixes colours in a way that is not known here: ${first}, ${second}.`);
  const [one, two] = [channels(colour), channels(second)];
  const part = Number(percent) / 100;
  return `#${one.map((value, at) => Math.round(value * part + two[at] * (1 - part)).toString(16).padStart(2, "0")).join("")}`;
}

function channels(hex) {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) throw new Error(`A figure's colour is not of the form #rrggbb: ${hex}.`);
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** A shorthand as what it stands for; of families the last, which is there on every machine. */
function expanded(name, value) {
  if (name === "font-family") return [[name, value?.split(",").pop().trim()]];
  if (name !== "font") return [[name, value]];
  const [, weightOfFont, size, families] = /^(\d+) ([\d.]+px) (.+)$/.exec(value) ?? [];
  if (families === undefined) throw new Error(`A figure's font is not of the form "weight size family": ${value}.`);
  return [["font-weight", weightOfFont], ["font-size", size], ...expanded("font-family", families)];
}
