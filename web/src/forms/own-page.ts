/** A page of one widget: embedded in an iframe, or a file by itself. It carries the lab. */

import { define } from "../define.js";
import { fragment, here, settle } from "../home.js";
import { provide } from "../lab.js";
import { readOne, serialiseOne } from "../link.js";
import type { Routine } from "../routine.js";
import type { Widget } from "../widget.js";
import type { Told } from "../words.js";
import { attributesOf } from "./address.js";
import { unpacked, type Carried } from "./carried.js";
import { talk } from "./channel.js";

declare const SHARDLAB_BASE: string;

/** Milliseconds without a change after which an address follows: browsers limit how often it may. */
const pause = 250;

export function start(routine: Routine): void {
  provide(unpacked(carried()));
  const box = document.querySelector<HTMLElement>("main")!;
  const widget = box.querySelector<Widget>(`shardlab-${routine.id}`)!;
  const { attributes, notices } = attributesOf(location.search, routine);
  for (const [name, value] of attributes) widget.setAttribute(name, value);
  const isEmbed = document.documentElement.dataset.form === "embed";
  const lab = SHARDLAB_BASE || (isEmbed ? new URL("..", here()).href : "");
  settle({
    link: (one) => `${here()}#${serialiseOne(one)}`,
    full: (one, own) => lab && lab + fragment({ ...one, initial: own }),
    base: () => lab,
  });
  if (widget.lang !== "") document.documentElement.lang = widget.lang;
  define(routine);
  paint(widget);
  widget.note(notices);
  follow(widget);
  if (isEmbed && parent !== window) talk(widget, box);
  else if (!isEmbed) record(widget);
}

/** The page's own colours go with the widget's. */
function paint(widget: Widget): void {
  const show = () => {
    const { theme } = widget as unknown as { theme: string };
    document.documentElement.style.colorScheme = theme === "light" || theme === "dark" ? theme : "light dark";
  };
  new MutationObserver(show).observe(widget, { attributeFilter: ["theme"] });
  show();
}

function carried(): Carried {
  const blocks = [...document.querySelectorAll<HTMLScriptElement>("script[data-carries]")];
  const { worker, ...modules } = Object.fromEntries(blocks.map((block) => [block.dataset.carries!, block.textContent!]));
  return { modules, worker: worker! };
}

/** The reader's state, from the fragment. */
function follow(widget: Widget): void {
  const read = () => {
    const notices: Told[] = [];
    const texts = readOne(location.hash, widget.routine, notices);
    if (Object.keys(texts).length > 0 || notices.length > 0) widget.restore(texts, notices);
  };
  addEventListener("hashchange", read);
  read();
}

/** The address of a file follows what its reader does, so that a reload or a bookmark keeps it. */
function record(widget: Widget): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  widget.addEventListener("shardlab-change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(history.state, "", `#${serialiseOne(widget.stated())}`), pause);
  });
}
