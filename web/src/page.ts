/** The page: its widgets, and the address that says what they show. */

import { define } from "./define.js";
import { folder, fragment, here, settle } from "./home.js";
import { parse, serialise } from "./link.js";
import { routines } from "./routines/index.js";
import { Widget } from "./widget.js";
import type { Told } from "./words.js";

declare const SHARDLAB_BASE: string;

/** Milliseconds without a change after which the address follows: browsers limit how often it may. */
const pause = 250;
settle({ link: (widget) => here() + fragment(widget), base: () => SHARDLAB_BASE || folder(), frames: folder });
for (const routine of routines) define(routine);

let place = "";
/** the address's fragment as it was last read or written here */
let seen = "";
let waiting: ReturnType<typeof setTimeout> | undefined;

function widgets(): Widget[] {
  return routines.flatMap(({ id }) => {
    const element = document.querySelector(`main shardlab-${id}`);
    return element instanceof Widget ? [element] : [];
  });
}

/** Whether a widget shows something else than it starts with. */
function changed(widget: Widget): boolean {
  const { texts, initial } = widget.stated();
  return Object.keys(texts).some((name) => texts[name] !== initial[name]);
}

function write(): void {
  clearTimeout(waiting);
  waiting = undefined;
  // A link has been followed, and its event is still to come: the address is the link's, and is written after it is read.
  if (location.hash !== seen) return;
  const fragment = serialise(widgets().filter(changed).map((widget) => widget.stated()), place);
  const { pathname, search } = location;
  history.replaceState(history.state, "", `${pathname}${search}${fragment === "" ? "" : `#${fragment}`}`);
  seen = location.hash;
}

function writeSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(write, pause);
}

/** @param go whether to scroll there: a browser that reloads a page does that by itself */
function read(go: boolean): void {
  seen = location.hash;
  const link = parse(seen, routines);
  place = link.place;
  const named = widgets().filter(({ routine }) => link.states.has(routine.id));
  for (const widget of named) widget.restore(link.states.get(widget.routine.id)!);
  notice(link.notices);
  const isPlain = link.states.size === 0 && document.getElementById(place) !== null;
  const target = place === "" && named.length === 1 ? named[0] : placeOf(place);
  if (go && !isPlain) target?.scrollIntoView();
}

/** A heading, or else the widget of that name. */
function placeOf(name: string): Element | undefined {
  return document.getElementById(name) ?? widgets().find(({ routine }) => routine.id === name);
}

function notice(notices: readonly Told[]): void {
  const box = document.querySelector<HTMLElement>("#notice")!;
  box.hidden = notices.length === 0;
  box.querySelector("p")!.textContent = notices.map((told) => told()).join(" ");
}

document.querySelector("#notice button")!.addEventListener("click", () => notice([]));
document.addEventListener("shardlab-change", writeSoon);
addEventListener("pagehide", () => {
  if (waiting !== undefined) write();
});
addEventListener("hashchange", () => {
  read(true);
  // A link to a place on the page says nothing of the widgets, which stay as they are.
  writeSoon();
});
const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
read(navigation?.type === "navigate");

async function openPath(): Promise<void> {
  const place = document.querySelector<HTMLElement>(".path");
  const memory = widgets().find(({ routine }) => routine.id === "memory");
  if (place === null || memory === undefined) return;
  try {
    await (await import("./walk.js")).walk(place, memory);
  } catch {
    // The widgets say why the lab does not run; the path is read as the text that it is.
    place.classList.add("ready");
  }
}

void openPath();
