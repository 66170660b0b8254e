/** What a page fetches for a widget stays small. Bytes are the same in every run, so that a test can hold them. */

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { budgets, widgetSizes } from "../../web/sizes.mjs";
import { siteDirectory } from "./browser.mjs";

const sizes = await widgetSizes(process.env.SHARDLAB_PACKAGE);

/**
 * Kilobytes that were reached where the budget was not, and one of room, since another zlib packs otherwise: of every first
 * widget, and of the further ones beyond it.
 */
const reached = {
  first: {
    "all-reduce": 46,
    "all-reduce-cost": 34.5,
    bubble: 33.5,
    crossover: 39,
    "data-parallel": 39,
    measure: 38,
    memory: 42,
    "nccl-tuning": 35,
    pipeline: 45,
    "tensor-parallel": 38.5,
    "tensor-parallel-cost": 36.5,
    verify: 39,
    zero: 41.5,
  },
  further: { "all-reduce": 14, memory: 10, pipeline: 13, zero: 10 },
};

test("a first widget's scripts are no more than they were", () => {
  for (const { name, alone } of sizes) assert.ok(alone <= 1000 * reached.first[name], `${name}: ${alone} bytes`);
});

test("a further widget's scripts are within their budget, or no more than they were", () => {
  for (const { name, further } of sizes) {
    assert.ok(further <= 1000 * (reached.further[name] ?? budgets.further), `${name}: ${further} bytes`);
  }
});

test("each widget's offline file is within its budget", () => {
  const folder = path.join(siteDirectory(), "offline");
  // The page of the exercise carries an interpreter and the cases.
  const files = readdirSync(folder).filter((name) => name !== "exercise.html");
  assert.deepEqual(files.sort(), sizes.map(({ name }) => `${name}.html`).sort());
  for (const name of files) {
    const { size } = statSync(path.join(folder, name));
    assert.ok(size <= 1000 * budgets.offline, `${name}: ${size} bytes`);
  }
});
