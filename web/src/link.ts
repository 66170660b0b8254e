/**
 * The state of widgets as text in an address.
 *
 * Of one widget: `v=1&ranks=8&step=3`. Of a page's, in its fragment: `#v=1&all-reduce.ranks=8&all-reduce.step=3`, where
 * a key is the widget's id, a dot and the parameter's name in kebab-case; it may begin with the name of a place on the
 * page: `#pipeline&v=1&...`. Values are what stands in the controls; what stands there from the start is left out.
 */

import { cut } from "./format.js";
import { kebab, refusal, type Parameter, type Texts } from "./parameter.js";
import { say, word, type Told } from "./words.js";

/**
 * What a key means, and what is meant where it is left out. When either changes this goes up, and `migrations` says how
 * an older text is read: links that have been given away stay what they were.
 */
export const version = 1;

/** The version that a text says it is of; nothing where it says none. */
export function versionOf(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** From the keys of a version to those of the next. */
type Migration = (entries: readonly Entry[]) => readonly Entry[];
const migrations: Readonly<Record<number, Migration>> = {};

/** A longer text is left out: addresses have no room for files. */
export const longestValue = 4000;

/** What a link needs to know of a widget. */
export interface Schema {
  id: string;
  parameters: readonly Parameter[];
}

/** A widget's state, and the one it starts with. */
export interface Stated extends Schema {
  texts: Texts;
  initial: Texts;
}

export interface Link {
  /** the place on the page, or nothing */
  place: string;
  /** by widget; a parameter that the link leaves out is left out here */
  states: ReadonlyMap<string, Texts>;
  /** what could not be understood */
  notices: readonly Told[];
}

type Entry = readonly [key: string, text: string];

function keyed({ parameters, texts, initial }: Stated, prefix: string): Entry[] {
  return parameters
    .filter(({ kind }) => kind !== "files")
    .filter(({ name }) => texts[name] !== initial[name] && texts[name]!.length <= longestValue)
    .map(({ name }) => [`${prefix}${kebab(name)}`, texts[name]!]);
}

function written(entries: readonly Entry[]): string {
  return new URLSearchParams([["v", String(version)], ...entries.map(([key, text]) => [key, text])]).toString();
}

/** A page's fragment, without its `#`. */
export function serialise(widgets: readonly Stated[], place = ""): string {
  const entries = widgets.flatMap((widget) => keyed(widget, `${widget.id}.`));
  return [place, entries.length > 0 ? written(entries) : ""].filter((part) => part !== "").join("&");
}

/** One widget's state. */
export function serialiseOne(widget: Stated): string {
  return written(keyed(widget, ""));
}

/** Reads one widget's state, also out of a page's fragment. Whatever it holds, what is known of it is kept. */
export function readOne(text: string, widget: Schema, notices: Told[]): Texts {
  const reader = new Reader([widget], notices);
  reader.read(split(text).keys, (key) => (key.startsWith(`${widget.id}.`) ? key : `${widget.id}.${key}`));
  return reader.states.get(widget.id) ?? {};
}

/** Reads a page's fragment, with or without its `#`. Whatever it holds, what is known of it is kept. */
export function parse(fragment: string, widgets: readonly Schema[]): Link {
  const { place, keys } = split(fragment);
  const notices: Told[] = [];
  const reader = new Reader(widgets, notices);
  reader.read(keys, (key) => key);
  return { place, states: reader.states, notices };
}

/** What has no value at the beginning is a place on a page. */
function split(address: string): { place: string; keys: string } {
  const text = address.replace(/^[#?]/, "");
  const first = text.split("&", 1)[0]!;
  const place = first.includes("=") ? "" : first;
  return { place, keys: text.slice(place.length) };
}

class Reader {
  readonly states = new Map<string, Record<string, string>>();

  constructor(
    private readonly widgets: readonly Schema[],
    private readonly notices: Told[],
  ) {}

  /** @param full a key of the text with its widget's id */
  read(text: string, full: (key: string) => string): void {
    const all = [...new URLSearchParams(text)];
    const entries = this.migrated(all);
    const unknown = entries.filter(([key, value]) => !this.take(key, full(key), value)).map(([key]) => key);
    if (unknown.length > 0) this.notices.push(() => say`The link has keys that this page does not know: ${unknown.join(", ")}.`);
  }

  /** The entries in the words of this version. A text that does not say its version is of this one. */
  private migrated(all: readonly Entry[]): readonly Entry[] {
    let entries = all.filter(([key]) => key !== "v");
    const said = all.find(([key]) => key === "v")?.[1];
    if (said === undefined) return entries;
    const of = versionOf(said);
    if (of === undefined) this.leaveOut("v", said, () => word("be a whole number of at least 1"));
    else if (of > version) this.notices.push(() => say`The link is of version ${of}; this page reads version ${version}.`);
    for (let from = of ?? version; from < version; from += 1) entries = [...migrations[from]!(entries)];
    return entries;
  }

  private take(shown: string, key: string, value: string): boolean {
    const dot = key.indexOf(".");
    const widget = this.widgets.find(({ id }) => id === key.slice(0, dot));
    const parameter = widget && parameterOf(widget, key.slice(dot + 1));
    if (widget === undefined || parameter === undefined) return false;
    const rule = refusal(parameter, value);
    if (rule === undefined) this.states.set(widget.id, { ...this.states.get(widget.id), [parameter.name]: value });
    else this.leaveOut(shown, value, rule);
    return true;
  }

  private leaveOut(key: string, value: string, rule: Told): void {
    this.notices.push(() => say`${key}=${cut(value)} in the link is left out: it must ${rule()}.`);
  }
}

function parameterOf({ parameters }: Schema, key: string): Parameter | undefined {
  const now = parameters.find(({ name }) => kebab(name) === key);
  return now ?? parameters.find(({ formerly = [] }) => formerly.some((name) => kebab(name) === key));
}
