// Every widget's picture as text, against the files in snapshots/. Where a picture was changed on purpose, the files are
// written anew by
//
//     SHARDLAB_SNAPSHOTS=renew SHARDLAB_SITE=build/site node --test tests/browser/snapshots.test.mjs
//
// and their difference is looked at, and committed with the change.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { open, tags, widget } from "./browser.mjs";

const renew = process.env.SHARDLAB_SNAPSHOTS === "renew";
const folder = new URL("snapshots/", import.meta.url);

/** Widths of a figure: beside its controls, and on a telephone. */
const widths = [600, 340];

/** As many numbers on as many ranks as are drawn. */
const manyGradients = Array.from({ length: 32 }, (_, rank) =>
  Array.from({ length: 12 }, (_, element) => (7 * rank + 3 * element) % 32).join(","),
).join("\n");

/** Each widget as it first stands, on its way, and at the largest that is drawn. */
const states = {
  "all-reduce": {
    first: {},
    middle: { step: "2" },
    largest: { ranks: "16", elements: "16", step: "15" },
    swapped: { algorithm: "halving-doubling", ranks: "8", step: "2" },
    nodes: { algorithm: "hierarchical", ranks: "8", perNode: "4", layout: "nodes", step: "3" },
    broken: { algorithm: "tree", ranks: "8", fault: "miss-hop", step: "6" },
  },
  "all-reduce-cost": { first: {}, middle: { ranks: "64" }, largest: { ranks: "1024", bytes: "1TB" } },
  crossover: {
    first: {},
    middle: { ranks: "64", second: "double-tree", slices: "64" },
    largest: { measured: "aws_p5_8xH100_1node", regimes: "3", nodes: "several", ranks: "1024" },
  },
  "nccl-tuning": {
    first: {},
    middle: { bytes: "1GB" },
    largest: { ranks: "1024", nodes: "128", bytes: "16GiB", link: "pci" },
  },
  "data-parallel": {
    first: {},
    middle: { fault: "drop" },
    largest: { gradients: manyGradients },
    training: { show: "training" },
    broken: { show: "training", ranks: "8", zeroStage: "3", optimizer: "adam", learningRate: "0.01", trainingFault: "miss-gather" },
    buckets: { show: "buckets" },
    many: { show: "buckets", layers: "65536", layerBytes: "1MB", bucketBytes: "4MB" },
  },
  "tensor-parallel": {
    first: {},
    middle: { split: "row", ranks: "4" },
    largest: { split: "row", ranks: "8", inFeatures: "16", outFeatures: "16", batch: "6" },
    backward: { pass: "backward", forget: "backward-all-reduce" },
    layer: { split: "transformer", ranks: "8", kvHeads: "2", sequenceParallel: "again", activation: "swiglu" },
  },
  "tensor-parallel-cost": {
    first: {},
    middle: { ranks: "16", sequenceParallel: "on" },
    largest: { ranks: "64", perNode: "64", sequence: "131072", microBatch: "16" },
  },
  pipeline: {
    first: {},
    middle: { step: "9" },
    largest: { stages: "16", microBatches: "64" },
    split: { schedule: "zb-h1", compare: "zb-v", microBatches: "8", mark: "critical" },
    pairs: { schedule: "dualpipe", microBatches: "10", overlapped: "2.5" },
    zoomed: { schedule: "interleaved", stages: "16", microBatches: "64", zoom: "16", from: "30" },
    own: { schedule: "own" },
    bytes: { activationBytes: "1.5GiB", compare: "gpipe", gradientSync: "3" },
  },
  bubble: { first: {}, middle: { stages: "8" }, largest: { stages: "32", microBatches: "64" } },
  zero: {
    first: {},
    middle: { zeroStage: "3" },
    largest: { params: "1e12", ranks: "1024", zeroStage: "0" },
    model: { source: "preset", zeroStage: "3", ranks: "64" },
    accumulated: { microBatches: "16", zeroStage: "2", recipe: "mixed-adam-fp32-gradients" },
  },
  memory: {
    first: {},
    middle: { tp: "1", pp: "1", dp: "8", zeroStage: "3", recompute: "full", microBatches: "1" },
    largest: { model: "deepseek-v3", pp: "61", ep: "2", microBatches: "64" },
    pinned: { recipe: "muon", pinned: "pin=1&gpu=a100-40gb&pp=2" },
  },
  measure: { first: {}, middle: { show: "model" }, largest: { source: "run", regimes: "3" } },
  verify: {
    first: {},
    middle: { table: "zero_bubble_table5", cell: "1-5b-p-8-m-24-1f1b-i.with-every-dependency" },
    largest: { table: "nccl_double_binary_tree", cell: "32-ranks-rank-31.tree1-child1" },
    words: { table: "dualpipev_4rank_10mb", cell: "rank-2.slot-20" },
    differing: { table: "ultrascale_bubble", show: "differing" },
  },
};

