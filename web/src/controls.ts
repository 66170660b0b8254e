/** One control for each parameter, derived from its description. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { nearest, positions, type Parameter, type Range } from "./parameter.js";

/** What a control reports. */
export interface ControlEvents {
  set(parameter: Parameter, text: string): void;
  /** a movement of a slider, or an entry, has ended */
  done(): void;
  open(parameter: Parameter, file: File): Promise<void>;
}

export function control(
  parameter: Parameter,
  text: string,
  error: string | undefined,
  events: ControlEvents,
): TemplateResult {
  const { name, description } = parameter;
  return html`<div class="control ${error === undefined ? "" : "wrong"}" data-parameter=${name}>
    ${entry(parameter, text, error, events)}
    <p class="error" id="${name}-error" role="status">${error ?? nothing}</p>
    ${description === undefined ? nothing : html`<p class="help" id="${name}-help">${description}</p>`}
  </div>`;
}

function entry(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  switch (parameter.kind) {
    case "choice":
      return choice(parameter, text, events);
    case "text":
      return area(parameter, text, error, events);
    default:
      return number(parameter, text, error, events);
  }
}

function describedBy({ name, description }: Parameter): string {
  return description === undefined ? `${name}-error` : `${name}-error ${name}-help`;
}

function number(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  const { name, label, unit, range } = parameter;
  return html`<div class="line">
      <label for=${name}>${label}</label>
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
        />${unit === undefined ? nothing : html`<span class="unit">${unit}</span>`}
      </span>
    </div>
    ${range === undefined ? nothing : slider(parameter, range, text, events)}`;
}

function slider(parameter: Parameter, range: Range, text: string, events: ControlEvents): TemplateResult {
  const values = positions(range);
  const { label, unit } = parameter;
  const at = Number(text) || range.least;
  return html`<input
    type="range"
    aria-label="${label}, slider"
    aria-valuetext=${unit === undefined ? text : `${text} ${unit}`}
    min="0"
    max=${values.length - 1}
    .value=${live(String(nearest(values, range, at)))}
    @input=${(event: Event) => events.set(parameter, short(values[Number((event.target as HTMLInputElement).value)]!))}
    @change=${() => events.done()}
  />`;
}

/** 2e9 rather than 2000000000. */
function short(value: number): string {
  return value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)
    ? value.toExponential().replace("e+", "e")
    : String(value);
}

function choice(parameter: Parameter, text: string, events: ControlEvents): TemplateResult {
  const { name, label, choices } = parameter;
  return html`<fieldset>
    <legend>${label}</legend>
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
          /><span>${one.label}</span></label
        >`,
      )}
    </div>
  </fieldset>`;
}

function area(parameter: Parameter, text: string, error: string | undefined, events: ControlEvents): TemplateResult {
  const { name, label, files } = parameter;
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void events.open(parameter, file);
  };
  return html`<label for=${name}>${label}</label>
    <textarea
      id=${name}
      name=${name}
      rows="5"
      wrap="off"
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${error === undefined ? "false" : "true"}
      aria-describedby=${describedBy(parameter)}
      .value=${live(text)}
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
    ><input type="file" accept=${files} @change=${pick} /><span>Open a file</span></label
  >
  <span class="help">or drop it above. It stays in your browser.</span>`;
}
