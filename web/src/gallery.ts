/** The gallery: every widget as pages of others have it, and its presets to be tried. */

import { define } from "./define.js";
import { besideTheLab, settle } from "./home.js";
import { routines } from "./routines/index.js";
import type { Widget } from "./widget.js";

settle(besideTheLab);
for (const routine of routines) define(routine);

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-preset]")) {
  button.addEventListener("click", () => show(button));
}

function show(button: HTMLButtonElement): void {
  const chapter = button.closest(".chapter")!;
  const widget = chapter.querySelector<Widget>("[data-widget]")!;
  widget.setAttribute("preset", button.dataset.preset!);
  widget.state = {};
  for (const one of chapter.querySelectorAll("[data-preset]")) one.setAttribute("aria-pressed", String(one === button));
}
