/** The frame that every widget shares: an element around one routine. */

import { html, LitElement, nothing, unsafeCSS, type TemplateResult } from "lit";
import { control, type ControlEvents } from "./controls.js";
import { LabUnavailable, sharedLab } from "./lab.js";
import { active, Inputs, kebab, named, type Parameter, type Texts } from "./parameter.js";
import type { DataTable, Reason, Routine, View } from "./routine.js";
import tokens from "./tokens.css";
import style from "./widget.css";
import { transport } from "./transport.js";

/** What is wrong with an input, and with which. */
interface Fault {
  parameter: string | undefined;
  message: string;
}

/** Widths are rounded down to this, so that a window being dragged does not redraw on every pixel. */
const widthStep = 10;
const largestFile = 4 * 2 ** 20;
/** Milliseconds after which a call that still runs is mentioned. */
const slowAfter = 250;

abstract class Widget extends LitElement implements ControlEvents {
  static override styles = [unsafeCSS(tokens), unsafeCSS(style)];

  protected abstract readonly routine: Routine;

  private texts: Texts = {};
  private result: unknown;
  private fault: Fault | undefined;
  private unavailable: string | undefined;
  private changed = false;
  private running: Promise<void> | undefined;
  private slow = false;
  private drawn: { result: unknown; width: number; view: View } | undefined;
  private figureWidth = 600;
  private scrolls = false;
  private readonly resized = new ResizeObserver(([entry]) => this.onResized(entry!.contentRect.width));

