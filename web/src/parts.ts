/** What stands around a figure: readouts, and what can be opened below it. */

import { html, nothing, type TemplateResult } from "lit";
import { atHome } from "./home.js";
import type { Stated } from "./link.js";
import type { Parameter, Texts } from "./parameter.js";
import type { View, WidgetLink } from "./routine.js";
import { word } from "./words.js";

/** Characters of a file, an address or another long text. */
const longestOnPaper = 400;

/** What the controls say, for paper, on which they are not. One that is left empty says nothing. */
export function stated(parameters: readonly Parameter[], texts: Texts): TemplateResult {
  const given = parameters.filter(({ name }) => texts[name] !== "");
  const shown = given.map(({ name, label, choices }) => {
    const text = texts[name]!;
    const chosen = choices?.find(({ value }) => value === text);
    return html`<div>
      <dt>${word(label)}</dt>
      ${chosen === undefined ? html`<dd translate="no">${shortened(text)}</dd>` : html`<dd>${word(chosen.label)}</dd>`}
    </div>`;
  });
  return html`<dl class="stated">${shown}</dl>`;
}

/** Where a state is found again, for paper: nothing where it has no address, or one that nobody types. */
export function address(link: string): TemplateResult | typeof nothing {
  if (!/^https?:/.test(link) || link.length > longestOnPaper) return nothing;
  return html`<p class="address" translate="no">${link}</p>`;
}

function shortened(text: string): string {
  return text.length <= longestOnPaper ? text : `${text.slice(0, longestOnPaper)}…`;
}

/** Other widgets with what was found here, where the lab's page is known or this is it. */
export function linked(links: readonly WidgetLink[] = []): TemplateResult | typeof nothing {
  const home = atHome();
  const addresses = links.map((one) => (home.full ?? home.link)(statedAs(one), {}));
  if (addresses.length === 0 || addresses.includes("")) return nothing;
  return html`<p class="links">${links.map(({ label }, index) => html`<a href=${addresses[index]!}>${label}</a> `)}</p>`;
}

/** As much of a widget's state as a link needs. */
function statedAs({ id, texts }: WidgetLink): Stated {
  const parameters = Object.keys(texts).map((name): Parameter => ({ name, label: "", kind: "text", initial: "" }));
  return { id, parameters, texts, initial: {} };
}

/** @param masked whether the numbers are kept back until a question is answered */
export function tiles({ readouts }: View, masked: boolean): TemplateResult {
  return html`<dl class="tiles" part="readouts">
    ${readouts.map(
      ({ id, label, value, unit }) => html`<div part="readout">
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

export type Disclosure = "why" | "data" | "more";

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
