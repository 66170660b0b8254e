/** A task in words: what comes in, what has to come out, the rule, and what is folded away. */

import { html, nothing, type TemplateResult } from "lit";
import { say, word } from "../words.js";
import { conventions, type Task } from "./tasks.js";

export function taskText({ does, extension, gives, hint, name, rule, source, takes }: Task): TemplateResult {
  return html`<div class="task">
    <p class="does">${extension ? html`<span class="soft">${word("Extension.")}</span> ` : nothing}${prose(does)}</p>
    <dl>
      <dt>${word("In:")} <code>{ ${Object.keys(takes).join(", ")} }</code></dt>
      ${Object.entries(takes).map(([parameter, meaning]) => html`<dd><code>${parameter}</code>: ${prose(meaning)}</dd>`)}
      <dt>${word("Out")}</dt>
      <dd>${prose(gives)}</dd>
      <dt>${word("The rule")}</dt>
      ${rule.map((paragraph) => html`<dd>${prose(paragraph)}</dd>`)}
    </dl>
    <details>
      <summary>${word("A hint")}</summary>
      <p>${prose(hint)}</p>
    </details>
    <details>
      <summary>${word("Ranks, chunks, and what may be called")}</summary>
      ${conventions.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
      <p>${code(say`Functions that you have written can call each other by their names; whatever else you declare beside \`${name}\`, only it sees. \`console.log\` writes below the cases.`)}</p>
    </details>
    <p class="source" translate="no" lang="en">${source}</p>
  </div>`;
}

function prose(text: string): (TemplateResult | string)[] {
  return code(word(text));
}

/** Between backquotes stands code. */
function code(text: string): (TemplateResult | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
