/** In which language a widget speaks: that of the page around it, as far as there is a catalogue of it. */

import type { LitElement, ReactiveController } from "lit";
import type { Catalogue } from "./words.js";

/** The languages that there are catalogues of, beside English. */
const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = {
  "zh-Hans": async () => (await import("./words/zh-hans.js")).default,
};

/** What a page may ask for, and what each is called by those who read it. */
export const languages: readonly (readonly [tag: string, name: string])[] = [
  ["en", "English"],
  ["zh-Hans", "简体中文"],
];

/** Of a language tag, the catalogue's; `en` where there is none. Chinese is Simplified unless it says otherwise. */
export function languageOf(tag: string): string {
  return /^zh(?!.*-(hant|tw|hk|mo)\b)(-|$)/i.test(tag) ? "zh-Hans" : "en";
}

const loaded = new Map<string, Catalogue>();

export class Language implements ReactiveController {
  /** that is spoken now, as a language tag */
  tag = "en";
  /** in place of single texts of the language, by the English ones */
  own: Catalogue | undefined;
  /** the catalogue that is being fetched */
  loading: Promise<void> | undefined;
  private wanted = "en";
  private merged: { own: Catalogue | undefined; tag: string; all: Catalogue | undefined } | undefined;
  private observer: MutationObserver | undefined;

  /** @param changed is told when other texts are spoken from now on */
  constructor(
    private readonly host: LitElement,
    private readonly changed: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    // Pages that change their language without being loaded again say so on their root.
    this.observer = new MutationObserver(() => this.look());
    for (const place of [document.documentElement, this.host]) this.observer.observe(place, { attributeFilter: ["lang"] });
    this.look();
  }

  hostDisconnected(): void {
    this.observer?.disconnect();
  }

  /** The texts to speak with; nothing for plain English. */
  get catalogue(): Catalogue | undefined {
    const { own, tag } = this;
    if (this.merged?.own !== own || this.merged?.tag !== tag) {
      const base = loaded.get(tag);
      this.merged = { own, tag, all: own === undefined || base === undefined ? own ?? base : { ...base, ...own } };
    }
    return this.merged.all;
  }

  /** Follows the language that the element is in now. */
  look(): void {
    this.wanted = languageOf(around(this.host));
    if (this.wanted === this.tag) return;
    if (this.wanted === "en" || loaded.has(this.wanted)) this.speak(this.wanted);
    else this.loading = this.fetch(this.wanted);
  }

  private async fetch(tag: string): Promise<void> {
    try {
      loaded.set(tag, await catalogues[tag]!());
    } catch {
      // English is understood by most who read of this; a widget without texts, by nobody.
      return;
    }
    if (this.wanted === tag) this.speak(tag);
  }

  private speak(tag: string): void {
    this.tag = tag;
    this.changed();
  }
}

/** The language tag of the nearest element that has one, out of shadow trees too. */
function around(host: Element): string {
  const nearest = host.closest("[lang]");
  if (nearest !== null) return nearest.getAttribute("lang")!;
  const root = host.getRootNode();
  return root instanceof ShadowRoot ? around(root.host) : "";
}
