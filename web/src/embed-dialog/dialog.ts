/** The dialog in which an author takes a widget to notes of their own: how it is to be there, and what to copy. */

import { html, nothing, render, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { attributesFor, themes, type Piece, type Theme } from "../author.js";
import type { Express } from "../expression.js";
import type { Home } from "../home.js";
import { languages } from "../language.js";
import { longestValue } from "../link.js";
import { initialTexts, type Texts } from "../parameter.js";
import { frameHeight } from "../room.js";
import type { Routine } from "../routine.js";
import { adopt } from "../sheets.js";
import { say, word, type Told } from "../words.js";
import { embed, hosts, type Choice } from "./snippets.js";
import style from "./dialog.css";

/** What can be left out, beside single controls. */
const leftOut: readonly { piece: Piece; label: string }[] = [
  { piece: "title", label: "Title" },
  { piece: "claim", label: "Claim" },
  { piece: "controls", label: "Controls" },
  { piece: "play", label: "Playback" },
  { piece: "readouts", label: "Numbers" },
  { piece: "try", label: "What to try" },
  { piece: "why", label: "Why?" },
  { piece: "data", label: "Data table" },
  { piece: "toolbar", label: "Tools" },
];
const themeNames: Record<Theme, { label: string }> = {
  auto: { label: "as its surroundings" },
  light: { label: "light" },
  dark: { label: "dark" },
};
const widths = [undefined, 480, 720, 960];
const heights = { least: 120, most: 4000 };

/** Where nobody knows where the lab is, this stands for it. */
const somewhere = "https://example.org/shardlab/v1/";

/** Of the widget that it is opened from. */
export interface Opener {
  routine: Routine;
  state: Texts;
  express: Express;
  headingLevel: number;
  /** what its author has set that has no choice here: units, speed and the like */
  attributes: ReadonlyMap<string, string>;
}

/** Opens it in a widget's shadow tree; closed, it is gone, and the focus is back where it was. */
export function openEmbedDialog(root: ShadowRoot, opener: Opener, home: Home): void {
  adopt(root, style);
  new EmbedDialog(root, opener, home).open();
}

class EmbedDialog {
  private readonly dialog = document.createElement("dialog");
  private readonly base: string;
  private readonly hidden = new Set<Piece>();
  private asItIs = true;
  private theme: Theme = "auto";
  /** a language tag, or nothing for that of the page around */
  private language = "";
  private locked = false;
  private asking = false;
  private width: number | undefined;
  /** what the author has typed; else what the widget needs */
  private typedHeight: number | undefined;
  private host = hosts[0]!;
  private copied: Told | undefined;
  private readonly routine: Routine;
  private readonly state: Texts;

  constructor(
    private readonly root: ShadowRoot,
    private readonly opener: Opener,
    private readonly home: Home,
  ) {
    this.routine = opener.routine;
    this.state = opener.state;
    this.base = home.base() || somewhere;
  }

  open(): void {
    const { dialog } = this;
    dialog.className = "embed";
    dialog.setAttribute("aria-labelledby", "embed-title");
    // What is typed here is no affair of the widget's, nor of the page around it.
    for (const type of ["keydown", "keyup", "input", "change"]) dialog.addEventListener(type, (event) => event.stopPropagation());
    addEventListener("message", this.onMessage);
    dialog.addEventListener("close", () => {
      removeEventListener("message", this.onMessage);
      dialog.remove();
    });
    this.update();
    this.root.querySelector(".widget")!.append(dialog);
    dialog.showModal();
  }

  /** A key that is pressed in the preview is heard there alone; it tells of Escape. */
  private readonly onMessage = ({ source, data }: MessageEvent): void => {
    const preview = this.dialog.querySelector("iframe")?.contentWindow;
    if (source === preview && data?.shardlab === 1 && data.type === "escape") this.dialog.close();
  };

  private update(change: () => void = () => undefined): void {
    this.copied = undefined;
    change();
    this.show();
  }

  private show(): void {
    this.opener.express(() => render(this.content(), this.dialog));
  }

  private content(): TemplateResult {
    return html`
      <header>
        <h4 id="embed-title" aria-level=${Math.min(this.opener.headingLevel + 1, 6)}>${say`Embed “${word(this.routine.title)}”`}</h4>
        <button type="button" @click=${() => this.dialog.close()}>${word("Close")}</button>
      </header>
      ${this.warning()}
      <div class="wanted">
        ${this.choices()}
        <div class="preview" role="group" aria-label=${word("Preview")} tabindex="0">${this.preview()}</div>
      </div>
      ${this.tabs()} ${this.panel()}
      <footer>
        <a href=${`${this.base}shardlab-site.zip`} download>${word("Host it yourself")}</a>${word(": all of the lab as a folder for any web server, and ")}<a
          href=${`${this.base}offline/${this.routine.id}.html`}
          download
          >${word("this widget as one file")}</a
        >${word(".")}
      </footer>
    `;
  }

  /** Of an address that leads others nowhere. */
  private warning(): TemplateResult | typeof nothing {
    const { base } = this;
    const unknown = () => say`This copy does not know where the lab is published: put its address in place of ${base}.`;
    const local = () => say`These texts lead to this machine and do not work elsewhere. A lab that is published gives ones that do, and so does one that is built with ${"./lab build --base-url URL"}.`;
    const text = base === somewhere ? unknown() : isOfThisMachine(base) ? local() : undefined;
    return text === undefined ? nothing : html`<p class="warning" role="note">${text}</p>`;
  }

  // What is chosen

  private choice(): Choice {
    const { id, title, claim } = this.routine;
    return { id, title: word(title), claim: word(claim), base: this.base, attributes: this.attributes(), width: this.width, height: this.height };
  }

  private get height(): number {
    return this.typedHeight ?? frameHeight(this.routine.id, this.width);
  }

  private attributes(): Map<string, string> {
    const attributes = new Map(this.asItIs ? [...this.opener.attributes, ...this.stated()] : []);
    if (this.hidden.size > 0) attributes.set("hide", [...this.hidden].join(" "));
    if (this.locked) attributes.set("lock", "all");
    if (this.asking) attributes.set("predict", "");
    if (this.theme !== "auto") attributes.set("theme", this.theme);
    if (this.language !== "") attributes.set("lang", this.language);
    return attributes;
  }

  /** What differs from how the widget starts by itself. */
  private stated(): [attribute: string, text: string][] {
    const initial = initialTexts(this.routine.parameters);
    return this.routine.parameters
      .filter(({ name }) => this.state[name] !== initial[name] && this.state[name]!.length <= longestValue)
      .map((parameter) => [attributesFor(parameter)[0]!, this.state[parameter.name]!]);
  }

  private choices(): TemplateResult {
    const { routine } = this;
    const isTooLong = routine.parameters.some(({ name }) => this.state[name]!.length > longestValue);
    return html`<form class="wishes" @submit=${(event: Event) => event.preventDefault()}>
      ${this.check(word("It starts as it is now"), this.asItIs, (on) => (this.asItIs = on))}
      ${isTooLong && this.asItIs ? html`<p>${word("What was pasted into it is too long for a page and stays here.")}</p>` : nothing}
      ${this.select(word("Theme"), themes.map((theme) => [theme, word(themeNames[theme].label)]), this.theme, (theme) => (this.theme = theme as Theme))}
      ${this.select(word("Language"), [["", word("as its surroundings")], ...languages.map(([tag, name]): [string, string] => [tag, name])], this.language, (tag) => (this.language = tag))}
      ${this.select(word("Width"), widths.map((width) => [String(width ?? ""), width === undefined ? word("all there is") : say`${width} px`]), String(this.width ?? ""), (width) => (this.width = width === "" ? undefined : Number(width)))}
      <label class="pair"
        >${word("Height of a frame, px")}
        <input
          type="number"
          min=${heights.least}
          max=${heights.most}
          .value=${live(String(this.height))}
          @change=${({ target }: Event) => this.update(() => (this.typedHeight = inside((target as HTMLInputElement).valueAsNumber)))}
        />
      </label>
      ${this.check(word("Controls are locked"), this.locked, (on) => (this.locked = on))}
      ${routine.question === undefined ? nothing : this.check(word("A question comes first"), this.asking, (on) => (this.asking = on))}
      <fieldset>
        <legend>${word("Left out")}</legend>
        ${leftOut.map(({ piece, label }) => this.check(word(label), this.hidden.has(piece), (on) => (on ? this.hidden.add(piece) : this.hidden.delete(piece))))}
      </fieldset>
    </form>`;
  }

  private preview(): TemplateResult {
    const frames = this.home.frames?.();
    if (frames === undefined) return html`<p>${word("This page shows no other page within it: the preview is in the lab.")}</p>`;
    const address = embed({ id: this.routine.id, base: frames, attributes: this.attributes() });
    return html`<iframe title=${word("Preview")} src=${address} width=${this.width ?? nothing} height=${this.height}></iframe>`;
  }

  private check(label: string, checked: boolean, set: (on: boolean) => unknown): TemplateResult {
    const onChange = ({ target }: Event) => this.update(() => set((target as HTMLInputElement).checked));
    return html`<label class="check"><input type="checkbox" .checked=${checked} @change=${onChange} /> ${label}</label>`;
  }

  private select(label: string, options: [value: string, name: string][], chosen: string, set: (value: string) => void): TemplateResult {
    const onChange = ({ target }: Event) => this.update(() => set((target as HTMLSelectElement).value));
    return html`<label class="pair"
      >${label}
      <select @change=${onChange}>
        ${options.map(([value, name]) => html`<option value=${value} ?selected=${value === chosen}>${name}</option>`)}
      </select>
    </label>`;
  }

  // What is copied

  private tabs(): TemplateResult {
    return html`<div class="tabs" role="tablist" aria-label=${word("Where it is to be")} @keydown=${(event: KeyboardEvent) => this.onTabKey(event)}>
      ${hosts.map((host) => {
        const isChosen = host === this.host;
        return html`<button
          type="button"
          role="tab"
          id="embed-tab-${host.id}"
          aria-selected=${isChosen ? "true" : "false"}
          aria-controls="embed-panel"
          tabindex=${isChosen ? "0" : "-1"}
          @click=${() => this.update(() => (this.host = host))}
        >
          ${host.name}
        </button>`;
      })}
    </div>`;
  }

  private onTabKey(event: KeyboardEvent): void {
    const at = hosts.indexOf(this.host);
    const to: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: hosts.length - 1 };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.update(() => (this.host = hosts[(next + hosts.length) % hosts.length]!));
    this.dialog.querySelector<HTMLElement>("[aria-selected=true]")!.focus();
  }

  private panel(): TemplateResult {
    const { text, once, caution } = this.host.snippet(this.choice());
    return html`<div class="panel" role="tabpanel" id="embed-panel" aria-labelledby="embed-tab-${this.host.id}">
      ${this.copyable(word("Text to copy"), text)}
      ${
        once === undefined
          ? nothing
          : html`<p>${once.where}</p>
              ${this.copyable(word("Text to copy once"), once.text)}`
      }
      ${caution === undefined ? nothing : html`<p class="caution">${caution}</p>`}
      <p class="copied" role="status">${this.copied?.() ?? nothing}</p>
    </div>`;
  }

  private copyable(label: string, text: string): TemplateResult {
    const rows = Math.min(text.split("\n").length + 1, 12);
    return html`<div class="copyable">
      <textarea readonly rows=${rows} wrap="off" spellcheck="false" aria-label=${label} .value=${live(text)}></textarea>
      <button type="button" aria-label=${say`Copy: ${label}`} @click=${({ currentTarget }: Event) => void this.copy(text, currentTarget as HTMLElement)}>${word("Copy")}</button>
    </div>`;
  }

  /** To the clipboard; where that is not allowed, it is selected. */
  private async copy(text: string, button: HTMLElement): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = () => word("Copied.");
    } catch {
      button.parentElement!.querySelector("textarea")!.select();
      this.copied = () => word("Selected: copy it with the keyboard.");
    }
    this.show();
  }
}

function inside(height: number): number | undefined {
  return Number.isNaN(height) ? undefined : Math.min(Math.max(Math.round(height), heights.least), heights.most);
}

/** Whether an address means another machine to everyone, or a file. */
function isOfThisMachine(base: string): boolean {
  const { protocol, hostname } = new URL(base);
  return protocol === "file:" || /^(127\.[\d.]+|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}
