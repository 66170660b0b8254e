/** The cases of a task as they stand, and what is wrong where one has failed. */

import { html, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { duration, mark, type State } from "../tests-view/mark.js";
import { word } from "../words.js";
import { difference, text, type Difference, type Row } from "./difference.js";
import { ringPicture } from "./ring-picture.js";
import type { Call, CaseResult } from "./run.js";
import type { Task } from "./tasks.js";

/** A case of the task that is shown. */
export interface Entry {
  name: string;
  state: State | "left";
  result?: CaseResult | undefined;
}

/** @param width of what is drawn, in pixels */
export function cases(task: Task, entries: readonly Entry[], width: number): TemplateResult {
  const first = entries.find(({ state }) => state === "failed");
  return html`<div class="list"><ul class="cases">
    ${entries.map(
      ({ name, state, result }) => html`<li class=${state} data-state=${state}>
        ${mark(state === "left" ? "waiting" : state, stateName(state))}
        <span class="title"
          ><span lang="en" translate="no">${title(name)}</span>${state === "left" ? html` <span class="soft">${word("(not run)")}</span>` : nothing}</span
        >
        <span class="time">${result === undefined || state === "left" ? nothing : duration(result.seconds)}</span>
        ${result?.state === "failed" ? failure(task, result, result.name === first?.name, width) : nothing}
      </li>`,
    )}
  </ul></div>`;
}

/** `lab ring_all_reduce: takes twice N - 1 steps` is `Takes twice N - 1 steps`. */
export function title(name: string): string {
  const words = name.replace(/^lab \w+: /, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function stateName(state: Entry["state"]): string {
  if (state === "passed") return word("passed");
  if (state === "failed") return word("failed");
  return state === "running" ? word("running") : word("not run");
}

/** What is wrong stands there, in the cases' own English; what shows it is open for the first case alone. */
function failure(task: Task, { messages, call }: CaseResult, isFirst: boolean, width: number): TemplateResult {
  return html`<div class="failures failure">
    <div lang="en" translate="no">
      ${messages.slice(0, -1).map((message) => html`<p>${message}</p>`)}
      <p class="message">${messages[messages.length - 1]}</p>
    </div>
    ${call === undefined ? nothing : html`<details class="example" ?open=${isFirst}>
      <summary>${word("The call that showed it")}</summary>
      ${counterexample(task, call, width)}
    </details>`}
  </div>`;
}

function counterexample(task: Task, call: Call, width: number): TemplateResult {
  const picture = task.id === "ring-all-reduce" ? ringPicture(call, width) : undefined;
  const found = picture === undefined ? difference(call, task.answer) : undefined;
  return html`<pre class="call"><code>${called(task, call)}</code></pre>
    ${picture === undefined ? nothing : html`<div class="figure">${unsafeHTML(picture.text)}</div>`}
    ${found === undefined ? nothing : compared(found)}`;
}

function called({ name }: Task, { options }: Call): string {
  const members = Object.entries(options).map(([member, value]) => `${member}: ${text(value)}`);
  return `${name}({ ${members.join(", ")} })`;
}

function compared({ place, yours, right }: Difference): TemplateResult {
  return html`<div class="scroll" role="region" aria-label=${word("Your answer and the right one")} tabindex="0">
    <table>
      <caption>
        ${place === "" ? word("What it gives") : html`${word("Where it first differs:")} <code>${place}</code>`}
      </caption>
      <tr><th scope="row">${word("yours")}</th>${values(yours)}</tr>
      <tr><th scope="row">${word("right")}</th>${values(right)}</tr>
    </table>
  </div>`;
}

function values({ before, texts, after, marked }: Row): TemplateResult {
  const more = html`<td aria-label=${word("and more")}>…</td>`;
  return html`${before ? more : nothing}${texts.map((one, index) =>
    index === marked ? html`<td class="marked"><strong><code>${one}</code></strong></td>` : html`<td><code>${one}</code></td>`,
  )}${after ? more : nothing}${marked === undefined ? html`<td class="marked">${word("nothing")}</td>` : nothing}`;
}
