/** What stands behind a figure, made when it is opened: formulas, the data table, and what one widget alone has. */

import { html, nothing, type LitElement, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type * as Disclosed from "./disclosed.js";
import type { Author } from "./author.js";
import type { Express } from "./expression.js";
import { partMissing } from "./part.js";
import { disclosure, type Disclosure } from "./parts.js";
import type { Details, Routine } from "./routine.js";
import { adopt } from "./sheets.js";
import { word, type Told } from "./words.js";

export class Behind {
  /** what is being fetched */
  loading: Promise<void> | undefined;
  private readonly opened = new Set<Disclosure>();
  private details: Details | undefined;
  private disclosed: typeof Disclosed | undefined;

  constructor(
    private readonly host: LitElement,
    private readonly routine: () => Routine,
    private readonly failed: (text: Told) => void,
  ) {}

  async of(): Promise<Details> {
    this.details ??= await this.routine().details();
    return this.details;
  }

  /** @param express in which all of it is put, again when another is given */
  disclosures(result: unknown, hidden: Author["hidden"], express: Express): TemplateResult[] {
    const { more: title } = this.routine();
    const all: [Disclosure, string, (from: typeof Disclosed, details: Details) => TemplateResult][] = [
      ["why", word("Why?"), ({ why }, from) => why(from, result)],
      ["data", word("Data table"), ({ table }, from) => table(from.table(result))],
    ];
    if (title !== undefined) all.push(["more", word(title), ({ more }, from) => more(from.more!(result))]);
    return all.filter(([kind]) => !hidden.has(kind)).map((one) => this.one([result, express], ...one));
  }

  private one(
    shows: readonly unknown[],
    kind: Disclosure,
    title: string,
    content: (from: typeof Disclosed, details: Details) => TemplateResult,
  ): TemplateResult {
    const { disclosed, details } = this;
    const isThere = this.opened.has(kind) && disclosed !== undefined && details !== undefined;
    const shown = guard([...shows, isThere], () => (isThere ? content(disclosed, details) : nothing));
    return disclosure(kind, title, html`${shown}`, (open) => this.toggle(kind, open));
  }

  private toggle(kind: Disclosure, open: boolean): void {
    if (open) this.opened.add(kind);
    else this.opened.delete(kind);
    this.loading = this.load();
  }

  private async load(): Promise<void> {
    try {
      this.disclosed ??= await import("./disclosed.js");
      adopt(this.host.renderRoot as ShadowRoot, this.disclosed.style);
      await this.of();
    } catch {
      this.failed(partMissing);
    }
    this.host.requestUpdate();
  }
}
