/** Whether the numbers wait for a reader's prediction, and what came of it. What that takes is loaded where it is asked for. */

import { nothing, type LitElement, type TemplateResult } from "lit";
import type * as Asked from "./question.js";
import type { Answer, Question, Routine } from "./routine.js";
import { adopt } from "./sheets.js";

export class Prediction {
  /** the question that is being fetched */
  loading: Promise<void> | undefined;
  private loaded: { asked: typeof Asked; question: Question } | undefined;
  /** nothing until a question is answered; `null` where the reader went on without an answer */
  private answer: Answer | null | undefined;
  /** it waits for no answer: a link has been followed, or there is no question to be had */
  private passed = false;

  /**
   * @param wanted whether the page's author asks for it
   * @param given is told of the answer
   */
  constructor(
    private readonly host: LitElement,
    private readonly routine: () => Routine,
    private readonly wanted: () => boolean,
    private readonly given: (answer: Answer | null) => void,
  ) {}

  /** Fetches the question, where it is going to be asked. */
  prepare(): void {
    if (this.isAsking) this.loading ??= this.load();
  }

  private async load(): Promise<void> {
    try {
      const [asked, question] = await Promise.all([import("./question.js"), this.routine().question!()]);
      this.loaded = { asked, question };
    } catch {
      this.pass();
    }
    this.host.requestUpdate();
  }

  pass(): void {
    this.passed = true;
  }

  get isAsking(): boolean {
    return this.answer === undefined && this.wanted() && this.routine().question !== undefined && !this.passed;
  }

  /** whether the figure waits, too */
  get hidesFigure(): boolean {
    return this.isAsking && this.loaded?.question.figureTells === true;
  }

  ask(): TemplateResult | typeof nothing {
    const { loaded } = this;
    if (loaded === undefined) return nothing;
    adopt(this.host.renderRoot as ShadowRoot, loaded.asked.style);
    return loaded.asked.asked(loaded.question, (answer) => {
      this.answer = answer;
      this.given(answer);
    });
  }

  verdict(): TemplateResult | typeof nothing {
    const { loaded, answer } = this;
    return loaded === undefined || answer === undefined ? nothing : loaded.asked.answered(loaded.question, answer);
  }
}
