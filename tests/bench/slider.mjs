/** How long a change of a control holds the page's thread, and until the new picture stands, in a slow Chromium. */

import { open, widget } from "../browser/browser.mjs";

const throttle = 4;
const rounds = 5;

/** Each widget at the largest setting that it still draws in full, and the change that is measured. */
const changes = [
  { id: "all-reduce", at: { ranks: "16", elements: "64" }, parameter: "elements", texts: ["63", "64"] },
  { id: "all-reduce-cost", at: { ranks: "1024" }, parameter: "ranks", texts: ["1023", "1024"] },
  { id: "tensor-parallel", at: { ranks: "8" }, parameter: "seed", texts: ["1", "2"] },
  { id: "pipeline", at: { stages: "16", microBatches: "64" }, parameter: "microBatches", texts: ["63", "64"] },
  { id: "zero", at: { ranks: "1024" }, parameter: "ranks", texts: ["1023", "1024"] },
];

/**
 * Types a text, or where there is none changes a word of the page, which any change of a page costs. Gives [the longest
 * time the thread was held, the time until the picture stood], milliseconds.
 */
function measured(root, change) {
  return root.evaluate(async (element, change) => {
    const act = () => {
      if (change === null) {
        element.shadowRoot.querySelector("h3").textContent += ".";
        return;
      }
      const [parameter, value] = change;
      const field = element.shadowRoot.querySelector(`[data-parameter="${parameter}"] input[type=text]`);
      field.value = value;
      field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    };
    const channel = new MessageChannel();
    let longest = 0;
    let last = performance.now();
    channel.port1.onmessage = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      channel.port2.postMessage(0);
    };
    channel.port2.postMessage(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    longest = 0;
    const start = performance.now();
    act();
    await element.updateComplete;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const total = performance.now() - start;
    channel.port1.close();
    return [longest, total];
  }, change);
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function row(id, root, repeated) {
  const runs = [];
  for (const change of repeated) runs.push(await measured(root, change));
  return { id, held: median(runs.map(([held]) => held)), shown: median(runs.map(([, shown]) => shown)) };
}

/** Medians over some rounds: of one word that changes, then of each widget. */
export async function sliderTimes() {
  const site = await open();
  try {
    const page = await site.lab();
    const client = await page.context().newCDPSession(page);
    await client.send("Emulation.setCPUThrottlingRate", { rate: throttle });
    const rows = [await row("one word", widget(page, changes[0].id).root, Array(rounds).fill(null))];
    for (const { id, at, parameter, texts } of changes) {
      const one = widget(page, id);
      await one.setAll(at);
      const typed = Array.from({ length: rounds }, (_, round) => [parameter, texts[round % texts.length]]);
      rows.push(await row(id, one.root, typed));
    }
    return rows;
  } finally {
    await site.close();
  }
}
