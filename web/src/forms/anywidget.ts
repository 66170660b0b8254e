/**
 * The widgets as an anywidget module (Jupyter, Colab, VS Code, marimo, MyST), by the protocol of
 * https://anywidget.dev/en/afm/: `render({ model, el })`.
 *
 * The model's traits: `widget`, the id of one (`pipeline`); `options`, its attributes by name, which can be set again;
 * `state`, the texts of its controls, which follows what the reader does and can be set.
 */

import { authorsAttributes } from "../author.js";
import { define } from "../define.js";
import { settle } from "../home.js";
import { provide } from "../lab.js";
import { serialiseOne } from "../link.js";
import { kebab, textsFrom } from "../parameter.js";
import { routines } from "../routines/index.js";
import type { Widget } from "../widget.js";
import { say } from "../words.js";
import { unpacked, type Carried } from "./carried.js";

/** What is used of a host's model. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

const ids = routines.map(({ id }) => id);

export function module(carried: Carried, base: string): object {
  let prepared = false;
  const prepare = () => {
    if (prepared) return;
    prepared = true;
    provide(unpacked(carried));
    settle({
      link: (widget) => (base === "" ? `?${serialiseOne(widget)}` : `${base}embed/${widget.id}.html?${serialiseOne(widget)}`),
      base: () => base,
    });
    for (const routine of routines) define(routine);
  };
  const render = ({ model, el }: { model: Model; el: HTMLElement }) => {
    prepare();
    return show(model, el);
  };
  return { render };
}

/** @returns what the host calls when the output goes away */
function show(model: Model, el: HTMLElement): () => void {
  const id = String(model.get("widget") ?? ids[0]);
  if (!ids.includes(id)) {
    el.textContent = `widget must be one of ${ids.join(", ")}. It is ${id}.`;
    return () => undefined;
  }
  const widget = document.createElement(`shardlab-${id}`) as Widget;
  const dress = dresser(widget);
  const followOptions = () => dress(model.get("options"));
  const followState = () => {
    const texts = textsFrom(model.get("state"), widget.routine.parameters);
    if (Object.entries(texts).some(([name, text]) => widget.state[name] !== text)) widget.restore({ ...widget.state, ...texts });
  };
  followOptions();
  el.append(widget);
  followState();
  model.on("change:options", followOptions);
  model.on("change:state", followState);
  widget.addEventListener("shardlab-change", () => {
    model.set("state", { ...widget.state });
    model.save_changes();
  });
  return () => {
    model.off("change:options", followOptions);
    model.off("change:state", followState);
    widget.remove();
  };
}

/** Gives a widget the attributes that options name, in place of those before. A name that is none of its is told once. */
function dresser(widget: Widget): (options: unknown) => void {
  const known = authorsAttributes(widget.routine);
  const told = new Set<string>();
  return (options) => {
    const given = Object.entries(options ?? {}).map(([name, value]) => [name, kebab(name).replace(/_/g, "-"), value] as const);
    const wanted = new Map(given.map(([, attribute, value]) => [attribute, value]));
    for (const attribute of known) write(widget, attribute, wanted.get(attribute));
    const unknown = given.filter(([name, attribute]) => !known.has(attribute) && !told.has(name)).map(([name]) => name);
    if (unknown.length > 0) widget.note([() => say`The options have names that this widget does not know: ${unknown.join(", ")}.`]);
    for (const name of unknown) told.add(name);
  };
}

function write(widget: Widget, attribute: string, value: unknown): void {
  if (value === undefined || value === null || value === false) widget.removeAttribute(attribute);
  else widget.setAttribute(attribute, value === true ? "" : String(value));
}
