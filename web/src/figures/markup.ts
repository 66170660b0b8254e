/** Drawings as text, so that the same code draws in a browser, in a test and where the page is built. */

/** A piece of SVG. */
export class Drawing {
  constructor(readonly text: string) {}
}

/** A whole picture. */
export class Figure extends Drawing {
  /** @param width in CSS pixels */
  constructor(
    text: string,
    readonly width: number,
  ) {
    super(text);
  }
}

/** What may stand in a template: an attribute that is nothing is left out. */
type Value = Drawing | string | number | undefined | readonly Value[];

interface Template {
  /** the text between values, the quotes of attributes with it */
  texts: readonly string[];
  /** whether the value after that text is an attribute's */
  attribute: readonly boolean[];
}

const templates = new WeakMap<TemplateStringsArray, Template>();

/** Puts values into SVG: text is escaped, drawings are not, and `x=${1}` gets its quotes. */
export function svg(strings: TemplateStringsArray, ...values: readonly Value[]): Drawing {
  const { texts, attribute } = template(strings);
  let text = texts[0]!;
  values.forEach((value, index) => {
    const left = attribute[index] && value === undefined;
    text = left ? text.slice(0, text.lastIndexOf(" ")) : text + written(value);
    text += left ? texts[index + 1]!.slice(1) : texts[index + 1];
  });
  return new Drawing(text);
}

function template(strings: TemplateStringsArray): Template {
  const known = templates.get(strings);
  if (known !== undefined) return known;
  const attribute = strings.map((text) => text.endsWith("="));
  const texts = strings.map((text, index) => {
    const lead = attribute[index - 1] ? '"' : "";
    return `${lead}${text.replace(/\s+/g, " ")}${attribute[index] ? '"' : ""}`;
  });
  const made = { texts, attribute };
  templates.set(strings, made);
  return made;
}

function written(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escaped(value);
  if (typeof value === "number") return String(px(value));
  if (value instanceof Drawing) return value.text;
  let text = "";
  for (const one of value) text += written(one);
  return text;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escaped(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (sign) => entities[sign]!) : text;
}

/** How much room a text takes, in Latin letters: a Chinese sign is twice as wide. */
export function lengthOf(text: string): number {
  return text.length + (text.match(/[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0);
}

/** Coordinates are in pixels; finer than this is not seen. */
export function px(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A rectangle as a part of a path; nothing where it is too low to be seen. */
export function box(x: number, y: number, width: number, height: number): string {
  return height < 0.05 ? "" : `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}z`;
}
