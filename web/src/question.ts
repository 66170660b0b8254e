/** A prediction before the answer. Loaded where a page asks for it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Answer, Question } from "./routine.js";
import { say, word } from "./words.js";

export { default as style } from "./widget/question.css";

/** @param answer given, or `null` where the reader went on without one */
export function asked(question: Question, answer: (answer: Answer | null) => void): TemplateResult {
  return html`<div class="question" role="group" aria-label=${word("A question first")}>
    <p class="ask">${word("Before you look: what do you expect?")}</p>
    <p class="claim">${word(question.text)}</p>
    <div class="answers">
      ${question.answers.map((one) => html`<button type="button" @click=${() => answer(one)}>${word(one.label)}</button>`)}
      <button type="button" class="plain show" @click=${() => answer(null)}>${word("Just show me")}</button>
    </div>
  </div>`;
}

/** The focus comes here when the buttons that had it are gone. */
export function answered(question: Question, answer: Answer | null): TemplateResult {
  const right = question.answers.find((one) => one.right)!;
  const verdict = answer === right ? word("Right.") : word("Not quite.");
  return html`<div class="question verdict" role="status" tabindex="-1">
    <p class="ask">${word(question.text)}</p>
    <p>
      ${answer === null ? nothing : html`<strong>${verdict}</strong> ${say`You said: ${word(answer.label)}.`} `}
      ${answer === null || answer === right ? nothing : `${word(answer.because)} `}
      ${answer === right ? nothing : html`${say`The answer: ${word(right.label)}.`} `}${word(right.because)}
    </p>
  </div>`;
}
