/** One control for each parameter, derived from its description. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { chosen } from "./chosen.js";
import { typed, written } from "./units.js";
import { linesOf, nearest, positions, type Parameter, type Range } from "./parameter.js";
import { say, word } from "./words.js";

/** What a control reports. */
export interface ControlEvents {
  set(parameter: Parameter, text: string): void;
  /** a movement of a slider, or an entry, has ended */
  done(): void;
  open(parameter: Parameter, file: File): Promise<void>;
  choose(parameter: Parameter, files: readonly File[]): void;
}

/** @param locked whether the reader may see it, and not change it */
export function control(
  parameter: Parameter,
  text: string,
  error: string | undefined,
  locked: boolean,
  events: ControlEvents,
): TemplateResult {
  const { name } = parameter;
  const content = entry(parameter, text, error, events);
  return html`<div class="control ${error === undefined ? "" : "wrong"}" part="control" data-parameter=${name}>
    ${locked ? html`<fieldset class="locked" disabled>${content}</fieldset>` : content}
    <p class="error" id="${name}-error" role="status">${error ?? nothing}</p>
    ${help(parameter)}
  </div>`;
}

function help({ name, description, sources = [] }: Parameter): TemplateResult | typeof nothing {
  if (description === undefined) return nothing;
  const from = sources.map(({ text, url }) => html` ${word("Source:")} <a href=${url!} rel="noreferrer">${text}</a>.`);
  return html`<p class="help" id="${name}-help">${word(description)}${from}</p>`;
}

function entry(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  switch (parameter.kind) {
    case "choice":
      return choice(parameter, text, events);
    case "text":
      return area(parameter, text, error, events);
    case "files":
      return chooser(parameter, text, error, events);
    default:
      return number(parameter, text, error, events);
  }
}

function describedBy({ name, quantity, description }: Parameter): string {
  const read = quantity === undefined ? "" : ` ${name}-read`;
  return `${name}-error${read}${description === undefined ? "" : ` ${name}-help`}`;
}

function number(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  const { name, label, quantity, range } = parameter;
  const note = quantity === undefined ? undefined : typed(text, quantity)?.note;
  return html`<div class="line">
      <label for=${name}>${word(label)}</label>
      <span class="entry">
        <input
          id=${name}
          name=${name}
          type="text"
          inputmode="decimal"
          autocomplete="off"
          spellcheck="false"
          aria-invalid=${error === undefined ? "false" : "true"}
          aria-describedby=${describedBy(parameter)}
          .value=${live(text)}
          @input=${(event: Event) => events.set(parameter, (event.target as HTMLInputElement).value)}
          @change=${() => events.done()}
        />
      </span>
    </div>
    ${quantity === undefined ? nothing : html`<p class="help read" id="${name}-read">${note ?? nothing}</p>`}
    ${range === undefined ? nothing : slider(parameter, range, text, events)}`;
}

function slider(parameter: Parameter, range: Range, text: string, events: ControlEvents): TemplateResult {
  const values = positions(range);
  const { label, quantity } = parameter;
  const at = (quantity === undefined ? Number(text) : typed(text, quantity)?.value) || range.least;
  const write = (value: number) => (quantity === undefined ? String(value) : written(value, quantity));
  return html`<input
    type="range"
    aria-label=${say`${word(label)}, slider`}
    aria-valuetext=${text}
    min="0"
    max=${values.length - 1}
    .value=${live(String(nearest(values, range, at)))}
    @input=${(event: Event) => events.set(parameter, write(values[Number((event.target as HTMLInputElement).value)]!))}
    @change=${() => events.done()}
  />`;
}

/** More choices than these stand in a list that opens. */
const mostSideBySide = 3;

function choice(parameter: Parameter, text: string, events: ControlEvents): TemplateResult {
  return (parameter.choices ?? []).length > mostSideBySide ? listed(parameter, text, events) : sideBySide(parameter, text, events);
}

function listed(parameter: Parameter, text: string, events: ControlEvents): TemplateResult {
  const { name, label, choices } = parameter;
  const choose = (event: Event) => {
    events.set(parameter, (event.target as HTMLSelectElement).value);
    events.done();
  };
  return html`<label for=${name}>${word(label)}</label>
    <select id=${name} name=${name} aria-describedby=${describedBy(parameter)} .value=${live(text)} @change=${choose}>
      ${choices?.map(({ value, label: one }) => html`<option value=${value} ?selected=${value === text}>${word(one)}</option>`)}
    </select>`;
}

function sideBySide(parameter: Parameter, text: string, events: ControlEvents): TemplateResult {
  const { name, label, choices } = parameter;
  return html`<fieldset>
    <legend>${word(label)}</legend>
    <div class="choices">
      ${choices?.map(
        (one) => html`<label
          ><input
            type="radio"
            name=${name}
            value=${one.value}
            .checked=${live(text === one.value)}
            @change=${() => {
              events.set(parameter, one.value);
              events.done();
            }}
          /><span>${word(one.label)}</span></label
        >`,
      )}
    </div>
  </fieldset>`;
}

/** Browsers paste in a time that grows with the square of the lines: from so many on, the text is put there at once. */
const manyLines = 500;

function area(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  const { name, label, files } = parameter;
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void events.open(parameter, file);
  };
  const paste = (event: InputEvent) => {
    const { value, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
    if (event.data === null || linesOf(event.data) < manyLines) return;
    event.preventDefault();
    events.set(parameter, value.slice(0, selectionStart) + event.data + value.slice(selectionEnd));
    events.done();
  };
  return html`<label for=${name}>${word(label)}</label>
    <textarea
      id=${name}
      name=${name}
      rows=${files === undefined ? 2 : 5}
      wrap="off"
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${error === undefined ? "false" : "true"}
      aria-describedby=${describedBy(parameter)}
      .value=${live(text)}
      @beforeinput=${paste}
      @input=${(event: Event) => events.set(parameter, (event.target as HTMLTextAreaElement).value)}
      @change=${() => events.done()}
      @dragover=${(event: DragEvent) => event.preventDefault()}
      @drop=${drop}
    ></textarea>
    ${files === undefined ? nothing : filePicker(parameter, files, events)}`;
}

function filePicker(parameter: Parameter, files: string, events: ControlEvents): TemplateResult {
  const pick = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file !== undefined) void events.open(parameter, file);
    input.value = "";
  };
  return html`<label class="file"
    ><input type="file" accept=${files} @change=${pick} /><span>${word("Open a file")}</span></label
  >
  <span class="help">${word("or drop it above. It stays in your browser.")}</span>`;
}

/** Files that are opened where they are: chosen, or dropped. */
function chooser(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  const { name, label, files } = parameter;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length > 0) events.choose(parameter, dropped);
  };
  const pick = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const picked = [...(input.files ?? [])];
    input.value = "";
    if (picked.length > 0) events.choose(parameter, picked);
  };
  return html`<div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${drop}>
    <label class="file"
      ><input
        id=${name}
        type="file"
        multiple
        accept=${files ?? nothing}
        aria-invalid=${error === undefined ? "false" : "true"}
        aria-describedby=${describedBy(parameter)}
        @change=${pick} /><span>${word(label)}</span></label
    >
    <p class="help">${word("or drop them here. Files stay in your browser.")}</p>
    ${chosenNames(text)}
  </div>`;
}

function chosenNames(text: string): TemplateResult | typeof nothing {
  const names = (chosen(text) ?? []).map(({ name }) => name);
  if (names.length === 0) return nothing;
  return html`<ul class="chosen-files typed">${names.map((name) => html`<li>${name}</li>`)}</ul>`;
}
