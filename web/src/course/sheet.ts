/** The progress sheet: every criterion with what was chosen, answered and marked, on a page of paper. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Stated } from "../link.js";
import { initialTexts, type Parameter, type Texts } from "../parameter.js";
import { plural } from "../format.js";
import { inWords } from "./answers.js";
import type { Part } from "./criterion.js";
import type { Work } from "./work.js";

const parameters: readonly Parameter[] = [
  { name: "name", label: "Name", kind: "kept", initial: "" },
  { name: "date", label: "Date", kind: "kept", initial: "" },
];

/** Whose sheet it is, and of which day. */
export class Person {
  texts: Texts = initialTexts(parameters);

  get name(): string {
    return this.texts.name!;
  }

  /** as 2026-11-30, or empty */
  get date(): string {
    return this.texts.date!;
  }

  set(name: "name" | "date", text: string): void {
    this.texts = { ...this.texts, [name]: text };
  }

  stated(): Stated {
    return { id: "sheet", parameters, texts: this.texts, initial: initialTexts(parameters) };
  }

  restore(texts: Texts): void {
    this.texts = { ...initialTexts(parameters), ...texts };
  }
}

export interface SheetEvents {
  set(name: "name" | "date", text: string): void;
  print(): void;
  save(): void;
  open(file: File): void;
  copyLink(): void;
  startAgain(): void;
}

export interface Said {
  text: string;
  /** what could not be copied, to be copied by hand */
  copy?: string;
}

export function sheet(works: readonly Work[], person: Person, events: SheetEvents, said: Said): TemplateResult {
  const right = works.filter(isRight).length;
  return html`
    <div class="person">
      ${personal("Name", "name", "text", person, events)} ${personal("Date", "date", "date", person, events)}
    </div>
    <p class="total">${right} of ${works.length} criteria right.</p>
    <ol class="record">
      ${works.map((work) => html`<li data-record=${work.criterion.id}>${record(work)}</li>`)}
    </ol>
    <div class="tools">
      <button type="button" @click=${() => events.print()}>Print</button>
      <button type="button" @click=${() => events.save()}>Save as a file</button>
      <label class="button">Open a file<input type="file" accept=".json,application/json" @change=${(event: Event) => opened(event, events)} /></label>
      <button type="button" @click=${() => events.copyLink()}>Copy a link</button>
      <button type="button" class="plain" @click=${() => events.startAgain()}>Start again</button>
    </div>
    <div class="said">
      <p role="status">${said.text}</p>
      ${said.copy === undefined ? nothing : html`<textarea readonly rows="3" aria-label="The link" .value=${said.copy}></textarea>`}
    </div>
  `;
}

function personal(label: string, name: "name" | "date", type: string, person: Person, events: SheetEvents): TemplateResult {
  return html`<label>${label}
    <input
      type=${type}
      name=${name}
      autocomplete="off"
      .value=${live(person[name])}
      @input=${(event: Event) => events.set(name, (event.target as HTMLInputElement).value)}
    />
  </label>`;
}

/** The same file may be opened twice. */
function opened(event: Event, events: SheetEvents): void {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  input.value = "";
  if (file !== undefined) events.open(file);
}

export function isRight({ marks }: Work): boolean {
  return marks.length > 0 && marks.every(({ right }) => right);
}

/** How a criterion stands, in a sentence. */
export function standing(work: Work): string {
  const { marks, attempts } = work;
  const tried = attempts === 0 ? "" : ` ${plural(attempts, "attempt")}.`;
  if (marks.length === 0) return `Not marked${attempts === 0 ? " yet" : " as it is now"}.${tried}`;
  return `${marks.filter(({ right }) => right).length} of ${marks.length} right.${tried}`;
}

function record(work: Work): TemplateResult {
  const { title, parts } = work.criterion;
  return html`<h3>${title}</h3>
    <p class="standing">${standing(work)} ${prediction(work)}</p>
    <ul>
      ${parts.map((part) => html`<li class=${part.kind}>${part.label}: ${answer(work, part)}</li>`)}
    </ul>`;
}

function answer(work: Work, part: Part): TemplateResult {
  const words = inWords(part, work.texts[part.id]!, work.criterion.routine);
  const mark = work.markOf(part.id);
  const said = part.kind === "own" || mark === undefined ? nothing : html` <em class=${mark.right ? "right" : "wrong"}>${mark.right ? "right" : "not right"}</em>`;
  return html`<b>${words === "" ? "–" : words}</b>${said}`;
}

function prediction({ criterion, predicted }: Work): string {
  if (predicted === "") return "";
  const found = criterion.predicts?.answers.find(({ label }) => label === predicted);
  if (found === undefined) return "";
  return `Predicted before: “${predicted}”, ${found.right === true ? "right" : "not right"}.`;
}
