/** The address of a page says what stands on it, and what stands on it is what the address says. */

import { parse, serialise, type Schema, type Stated } from "./link.js";
import type { Texts } from "./parameter.js";
import type { Told } from "./words.js";

/** Something with a state: a widget, or what a page has besides. */
export interface Addressed {
  stated(): Stated;
  restore(texts: Texts): void;
  scrollIntoView(): void;
  focus?(options: FocusOptions): void;
}

/** Where a link leads. */
type Target = Pick<Addressed, "scrollIntoView" | "focus">;

export interface Addressing {
  /** what links may have */
  schemas: readonly Schema[];
  /** what there is of it */
  parts(): readonly Addressed[];
  /** what a link holds that could not be understood, in sentences */
  notice(notices: readonly Told[]): void;
  /** the address has followed */
  written?(): void;
}

/** Milliseconds without a change after which the address follows: browsers limit how often it may. */
const pause = 250;

export class PageAddress {
  private place = "";
  /** the address's fragment as it was last read or written here */
  private seen = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly page: Addressing) {
    document.addEventListener("shardlab-change", () => this.writeSoon());
    addEventListener("pagehide", () => {
      if (this.waiting !== undefined) this.write();
    });
    addEventListener("hashchange", () => {
      // Who has followed a link goes on from where it leads.
      this.read(true)?.focus?.({ preventScroll: true });
      // A link to a place on the page says nothing of its parts, which stay as they are.
      this.writeSoon();
    });
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    this.read(navigation?.type === "navigate");
  }

  writeSoon(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.write(), pause);
  }

  /** What the address has of the parts, without its place. */
  fragment(place = ""): string {
    const stated = this.page.parts().map((part) => part.stated());
    return serialise(stated.filter(isChanged), place);
  }

  /** Shows a state as if its link had been followed. */
  show(fragment: string): void {
    history.replaceState(history.state, "", `#${fragment}`);
    this.read(false);
    this.writeSoon();
  }

  write(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    // A link has been followed, and its event is still to come: the address is the link's, and is written after it is read.
    if (location.hash !== this.seen) return;
    const fragment = this.fragment(this.place);
    const { pathname, search } = location;
    history.replaceState(history.state, "", `${pathname}${search}${fragment === "" ? "" : `#${fragment}`}`);
    this.seen = location.hash;
    this.page.written?.();
  }

  /**
   * @param go whether to scroll there: a browser that reloads a page does that by itself
   * @returns where it leads, if not to a place that the browser itself finds
   */
  private read(go: boolean): Target | undefined {
    this.seen = location.hash;
    const link = parse(this.seen, this.page.schemas);
    this.place = link.place;
    const named = this.page.parts().filter((part) => link.states.has(part.stated().id));
    for (const part of named) part.restore(link.states.get(part.stated().id)!);
    this.page.notice(link.notices);
    const isPlain = link.states.size === 0 && document.getElementById(this.place) !== null;
    if (isPlain) return undefined;
    const target = this.place === "" && named.length === 1 ? named[0] : this.placeOf(this.place);
    if (go) target?.scrollIntoView();
    return target;
  }

  /** A heading, or else the part of that name. */
  private placeOf(name: string): Target | undefined {
    return document.getElementById(name) ?? this.page.parts().find((part) => part.stated().id === name);
  }
}

/** Whether a part shows something else than it starts with. */
function isChanged({ texts, initial }: Stated): boolean {
  return Object.keys(texts).some((name) => texts[name] !== initial[name]);
}

/** Shows sentences at the top of a page, where they can be dismissed. */
export function noticeBox(): (notices: readonly Told[]) => void {
  const box = document.querySelector<HTMLElement>("#notice")!;
  const show = (notices: readonly Told[]) => {
    box.hidden = notices.length === 0;
    box.querySelector("p")!.textContent = notices.map((told) => told()).join(" ");
  };
  box.querySelector("button")!.addEventListener("click", () => show([]));
  return show;
}