  override connectedCallback(): void {
    super.connectedCallback();
    if (Object.keys(this.texts).length === 0) {
      this.texts = Object.fromEntries(this.routine.parameters.map((one) => [one.name, this.initialText(one)]));
    }
    this.compute();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  override updated(): void {
    const figure = this.renderRoot.querySelector(".figure")!;
    this.resized.observe(figure);
    const scrolls = figure.scrollWidth > figure.clientWidth;
    if (scrolls === this.scrolls) return;
    this.scrolls = scrolls;
    this.requestUpdate();
  }

  /** What the page's author wrote on the element, or the routine's own. */
  private initialText(parameter: Parameter): string {
    return this.getAttribute(kebab(parameter.name)) ?? parameter.initial;
  }

  private onResized(width: number): void {
    const rounded = Math.max(240, Math.floor(width / widthStep) * widthStep);
    if (rounded === this.figureWidth) return;
    this.figureWidth = rounded;
    this.requestUpdate();
  }

  set(parameter: Parameter, text: string): void {
    this.texts = { ...this.texts, [parameter.name]: text };
    this.requestUpdate();
    this.compute();
  }

  async open(parameter: Parameter, file: File): Promise<void> {
    if (file.size > largestFile) {
      this.fault = { parameter: parameter.name, message: `${file.name} is larger than 4 MiB; paste a part of it.` };
      this.requestUpdate();
      return;
    }
    this.set(parameter, await file.text());
  }

  /** Runs the routine on what stands in the controls. While one call is under way, only the newest waits. */
  private compute(): void {
    this.changed = true;
    this.running ??= this.computeAll();
  }

  private async computeAll(): Promise<void> {
    const patience = setTimeout(() => this.showSlow(true), slowAfter);
    while (this.changed) {
      this.changed = false;
      await this.computeOnce();
      this.requestUpdate();
    }
    this.running = undefined;
    clearTimeout(patience);
    this.showSlow(false);
  }

  private showSlow(slow: boolean): void {
    if (slow === this.slow) return;
    this.slow = slow;
    this.requestUpdate();
  }

  /** An update is complete when the newest input is shown. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await this.running;
    return super.getUpdateComplete();
  }

  private async computeOnce(): Promise<void> {
    try {
      const lab = await sharedLab();
      this.result = await this.routine.run(lab, new Inputs(this.texts));
      this.fault = undefined;
    } catch (error) {
      if (error instanceof LabUnavailable) this.unavailable = error.message;
      else this.fault = this.explain(error);
    }
  }

  private explain(error: unknown): Fault {
    const { parameter, value, rule, message } = error as Error & { parameter?: string; value?: unknown; rule?: string };
    if (parameter === undefined || rule === undefined) return { parameter: undefined, message };
    const controls = this.controlled();
    const found = named(controls, parameter);
    const place = found ?? controls.find(({ takesOthers }) => takesOthers);
    const label = found?.label ?? parameter;
    return { parameter: place?.name, message: `${label} must ${rule}. ${given(String(value ?? ""))}` };
  }

  override render(): TemplateResult {
    const { title, claim } = this.routine;
    const view = this.view();
    return html`
      <section class="widget" aria-label=${title} aria-busy=${this.slow ? "true" : "false"}>
        <header>
          <h3>${title}</h3>
          <p class="claim">${claim}</p>
        </header>
        <div class="body">
          <div class="stage">
            ${this.figure(view)}
            ${this.caption(view)} ${this.steps(view)} ${view === undefined ? nothing : tiles(view)}
          </div>
          <form class="side" @submit=${(event: Event) => event.preventDefault()}>
            ${this.controls()}
          </form>
        </div>
        ${view === undefined ? nothing : [why(view), table(view.table)]}
      </section>
    `;
  }

  /** The last result's view; made again only for another result or width. */
  private view(): View | undefined {
    const { result, figureWidth: width } = this;
    if (result === undefined) return undefined;
    if (this.drawn?.result !== result || this.drawn.width !== width) {
      this.drawn = { result, width, view: this.routine.view(result, width) };
    }
    return this.drawn.view;
  }

  /** A figure that is wider than its place scrolls, and must then be reachable by keyboard. */
  private figure(view: View | undefined): TemplateResult {
    const { scrolls } = this;
    return html`<div
      class="figure"
      role=${scrolls ? "region" : nothing}
      aria-label=${scrolls ? `${this.routine.title}, figure` : nothing}
      tabindex=${scrolls ? "0" : nothing}
    >
      ${view?.figure ?? nothing}
    </div>`;
  }

  private caption(view: View | undefined): TemplateResult {
    if (this.unavailable !== undefined) return html`<p class="caption trouble" role="alert">${this.unavailable}</p>`;
    const stale = this.fault !== undefined && view !== undefined;
    const text = view?.caption ?? (this.fault === undefined ? "The lab is starting." : "");
    return html`<p class="caption" aria-live="polite">
      ${this.slow ? html`<span class="working">Computing …</span> ` : nothing}
      ${stale ? html`<span class="stale">The last valid input is shown.</span> ` : nothing}${text}
      ${
        this.fault !== undefined && this.fault.parameter === undefined
          ? html`<span class="error">${this.fault.message}</span>`
          : nothing
      }
    </p>`;
  }

  private steps(view: View | undefined): TemplateResult | typeof nothing {
    const parameter = this.routine.parameters.find(({ kind }) => kind === "step");
    if (parameter === undefined || view?.steps === undefined || view.steps.count === 0) return nothing;
    return transport(view.steps, (step) => this.set(parameter, String(step)));
  }

  /** The parameters that have a control now, where an error can be shown. */
  private controlled(): Parameter[] {
    return active(this.routine.parameters, this.texts).filter(({ kind }) => kind !== "step");
  }

  private controls(): TemplateResult[] {
    return this.controlled().map((parameter) => {
      const message = this.fault?.parameter === parameter.name ? this.fault.message : undefined;
      return control(parameter, this.texts[parameter.name]!, message, this);
    });
  }
}

function given(value: string): string {
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  return shown.trim() === "" ? "Nothing is given." : `It is ${shown}.`;
}

function tiles({ readouts }: View): TemplateResult {
  return html`<dl class="tiles">
    ${readouts.map(
      ({ id, label, value, unit }) => html`<div>
        <dt>${label}</dt>
        <dd data-readout=${id}>${value}${unit === undefined ? nothing : html` <small>${unit}</small>`}</dd>
      </div>`,
    )}
  </dl>`;
}

function why({ reasons, sources }: View): TemplateResult {
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

function reason({ name, equals, note }: Reason): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <span class="formula">${equals.map((part, index) => html`${index === 0 ? nothing : " = "}<span>${part}</span>`)}</span>
      ${note === undefined ? nothing : html`<span class="note">${note}</span>`}
    </dd>
  </div>`;
}

function table(data: DataTable | undefined): TemplateResult | typeof nothing {
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

/** Registers `<shardlab-ID>`; a page that has it already keeps its own. */
export function define(routine: Routine): void {
  const tag = `shardlab-${routine.id}`;
  if (customElements.get(tag) !== undefined) return;
  customElements.define(
    tag,
    class extends Widget {
      protected override readonly routine = routine;
    },
  );
}
