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

const icons = {
  out: svg`<path d="M2 7h12v2H2z" />`,
  in: svg`<path d="M7 2h2v5h5v2H9v5H7V9H2V7h5z" />`,
  back: svg`<path d="M11 2v12L4 8z" />`,
  on: svg`<path d="M5 2v12l7-6z" />`,
};

function bar(shown: string, can: (way: Way) => boolean, go: (way: Way) => void): TemplateResult {
  const button = (way: Way, name: string, content: unknown) => html`<button
    type="button"
    aria-label=${name}
    aria-disabled=${can(way) ? "false" : "true"}
    @click=${() => go(way)}
  >
    ${content}
  </button>`;
  const icon = (way: keyof typeof icons) =>
    html`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${icons[way]}</svg>`;
  return html`<div class="magnifier" role="group" aria-label=${word("Zoom")}>
    ${button("out", word("zoom out"), icon("out"))} ${button("in", word("zoom in"), icon("in"))}
    ${button("whole", word("whole picture"), word("Whole"))}
    ${button("back", word("move the window back"), icon("back"))} ${button("on", word("move the window on"), icon("on"))}
    <span role="status">${shown}</span>
  </div>`;
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
