/** What stands around a figure: readouts, and what can be opened below it. */

import { html, nothing, type TemplateResult } from "lit";
import type { View } from "./routine.js";

/** @param masked whether the numbers are kept back until a question is answered */
export function tiles({ readouts }: View, masked: boolean): TemplateResult {
  return html`<dl class="tiles">
    ${readouts.map(
      ({ id, label, value, unit }) => html`<div>
        <dt>${label}</dt>
        <dd data-readout=${id}>${
          masked
            ? html`<span class="masked">?</span>`
            : html`${value}${unit === undefined ? nothing : html` <small>${unit}</small>`}`
        }</dd>
      </div>`,
    )}
  </dl>`;
}

export type Disclosure = "why" | "data";

/** What is behind a summary. It is made when it is opened: while it is closed, nothing waits for it. */
export function disclosure(
  kind: Disclosure,
  title: string,
  content: unknown,
  toggled: (open: boolean) => void,
): TemplateResult {
  return html`<details class=${kind} @toggle=${(event: Event) => toggled((event.target as HTMLDetailsElement).open)}>
    <summary>${title}</summary>
    ${content}
  </details>`;
}
