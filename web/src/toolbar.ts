/** What can be done with a widget as a whole. */

import { html, nothing, type TemplateResult } from "lit";
import { word } from "./words.js";

/** What every widget has, and the labels of its own files. */
export type Export = "SVG" | "PNG" | "CSV" | "JSON" | "Cite" | (string & {});

export interface Tools {
  canUndo: boolean;
  canRedo: boolean;
  /** pieces that the page's author leaves out */
  hidden: ReadonlySet<string>;
  /** where all widgets are, with this one as it is now; nothing where that is here */
  full: string;
  /** what there is to export now */
  exports: readonly Export[];
  /** what a tool has to say, and what it has to hand over where it could not copy it */
  said: { text: string; copy?: string } | undefined;
  /** whether the keys are explained */
  keys: boolean;
  steps: boolean;
  /** keys of the figure, and what they do */
  figureKeys: readonly [string, string][];
}

export interface ToolEvents {
  undo(): void;
  redo(): void;
  reset(): void;
  copyLink(): void;
  embed(): void;
  toggleKeys(): void;
  export(what: Export): void;
}

export function toolbar(tools: Tools, events: ToolEvents): TemplateResult {
  const button = (label: string, run: () => void, can = true) => html`<button
    type="button"
    aria-disabled=${can ? "false" : "true"}
    @click=${run}
  >
    ${label}
  </button>`;
  const { hidden } = tools;
  return html`<div class="toolbar" part="toolbar" role="group" aria-label=${word("Tools")}>
      ${button(word("Undo"), () => events.undo(), tools.canUndo)} ${button(word("Redo"), () => events.redo(), tools.canRedo)}
      ${button(word("Reset"), () => events.reset())}
      <span class="space"></span>
      ${hidden.has("link") || tools.full === "" ? nothing : html`<a class="full" href=${tools.full} target="_blank" rel="noopener">${word("Open the lab ↗")}</a>`}
      ${hidden.has("link") ? nothing : button(word("Copy link"), () => events.copyLink())}
      ${hidden.has("embed") ? nothing : html`<button type="button" aria-haspopup="dialog" @click=${() => events.embed()}>${word("Embed")}</button>`}
      ${hidden.has("export") ? nothing : menu(tools.exports.map((what) => button(word(what), () => events.export(what))))}
      <button type="button" aria-expanded=${tools.keys ? "true" : "false"} @click=${() => events.toggleKeys()}>${word("Keys")}</button>
    </div>
    <div class="said" role="status">${tools.said === undefined ? nothing : said(tools.said)}</div>
    ${tools.keys ? keys(tools) : nothing}`;
}

function menu(buttons: TemplateResult[]): TemplateResult {
  return html`<details class="menu">
    <summary>${word("Export")}</summary>
    <div>${buttons}</div>
  </details>`;
}

function said({ text, copy }: { text: string; copy?: string }): TemplateResult {
  const shown = copy === undefined ? nothing : html`<textarea readonly rows="3" aria-label=${text} .value=${copy}></textarea>`;
  return html`<p>${text}</p>${shown}`;
}

function keys({ steps, figureKeys }: Tools): TemplateResult {
  const all: [string, string][] = [
    ["Ctrl+Z", word("undo")],
    ["Ctrl+Shift+Z", word("redo")],
    ["R", word("reset")],
    ["?", word("show or hide this")],
  ];
  const moving: [string, string][] = [
    [word("Space"), word("play or pause")],
    ["Home, End", word("to the start, to the end")],
    ["←, →", word("on the scrubber: a step back, a step on")],
  ];
  return html`<dl class="keys">
    ${[...(steps ? moving : []), ...figureKeys.map(([key, does]): [string, string] => [word(key), word(does)]), ...all].map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}
  </dl>`;
}
