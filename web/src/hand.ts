/** Taking hold of something in a figure, and moving it sideways: what it changes are texts that have controls, too. */

import type { Express } from "./expression.js";
import type { Texts } from "./parameter.js";

/** What can be taken hold of. */
export interface Grip {
  /** pixels of a unit, which the picture keeps while it is held */
  scale: number;
  /** the texts that differ after a move by so many pixels */
  texts(pixels: number): Texts;
}

/** What is drawn, how wide, and in which words. */
export interface Held<Result = unknown> {
  result: Result;
  width: number;
  express: Express;
}

/** @param reach how far from it, in pixels, it is still taken hold of */
export type FindGrip<Result = unknown> = (
  picture: Held<Result>,
  place: { x: number; y: number },
  reach: number,
) => Grip | undefined;

/** The widget around the figure. */
export interface Handled {
  /** nothing where there is no picture */
  picture(): Held | undefined;
  take(scale: number): void;
  move(texts: Texts): void;
  letGo(): void;
}

const reach = { fine: 4, touch: 12 };

export function attachHand(figure: HTMLElement, widget: Handled, find: FindGrip): void {
  const gripAt = ({ clientX, clientY }: PointerEvent | Touch, fine: boolean): Grip | undefined => {
    const drawing = figure.querySelector<SVGSVGElement>("svg");
    const picture = widget.picture();
    if (drawing === null || picture === undefined) return undefined;
    const { left, top } = drawing.getBoundingClientRect();
    return find(picture, { x: clientX - left, y: clientY - top }, fine ? reach.fine : reach.touch);
  };
  const isFine = ({ pointerType }: PointerEvent) => pointerType !== "touch";

  let held: { grip: Grip; from: number; to: number } | undefined;
  let frame: number | undefined;
  const show = () => {
    frame = undefined;
    if (held !== undefined) widget.move(held.grip.texts(held.to - held.from));
  };

  figure.addEventListener("pointerdown", (event) => {
    const grip = event.isPrimary && event.button === 0 ? gripAt(event, isFine(event)) : undefined;
    if (grip === undefined) return;
    held = { grip, from: event.clientX, to: event.clientX };
    figure.setPointerCapture(event.pointerId);
    figure.toggleAttribute("data-held", true);
    widget.take(grip.scale);
  });
  // However many moves there are, what is shown changes once a frame.
  figure.addEventListener("pointermove", (event) => {
    if (held === undefined) {
      figure.toggleAttribute("data-grip", isFine(event) && gripAt(event, true) !== undefined);
      return;
    }
    held.to = event.clientX;
    frame ??= requestAnimationFrame(show);
  });
  figure.addEventListener("lostpointercapture", () => {
    if (held === undefined) return;
    if (frame !== undefined) cancelAnimationFrame(frame);
    show();
    held = undefined;
    figure.toggleAttribute("data-held", false);
    widget.letGo();
  });
  // A finger on what can be held does not scroll the page.
  figure.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length === 1 && gripAt(event.touches[0]!, false) !== undefined) event.preventDefault();
    },
    { passive: false },
  );
}
