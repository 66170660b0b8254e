/** The frame that every widget shares: an element around one routine. */

import { html, LitElement, nothing, unsafeCSS, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { Announcer } from "./announcer.js";
import { control, type ControlEvents } from "./controls.js";
import type * as Disclosed from "./disclosed.js";
import { explain, type Fault } from "./fault.js";
import type { Handled } from "./hand.js";
import { History } from "./history.js";
import { LabUnavailable, sharedLab } from "./lab.js";
import type { Way } from "./magnify.js";
import { leftOut, serialise, type Stated } from "./link.js";
import { offered } from "./offers.js";
import { active, initialTexts, Inputs, type Parameter, type Texts } from "./parameter.js";
import { disclosure, stated, tiles, type Disclosure } from "./parts.js";
import { Player, type Played } from "./player.js";
import { answered, asked } from "./question.js";
import type { Answer, Details, Routine, View } from "./routine.js";
import controls from "./controls.css";
import figure from "./figure.css";
import paper from "./paper.css";
import tokens from "./tokens.css";
import { toolbar, type Export, type ToolEvents, type Tools } from "./toolbar.js";
import { transport } from "./transport.js";
import style from "./widget.css";

/** Widths are rounded down to this, so that a window being dragged does not redraw on every pixel. */
const widthStep = 10;
const largestFile = 4 * 2 ** 20;
/** Milliseconds after which a call that still runs is mentioned. */
const slowAfter = 250;
/** Controls that have room beside a figure. */
const mostBeside = 12;

export abstract class Widget extends LitElement implements ControlEvents, ToolEvents, Played, Handled {
  static override styles = [tokens, figure, controls, style, paper].map(unsafeCSS);

  abstract readonly routine: Routine;

  private texts: Texts = {};
  private readonly history = new History<Texts>();
  private readonly player = new Player(this);
  private readonly announcer = new Announcer(this);
  private result: unknown;
  private fault: Fault | undefined;
  private unavailable: string | undefined;
  private changed = false;
  private running: Promise<void> | undefined;
  private slow = false;
  /** the state comes from a link, and what the core refuses of it gives way */
  private restoring = false;
  /** a link has been followed: what it shows waits for no answer */
  private linked = false;
  private notices: readonly string[] = [];
  /** nothing until a question is answered; `null` where the reader went on without an answer */
  private answer: Answer | null | undefined;
  private said: Tools["said"];
  private keys = false;
  /** whether less used controls are shown */
  private unfolded = false;
  /** the step that is to be shown moving */
  private movingTo: number | undefined;
  private drawn: { result: unknown; width: number; scale: number | undefined; view: View } | undefined;
  /** the picture's scale while a hand holds it */
  private scale: number | undefined;
  private handed: Promise<void> | undefined;
  private readonly opened = new Set<Disclosure>();
  private details: Details | undefined;
  private disclosed: typeof Disclosed | undefined;
  private loading: Promise<void> | undefined;
  private figureWidth = 600;
  private readonly resized = new ResizeObserver(() => this.onResized());

  override connectedCallback(): void {
    super.connectedCallback();
    if (Object.keys(this.texts).length === 0) this.texts = this.initial();
    this.compute();
    this.resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  override updated(): void {
    if (this.result !== undefined) this.querySelector(":scope > .first")?.remove();
    if (this.result !== undefined) this.handed ??= this.handOver();
    if (this.result !== undefined && !this.player.playing) this.announcer.say(this.sentence(this.view()));
    if (this.movingTo === undefined || this.position()?.at !== this.movingTo) return;
    this.movingTo = undefined;
    this.player.move(this.renderRoot.querySelector(".figure")!);
  }

  private initial(): Texts {
    return initialTexts(this.routine.parameters, (attribute) => this.getAttribute(attribute));
  }

  /** The figure's room changes with the element's width alone. While it is out of sight, this lays it out. */
  private onResized(): void {
    const room = this.renderRoot.querySelector(".figure")!.clientWidth;
    const width = Math.max(240, Math.floor(room / widthStep) * widthStep);
    if (width === this.figureWidth) return;
    this.figureWidth = width;
    this.requestUpdate();
  }

  // State

  /** The text of every control, by parameter. Set by a page, it is shown as it is and no event tells of it. */
  get state(): Texts {
    return this.texts;
  }

  set state(texts: Texts) {
    this.texts = { ...this.initial(), ...texts };
    this.requestUpdate();
    this.compute();
  }

  /** The state with all that a link needs. */
  stated(): Stated {
    const { id, parameters } = this.routine;
    return { id, parameters, texts: this.texts, initial: this.initial() };
  }

  /** Shows a state that came from outside. What it holds that cannot be is replaced, and that is said. */
  restore(texts: Texts): void {
    if (this.result !== undefined) this.history.record(this.texts, "link");
    this.history.endGesture();
    this.restoring = true;
    this.notices = [];
    this.linked = true;
    this.state = texts;
  }

  set(parameter: Parameter, text: string): void {
    this.change({ ...this.texts, [parameter.name]: text }, parameter.name);
  }

  done(): void {
    this.history.endGesture();
  }

  private change(texts: Texts, gesture: string): void {
    this.history.record(this.texts, gesture);
    this.show(texts);
  }

  private show(texts: Texts): void {
    const before = this.texts;
    this.texts = texts;
    this.said = undefined;
    this.requestUpdate();
    this.compute();
    this.tell({ changed: Object.keys(texts).filter((name) => texts[name] !== before[name]) });
  }

  private tell(detail: object): void {
    const source = "user";
    const event = new CustomEvent("shardlab-change", {
      bubbles: true,
      composed: true,
      detail: { state: this.texts, source, ...detail },
    });
    this.dispatchEvent(event);
  }

  undo(): void {
    this.player.pause();
    const before = this.history.undo(this.texts);
    if (before !== undefined) this.show(before);
  }

  redo(): void {
    this.player.pause();
    const after = this.history.redo(this.texts);
    if (after !== undefined) this.show(after);
  }

  /** Back to what the page's author wrote. */
  reset(): void {
    this.player.pause();
    this.history.endGesture();
    this.change(this.initial(), "reset");
    this.history.endGesture();
  }

  async open(parameter: Parameter, file: File): Promise<void> {
    if (file.size > largestFile) {
      this.fault = { parameter: parameter.name, message: `${file.name} is larger than 4 MiB; paste a part of it.` };
      this.requestUpdate();
      return;
    }
    this.set(parameter, await file.text());
    this.done();
  }

  // Steps

  position(): { at: number; count: number } | undefined {
    return this.view()?.steps;
  }

  stepTo(step: number, playing = false): void {
    const parameter = this.routine.parameters.find(({ kind }) => kind === "step");
    const position = this.position();
    if (parameter === undefined || position === undefined) return;
    this.movingTo = step === position.at + 1 ? step : undefined;
    if (!playing) this.history.endGesture();
    this.set(parameter, String(step));
  }

  // The part of the picture that is shown

  /** Movements to a side that follow each other are undone at once. */
  private magnify(way: Way): boolean {
    const texts = this.routine.magnifier!.to(this.texts, way);
    if (texts === undefined) return false;
    const isMove = way === "back" || way === "on";
    this.change({ ...this.texts, ...texts }, isMove ? "window" : "zoom");
    if (!isMove) this.done();
    return true;
  }

  private magnifyBy(key: string, target: Element): boolean {
    if (!target.matches(".figure") || this.view()?.magnified === undefined) return false;
    const way = this.routine.magnifier!.wayOf(key, target);
    return way !== undefined && this.magnify(way);
  }

  private magnifier(view: View | undefined): TemplateResult | typeof nothing {
    if (view?.magnified === undefined) return nothing;
    const { bar, to } = this.routine.magnifier!;
    return bar(view.magnified, (way) => to(this.texts, way) !== undefined, (way) => void this.magnify(way));
  }

  // A hand in the figure

  private async handOver(): Promise<void> {
    try {
      const attach = await this.routine.hand?.();
      attach?.(this.renderRoot.querySelector<HTMLElement>(".figure")!, this);
    } catch {
      // Whatever a hand could move has a control as well.
    }
  }

  picture(): { result: unknown; width: number } | undefined {
    return this.view()?.figure === undefined ? undefined : { result: this.result, width: this.figureWidth };
  }

  take(scale: number): void {
    this.player.pause();
    this.history.endGesture();
    this.scale = scale;
  }

  move(texts: Texts): void {
    const differs = Object.entries(texts).some(([name, text]) => this.texts[name] !== text);
    if (differs) this.change({ ...this.texts, ...texts }, "hand");
  }

  letGo(): void {
    this.scale = undefined;
    this.requestUpdate();
    this.done();
  }

  // Computing

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
    await Promise.all([this.running, this.loading]);
    const isComplete = await super.getUpdateComplete();
    await this.handed;
    return isComplete;
  }

  private async computeOnce(): Promise<void> {
    try {
      const lab = await sharedLab();
      this.result = await this.routine.run(lab, new Inputs(this.texts, this.routine.parameters));
      this.fault = undefined;
      if (this.changed) return;
      this.clampStep();
      this.restoring = false;
      // Drawing and showing are two tasks, so that what the reader does is seen to in between.
      this.view();
      await nextTask();
    } catch (error) {
      if (error instanceof LabUnavailable) this.unavailable = error.message;
      else this.fault = explain(error, this.controlled());
      if (this.restoring && this.fault !== undefined) this.giveWay(this.fault);
    }
  }

  /** A step beyond the schedule's end is its end. */
  private clampStep(): void {
    const steps = this.position();
    if (steps === undefined || !(Number(this.texts.step) > steps.count)) return;
    if (this.restoring) this.notices = [...this.notices, `Step ${this.texts.step} is beyond ${steps.count}, which is shown.`];
    this.texts = { ...this.texts, step: String(steps.count) };
  }

  /** Replaces what a link asked for in vain: the text that is at fault, or else all of them. */
  private giveWay({ parameter, message }: Fault): void {
    const initial = this.initial();
    const named = parameter !== undefined && this.texts[parameter] !== initial[parameter];
    if (!named) this.restoring = false;
    this.notices = [...this.notices, `From the link: ${message} ${named ? `Shown is ${initial[parameter]}.` : "Left out."}`];
    this.texts = named ? { ...this.texts, [parameter]: initial[parameter]! } : initial;
    this.fault = undefined;
    this.changed = true;
  }

  // Showing

  override render(): TemplateResult {
    const { title } = this.routine;
    const view = this.view();
    const masked = this.asking();
    return html`
      <section
        class="widget"
        aria-label=${title}
        aria-busy=${this.slow ? "true" : "false"}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
      >
        ${this.summary(view)}
        <header>
          <h3>${title}</h3>
          ${this.claim(view)}
        </header>
        ${this.noticeList()}
        <div class="body ${this.routine.parameters.length > mostBeside ? "many" : ""}">
          <div class="stage">
            ${this.figure(view)} ${this.magnifier(view)} ${this.caption(view)} ${this.offers(view)}
            ${stated(this.controlled(), this.texts)} ${this.steps(view)}
            ${view === undefined ? nothing : tiles(view, masked)}
          </div>
          <form class="side" @submit=${(event: Event) => event.preventDefault()}>
            ${this.controls()} ${this.foldedControls()} ${masked ? nothing : html`<p class="try" aria-hidden="true">Try: ${view?.tryNext ?? this.routine.tryNext}</p>`}
          </form>
          <div class="behind">${view === undefined || masked ? nothing : this.disclosures()}</div>
        </div>
        ${view === undefined ? nothing : toolbar(this.tools(view), this)}
      </section>
    `;
  }

  /** The last result's view; made again only for another result, width or scale. */
  private view(): View | undefined {
    const { result, figureWidth: width, scale, drawn } = this;
    if (result === undefined) return undefined;
    if (drawn?.result === result && drawn.width === width && drawn.scale === scale) return drawn.view;
    this.drawn = { result, width, scale, view: this.routine.view(result, width, scale) };
    return this.drawn.view;
  }

  /** Whether the numbers wait for a prediction. */
  private asking(): boolean {
    return this.answer === undefined && this.hasAttribute("predict") && this.routine.question !== undefined && !this.linked;
  }

  private claim(view: View | undefined): TemplateResult {
    const { question, claim } = this.routine;
    if (this.asking()) return asked(question!, (answer) => void this.onAnswer(answer));
    const verdict = question === undefined || this.answer === undefined ? nothing : answered(question, this.answer);
    return html`${verdict}<p class="claim">${view?.claim ?? claim}</p>`;
  }

  private async onAnswer(answer: Answer | null): Promise<void> {
    this.answer = answer;
    this.requestUpdate();
    if (answer !== null) this.tell({ changed: [], answer: answer.label, right: answer.right === true });
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".verdict, .figure")?.focus();
  }

  private noticeList(): TemplateResult | typeof nothing {
    if (this.notices.length === 0) return nothing;
    const dismiss = () => {
      this.notices = [];
      this.requestUpdate();
    };
    return html`<div class="notices" role="status">
      ${this.notices.map((notice) => html`<p>${notice}</p>`)}
      <button type="button" @click=${dismiss}>Dismiss</button>
    </div>`;
  }

  /** A figure that scrolls, that plays or that has keys of its own must be reachable by keyboard. */
  private figure(view: View | undefined): TemplateResult {
    const scrolls = (view?.figure?.width ?? 0) > this.figureWidth;
    const reachable = scrolls || (view?.steps?.count ?? 0) > 0 || view?.magnified !== undefined;
    const waits = this.asking() && this.routine.question!.figureTells === true;
    return html`<div
      class="figure ${waits ? "waits" : ""}"
      role=${reachable ? "group" : nothing}
      aria-label=${reachable ? `${this.routine.title}, figure` : nothing}
      tabindex=${reachable ? "0" : "-1"}
    >
      ${guard([view], () => drawing(view))}
      ${waits ? html`<p>The figure waits for your answer.</p>` : nothing}
    </div>`;
  }

  private disclosures(): TemplateResult[] {
    const { disclosed, details, result } = this;
    const one = (kind: Disclosure, title: string, content: (from: typeof Disclosed, details: Details) => TemplateResult) => {
      const opened = this.opened.has(kind) && disclosed !== undefined && details !== undefined;
      const shown = guard([result, opened], () => (opened ? content(disclosed, details) : nothing));
      return disclosure(kind, title, shown, (open) => this.onDisclosed(kind, open));
    };
    const { more: title } = this.routine;
    return [
      one("why", "Why?", ({ why }, from) => why(from, result)),
      one("data", "Data table", ({ table }, from) => table(from.table(result))),
      ...(title === undefined ? [] : [one("more", title, ({ more }, from) => more(from.more!(result)))]),
    ];
  }

  private onDisclosed(kind: Disclosure, open: boolean): void {
    if (open) this.opened.add(kind);
    else this.opened.delete(kind);
    this.loading = this.disclose();
  }

  private async disclose(): Promise<void> {
    try {
      this.disclosed ??= await import("./disclosed.js");
      await this.behind();
    } catch {
      this.say({ text: "This part of the page could not be loaded. Does its server still answer?" });
    }
    this.requestUpdate();
  }

  private async behind(): Promise<Details> {
    this.details ??= await this.routine.details();
    return this.details;
  }

  private caption(view: View | undefined): TemplateResult {
    if (this.unavailable !== undefined) return html`<p class="caption trouble" role="alert">${this.unavailable}</p>`;
    const stale = this.fault !== undefined && view !== undefined;
    return html`<p class="caption">
        ${this.slow ? html`<span class="working">Computing …</span> ` : nothing}
        ${stale ? html`<span class="stale">The last valid input is shown.</span> ` : nothing}${this.sentence(view)}
        ${
          this.fault !== undefined && this.fault.parameter === undefined
            ? html`<span class="error" role="status">${this.fault.message}</span>`
            : nothing
        }
      </p>
      <p class="unseen" role="status">${this.announcer.text}</p>`;
  }

  /** What is seen now. It would give the answer away, too. */
  private sentence(view: View | undefined): string {
    if (this.asking()) return "The numbers wait for your answer.";
    return view?.caption ?? (this.fault === undefined ? "The lab is starting." : "");
  }

  /** For those who do not see the widget: what it is, what it shows now, what can be done. */
  private summary(view: View | undefined): TemplateResult {
    const { title, tryNext } = this.routine;
    return html`<p class="unseen">Interactive figure: ${title}. ${this.sentence(view)} ${view?.tryNext ?? tryNext}</p>`;
  }

  private steps(view: View | undefined): TemplateResult | typeof nothing {
    if (view?.steps === undefined || view.steps.count === 0) return nothing;
    return transport(view.steps, this.player, {
      go: (step) => this.stepTo(step, true),
      done: () => this.done(),
    });
  }

  /** The parameters that have a control now, where an error can be shown. */
  private controlled(): Parameter[] {
    return active(this.routine.parameters, this.texts).filter(({ kind }) => kind !== "step" && kind !== "kept");
  }

  private controls(): TemplateResult[] {
    return this.controlled()
      .filter(({ folded }) => folded !== true)
      .map((parameter) => this.control(parameter));
  }

  private control(parameter: Parameter): TemplateResult {
    const message = this.fault?.parameter === parameter.name ? this.fault.message : undefined;
    return control(parameter, this.texts[parameter.name]!, message, this);
  }

  /** What is less used. It opens by itself where one of them is at fault. */
  private foldedControls(): TemplateResult | typeof nothing {
    const folded = this.controlled().filter((parameter) => parameter.folded === true);
    if (folded.length === 0) return nothing;
    const initial = this.initial();
    const changed = folded.filter(({ name }) => this.texts[name] !== initial[name]).length;
    this.unfolded ||= folded.some(({ name }) => this.fault?.parameter === name);
    const toggled = (event: Event) => {
      this.unfolded = (event.target as HTMLDetailsElement).open;
    };
    return html`<details class="folded" ?open=${this.unfolded} @toggle=${toggled}>
      <summary>More settings${changed === 0 ? "" : `, ${changed} changed`}</summary>
      <div>${folded.map((parameter) => this.control(parameter))}</div>
    </details>`;
  }

  private offers(view: View | undefined): TemplateResult | typeof nothing {
    if (view?.offers === undefined || this.asking()) return nothing;
    return offered(view.offers, (texts) => void this.apply(texts));
  }

  /** What a button sets is one change; the button itself may be gone then. */
  private async apply(texts: Texts): Promise<void> {
    this.player.pause();
    this.history.endGesture();
    this.change({ ...this.texts, ...texts }, "button");
    this.history.endGesture();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".figure")?.focus();
  }

  // Tools

  private tools(view: View): Tools {
    const { canUndo, canRedo } = this.history;
    const exports: Export[] = this.asking() ? [] : view.figure === undefined ? [] : ["SVG", "PNG"];
    if (!this.asking()) exports.push("CSV", ...(this.routine.files ?? []).map(({ label }) => label));
    exports.push("JSON", "Cite");
    const { said, keys } = this;
    const figureKeys = view.magnified === undefined ? [] : this.routine.magnifier!.keys;
    return { canUndo, canRedo, exports, said, keys, steps: (view.steps?.count ?? 0) > 0, figureKeys };
  }

  toggleKeys(): void {
    this.keys = !this.keys;
    this.requestUpdate();
  }

  /** The page with this widget's state, as it is now. */
  permalink(): string {
    return `${location.href.split("#")[0]}#${serialise([this.stated()])}`;
  }

  async copyLink(): Promise<void> {
    const left = leftOut(this.stated());
    await this.copy("The link", this.permalink());
    if (left.length === 0 || this.said === undefined) return;
    this.say({ ...this.said, text: `${this.said.text} It leaves out what is too long for a link: ${left.join(", ")}.` });
  }

  /** To the clipboard; where that is not allowed, to where it can be copied by hand. */
  private async copy(what: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say({ text: `${what} is copied.` });
    } catch {
      this.say({ text: `${what}, to be copied:`, copy: text });
    }
  }

  private say(said: NonNullable<Tools["said"]>): void {
    this.said = said;
    this.requestUpdate();
  }

  async export(what: Export): Promise<void> {
    const name = `shardlab-${this.routine.id}`;
    const { csvText, download, jsonText } = await import("./save.js");
    if (what === "JSON") download(`${name}.json`, jsonText(this.takenAway()), "application/json");
    else if (what === "CSV") download(`${name}.csv`, csvText((await this.behind()).table(this.result)), "text/csv");
    else if (what === "Cite") await this.copy("The citation", this.citation());
    else if (what === "SVG" || what === "PNG") await this.exportPicture(what as "SVG" | "PNG", name);
    else await this.exportFile(what, name);
  }

  private async exportFile(what: string, name: string): Promise<void> {
    const { download } = await import("./save.js");
    const file = this.routine.files?.find(({ label }) => label === what);
    if (file === undefined) return;
    try {
      download(`${name}${file.extension}`, await file.text(await sharedLab(), this.result), file.type);
    } catch (error) {
      this.say({ text: explain(error, []).message });
    }
  }

  private async exportPicture(what: "SVG" | "PNG", name: string): Promise<void> {
    const { download, png, svgText } = await import("./save.js");
    const drawing = this.renderRoot.querySelector<SVGSVGElement>(".figure svg")!;
    const widget = this.renderRoot.querySelector(".widget")!;
    const text = svgText(drawing, getComputedStyle(widget).backgroundColor);
    const { width, height } = drawing.viewBox.baseVal;
    if (what === "SVG") download(`${name}.svg`, text, "image/svg+xml");
    else download(`${name}.png`, await png(text, width, height));
  }

  private takenAway(): object {
    const { title } = this.routine;
    return { title, link: this.permalink(), state: this.texts, result: this.asking() ? undefined : this.result };
  }

  private citation(): string {
    return `Shardlab: a distributed-training lab. “${this.routine.title}”. ${this.permalink()}`;
  }

  /** Keys work where the focus is within, and never in place of what a control does with them. */
  private onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as Element;
    const done = this.shortcut(event, target);
    if (done) event.preventDefault();
  }

  private shortcut({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, target: Element): boolean {
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "z") {
      if (!(shiftKey ? this.history.canRedo : this.history.canUndo)) return false;
      if (shiftKey) this.redo();
      else this.undo();
      return true;
    }
    if (ctrlKey || metaKey || altKey || target.matches("input[type=text], textarea, select")) return false;
    const steps = this.position();
    const moves = steps !== undefined && steps.count > 0;
    if (this.magnifyBy(key, target)) return true;
    if (key === "?") this.toggleKeys();
    else if (key === "r" || key === "R") this.reset();
    else if (key === " " && moves && !target.matches("button, summary, a, input:not([name=step])")) this.player.toggle();
    else if (key === "Home" && moves && !target.matches("input")) this.stepTo(0);
    else if (key === "End" && moves && !target.matches("input")) this.stepTo(steps.count);
    else return false;
    return true;
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Until there is a result, what stands in the element: a picture of it, as a rule. */
function drawing(view: View | undefined): unknown {
  if (view === undefined) return html`<slot></slot>`;
  return view.figure === undefined ? nothing : unsafeHTML(view.figure.text);
}

/** Registers `<shardlab-ID>`; a page that has it already keeps its own. */
export function define(routine: Routine): void {
  const tag = `shardlab-${routine.id}`;
  if (customElements.get(tag) !== undefined) return;
  customElements.define(
    tag,
    class extends Widget {
      override readonly routine = routine;
    },
  );
}
