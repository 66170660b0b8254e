/** Looking at a part of a picture more closely: the buttons under it, and the keys that do the same. */

import { html, svg, type TemplateResult } from "lit";
import type { Texts } from "./parameter.js";
import { word } from "./words.js";

/** Where one can go from the part that is shown: to a smaller one, to a larger one, to all of it, to its sides. */
export type Way = "in" | "out" | "whole" | "back" | "on";

/** For a routine with a picture of which a part can be shown. */
export interface Magnifier {
  /** the texts that differ when a way is gone; nothing where it leads nowhere */
  to(texts: Texts, way: Way): Texts | undefined;
  /** what a key does while the figure has the focus */
  wayOf(key: string, figure: Element): Way | undefined;
  /**
   * @param shown which part is shown
   * @param can whether a way leads anywhere
   */
  bar(shown: string, can: (way: Way) => boolean, go: (way: Way) => void): TemplateResult;
  /** the keys, and what they do */
  keys: readonly [string, string][];
}

/** Keys of a figure that has the focus; `=` is `+` without Shift. */
const ways: Readonly<Record<string, Way | undefined>> = { "+": "in", "=": "in", "-": "out", "0": "whole", ArrowLeft: "back", ArrowRight: "on" };

export const icons = {
  out: svg`<path d="M2 7h12v2H2z" />`,
  in: svg`<path d="M7 2h2v5h5v2H9v5H7V9H2V7h5z" />`,
  up: svg`<path d="M2 11h12L8 4z" />`,
  down: svg`<path d="M2 5h12l-6 7z" />`,
  back: svg`<path d="M11 2v12L4 8z" />`,
  on: svg`<path d="M5 2v12l7-6z" />`,
};

/** A way's button: its name, and the path of an icon or a word. */
export type WayButton = readonly [way: Way, name: string, content: TemplateResult | string];

/** The buttons of ways in a row, and which part is shown. */
export function wayBar(name: string, buttons: readonly WayButton[], ...[shown, can, go]: Parameters<Magnifier["bar"]>): TemplateResult {
  const icon = (content: WayButton[2]) =>
    typeof content === "string" ? content : html`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${content}</svg>`;
  const button = ([way, label, content]: WayButton) => html`<button
    type="button"
    aria-label=${label}
    aria-disabled=${can(way) ? "false" : "true"}
    @click=${() => go(way)}
  >
    ${icon(content)}
  </button>`;
  return html`<div class="magnifier" role="group" aria-label=${name}>
    ${buttons.map((one) => html`${button(one)} `)}<span role="status">${shown}</span>
  </div>`;
}

function bar(...of: Parameters<Magnifier["bar"]>): TemplateResult {
  const buttons: WayButton[] = [
    ["out", word("zoom out"), icons.out],
    ["in", word("zoom in"), icons.in],
    ["whole", word("whole picture"), word("Whole")],
    ["back", word("move the window back"), icons.back],
    ["on", word("move the window on"), icons.on],
  ];
  return wayBar(word("Zoom"), buttons, ...of);
}

/** Where the figure can still be scrolled to that side, an arrow is left to do that. */
function wayOf(key: string, figure: Element): Way | undefined {
  const way = ways[key];
  const room = figure.scrollWidth - figure.clientWidth - figure.scrollLeft;
  const scrolls = (way === "back" && figure.scrollLeft > 0) || (way === "on" && room > 1);
  return scrolls ? undefined : way;
}

export function magnifier(to: Magnifier["to"]): Magnifier {
  const keys: Magnifier["keys"] = [
    ["+, −", "on the figure: zoom in, zoom out"],
    ["0", "on the figure: all of it"],
    ["←, →", "on the figure: the window back, on"],
  ];
  return { to, wayOf, bar, keys };
}
