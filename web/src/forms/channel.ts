/**
 * What an embedded widget and the page around its iframe say to each other.
 *
 * To the widget: `{shardlab: 1, type}` with `ping`, `get`, `play`, `pause`, `set` (and `state`: texts or numbers by the
 * keys of an address) or `theme` (and `theme`: auto, light or dark). From it: `ready`, `pong`, `change` and `state` (with
 * `state`), `step`, `error` (of what was set in vain with `parameter`, `value` and `rule`; all stays as it was), `escape`,
 * and `resize` with the `height` that it needs, in CSS pixels; that also in the words of LTI platforms (`lti.frameResize`,
 * which Canvas reads) and of OpenLearning.
 */

import { themes } from "../author.js";
import { longestValue } from "../link.js";
import { kebab } from "../parameter.js";
import type { Widget } from "../widget.js";
import { attempt } from "./attempt.js";
import { tellHeight } from "./height.js";

export function talk(widget: Widget, box: HTMLElement): void {
  const send = (type: string, more: object = {}) =>
    parent.postMessage({ shardlab: 1, type, id: widget.routine.id, ...more }, "*");
  const stated = () => ({ state: shareable(widget) });
  const answers: Record<string, (message: Record<string, unknown>) => unknown> = {
    get: () => send("state", stated()),
    play: () => widget.play(),
    pause: () => widget.pause(),
    set: async ({ state }) => {
      const refused = await attempt(widget, state);
      if (refused !== undefined) send("error", { code: "SHARDLAB-INPUT", ...refused });
    },
    theme: ({ theme }) => {
      const found = themes.find((one) => one === theme);
      if (found !== undefined) widget.setAttribute("theme", found);
    },
  };
  // What is asked for after a state is set is answered after that; whether somebody is there, at once.
  let answered: Promise<unknown> = Promise.resolve();
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "object" || data?.shardlab !== 1) return;
    const { type } = data;
    if (type === "ping") send("pong");
    else if (typeof type === "string" && Object.prototype.hasOwnProperty.call(answers, type)) answered = answered.then(() => answers[type]!(data));
  });
  widget.addEventListener("shardlab-change", (event) => {
    const { changed, answer, right } = (event as CustomEvent).detail;
    send("change", { ...stated(), changed: changed?.map(kebab), ...(answer === undefined ? {} : { answer, right }) });
  });
  widget.addEventListener("shardlab-step", (event) => send("step", (event as CustomEvent).detail));
  widget.addEventListener("shardlab-error", (event) => send("error", (event as CustomEvent).detail));
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") send("escape");
  });
  void widget.ready.then(() => {
    send("ready", stated());
    tellHeight(box, send);
  });
}

/** Files that a reader opened stay with them. */
function shareable(widget: Widget): Record<string, string> {
  const entries = Object.entries(widget.state).filter(([, text]) => text.length <= longestValue);
  return Object.fromEntries(entries.map(([name, text]) => [kebab(name), text]));
}
