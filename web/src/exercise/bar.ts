/** What can be done with what is written, and what is said of it. */

import { html, nothing, type TemplateResult } from "lit";
import { say, word } from "../words.js";
import type { Said } from "./keep.js";

export interface BarEvents {
  run(): void;
  stop(): void;
  startOver(): void;
  /** as a file */
  save(): void;
  open(file: File): void;
  copyLink(): void;
}

/** How it stands with what is written. */
interface BarState {
  isRunning: boolean;
  /** otherwise there is a plain field, which the Tab key leaves */
  hasEditor: boolean;
  said: Said | undefined;
}

/** Of the paragraph that describes the editor to those who do not see where it stands. */
export const keysId = "keys";

const keysToRun = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "") ? "⌘ Enter" : "Ctrl Enter";

/** A button that has been pressed keeps the focus while the cases run. */
export function bar({ hasEditor, isRunning, said }: BarState, events: BarEvents): TemplateResult {
  return html`<div class="tools" part="toolbar">
      <button class="main" name="run" aria-disabled=${isRunning} @click=${() => events.run()}>${word("Run")}</button>
      <button name="stop" aria-disabled=${!isRunning} @click=${() => events.stop()}>${word("Stop")}</button>
      <button name="over" @click=${() => events.startOver()}>${word("Start over")}</button>
      <button name="download" @click=${() => events.save()}>${word("Download")}</button>
      <label class="open"
        >${word("Open a file")}<input type="file" name="open" accept=".js,.mjs,.txt" @change=${(event: Event) => opened(event, events)}
      /></label>
      <button name="link" @click=${() => events.copyLink()}>${word("Copy link")}</button>
    </div>
    <p class="keys" id=${keysId}>
      ${hasEditor ? say`${keysToRun} runs the cases. Tab indents; to leave the editor by keyboard, press Esc and then Tab.` : say`${keysToRun} runs the cases.`}
    </p>
    ${said === undefined ? nothing : told(said)}`;
}

/** The same file can be opened again. */
function opened({ target }: Event, events: BarEvents): void {
  const field = target as HTMLInputElement;
  const [file] = field.files!;
  if (file !== undefined) events.open(file);
  field.value = "";
}

function told({ text, copy }: Said): TemplateResult {
  const select = ({ target }: Event) => (target as HTMLInputElement).select();
  return html`<div class="said" role="status">
    <p>${text()}</p>
    ${copy === undefined ? nothing : html`<input type="text" readonly aria-label=${word("The link")} .value=${copy} @focus=${select} />`}
  </div>`;
}
