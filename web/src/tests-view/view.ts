/** `<shardlab-tests>`: the native tests, run in this browser. */

import { html, LitElement, nothing, unsafeCSS, type TemplateResult } from "lit";
import tokens from "../tokens.css";
import { duration, mark, type State } from "./mark.js";
import {
  addressed,
  asJson,
  asJunit,
  compare,
  matches,
  sentence,
  subjects,
  totals,
  type Comparison,
  type Entry,
  type Subject,
} from "./report.js";
import { WorkerSuite, type Contents, type Failure, type Result, type Suite, type TestEvent } from "./suite.js";
import style from "./view.css";

export class TestsView extends LitElement {
  static override styles = [unsafeCSS(tokens), unsafeCSS(style)];

  private source: Suite = new WorkerSuite();
  private contents: Contents | undefined;
  private entries: Entry[] = [];
  private results = new Map<string, Result>();
  private running: Set<string> | undefined;
  private current: string | undefined;
  private summary = "";
  private trouble = "";
  private filter = "";
  private failedOnly = false;
  private target: string | undefined;
  private copied = "";
  private uncopied = "";
  private loading: Promise<void> | undefined;
  private frame = 0;
  private readonly onAddress = (): void => this.followAddress();

  /** Where the tests come from. */
  get suite(): Suite {
    return this.source;
  }

