/** How cases look wherever they are listed. */

import { html, svg, type TemplateResult } from "lit";

/** How a case stands. */
export type State = "waiting" | "running" | "passed" | "failed";

const stateNames: Record<State, string> = {
  waiting: "not run",
  running: "running",
  passed: "passed",
  failed: "failed",
};

const milliseconds = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const seconds = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A shape and a word: nothing is said by colour alone. */
export function mark(state: State, name = stateNames[state]): TemplateResult {
  const shapes: Record<State, TemplateResult> = {
    waiting: svg`<circle cx="8" cy="8" r="3.5" />`,
    running: svg`<circle cx="8" cy="8" r="5.5" stroke-dasharray="20 15" />`,
    passed: svg`<path d="M3 8.5l3.5 3.5L13 4.5" />`,
    failed: svg`<path d="M4 4l8 8M12 4l-8 8" />`,
  };
  return html`<svg class="case-mark" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label=${name}>
    ${shapes[state]}
  </svg>`;
}

export function duration(taken: number): string {
  return taken < 1 ? `${milliseconds.format(taken * 1000)} ms` : `${seconds.format(taken)} s`;
}
