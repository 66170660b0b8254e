/** What a reader does with a widget as a whole: copies, exports, the dialog of embeds; and what is said of that. */

import type { Opener } from "./embed-dialog/dialog.js";
import { atHome } from "./home.js";
import { leftOut, type Stated } from "./link.js";
import * as takeAway from "./take-away.js";
import type { Export, Tools } from "./toolbar.js";
import { say, word, type Told } from "./words.js";

type Said = NonNullable<Tools["said"]>;

/** Whose tools they are. */
interface Owner {
  renderRoot: ParentNode;
  requestUpdate(): void;
  permalink(): string;
  stated(): Stated;
  taken(): takeAway.Taken;
  opener(): Opener;
  /** something was taken away */
  exported(what: Export): void;
}

/** What is said where something is copied, and where a reader has to do it by hand. */
const copying = {
  link: { done: "The link is copied.", byHand: "The link, to be copied:" },
  citation: { done: "The citation is copied.", byHand: "The citation, to be copied:" },
};

export class ToolBox {
  /** whether the keys are explained */
  keys = false;
  /** the dialog that is being fetched */
  opening: Promise<void> | undefined;
  private told: (() => Said) | undefined;

  constructor(private readonly owner: Owner) {}

  /** What a tool has to say. */
  said(): Said | undefined {
    return this.told?.();
  }

  /** What was said is said no longer: the widget has changed. */
  forget(): void {
    this.told = undefined;
  }

  complain(text: Told): void {
    this.say(() => ({ text: text() }));
  }

  toggleKeys(): void {
    this.keys = !this.keys;
    this.owner.requestUpdate();
  }

  async copyLink(): Promise<void> {
    const stated = this.owner.stated();
    const left = () => leftOut(stated);
    await this.copy("link", this.owner.permalink());
    const { told } = this;
    if (left().length === 0 || told === undefined) return;
    this.say(() => ({ ...told(), text: say`${told().text} It leaves out what is too long for a link: ${left().join(", ")}.` }));
  }

  /** What an author copies to have this widget elsewhere. */
  embed(): void {
    this.opening = this.openEmbedDialog();
  }

  private async openEmbedDialog(): Promise<void> {
    try {
      const { openEmbedDialog } = await import("./embed-dialog/dialog.js");
      openEmbedDialog(this.owner.renderRoot as ShadowRoot, this.owner.opener(), atHome());
    } catch {
      this.complain(() => word("The dialog could not be loaded. Does the lab's server still answer?"));
    }
  }

  async export(what: Export): Promise<void> {
    const taken = this.owner.taken();
    try {
      if (what === "Cite") await this.copy("citation", takeAway.citation(taken));
      else await takeAway.save(what, taken);
      this.owner.exported(what);
    } catch (error) {
      this.complain(() => word((error as Error).message));
    }
  }

  /** To the clipboard; where that is not allowed, to where it can be copied by hand. */
  private async copy(what: keyof typeof copying, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(() => ({ text: word(copying[what].done) }));
    } catch {
      this.say(() => ({ text: word(copying[what].byHand), copy: text }));
    }
  }

  private say(told: () => Said): void {
    this.told = told;
    this.owner.requestUpdate();
  }
}
