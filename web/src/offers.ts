/** What can be done with a picture, in sentences with a button each. */

import { html, nothing, type TemplateResult } from "lit";
import type { Texts } from "./parameter.js";
import { say, word } from "./words.js";

/** A button that sets controls. */
export interface Action {
  label: string;
  /** the label is a name of a file, which is of no language */
  isName?: boolean;
  texts: Texts;
}

/** Changes that lead to something, what each costs, and why others do not. */
export interface Offers {
  /** left out where there is nothing to change */
  title?: string;
  items: readonly { name: string; text: string; texts: Texts }[];
  rest: { title: string; items: readonly { name: string; text: string }[] };
  /** what can be done in any case */
  actions: readonly Action[];
}

export function offered({ title, items, rest, actions }: Offers, apply: (texts: Texts) => void): TemplateResult {
  return html`<div class="offers">
    ${title === undefined ? nothing : html`<p>${title}</p>`}
    ${
      items.length === 0
        ? nothing
        : html`<ul>
            ${items.map(
              ({ name, text, texts }) => html`<li>
                <span><b>${name}</b> ${text}</span>
                <button type="button" aria-label=${say`Apply: ${name}`} @click=${() => apply(texts)}>${word("Apply")}</button>
              </li>`,
            )}
          </ul>`
    }
    ${
      rest.items.length === 0
        ? nothing
        : html`<details class="refused">
            <summary>${rest.title}</summary>
            <ul>
              ${rest.items.map(({ name, text }) => html`<li><span><b>${name}</b> ${text}</span></li>`)}
            </ul>
          </details>`
    }
    <div class="actions">
      ${actions.map(({ label, isName, texts }) => html`<button type="button" translate=${isName === true ? "no" : nothing} @click=${() => apply(texts)}>${label}</button>`)}
    </div>
  </div>`;
}
