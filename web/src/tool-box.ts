/**
 * What a reader does with a widget as a whole: undoes, copies, exports, opens the dialog of embeds; and what is said of
 * that. Loaded beside the lab, which is longer on its way: the first picture does not wait for it.
 */

import type { TemplateResult } from "lit";
import type { Opener } from "./embed-dialog/dialog.js";
import type { Express } from "./expression.js";
import type { Shown } from "./frame.js";
import { atHome } from "./home.js";
import { leftOut } from "./left-out.js";
import type { Stated } from "./link.js";
import { initialTexts, type Texts } from "./parameter.js";
import type { Details, Routine } from "./routine.js";
import { adopt } from "./sheets.js";
import * as takeAway from "./take-away.js";
import style from "./widget/tools.css";
import { toolbar, type Export, type ToolEvents, type Tools } from "./toolbar.js";
import { say, word, type Told } from "./words.js";

type Said = NonNullable<Tools["said"]>;

/** Whose tools they are. */
export interface Owner extends Element {
  readonly routine: Routine;
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly state: Texts;
  /** nothing while it is kept back until a question is answered */
  readonly results: unknown;
  /** of its title, from 1 to 6 */
  readonly titleLevel: number;
  readonly express: Express;
  requestUpdate(): void;
  stated(): Stated;
  permalink(): string;
  details(): Promise<Details>;
  /** runs what a reader has asked for */
  act(run: () => void): void;
  undo(): void;
  redo(): void;
  reset(): void;
  /** something was taken away */
  exported(what: Export): void;
}

/** What is said where something is copied, and where a reader has to do it by hand. */
const copying = {
  link: { done: "The link is copied.", byHand: "The link, to be copied:" },
  citation: { done: "The citation is copied.", byHand: "The citation, to be copied:" },
};

/** What an author has set that the dialog of embeds takes along, and has no choice for. */
const carriedAlong = ["units", "speed", "no-motion"] as const;

export class ToolBox {
  /** the dialog that is being fetched */
  opening: Promise<void> | undefined;
  /** whether the keys are explained */
  private keys = false;
  private told: (() => Said) | undefined;

  constructor(private readonly owner: Owner) {
    adopt(owner.renderRoot as ShadowRoot, style);
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

  // The toolbar

  bar(shown: Shown): TemplateResult {
    return toolbar(this.tools(shown), this.byReader);
  }

  private readonly byReader: ToolEvents = {
    undo: () => this.owner.act(() => this.owner.undo()),
    redo: () => this.owner.act(() => this.owner.redo()),
    reset: () => this.owner.act(() => this.owner.reset()),
    copyLink: () => void this.copyLink(),
    embed: () => this.embed(),
    toggleKeys: () => this.toggleKeys(),
    export: (what) => void this.export(what),
  };

  private tools({ routine, session, author: { hidden }, view, asking }: Shown): Tools {
    const { canUndo, canRedo } = session;
    const exports: Export[] = asking || view?.figure === undefined ? [] : ["SVG", "PNG"];
    if (!asking) exports.push("CSV", ...(routine.files ?? []).map(({ label }) => label));
    exports.push("JSON", "Cite");
    const figureKeys = view?.magnified === undefined ? [] : routine.magnifier!.keys;
    const steps = (view?.steps?.count ?? 0) > 0;
    return { hidden, full: this.full(), canUndo, canRedo, exports, said: this.told?.(), keys: this.keys, steps, figureKeys };
  }

  /** The same on the lab's page, where this is another. */
  private full(): string {
    return atHome().full?.(this.owner.stated(), initialTexts(this.owner.routine.parameters)) ?? "";
  }

  // The dialog

  /** What an author copies to have this widget elsewhere. */
  private embed(): void {
    this.opening = this.openEmbedDialog();
  }

  private async openEmbedDialog(): Promise<void> {
    try {
      const { openEmbedDialog } = await import("./embed-dialog/dialog.js");
      openEmbedDialog(this.owner.renderRoot as ShadowRoot, this.opener(), atHome());
    } catch {
      this.complain(() => word("The dialog could not be loaded. Does the lab's server still answer?"));
    }
  }

  private opener(): Opener {
    const { owner } = this;
    const { routine, state, titleLevel: headingLevel } = owner;
    const attributes = new Map(carriedAlong.filter((name) => owner.hasAttribute(name)).map((name) => [name, owner.getAttribute(name)!]));
    return { routine, state, headingLevel, attributes, express: (run) => owner.express(run) };
  }

  // What is taken away

  svg(): Promise<string> {
    return takeAway.svg(this.taken());
  }

  png(scale?: number): Promise<Blob> {
    return takeAway.png(this.taken(), scale);
  }

  csv(): Promise<string> {
    return takeAway.csv(this.taken());
  }

  json(): Promise<string> {
    return takeAway.json(this.taken());
  }

  private taken(): takeAway.Taken {
    const { owner } = this;
    return {
      routine: owner.routine,
      state: owner.state,
      result: owner.results,
      drawing: () => owner.renderRoot.querySelector<SVGSVGElement>(".figure svg"),
      paper: () => getComputedStyle(owner.renderRoot.querySelector(".widget")!).backgroundColor,
      express: owner.express,
      details: () => owner.details(),
      permalink: () => owner.permalink(),
    };
  }

  private async export(what: Export): Promise<void> {
    const taken = this.taken();
    try {
      if (what === "Cite") await this.copy("citation", takeAway.citation(taken));
      else await takeAway.save(what, taken);
      this.owner.exported(what);
    } catch (error) {
      this.complain(() => word((error as Error).message));
    }
  }

  private async copyLink(): Promise<void> {
    const stated = this.owner.stated();
    const left = () => leftOut(stated);
    await this.copy("link", this.owner.permalink());
    const { told } = this;
    if (left().length === 0 || told === undefined) return;
    this.say(() => ({ ...told(), text: say`${told().text} It leaves out what is too long for a link: ${left().join(", ")}.` }));
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
