/**
 * The widgets as an anywidget module (Jupyter, Colab, VS Code, marimo, MyST), by the protocol of
 * https://anywidget.dev/en/afm/: `render({ model, el })`.
 *
 * The model's traits: `widget`, the id of one (`pipeline`); `options`, its attributes by name; `state`, the texts of its
 * controls, which follows what the reader does and can be set.
 */

import { define } from "../define.js";
import { settle } from "../home.js";
import { provide } from "../lab.js";
import { serialiseOne } from "../link.js";
import { kebab } from "../parameter.js";
import { routines } from "../routines/index.js";
import type { Widget } from "../widget.js";
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
  for (const [name, value] of Object.entries((model.get("options") as object | undefined) ?? {})) {
    if (value !== false && value !== null) widget.setAttribute(kebab(name).replace(/_/g, "-"), value === true ? "" : String(value));
  }
  el.append(widget);
  const follow = () => {
    const state = model.get("state") as Record<string, unknown> | undefined;
    const texts = Object.entries(state ?? {}).map(([name, value]) => [name, String(value)] as const);
    if (texts.some(([name, text]) => widget.state[name] !== text)) widget.restore({ ...widget.state, ...Object.fromEntries(texts) });
  };
  follow();
  model.on("change:state", follow);
  widget.addEventListener("shardlab-change", () => {
    model.set("state", { ...widget.state });
    model.save_changes();
  });
  return () => {
    model.off("change:state", follow);
    widget.remove();
  };
}
