/** A prediction before the answer. */

import { html, nothing, type TemplateResult } from "lit";
import type { Answer, Question } from "./routine.js";

/** @param answer given, or `null` where the reader went on without one */
export function asked(question: Question, answer: (answer: Answer | null) => void): TemplateResult {
  return html`<div class="question" role="group" aria-label="A question first">
    <p class="ask">Before you look: what do you expect?</p>
    <p class="claim">${question.text}</p>
    <div class="answers">
      ${question.answers.map((one) => html`<button type="button" @click=${() => answer(one)}>${one.label}</button>`)}
      <button type="button" class="plain show" @click=${() => answer(null)}>Just show me</button>
    </div>
  </div>`;
}

/** The focus comes here when the buttons that had it are gone. */
export function answered(question: Question, answer: Answer | null): TemplateResult {
  const right = question.answers.find((one) => one.right)!;
  const verdict = answer === right ? "Right" : "Not quite";
  return html`<div class="question verdict" role="status" tabindex="-1">
    <p class="ask">${question.text}</p>
    <p>
      ${answer === null ? nothing : html`<strong>${verdict}.</strong> You said: ${answer.label}. `}
      ${answer === null || answer === right ? nothing : `${answer.because} `}
      ${answer === right ? nothing : html`The answer: ${right.label}. `}${right.because}
    </p>
  </div>`;
}
