/** What can be opened below a figure: the formulas, the data table, and what one widget alone has. Loaded when it is first opened. */

import { html, nothing, type TemplateResult } from "lit";
import { equation } from "./math.js";
import type { DataTable, Details, More, Reason } from "./routine.js";
import { word } from "./words.js";

export { default as style } from "./widget/disclosures.css";

export function why({ reasons, sources, sourcesOf }: Details, result: unknown): TemplateResult {
  const shown = [...sources, ...(sourcesOf?.(result) ?? [])];
  return html`<dl>
      ${reasons(result).map(reason)}
    </dl>
    <p class="sources">
      ${shown.map(
        ({ text, url }) =>
          html`<span>${word("Source:")} ${url === undefined ? text : html`<a href=${url} rel="noreferrer">${text}</a>`}.</span> `,
      )}
    </p>`;
}

function reason({ name, equals, note, guard }: Reason): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      ${equation(equals)}
      ${note === undefined ? nothing : html`<span class="note">${note}</span>`}
      ${guard === undefined ? nothing : html`<span class="guard">${word("Tested by")} <q lang="en">${guard}</q></span>`}
    </dd>
  </div>`;
}

export function table(data: DataTable): TemplateResult {
  const translated = (column: number) => (column < (data.ofProgram ?? 0) ? "no" : nothing);
  return html`<div class="scroll" role="region" aria-label=${data.caption} tabindex="0">
    <table part="table">
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
              <th scope="row" translate=${translated(0)}>${first}</th>
              ${rest.map((cell, index) => html`<td translate=${translated(index + 1)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function more({ note, table: data, rest }: More): TemplateResult {
  const { title, items } = rest;
  return html`<p class="note">${note}</p>
    ${table(data)}
    ${
      items.length === 0
        ? nothing
        : html`<div class="rest">
            <p>${title}</p>
            <ul>
              ${items.map((item) => html`<li>${item}</li>`)}
            </ul>
          </div>`
    }`;
}
