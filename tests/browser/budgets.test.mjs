/** What a page fetches for a widget stays small. Bytes are the same in every run, so that a test can hold them. */

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { budgets, widgetSizes } from "../../web/sizes.mjs";
import { siteDirectory } from "./browser.mjs";

const sizes = await widgetSizes(process.env.SHARDLAB_PACKAGE);

/** Kilobytes that were reached where the budget was not: of every first widget, and of the further ones beyond it. */
const reached = {
  first: {
    "all-reduce": 44.5,
    "all-reduce-cost": 33,
    bubble: 32,
    crossover: 37.5,
    "data-parallel": 37.5,
    measure: 38.5,
    memory: 40.5,
    "nccl-tuning": 33.5,
    pipeline: 43.5,
    "tensor-parallel": 37,
    "tensor-parallel-cost": 35,
    verify: 37,
    zero: 40,
  },
  further: { "all-reduce": 14, memory: 10, pipeline: 13, zero: 9.5 },
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
