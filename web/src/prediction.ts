/** Whether the numbers wait for a reader's prediction, and what came of it. */

import { nothing, type TemplateResult } from "lit";
import { answered, asked } from "./question.js";
import type { Answer, Question } from "./routine.js";

export class Prediction {
  /** nothing until a question is answered; `null` where the reader went on without an answer */
  private answer: Answer | null | undefined;
  /** a link has been followed: what it shows waits for no answer */
  private passed = false;

  /** @param wanted whether the page's author asks for it */
  constructor(
    private readonly question: () => Question | undefined,
    private readonly wanted: () => boolean,
    private readonly given: (answer: Answer | null) => void,
  ) {}

  pass(): void {
    this.passed = true;
  }

  get isAsking(): boolean {
    return this.answer === undefined && this.wanted() && this.question() !== undefined && !this.passed;
  }

  /** whether the figure waits, too */
  get hidesFigure(): boolean {
    return this.isAsking && this.question()!.figureTells === true;
  }

  ask(): TemplateResult {
    return asked(this.question()!, (answer) => {
      this.answer = answer;
      this.given(answer);
    });
  }

  verdict(): TemplateResult | typeof nothing {
    const question = this.question();
    return question === undefined || this.answer === undefined ? nothing : answered(question, this.answer);
  }
}
