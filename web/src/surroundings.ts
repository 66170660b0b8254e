/**
 * Whether a widget stands on a page that is dark without saying so: pages that change their colours alone, and not their
 * `color-scheme`, write light letters on a ground that is dark.
 */

import type { LitElement, ReactiveController } from "lit";

/** Attributes by which pages turn dark. */
const switches = { attributes: true };

export class Surroundings implements ReactiveController {
  areDark = false;
  private observer: MutationObserver | undefined;
  private readonly system = globalThis.matchMedia?.("(prefers-color-scheme: dark)");
  private readonly look = (): void => {
    const areDark = isDark(this.host);
    if (areDark === this.areDark) return;
    this.areDark = areDark;
    this.host.requestUpdate();
  };
  /** Colours may change slowly. */
  private readonly onTransition = ({ propertyName }: TransitionEvent): void => {
    if (propertyName === "color") this.look();
  };

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.observer = new MutationObserver(this.look);
    for (const place of [document.documentElement, document.body]) this.observer.observe(place, switches);
    document.addEventListener("transitionend", this.onTransition);
    this.system?.addEventListener("change", this.look);
    this.look();
  }

  hostDisconnected(): void {
    this.observer?.disconnect();
    document.removeEventListener("transitionend", this.onTransition);
    this.system?.removeEventListener("change", this.look);
  }
}

function isDark(host: Element): boolean {
  const { colorScheme, color } = getComputedStyle(host);
  return colorScheme === "normal" && isLight(color);
}

/** A colour as a style sheet is answered: `rgb(230, 230, 230)`, with its opacity behind a comma. */
function isLight(color: string): boolean {
  const parts = color.startsWith("rgb") ? color.match(/[\d.]+/g)!.slice(0, 3).map(Number) : [];
  const [red = 0, green = 0, blue = 0] = parts;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 140;
}
