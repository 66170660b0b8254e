/** Lets a page's guided path be walked. */

import { sharedLab } from "./lab.js";
import type { Texts } from "./parameter.js";
import { Path } from "./path.js";
import { sizingSteps } from "./sizing.js";
import type { Widget } from "./widget.js";

export async function walk(place: HTMLElement, widget: Widget): Promise<void> {
  const steps = await sizingSteps(await sharedLab());
  new Path(place, steps, (texts) => void show(widget, texts));
  place.classList.add("ready");
}

/** What a button of the path shows is a change like a reader's own: it can be undone, and the address follows. */
async function show(widget: Widget, texts: Texts): Promise<void> {
  widget.restore(texts);
  widget.dispatchEvent(new CustomEvent("shardlab-change", { bubbles: true, composed: true }));
  widget.scrollIntoView();
  await widget.updateComplete;
  widget.renderRoot.querySelector<HTMLElement>(".figure")!.focus({ preventScroll: true });
}
