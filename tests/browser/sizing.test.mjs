import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { violations } from "./accessibility.mjs";
import { open, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;
let lab;

/** Eight H100s, as the path has them. */
const eight = { preset: "llama3-70b", gpu: "h100-80gb", dp: 8, sequence: 8192, flash: true, microBatches: 1 };

before(async () => {
  site = await open();
  lab = await (await importBuilt()).load();
});

after(() => site?.close());

async function opened(options = {}) {
  const page = await site.lab({ only: "memory", ...options });
  await page.locator(".path.ready").waitFor();
  return page;
}

const plain = (text) => text.replace(/[\s\u00a0\u202f]+/g, " ").trim();

function step(page, id) {
  return page.locator(`.path [data-step=${id}]`);
}

async function revealed(page, id) {
  return plain(await step(page, id).locator(".reveal").textContent());
}

const answers = {
  replica: "1100",
  shards: "Stage 3",
  activations: "About 170 GiB",
  recomputation: "No",
  least: "12",
  cluster: "16",
};

async function answer(page, id, text = answers[id]) {
  if (id === "replica" || id === "least") {
    await step(page, id).locator("input").fill(text);
    await step(page, id).getByRole("button", { name: "Check" }).click();
  } else {
    await step(page, id).getByRole("button", { name: text, exact: true }).click();
  }
}

const gib = (size) => `${Number((size / 2 ** 30).toPrecision(4))} GiB`.replace(/^(\d)(\d{3}) /, "$1 $2 ");
const states = ({ perStage: [{ weightBytes, gradientBytes, optimizerBytes }] }) => weightBytes + gradientBytes + optimizerBytes;

describe("walked", () => {
  let page;
  before(async () => {
    page = await opened();
  });
  after(() => page?.close());

  test("asks one question at a time, and shows no number before its answer", async () => {
    assert.equal(await page.locator(".path li").count(), 1);
    assert.equal(await page.locator(".path .reveal").count(), 0);
    assert.match(await page.locator(".path .progress").textContent(), /Step 1 of 6/);
    await answer(page, "replica", "many");
    assert.match(await step(page, "replica").locator(".wrong").textContent(), /give a number/);
    assert.equal(await page.locator(".path li").count(), 1);
  });

  test("a plain replica: 16 bytes of each parameter, 14 cards' worth", async () => {
    const found = lab.footprint({ ...eight, zeroStage: 0 });
    await answer(page, "replica");
    const text = await revealed(page, "replica");
    assert.match(text, /^Right\. You said: 1100\./);
    for (const part of ["16 · 70 553 706 496 B = 1 129 GB", gib(states(found)), "what 14 cards can have"]) assert.ok(text.includes(part), `${part} in ${text}`);
    assert.equal(await page.evaluate(() => document.activeElement.className), "reveal", "the focus is where the answer is");
  });

  test("no stage of ZeRO fits on the eight", async () => {
    await answer(page, "shards");
    const text = await revealed(page, "shards");
    assert.match(text, /^Not quite\. You said: Stage 3\. .* an eighth is still too much/);
    for (const zeroStage of [1, 2, 3]) {
      const found = lab.footprint({ ...eight, zeroStage });
      assert.ok(states(found) > found.usableBytes);
      assert.ok(text.includes(gib(states(found))), `${zeroStage}: ${text}`);
    }
    assert.ok(text.includes("131.4 GiB"));
  });

  test("activations, with recomputation and without", async () => {
    await answer(page, "activations");
    const text = await revealed(page, "activations");
    for (const [recompute, sequence] of [["none", 8192], ["none", 4096], ["full", 8192], ["full", 4096]]) {
      const [{ activationBytes }] = lab.footprint({ ...eight, zeroStage: 3, recompute, sequence }).perStage;
      assert.ok(text.includes(gib(activationBytes).replace(" GiB", "")), `${recompute}, ${sequence}: ${text}`);
    }
  });

  test("full recomputation does not save it", async () => {
    await answer(page, "recomputation");
    const text = await revealed(page, "recomputation");
    for (const sequence of [4096, 8192]) {
      const found = lab.footprint({ ...eight, zeroStage: 3, recompute: "full", sequence });
      assert.equal(found.fits, false);
      assert.ok(text.includes(gib(found.mostLoadedRankBytes)), text);
    }
    await step(page, "recomputation").getByRole("button", { name: "Show this in the widget below" }).click();
    const memory = widget(page, "memory");
    await memory.settled();
    assert.match(await memory.caption(), /on 8 × H100 80GB \(dp 8, ZeRO stage 3\): each rank holds 162\.2 GiB .* it does not fit, by 83\.05 GiB/);
    assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.matches(".figure")), true);
    await page.waitForURL(/memory\.dp=8/);
    await memory.press("Undo");
    assert.match(await memory.caption(), /64 × H100/);
  });

  test("14 cards for the states alone, 16 for all", async () => {
    await answer(page, "least");
    assert.match(await revealed(page, "least"), /^Not quite\. You said: 12\. .* so 14\. The eight have 632\.9 GiB together/);
    await answer(page, "cluster");
    const { settings, cost, mostLoadedRankBytes } = lab.smallestCluster({ ...eight, microBatches: 16 });
    const text = await revealed(page, "cluster");
    assert.match(text, /^Right\. You said: 16\./);
    const { tp, pp, dp, zeroStage } = settings;
    const parts = [
      `${cost.ranks}: tensor parallelism ${tp}, pipeline stages ${pp}, data parallelism ${dp}, ZeRO stage ${zeroStage}`,
      `holds ${gib(mostLoadedRankBytes)}`,
      `waits ${Number((cost.bubbleOfTotal * 100).toPrecision(3))} %`,
      `sends ${Number((cost.sentBytes / 1e9).toPrecision(3))} GB`,
    ];
    for (const part of parts) assert.ok(text.includes(part), `${part} in ${text}`);
    assert.equal(await page.locator(".path .progress").count(), 0);
  });

  test("each cluster of the comparison is the lab's, and fits", async () => {
    const rows = await page.locator(".path tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const { changes } = lab.footprint({ ...eight, zeroStage: 3, recompute: "full" });
    const expected = changes.offered.filter(({ parameter }) => ["tp", "pp", "dp"].includes(parameter));
    assert.ok(expected.length >= 3);
    assert.deepEqual(rows.map(([cards, , held]) => [cards, plain(held)]).slice(1), expected.map((one) => [String(one.cost.ranks), gib(one.mostLoadedRankBytes)]));
  });

  test("every step's setting is the widget's, and the last one fits", async () => {
    const memory = widget(page, "memory");
    for (const [id, said] of [["replica", /1\.224 TiB/], ["shards", /320\.8 GiB/], ["least", /151\.9 GiB/], ["cluster", /on 16 × .*; it fits/]]) {
      await step(page, id).getByRole("button", { name: "Show this in the widget below" }).click();
      await memory.settled();
      assert.match(plain(await memory.caption()), said, id);
    }
    assert.deepEqual(page.trouble, []);
  });
});