let site;
let page;

before(async () => {
  site = await open();
  page = await site.lab();
  if (renew) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

after(() => site?.close());

/** Shows a state in a figure of a width; gives the picture. */
async function picture(id, state, width) {
  const { root } = widget(page, id);
  await root.evaluate(
    async (element, { texts, pixels }) => {
      element.state = texts;
      const figure = element.shadowRoot.querySelector(".figure");
      // A narrower element may have another layout, and other room for its figure.
      for (let attempt = 0; attempt < 3 && figure.clientWidth !== pixels; attempt += 1) {
        element.style.width = `${pixels + element.offsetWidth - figure.clientWidth}px`;
        // Of its new width the element hears within the next frames.
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      }
      await element.updateComplete;
    },
    { texts: state, pixels: width },
  );
  return root.locator(".figure svg").evaluate(asText);
}

/**
 * Runs in the page: an element a line, attributes by their names, since their order tells of earlier pictures, two
 * decimals at most, and nothing of what the templates leave behind.
 */
function asText(svg) {
  const tidy = (text) =>
    text
      .replace(/\s+/g, " ")
      .trim()
      .replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))));
  const lines = (element, indent) => {
    const attributes = [...element.attributes]
      .map(({ name, value }) => ` ${name}="${tidy(value).replace(/"/g, "&quot;")}"`)
      .sort();
    const open = `${indent}<${element.localName}${attributes.join("")}`;
    const close = `</${element.localName}>`;
    if (element.children.length > 0) {
      const inner = [...element.children].flatMap((child) => lines(child, `${indent}  `));
      return [`${open}>`, ...inner, `${indent}${close}`];
    }
    const text = tidy(element.textContent);
    return [text === "" ? `${open} />` : `${open}>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}${close}`];
  };
  return `${lines(svg, "").join("\n")}\n`;
}

/** Where two pictures first differ, and what to do about it. */
function difference(name, found, kept) {
  const [now, then] = [found.split("\n"), kept.split("\n")];
  const line = now.findIndex((text, index) => text !== then[index]);
  const at = line < 0 ? now.length : line;
  return [
    `snapshots/${name}: line ${at + 1} was`,
    `  ${then[at]?.trim()}`,
    "and is now",
    `  ${now[at]?.trim()}`,
    "If the new picture is right, renew the files as it says at the top of snapshots.test.mjs.",
  ].join("\n");
}

const names = [];

for (const [id, byName] of Object.entries(states)) {
  test(`${id}: its pictures are those that were committed`, async () => {
    for (const [stateName, state] of Object.entries(byName)) {
      for (const width of widths) {
        const name = `${id}-${stateName}-${width}.svg`;
        names.push(name);
        const found = await picture(id, state, width);
        assert.doesNotMatch(found, /NaN|Infinity|undefined|null/, name);
        const file = new URL(name, folder);
        if (renew) writeFileSync(file, found);
        const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
        assert.ok(found === kept, difference(name, found, kept));
      }
    }
  });
}

test("every widget has its pictures, and no file is left over", async () => {
  assert.deepEqual((await tags(page)).map((tag) => tag.replace("shardlab-", "")), Object.keys(states));
  assert.deepEqual(readdirSync(folder).sort(), [...names].sort());
  assert.deepEqual(page.trouble, []);
});
