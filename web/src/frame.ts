/** What a widget's frame is made of, beside what has a file of its own. */

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import type { Author } from "./author.js";
import { control, type ControlEvents } from "./controls.js";
import type { Parameter } from "./parameter.js";
import type { Routine, View } from "./routine.js";
import type { Session } from "./session.js";
import { say, word } from "./words.js";

/** A widget at one moment. */
export interface Shown {
  routine: Routine;
  session: Session;
  author: Author;
  view: View | undefined;
  /** what is seen now */
  sentence: string;
  /** what is to be heard of it */
  heard: string;
  /** whether the numbers wait for an answer, and whether the figure does */
  asking: boolean;
  figureWaits: boolean;
  /** whether less used controls are shown */
  unfolded: boolean;
  unfold(open: boolean): void;
}

/** For those who do not see the widget: what it is, what it shows now, what can be done. */
export function summary({ routine: { title, tryNext }, view, sentence }: Shown): TemplateResult {
  return html`<p class="unseen">${say`Interactive figure: ${word(title)}. ${sentence} ${view?.tryNext ?? word(tryNext)}`}</p>`;
}

/** @param dismissed the button that had the focus is gone */
export function notices(session: Session, dismissed: () => void): TemplateResult | typeof nothing {
  if (session.notices.length === 0) return nothing;
  const dismiss = () => {
    session.dismiss();
    dismissed();
  };
  return html`<div class="notices" role="status">
    ${session.notices.map((notice) => html`<p>${notice()}</p>`)}
    <button type="button" @click=${dismiss}>${word("Dismiss")}</button>
  </div>`;
}

/** A figure that scrolls, that plays or that has keys of its own must be reachable by keyboard. */
export function figure({ routine, session, view, figureWaits }: Shown): TemplateResult {
  const scrolls = (view?.figure?.width ?? 0) > session.width;
  const reachable = scrolls || (view?.steps?.count ?? 0) > 0 || view?.magnified !== undefined;
  return html`<div
    class="figure ${figureWaits ? "waits" : ""}"
    part="figure"
    role=${reachable ? "group" : nothing}
    aria-label=${reachable ? say`${word(routine.title)}, figure` : nothing}
    tabindex=${reachable ? "0" : "-1"}
  >
    ${guard([view], () => drawing(view))}
    ${figureWaits ? html`<p>${word("The figure waits for your answer.")}</p>` : nothing}
  </div>`;
}

/** Until there is a result, what stands in the element: a picture of it, as a rule. */
function drawing(view: View | undefined): unknown {
  if (view === undefined) return html`<slot></slot>`;
  return view.figure === undefined ? nothing : unsafeHTML(view.figure.text);
}

/** @param stopped the button that had the focus is gone */
export function captioned({ session, view, sentence, heard }: Shown, stopped: () => void): TemplateResult {
  const { unavailable, fault, slow, progress } = session;
  const stop = () => {
    session.stop();
    stopped();
  };
  if (unavailable !== undefined) {
    return html`<p class="caption trouble" part="caption" role="alert">
      ${unavailable.message()} ${unavailable.hint()} <code>${unavailable.code}</code>
    </p>`;
  }
  const stale = fault !== undefined && view !== undefined;
  const elsewhere = fault !== undefined && fault.parameter === undefined;
  return html`<p class="caption" part="caption">
      ${slow ? html`<span class="working">${progress?.() ?? word("Computing …")}</span> ` : nothing}
      ${session.isLate ? html`<button type="button" class="stop" @click=${stop}>${word("Stop")}</button> ` : nothing}
      ${session.isStopped ? html`<span class="stopped" role="status">${word("Stopped: this is what was shown before.")}</span> ` : nothing}
      ${stale ? html`<span class="stale">${word("The last valid input is shown.")}</span> ` : nothing}${sentence}
      ${elsewhere ? html`<span class="error" role="status">${fault.message()}</span>` : nothing}
    </p>
    <slot name="caption"></slot>
    <p class="unseen" role="status">${heard}</p>`;
}

/** The controls, and what to try with them. */
export function controlled(shown: Shown, events: ControlEvents): TemplateResult {
  const { routine, session, author, view, asking } = shown;
  const seen = session.controlled().filter(({ name }) => !author.hidden.has(name));
  const tried = asking || author.hidden.has("try");
  return html`<form class="side" part="controls" @submit=${(event: Event) => event.preventDefault()}>
    ${seen.filter(({ folded }) => folded !== true).map((parameter) => one(parameter, shown, events))}
    ${folded(seen, shown, events)}
    ${tried ? nothing : html`<p class="try" aria-hidden="true">${say`Try: ${view?.tryNext ?? word(routine.tryNext)}`}</p>`}
  </form>`;
}

function one(parameter: Parameter, { session, author }: Shown, events: ControlEvents): TemplateResult {
  const { texts, fault } = session;
  const message = fault?.parameter === parameter.name ? fault.message() : undefined;
  return control(parameter, texts[parameter.name]!, message, author.locked.has(parameter.name), events);
}

/** What is less used. It opens by itself where one of them is at fault. */
function folded(seen: readonly Parameter[], shown: Shown, events: ControlEvents): TemplateResult | typeof nothing {
  const { session, unfolded, unfold } = shown;
  const all = seen.filter((parameter) => parameter.folded === true);
  if (all.length === 0) return nothing;
  const initial = session.initial();
  const changed = all.filter(({ name }) => session.texts[name] !== initial[name]).length;
  const isAtFault = all.some(({ name }) => session.fault?.parameter === name);
  if (isAtFault) unfold(true);
  return html`<details
    class="folded"
    ?open=${unfolded || isAtFault}
    @toggle=${(event: Event) => unfold((event.target as HTMLDetailsElement).open)}
  >
    <summary>${changed === 0 ? word("More settings") : say`More settings, ${changed} changed`}</summary>
    <div>${all.map((parameter) => one(parameter, shown, events))}</div>
  </details>`;
}
