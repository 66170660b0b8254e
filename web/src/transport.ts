/** Moving through the steps of a schedule. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { speeds, type Player, type Speed } from "./player.js";
import type { Steps } from "./routine.js";
import { say, word } from "./words.js";

const icons = {
  first: svg`<path d="M2 2h2v12H2zM14 2v12L5 8z" />`,
  back: svg`<path d="M12 2v12L4 8z" />`,
  on: svg`<path d="M4 2v12l8-6z" />`,
};

export interface TransportEvents {
  go(step: number): void;
  /** a movement of the scrubber has ended */
  done(): void;
}

export function transport(
  { at, count, label, phases }: Steps,
  player: Player,
  { go, done }: TransportEvents,
): TemplateResult {
  const move = (to: number) => {
    player.pause();
    go(Math.min(Math.max(to, 0), count));
    done();
  };
  const button = (icon: keyof typeof icons, name: string, to: number) => html`<button
    type="button"
    aria-label=${name}
    aria-disabled=${to < 0 || to > count || to === at ? "true" : "false"}
    @click=${() => move(to)}
  >
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${icons[icon]}</svg>
  </button>`;
  const scrub = (event: Event) => {
    player.pause();
    go(Number((event.target as HTMLInputElement).value));
  };
  return html`<div class="transport" part="timeline" role="group" aria-label=${word("Steps")}>
    ${button("first", word("to the start"), 0)} ${button("back", word("one step back"), at - 1)}
    <button type="button" class="play" @click=${() => player.toggle()}>${player.playing ? word("Pause") : word("Play")}</button>
    ${button("on", word("one step on"), at + 1)}
    <input
      type="range"
      name="step"
      aria-label=${word("Step")}
      aria-valuetext=${say`step ${at} of ${count}, ${label}`}
      min="0"
      max=${count}
      list="phases"
      .value=${live(String(at))}
      @input=${scrub}
      @change=${done}
    />
    <datalist id="phases">
      ${phases.map(({ from, label: phase }) => html`<option value=${from} label=${phase}></option>`)}
      ${phases.length === 0 ? nothing : html`<option value=${count}></option>`}
    </datalist>
    <span class="position">${say`${at} of ${count} · ${label}`}</span>
    ${speedChoice(player)}
  </div>`;
}

function speedChoice(player: Player): TemplateResult {
  const choose = (event: Event) => player.setSpeed(Number((event.target as HTMLSelectElement).value) as Speed);
  return html`<select class="speed" aria-label=${word("Speed")} @change=${choose}>
    ${speeds.map((speed) => html`<option value=${speed} ?selected=${speed === player.speed}>${speed}×</option>`)}
  </select>`;
}
