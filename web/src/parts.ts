/** What stands around a figure: readouts, formulas and the data table. */

import { html, nothing, type TemplateResult } from "lit";
import { equation } from "./math.js";
import type { Parameter, Texts } from "./parameter.js";
import type { DataTable, Reason, View } from "./routine.js";

/** Characters of a file or another long text. */
const longestOnPaper = 400;

/** What the controls say, for paper, on which they are not. */
export function stated(parameters: readonly Parameter[], texts: Texts): TemplateResult {
  const shown = parameters.map(({ name, label, choices }) => {
    const text = texts[name]!;
    return html`<div><dt>${label}</dt><dd>${choices?.find(({ value }) => value === text)?.label ?? shortened(text)}</dd></div>`;
  });
  return html`<dl class="stated">${shown}</dl>`;
}

function shortened(text: string): string {
  return text.length <= longestOnPaper ? text : `${text.slice(0, longestOnPaper)}…`;
}

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

export function why({ reasons, sources }: View): TemplateResult {
  return html`<details class="why">
    <summary>Why?</summary>
    <dl>
      ${reasons.map(reason)}
    </dl>
    <p class="sources">
      ${sources.map(
        ({ text, url }) =>
          html`<span>Source: ${url === undefined ? text : html`<a href=${url} rel="noreferrer">${text}</a>`}.</span> `,
      )}
    </p>
  </details>`;
}

function reason({ name, equals, note, guard }: Reason): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      ${equation(equals)}
      ${note === undefined ? nothing : html`<span class="note">${note}</span>`}
      ${guard === undefined ? nothing : html`<span class="guard">Tested by <q>${guard}</q></span>`}
    </dd>
  </div>`;
}

export function table(data: DataTable | undefined): TemplateResult | typeof nothing {
  if (data === undefined) return nothing;
  return html`<details class="data">
    <summary>Data table</summary>
    <div class="scroll" role="region" aria-label=${data.caption} tabindex="0">
      <table>
        <caption>
          ${data.caption}
        </caption>
        <thead>
          <tr>
            ${data.head.map((cell) => (cell === "" ? html`<td></td>` : html`<th scope="col">${cell}</th>`))}
          </tr>
        </thead>
        <tbody>
          ${data.rows.map(
            ([first, ...rest]) =>
              html`<tr>
                <th scope="row">${first}</th>
                ${rest.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
