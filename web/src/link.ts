/**
 * The state of widgets as the fragment of an address: `#v=1&all-reduce.ranks=8&all-reduce.step=3`.
 *
 * A key is the widget's id, a dot and the parameter's name in kebab-case; values are what stands in the controls. A
 * fragment may begin with the name of a place on the page: `#pipeline&v=1&...`.
 */

import { active, kebab, refusal, type Parameter, type Texts } from "./parameter.js";

export const version = 1;

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
  /** what could not be understood, in sentences */
  notices: readonly string[];
}

function keyed({ id, parameters, texts, initial }: Stated): { key: string; text: string }[] {
  const shown = new Set(active(parameters, texts));
  return parameters
    .map((parameter) => ({ parameter, text: texts[parameter.name]! }))
    .filter(({ parameter, text }) => shown.has(parameter) || text !== initial[parameter.name])
    .map(({ parameter, text }) => ({ key: `${id}.${kebab(parameter.name)}`, text }));
}

/** The fragment, without its `#`. */
export function serialise(widgets: readonly Stated[], place = ""): string {
  const entries = widgets.flatMap(keyed).filter(({ text }) => text.length <= longestValue);
  const keys = new URLSearchParams([["v", String(version)], ...entries.map(({ key, text }) => [key, text])]);
  const parts = entries.length > 0 ? [place, keys.toString()] : [place];
  return parts.filter((part) => part !== "").join("&");
}

/** The labels of the controls whose text is too long for a link. */
export function leftOut(widget: Stated): string[] {
  return active(widget.parameters, widget.texts)
    .filter(({ name }) => widget.texts[name]!.length > longestValue)
    .map(({ label }) => label);
}

/** Reads a fragment, with or without its `#`. Whatever it holds, what is known of it is kept. */
export function parse(fragment: string, widgets: readonly Schema[]): Link {
  const text = fragment.replace(/^#/, "");
  const first = text.split("&", 1)[0]!;
  const place = first.includes("=") ? "" : first;
  const states = new Map<string, Record<string, string>>();
  const notices: string[] = [];
  const unknown: string[] = [];
  for (const [key, value] of new URLSearchParams(text.slice(place.length))) {
    const dot = key.indexOf(".");
    const widget = widgets.find(({ id }) => id === key.slice(0, dot));
    const parameter = widget?.parameters.find(({ name }) => kebab(name) === key.slice(dot + 1));
    if (key === "v") {
      if (value !== String(version)) notices.push(`The link is of version ${value}; this page reads version ${version}.`);
    } else if (widget === undefined || parameter === undefined) {
      unknown.push(key);
    } else {
      const rule = refusal(parameter, value);
      if (rule === undefined) states.set(widget.id, { ...states.get(widget.id), [parameter.name]: value });
      else notices.push(`${key}=${value} in the link is left out: it must ${rule}.`);
    }
  }
  if (unknown.length > 0) notices.push(`The link has keys that this page does not know: ${unknown.join(", ")}.`);
  return { place, states, notices };
}
