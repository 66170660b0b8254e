/** The questions of a criterion as a form: everything in it is a control of the browser's own. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { typed } from "../units.js";
import { inWords } from "./answers.js";
import { ordered, ticked, type Choice, type NumberAsked, type Order, type Own, type Part, type Statement, type Task, type Ticks } from "./criterion.js";
import type { Work } from "./work.js";

export interface FormEvents {
  answer(part: string, text: string): void;
  move(part: Order, statement: Statement, by: 1 | -1): void;
  handIn(part: string): void;
  check(): void;
}

/** @param said what has just happened, also for those who do not see it */
export function form(work: Work, events: FormEvents, said: string): TemplateResult {
  const { id, title, parts } = work.criterion;
  return html`<form
    aria-labelledby="title-${id}"
    novalidate
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      events.check();
    }}
  >
    <h3 id="title-${id}">${title}</h3>
    ${parts.map((part) => html`<div class="part ${part.kind}" data-part=${part.id}>${question(work, part, events)}</div>`)}
    <div class="marking">
      <button class="check">${work.attempts === 0 ? "Check" : "Check again"}</button>
      <p class="said" role="status">${said}</p>
    </div>
  </form>`;
}

function question(work: Work, part: Part, events: FormEvents): TemplateResult {
  switch (part.kind) {
    case "own":
    case "number":
      return field(work, part, events);
    case "choice":
      return choice(work, part, events);
    case "ticks":
      return ticks(work, part, events);
    case "order":
      return order(work, part, events);
    case "task":
      return task(work, part, events);
  }
}

const nameOf = ({ criterion }: Work, { id }: Part): string => `${criterion.id}-${id}`;
const textOf = ({ texts }: Work, { id }: Part): string => texts[id]!;

/** Whether the answer is right, and why: said in words, not in colour alone. */
function verdict(work: Work, part: Part): TemplateResult {
  const found = work.markOf(part.id);
  const id = `verdict-${nameOf(work, part)}`;
  if (work.fault !== undefined && work.fault.parameter === part.id) return html`<p class="verdict wrong" id=${id}>${work.fault.message()}</p>`;
  if (found === undefined) return html`<p class="verdict" id=${id}></p>`;
  return html`<p class="verdict ${found.right ? "right" : "wrong"}" id=${id}>
    <strong>${found.right ? "Right." : "Not yet."}</strong> ${found.because}
  </p>`;
}

const isOff = (work: Work, { id }: Part): boolean => work.markOf(id)?.right === false || work.fault?.parameter === id;

function field(work: Work, part: Own | NumberAsked, events: FormEvents): TemplateResult {
  const name = nameOf(work, part);
  const text = textOf(work, part);
  const note = part.quantity === undefined ? undefined : typed(text, part.quantity)?.note;
  return html`<label class="ask" for=${name}>${part.ask}</label>
    <div class="line">
      <input
        id=${name}
        autocomplete="off"
        spellcheck="false"
        aria-describedby="note-${name} verdict-${name}"
        aria-invalid=${isOff(work, part) ? "true" : "false"}
        .value=${live(text)}
        @input=${(event: Event) => events.answer(part.id, (event.target as HTMLInputElement).value)}
      />
      <span class="note" id="note-${name}">${note ?? nothing}</span>
    </div>
    ${verdict(work, part)}`;
}

/** The controls of statements, with what they have in common. */
function statements(work: Work, part: Choice | Ticks, type: "radio" | "checkbox", chosen: readonly string[], change: (id: string, on: boolean) => void): TemplateResult {
  const name = nameOf(work, part);
  return html`<fieldset aria-describedby="verdict-${name}">
    <legend class="ask">${part.ask}</legend>
    ${part.statements.map(
      ({ id, text }) => html`<label>
        <input
          type=${type}
          name=${name}
          value=${id}
          .checked=${live(chosen.includes(id))}
          @change=${(event: Event) => change(id, (event.target as HTMLInputElement).checked)}
        />
        <span>${text}</span>
      </label>`,
    )}
    ${verdict(work, part)}
  </fieldset>`;
}

function choice(work: Work, part: Choice, events: FormEvents): TemplateResult {
  return statements(work, part, "radio", [textOf(work, part)], (id) => events.answer(part.id, id));
}

function ticks(work: Work, part: Ticks, events: FormEvents): TemplateResult {
  const chosen = ticked(part, textOf(work, part)).map(({ id }) => id);
  return statements(work, part, "checkbox", chosen, (id, on) => {
    const now = part.statements.map((one) => one.id).filter((one) => (one === id ? on : chosen.includes(one)));
    events.answer(part.id, now.join(","));
  });
}

function order(work: Work, part: Order, events: FormEvents): TemplateResult {
  const found = ordered(part, textOf(work, part));
  const move = (statement: Statement, index: number, by: 1 | -1) => html`<button
    type="button"
    data-move=${by}
    ?disabled=${found[index + by] === undefined}
    aria-label="Move ${by < 0 ? "up" : "down"}: ${statement.short}"
    @click=${() => events.move(part, statement, by)}
  >
    ${by < 0 ? "↑" : "↓"}
  </button>`;
  return html`<fieldset aria-describedby="verdict-${nameOf(work, part)}">
    <legend class="ask">${part.ask}</legend>
    <ol>
      ${repeat(
        found,
        ({ id }) => id,
        (statement, index) => html`<li data-statement=${statement.id}>
          <div><span>${statement.text}</span> ${move(statement, index, -1)} ${move(statement, index, 1)}</div>
        </li>`,
      )}
    </ol>
    ${verdict(work, part)}
  </fieldset>`;
}

function task(work: Work, part: Task, events: FormEvents): TemplateResult {
  const { routine } = work.criterion;
  const name = nameOf(work, part);
  const handed = inWords(part, textOf(work, part), routine);
  return html`<p class="ask" id=${name}>${part.ask}</p>
    <div class="line">
      <a href="#${routine.id}">To the widget</a>
      <button type="button" class="hand-in" aria-describedby="${name} verdict-${name}" @click=${() => events.handIn(part.id)}>Hand in what the widget shows</button>
      <span class="note">${handed === "" ? nothing : `Handed in: ${handed}.`}</span>
    </div>
    ${verdict(work, part)}`;
}