test("is walked with the keyboard alone", async () => {
  const page = await opened();
  await step(page, "replica").locator("input").focus();
  await page.keyboard.type("1129");
  await page.keyboard.press("Enter");
  assert.match(await revealed(page, "replica"), /^Right/);
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Show this in the widget/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.match(await revealed(page, "shards"), /^Not quite\. You said: Stage 1\./);
  await page.close();
});

test("all steps can be shown at once, without an answer", async () => {
  const page = await opened();
  await page.locator(".path").getByRole("button", { name: "Show all steps" }).click();
  assert.equal(await page.locator(".path .reveal").count(), 6);
  assert.doesNotMatch(await page.locator(".path").textContent(), /You said/);
  await page.close();
});

test("without JavaScript it is a text with the same numbers", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.url);
  const still = page.locator(".path li");
  assert.equal(await still.count(), 6);
  assert.ok(await still.first().locator(".reveal").isVisible());
  const written = await page.locator(".path .reveal p").allTextContents();
  const walked = await opened();
  await walked.locator(".path").getByRole("button", { name: "Show all steps" }).click();
  assert.deepEqual(written.map(plain), (await walked.locator(".path .reveal p").allTextContents()).map(plain));
  await walked.close();
  await page.close();
});

for (const [width, colorScheme] of repeated([[320, "light"]], [[1200, "dark"], [390, "dark"]])) {
  test(`is accessible, and scrolls nowhere sideways, ${colorScheme} at ${width} pixels`, async () => {
    const page = await opened({ width, colorScheme });
    assert.deepEqual(await violations(page), []);
    await page.locator(".path").getByRole("button", { name: "Show all steps" }).click();
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    await page.close();
  });
}
