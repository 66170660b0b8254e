/** `<shardlab-exercise>`: the lab's functions, to be written in JavaScript and tested by the native cases. */

import { html, LitElement, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import figureStyle from "../figure.css";
import { Language } from "../language.js";
import { Nearby } from "../nearby.js";
import { Surroundings } from "../surroundings.js";
import tokens from "../tokens.css";
import { say, speaking, word, type Catalogue, type Told } from "../words.js";
import { bar, keysId, type BarEvents } from "./bar.js";
import type { Editor } from "./editor.js";
import { Examination } from "./examination.js";
import * as keep from "./keep.js";
import { cases } from "./results.js";
import { taskText } from "./task-text.js";
import { taskOf, tasks, type Task } from "./tasks.js";
import style from "./view.css";
import { read, starter, textOf, written, type Work } from "./work.js";

/** Of a case's width, what its mark and the edge of what is wrong with it take. */
const besideFigures = 43;

export class ExerciseView extends LitElement implements BarEvents {
  static override styles = [tokens, figureStyle, style].map(unsafeCSS);
  static override properties = { task: { reflect: true }, headingLevel: { attribute: "heading-level" } };

  /** The id of the function that is shown. */
  declare task: string;
  /** Of the title, from 1 to 6. */
  declare headingLevel: string | undefined;
  /** Where a link to the work leads: a page that reads it from its fragment. */
  address = keep.home();

  private readonly surroundings = new Surroundings(this);
  private readonly language = new Language(this, () => this.requestUpdate());
  private readonly examination = new Examination(() => this.requestUpdate());
  private texts = new Map<string, string>();
  private editor: Editor | undefined;
  /** an editor is shown in place of a plain field, or cannot be had */
  private opening: Promise<void> | undefined;
  private shown: string | undefined;
  private said: keep.Said | undefined;
  private width = 600;
  private resized: ResizeObserver | undefined;

  constructor() {
    super();
    this.task = tasks[0]!.id;
    new Nearby(this, () => void this.wake());
  }

  // Life

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized = new ResizeObserver(() => this.onResized());
    this.resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized?.disconnect();
    this.examination.stop();
  }

  private onResized(): void {
    const room = (this.renderRoot.querySelector(".cases")?.clientWidth ?? 600) - besideFigures;
    const width = Math.max(240, Math.floor(room / 10) * 10);
    if (width === this.width) return;
    this.width = width;
    this.requestUpdate();
  }

  /** The editor and the cases are fetched when somebody is near. */
  private wake(): Promise<void> {
    this.opening ??= Promise.all([this.openEditor(), this.examination.load()]).then(() => {
      this.requestUpdate();
      this.tell("shardlab-ready", { id: "exercise" });
    });
    return this.opening;
  }

  /** Fulfilled when the editor and the cases are there, or it is said why not. */
  get ready(): Promise<void> {
    return this.wake();
  }

  private async openEditor(): Promise<void> {
    await super.getUpdateComplete();
    try {
      const { Editor } = await import("./editor.js");
      const place = this.renderRoot.querySelector<HTMLElement>(".editor")!;
      this.editor = new Editor(place, this.renderRoot as ShadowRoot, { changed: () => this.onEdit(this.editor!.text), run: () => void this.run() });
    } catch {
      this.note(() => word("The editor could not be loaded; a plain field stands in its place."));
    }
  }

  /** The texts of the element in place of English ones. */
  get strings(): Catalogue {
    return this.language.own ?? {};
  }

  set strings(own: Catalogue) {
    this.language.own = own;
    this.requestUpdate();
  }

  protected override update(changed: PropertyValues): void {
    speaking(this.language.catalogue, () => super.update(changed));
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    await this.language.loading;
    return super.getUpdateComplete();
  }

  override updated(): void {
    if (this.editor === undefined || this.shown === this.current.id) return;
    this.shown = this.current.id;
    this.editor.show(this.shown, this.text, { "aria-label": `${this.current.name}, JavaScript`, "aria-describedby": keysId });
    this.editor.markLine(this.examination.line(this.current, this.text));
  }

  // Work

  private get current(): Task {
    return taskOf(this.task) ?? tasks[0]!;
  }

  private get text(): string {
    return textOf(this.texts, this.current);
  }

  /** All that is written, as a file of JavaScript. Set, it takes the place of what it has. */
  get work(): string {
    return written(this.texts);
  }

  set work(file: string) {
    this.put(read(file));
  }

  private put(work: Work): void {
    this.texts = new Map(work);
    if (this.shown === this.current.id) this.editor?.replace(this.text);
    this.requestUpdate();
  }

  private onEdit(text: string): void {
    if (text === this.text) return;
    if (text === starter(this.current)) this.texts.delete(this.current.id);
    else this.texts.set(this.current.id, text);
    this.requestUpdate();
    this.tellChange();
  }

  private choose(id: string): void {
    this.task = id;
    this.tellChange();
  }

  private tellChange(): void {
    this.tell("shardlab-change", { state: { task: this.task, work: this.work }, source: "user" });
  }

  /** Puts the text that was given back. It can be undone in the editor. */
  startOver(): void {
    const text = starter(this.current);
    if (this.editor === undefined) this.onEdit(text);
    else this.editor.replace(text);
  }

  // Running

  /** Tests the function that is shown. Fulfilled when all cases have ended. */
  async run(): Promise<void> {
    const { current } = this;
    if (this.examination.isRunning) return;
    this.editor?.markLine(undefined);
    await this.examination.run(current, this.texts);
    if (current === this.current) this.editor?.markLine(this.examination.line(current, this.text));
    this.tell("shardlab-exercise-done", { task: current.id, ...this.examination.count(current) });
  }

  stop(): void {
    this.examination.stop();
  }

  private tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  // Keeping

  /** An address that shows this task with all that is written; rejected where it would be too long. */
  permalink(): Promise<string> {
    return keep.link(this.address, this.task, this.texts);
  }

  /** Tells the reader something. */
  note(text: Told): void {
    this.say({ text });
  }

  private say(said: keep.Said): void {
    this.said = said;
    this.requestUpdate();
  }

  save(): void {
    keep.download(this.texts.size > 0 ? this.texts : new Map([[this.current.id, this.text]]));
  }

  async copyLink(): Promise<void> {
    this.say(await keep.copyLink(this.permalink()));
  }

  /** Its functions take the place of those of the same names. */
  async open(file: File): Promise<void> {
    const { said, work } = await keep.open(file, this.current);
    if (work !== undefined) {
      this.put(new Map([...this.texts, ...work]));
      const [first] = work.keys();
      if (!work.has(this.current.id)) this.task = first!;
      this.tellChange();
    }
    this.say(said);
  }

  // Showing

  override render(): TemplateResult {
    const { current, examination } = this;
    return html`<section
      class="panel ${this.surroundings.areDark ? "in-the-dark" : ""}"
      part="base"
      lang=${this.language.tag}
      aria-label=${word("Write it yourself")}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
    >
      <p class="unseen">
        ${say`Exercise: write ${current.name} in JavaScript, and run the lab's own cases on it.`} ${examination.sentence(current, this.text)}
      </p>
      <header>
        <h3 part="title" aria-level=${this.headingLevel ?? "3"}>${word("Write it yourself")}</h3>
        <p class="claim" part="claim">
          ${word("Eleven functions, in JavaScript. The cases that test them are the C++ library's own; what you write runs in an interpreter within this page.")}
        </p>
      </header>
      ${this.choice()}
      <div class="body">
        ${taskText(current)}
        <div class="write">${this.field()} ${bar({ isRunning: examination.isRunning, hasEditor: this.editor !== undefined, said: this.said }, this)}</div>
      </div>
      <p class="status" role="status">${examination.sentence(current, this.text)}</p>
      ${examination.trouble === undefined ? nothing : html`<p class="trouble" role="alert">${examination.trouble()}</p>`}
      ${cases(current, examination.entries(current), this.width)}
      ${this.logged()}
    </section>`;
  }

  private choice(): TemplateResult {
    const done = tasks.filter((task) => this.examination.passes(task, textOf(this.texts, task)));
    return html`<div class="choice">
      <label
        >${word("Function")}
        <select translate="no" name="task" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
          ${tasks.map(
            (task) => html`<option value=${task.id} ?selected=${task === this.current}>
              ${done.includes(task) ? "✓ " : ""}${task.name}
            </option>`,
          )}
        </select>
      </label>
      <span class="soft">${say`${done.length} of ${tasks.length} pass`}</span>
    </div>`;
  }

  /** A plain field, until there is an editor. */
  private field(): TemplateResult {
    const type = (event: Event) => this.onEdit((event.target as HTMLTextAreaElement).value);
    return html`<div class="editor"></div>
      ${
        this.editor !== undefined
          ? nothing
          : html`<textarea
              rows="14"
              spellcheck="false"
              autocapitalize="off"
              aria-label=${`${this.current.name}, JavaScript`}
              aria-describedby=${keysId}
              .value=${this.text}
              @input=${type}
            ></textarea>`
      }`;
  }

  private logged(): TemplateResult | typeof nothing {
    const lines = this.examination.logged(this.current);
    if (lines.length === 0) return nothing;
    return html`<details class="logged" open>
      <summary>${word("What it logged")}</summary>
      <pre><code>${lines.join("\n")}</code></pre>
    </details>`;
  }

  /** Pages have keys of their own, and do not see what within here has the focus. */
  private onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as Element;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) {
      event.preventDefault();
      event.stopPropagation();
      void this.run();
    } else if (target.matches("textarea, select, [contenteditable]") && event.key !== "Escape" && event.key !== "Tab") {
      event.stopPropagation();
    }
  }
}

if (globalThis.customElements?.get("shardlab-exercise") === undefined) globalThis.customElements?.define("shardlab-exercise", ExerciseView);
