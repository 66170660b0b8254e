/** Going from cell to cell of a table: the buttons under it, the keys that do the same, and a click on a cell. */

import type { TemplateResult } from "lit";
import type { Handled } from "./hand.js";
import { icons, wayBar, type Magnifier, type Way, type WayButton } from "./magnify.js";
import { walked } from "./verify-state.js";
import { word } from "./words.js";

const ways: Readonly<Record<string, Way | undefined>> = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "out",
  ArrowDown: "in",
  "0": "whole",
};

function bar(...of: Parameters<Magnifier["bar"]>): TemplateResult {
  const buttons: WayButton[] = [
    ["back", word("cell to the left"), icons.back],
    ["on", word("cell to the right"), icons.on],
    ["out", word("cell above"), icons.up],
    ["in", word("cell below"), icons.down],
    ["whole", word("no cell"), word("None")],
  ];
  return wayBar(word("Cell"), buttons, ...of);
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