  set suite(suite: Suite) {
    this.source.stop();
    this.source = suite;
    this.results = new Map();
    this.summary = "";
    this.loading = this.load();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.onAddress);
    this.loading ??= this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.onAddress);
    this.source.stop();
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    await this.loading;
    return super.getUpdateComplete();
  }

  private async load(): Promise<void> {
    this.trouble = "";
    try {
      this.contents = await this.source.load();
      this.entries = addressed(this.contents.cases);
    } catch (error) {
      this.trouble = `The tests could not be loaded: ${reason(error)}.`;
    }
    this.requestUpdate();
    await super.getUpdateComplete();
    this.followAddress();
  }

  /** `#t=SLUG`, or `#t=` and the case's name, leads to a case. */
  private followAddress(): void {
    const wanted = /^#t=(.+)$/.exec(location.hash)?.[1];
    if (wanted === undefined || this.entries.length === 0) return;
    const name = decoded(wanted);
    const entry = this.entries.find((one) => one.slug === name || one.name === name);
    this.target = entry?.slug;
    if (entry === undefined) {
      this.trouble = `No case is called ${name}.`;
    } else {
      this.trouble = "";
      if (!this.shown().includes(entry)) this.show("", false);
    }
    this.requestUpdate();
    void super.getUpdateComplete().then(() => this.goTo(entry));
  }

  private goTo(entry: Entry | undefined): void {
    if (entry === undefined) return;
    const link = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(entry.slug)} a`);
    link?.scrollIntoView({ block: "center", behavior: "instant" });
    link?.focus({ preventScroll: true });
  }

  private show(filter: string, failedOnly: boolean): void {
    this.filter = filter;
    this.failedOnly = failedOnly;
    this.requestUpdate();
  }

  private shown(): Entry[] {
    return this.entries.filter(
      (entry) => matches(entry, this.filter) && (!this.failedOnly || this.stateOf(entry) === "failed"),
    );
  }

  private stateOf({ name }: Entry): State {
    if (this.current === name) return "running";
    const result = this.results.get(name);
    if (result === undefined) return "waiting";
    return result.ok ? "passed" : "failed";
  }

  /** Runs the given cases, or all, and reports on these. */
  async run(entries: Entry[] | undefined): Promise<void> {
    if (this.running !== undefined || this.contents === undefined) return;
    const names = (entries ?? this.entries).map(({ name }) => name);
    this.running = new Set(names);
    for (const name of names) this.results.delete(name);
    this.summary = "";
    this.trouble = "";
    this.copied = "";
    this.uncopied = "";
    this.requestUpdate();
    try {
      await this.source.run(entries === undefined ? undefined : names, (event) => this.onEvent(event));
    } catch (error) {
      this.failCurrent(reason(error));
    }
    this.finish(names);
  }

  private onEvent(event: TestEvent): void {
    if (event.kind === "start") {
      this.current = event.name;
    } else if (event.kind === "end") {
      this.current = undefined;
      this.results.set(event.result.name, event.result);
    }
    // A run tells more in a frame than can be drawn.
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.requestUpdate();
    });
  }

  /** A module that stops in the middle of a case has failed that case. */
  private failCurrent(message: string): void {
    this.trouble = `The tests stopped: ${message}.`;
    if (this.current === undefined) return;
    const { file = "", line = 0 } = this.entries.find(({ name }) => name === this.current) ?? {};
    const failure: Failure = { expression: "The module stopped.", expanded: "", messages: [message], file, line };
    this.results.set(this.current, {
      name: this.current,
      ok: false,
      passed: 0,
      failed: 1,
      seconds: 0,
      failures: [failure],
    });
  }

  private finish(names: string[]): void {
    const results = names.flatMap((name) => this.results.get(name) ?? []);
    const sum = totals(results);
    this.summary = sentence(sum);
    const missing = names.length - results.length;
    if (missing > 0) this.summary += `, ${missing} not run`;
    this.running = undefined;
    this.current = undefined;
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("shardlab-tests-done", { detail: sum, bubbles: true, composed: true }));
  }

  private async copy(kind: "JSON" | "JUnit"): Promise<void> {
    if (this.contents === undefined) return;
    const { entries, results } = this;
    const text = kind === "JSON" ? asJson(entries, results, this.contents.build) : asJunit(entries, results);
    try {
      await navigator.clipboard.writeText(text);
      this.copied = `Copied as ${kind}.`;
      this.uncopied = "";
    } catch {
      this.copied = "The browser does not let a page copy here; take the text below.";
      this.uncopied = text;
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const shown = this.shown();
    return html`
      <section class="panel" aria-label="Tests">
        ${this.tools(shown)}
        <p class="status" role="status">${this.status()}</p>
        ${this.trouble === "" ? nothing : html`<p class="trouble" role="alert">${this.trouble}</p>`}
        ${this.reports()} ${this.identity()}
        ${subjects(shown).map((subject) => this.subject(subject))}
        ${this.entries.length > 0 && shown.length === 0 ? html`<p class="none">No case matches.</p>` : nothing}
      </section>
    `;
  }

  private tools(shown: Entry[]): TemplateResult {
    const busy = this.running !== undefined;
    const ready = this.entries.length > 0 && !busy;
    const all = shown.length === this.entries.length;
    return html`<div class="tools">
      <button class="main" name="all" ?disabled=${!ready} @click=${() => this.run(undefined)}>Run all</button>
      <button name="shown" ?disabled=${!ready || all || shown.length === 0} @click=${() => this.run(shown)}>
        Run shown
      </button>
      <button name="stop" ?disabled=${!busy} @click=${() => this.source.stop()}>Stop</button>
      <label class="filter"
        >Filter
        <input
          type="search"
          name="filter"
          autocomplete="off"
          spellcheck="false"
          .value=${this.filter}
          @input=${(event: Event) => this.show((event.target as HTMLInputElement).value, this.failedOnly)}
      /></label>
      <label class="check"
        ><input
          type="checkbox"
          name="failed"
          .checked=${this.failedOnly}
          @change=${(event: Event) => this.show(this.filter, (event.target as HTMLInputElement).checked)}
        />Failed only</label
      >
      <span class="count">${all ? this.entries.length : `${shown.length} of ${this.entries.length}`} cases</span>
    </div>`;
  }

  /** What runs is shown, not announced: an assistive technology hears the beginning and the end. */
  private status(): TemplateResult | string {
    if (this.running !== undefined) {
      const done = [...this.running].filter((name) => this.results.has(name)).length;
      return html`Running.
        <span aria-hidden="true"><progress max=${this.running.size} value=${done}></progress> ${done} of
          ${this.running.size}</span>`;
    }
    if (this.summary !== "") return html`<output name="summary">${this.summary}</output>`;
    if (this.contents === undefined) return this.trouble === "" ? "The tests are loading." : "";
    return "Nothing has run yet.";
  }

  private reports(): TemplateResult | typeof nothing {
    if (this.results.size === 0 || this.running !== undefined) return nothing;
    return html`<div class="reports">
      <button name="json" @click=${() => this.copy("JSON")}>Copy as JSON</button>
      <button name="junit" @click=${() => this.copy("JUnit")}>Copy as JUnit</button>
      <span role="status">${this.copied}</span>
      ${
        this.uncopied === ""
          ? nothing
          : html`<textarea readonly aria-label="The report" rows="8" .value=${this.uncopied}></textarea>`
      }
    </div>`;
  }

  private identity(): TemplateResult | typeof nothing {
    if (this.contents === undefined) return nothing;
    const { build, native } = this.contents;
    const lines = compare(build, native);
    return html`<details class="identity">
      <summary>
        <span class="verdict ${verdictClass(lines, native !== undefined)}">${verdict(lines, native !== undefined)}</span>
      </summary>
      <div class="scroll" role="region" aria-label="Native and WebAssembly side by side" tabindex="0">
        <table>
          <thead>
            <tr>
              <td></td>
              <th scope="col">Native</th>
              <th scope="col">WebAssembly, here</th>
              <th scope="col">Compared</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Compiler</th>
              <td>${native?.compiler ?? "none"}</td>
              <td>${build.compiler}</td>
              <td></td>
            </tr>
            ${lines.map(comparison)}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  private subject(subject: Subject): TemplateResult {
    const states = subject.entries.map((entry) => this.stateOf(entry));
    const count = (state: State): number => states.filter((one) => one === state).length;
    return html`<section class="subject" aria-label=${subject.title}>
      <header>
        <h2>${subject.title}</h2>
        <code>${subject.file}</code>
        <span class="tally">
          ${count("failed") > 0 ? html`<b>${count("failed")} failed</b>, ` : nothing}${count("passed")} of
          ${states.length} passed
        </span>
        <button
          aria-label=${`Run ${subject.title}`}
          ?disabled=${this.running !== undefined}
          @click=${() => this.run(subject.entries)}
        >
          Run
        </button>
      </header>
      <ul>
        ${subject.entries.map((entry, index) => this.case(entry, states[index]!))}
      </ul>
    </section>`;
  }

  private case(entry: Entry, state: State): TemplateResult {
    const result = this.results.get(entry.name);
    return html`<li id=${entry.slug} class=${state} data-state=${state} aria-current=${
      this.target === entry.slug ? "true" : nothing
    }>
      ${mark(state)}
      <a href="#t=${entry.slug}">${entry.name}</a>
      <span class="time">${result === undefined ? nothing : duration(result.seconds)}</span>
      <button
        aria-label=${`Run ${entry.name}`}
        ?disabled=${this.running !== undefined}
        @click=${() => this.run([entry])}
      >
        Run
      </button>
      ${result === undefined || result.ok ? nothing : failures(result)}
    </li>`;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

function failures({ failures: all, failed }: Result): TemplateResult {
  return html`<div class="failures">
    ${all.map(
      ({ expression, expanded, messages, file, line }) => html`<div class="failure">
        <span class="place">${file}:${line}</span>
        <pre><code>${expression}</code></pre>
        ${expanded === "" ? nothing : html`<p>which is</p><pre class="expanded"><code>${expanded}</code></pre>`}
        ${messages.map((message) => html`<p class="message">${message}</p>`)}
      </div>`,
    )}
    ${failed > all.length ? html`<p>${failed - all.length} more assertions failed.</p>` : nothing}
  </div>`;
}

function isEqual({ native, here }: Comparison): boolean {
  return native === here;
}

function verdict(lines: Comparison[], hasNative: boolean): string {
  if (!hasNative) return "This page was made without a native build to compare with.";
  const [sources, ...bits] = lines;
  const equal = bits.filter(isEqual).length;
  const from = isEqual(sources!) ? "the same sources as" : "other sources than";
  return `Compiled from ${from} the native build; ${equal} of ${bits.length} results have the same bits.`;
}

function verdictClass(lines: Comparison[], hasNative: boolean): string {
  return !hasNative || lines.every(isEqual) ? "" : "different";
}

function comparison(line: Comparison): TemplateResult {
  const { name, native, here } = line;
  return html`<tr class=${native === undefined || isEqual(line) ? "" : "different"}>
    <th scope="row">${name}</th>
    <td><code>${native ?? "none"}</code></td>
    <td><code>${here}</code></td>
    <td>${native === undefined ? "unknown" : isEqual(line) ? "equal" : "different"}</td>
  </tr>`;
}

if (customElements.get("shardlab-tests") === undefined) customElements.define("shardlab-tests", TestsView);
