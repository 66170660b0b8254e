/** A guided path: a prediction before each number, and the number's setting for a widget. As text it needs no script. */

import { html, nothing, render, type TemplateResult } from "lit";
import { escaped } from "./figures/markup.js";
import type { Texts } from "./parameter.js";
import type { Answer, DataTable } from "./routine.js";

/** A number that is right within a part of itself; or one of several choices. */
export type PathAnswer =
  | { kind: "number"; label: string; right: number; within: number }
  | { kind: "choice"; choices: readonly Answer[] };

export interface PathStep {
  id: string;
  ask: string;
  answer: PathAnswer;
  /** paragraphs */
  reveal: readonly string[];
  table?: DataTable;
  /** what shows it in the widget */
  texts: Texts;
}

// As text

export function pathAsText(steps: readonly PathStep[]): string {
  const items = steps.map(({ ask, reveal, table }) => {
    const answer = reveal.map((text) => `<p>${escaped(text)}</p>`).join("");
    return `<li><p class="ask">${escaped(ask)}</p><div class="reveal">${answer}${table === undefined ? "" : tableAsText(table)}</div></li>`;
  });
  return `<ol>${items.join("")}</ol>`;
}

function tableAsText({ caption, head, rows }: DataTable): string {
  const cells = (tag: string, texts: readonly string[]) => texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("");
  return (
    `<div class="scroll" role="region" aria-label="${escaped(caption)}" tabindex="0"><table><caption>${escaped(caption)}</caption>` +
    `<thead><tr>${cells("th", head)}</tr></thead><tbody>${body}</tbody></table></div>`
  );
}

// With answers

/** What was answered: a text, whether it is right, and what is said about it; nothing said where there was no answer. */
interface Given {
  said?: string;
  right?: boolean;
  because?: string;
}

/** A path that a reader walks: a step is there when those before it are answered. */
export class Path {
  private readonly given: Given[] = [];
  private wrong: string | undefined;

  constructor(
    private readonly place: HTMLElement,
    private readonly steps: readonly PathStep[],
    private readonly show: (texts: Texts) => void,
  ) {
    place.replaceChildren();
    this.draw();
  }

  private draw(): void {
    const shown = this.steps.slice(0, this.given.length + 1);
    render(
      html`<ol>
          ${shown.map((step, index) => html`<li data-step=${step.id}>${this.step(step, index)}</li>`)}
        </ol>
        ${
          this.given.length >= this.steps.length
            ? nothing
            : html`<p class="progress">
                Step ${this.given.length + 1} of ${this.steps.length}.
                <button type="button" class="plain" @click=${() => this.showAll()}>Show all steps</button>
              </p>`
        }`,
      this.place,
    );
  }

  private step(step: PathStep, index: number): TemplateResult {
    const given = this.given[index];
    return html`<p class="ask" id="ask-${step.id}">${step.ask}</p>
      ${given === undefined ? this.question(step) : this.answered(step, given)}`;
  }

  private question({ id, answer }: PathStep): TemplateResult {
    const pass = html`<button type="button" class="plain" @click=${() => this.take({})}>Just show me</button>`;
    if (answer.kind === "choice") {
      return html`<div class="answers" role="group" aria-labelledby="ask-${id}">
        ${answer.choices.map((one) => html`<button type="button" @click=${() => this.choose(one)}>${one.label}</button>`)} ${pass}
      </div>`;
    }
    return html`<form
      class="answers"
      aria-labelledby="ask-${id}"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        this.type(answer, new FormData(event.target as HTMLFormElement).get("number") as string);
      }}
    >
      <label>${answer.label} <input name="number" inputmode="decimal" autocomplete="off" aria-describedby="wrong-${id}" aria-invalid=${this.wrong === undefined ? "false" : "true"} /></label>
      <button>Check</button> ${pass}
      <p class="wrong" id="wrong-${id}" role="status">${this.wrong ?? nothing}</p>
    </form>`;
  }

  private choose({ label, right, because }: Answer): void {
    this.take({ said: label, right: right === true, because });
  }

  private type({ right, within }: { right: number; within: number }, text: string): void {
    const number = Number(text.replace(/[\s,]/g, ""));
    if (text.trim() === "" || !Number.isFinite(number)) {
      this.wrong = "Please give a number, as 100.";
      this.draw();
      return;
    }
    this.take({ said: text.trim(), right: Math.abs(number - right) <= within * right });
  }

  private take(given: Given): void {
    this.wrong = undefined;
    this.given.push(given);
    this.draw();
    const verdicts = this.place.querySelectorAll<HTMLElement>(".reveal");
    verdicts[verdicts.length - 1]!.focus();
  }

  private showAll(): void {
    const from = this.given.length;
    while (this.given.length < this.steps.length) this.given.push({});
    this.draw();
    this.place.querySelectorAll<HTMLElement>(".reveal")[from]!.focus();
  }

  private answered({ reveal, table, texts }: PathStep, { said, right, because }: Given): TemplateResult {
    const verdict = said === undefined ? nothing : html`<p><strong>${right === true ? "Right." : "Not quite."}</strong> You said: ${said}. ${because ?? nothing}</p>`;
    return html`<div class="reveal" role="status" tabindex="-1">
        ${verdict} ${reveal.map((text) => html`<p>${text}</p>`)}
      </div>
      ${table === undefined ? nothing : tableOf(table)}
      <p><button type="button" @click=${() => this.show(texts)}>Show this in the widget below</button></p>`;
  }
}

function tableOf({ caption, head, rows }: DataTable): TemplateResult {
  return html`<div class="scroll" role="region" aria-label=${caption} tabindex="0">
    <table>
      <caption>${caption}</caption>
      <thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((text) => html`<td>${text}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}
