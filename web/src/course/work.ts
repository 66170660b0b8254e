/** A student's work on one criterion: the answers, and the marks that stand for them. It knows nothing of elements. */

import type { AsyncLab } from "shardlab";
import { explain, type Fault } from "../fault.js";
import type { Stated } from "../link.js";
import { initialTexts, type Parameter, type Texts } from "../parameter.js";
import { kept, parametersOf, type Criterion } from "./criterion.js";
import { mark, type Mark } from "./marking.js";

export class Work {
  readonly parameters: readonly Parameter[];
  texts: Texts;
  /** of the answers as they are; none where these have changed since */
  marks: readonly Mark[] = [];
  /** why there is nothing to be marked */
  fault: Fault | undefined;

  constructor(
    readonly criterion: Criterion,
    private readonly lab: () => Promise<AsyncLab>,
  ) {
    this.parameters = parametersOf(criterion);
    this.texts = initialTexts(this.parameters);
  }

  /** how often it was marked */
  get attempts(): number {
    const text = this.texts[kept.attempts]!;
    return /^\d{1,6}$/.test(text) ? Number(text) : 0;
  }

  get predicted(): string {
    return this.texts[kept.predicted] ?? "";
  }

  stated(): Stated {
    return { id: this.criterion.id, parameters: this.parameters, texts: this.texts, initial: initialTexts(this.parameters) };
  }

  /** An answer has changed: the marks were for another one. */
  answer(part: string, text: string): void {
    this.texts = { ...this.texts, [part]: text, [kept.checked]: "" };
    this.marks = [];
    this.fault = undefined;
  }

  predict(answer: string): void {
    this.texts = { ...this.texts, [kept.predicted]: answer };
  }

  markOf(part: string): Mark | undefined {
    return this.marks.find((one) => one.part === part);
  }

  /** Marks the answers, as another attempt. Own values for which the question has no answer are none. */
  async check(): Promise<void> {
    const texts = { ...this.texts, [kept.attempts]: String(this.attempts + 1), [kept.checked]: "yes" };
    await this.mark(texts);
  }

  /** Shows work that came from outside: what was marked is marked anew. */
  async restore(texts: Texts): Promise<void> {
    const before = { ...initialTexts(this.parameters), ...texts };
    this.texts = before;
    this.marks = [];
    this.fault = undefined;
    if (before[kept.checked] === "yes") await this.mark(before);
  }

  private async mark(texts: Texts): Promise<void> {
    const before = this.texts;
    try {
      const marks = await mark(this.criterion, texts, await this.lab());
      if (this.texts !== before) return;
      this.texts = texts;
      this.marks = marks;
      this.fault = undefined;
    } catch (error) {
      if (this.texts === before) this.fault = explain(error, this.parameters);
    }
  }
}
