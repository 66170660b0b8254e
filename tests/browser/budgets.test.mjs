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
    "all-reduce": 45,
    "all-reduce-cost": 33.5,
    bubble: 32.5,
    crossover: 38,
    "data-parallel": 38,
    measure: 39,
    memory: 41,
    "nccl-tuning": 34,
    pipeline: 44,
    "tensor-parallel": 37.5,
    "tensor-parallel-cost": 35.5,
    verify: 37.5,
    zero: 40.5,
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
