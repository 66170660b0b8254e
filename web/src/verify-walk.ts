/** Going from cell to cell of a table: the buttons under it, the keys that do the same, and a click on a cell. */

import { html, svg, type TemplateResult } from "lit";
import type { Handled } from "./hand.js";
import type { Magnifier, Way } from "./magnify.js";
import { walked } from "./verify-state.js";
import { word } from "./words.js";

const ways: Readonly<Record<string, Way | undefined>> = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "out",
  ArrowDown: "in",
  "0": "whole",
};

const icons = {
  back: svg`<path d="M11 2v12L4 8z" />`,
  on: svg`<path d="M5 2v12l7-6z" />`,
  out: svg`<path d="M2 11h12L8 4z" />`,
  in: svg`<path d="M2 5h12l-6 7z" />`,
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
  return html`<div class="magnifier" role="group" aria-label=${word("Cell")}>
    ${button("back", word("cell to the left"), icon("back"))} ${button("on", word("cell to the right"), icon("on"))}
    ${button("out", word("cell above"), icon("out"))} ${button("in", word("cell below"), icon("in"))}
    ${button("whole", word("no cell"), word("None"))}
    <span role="status">${shown}</span>
  </div>`;
}

export const cellWalk: Magnifier = {
  to: walked,
  wayOf: (key) => ways[key],
  bar,
  keys: [
    ["←, →, ↑, ↓", "on the figure: the cell beside, above, below"],
    ["0", "on the figure: no cell"],
  ],
};

/** A click on a cell chooses it. */
export function attachHand(figure: HTMLElement, widget: Handled): void {
  figure.addEventListener("click", ({ target }) => {
    const cell = (target as Element).closest("[data-cell]")?.getAttribute("data-cell");
    if (cell === null || cell === undefined) return;
    widget.move({ cell });
    widget.letGo();
  });
}
