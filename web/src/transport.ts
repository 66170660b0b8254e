/** Moving through the steps of a schedule. */

import { html, svg, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

interface Steps {
  at: number;
  count: number;
  label: string;
}

const icons = {
  first: svg`<path d="M2 2h2v12H2zM14 2v12L5 8z" />`,
  back: svg`<path d="M12 2v12L4 8z" />`,
  on: svg`<path d="M4 2v12l8-6z" />`,
};

export function transport({ at, count, label }: Steps, go: (step: number) => void): TemplateResult {
  const button = (icon: keyof typeof icons, name: string, to: number) => html`<button
    type="button"
    aria-label=${name}
    aria-disabled=${to < 0 || to > count || to === at ? "true" : "false"}
    @click=${() => go(Math.min(Math.max(to, 0), count))}
  >
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${icons[icon]}</svg>
  </button>`;
  return html`<div class="transport" role="group" aria-label="Steps">
    ${button("first", "to the start", 0)} ${button("back", "one step back", at - 1)}
    ${button("on", "one step on", at + 1)}
    <input
      type="range"
      name="step"
      aria-label="Step"
      aria-valuetext="step ${at} of ${count}, ${label}"
      min="0"
      max=${count}
      .value=${live(String(at))}
      @input=${(event: Event) => go(Number((event.target as HTMLInputElement).value))}
    />
    <span class="position">${at} of ${count} · ${label}</span>
  </div>`;
}
