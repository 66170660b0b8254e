import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.mjs";

let site;
let page;

/** A page of a user's own that imports the package by its name. */
const ownPage = `<!doctype html><html lang="en"><title>own</title>
<script type="importmap">{ "imports": { "shardlab": "./shardlab/index.js" } }</script>
<script type="module">globalThis.shardlab = await import("shardlab"); globalThis.ready = true;</script>`;

before(async () => {
  site = await open();
  page = await site.page();
  await page.route(`${site.url}own.html`, (route) => route.fulfill({ contentType: "text/html", body: ownPage }));
  await page.goto(`${site.url}own.html`);
  await page.waitForFunction(() => globalThis.ready);
});

after(() => site?.close());

test("the package runs on the page's own thread", async () => {
  const found = await page.evaluate(async () => {
    const lab = await globalThis.shardlab.load();
    const ring = lab.ringAllReduce({
      buffers: [
        [1, 2],
        [10, 20],
        [100, 200],
      ],
    });
    return { row: Array.from(ring.result[0]), steps: ring.steps };
  });
  assert.deepEqual(found, { row: [111, 222], steps: 4 });
});

test("the package runs in a worker", async () => {
  const found = await page.evaluate(async () => {
    const lab = await globalThis.shardlab.loadInWorker();
    const { average } = await lab.dataParallelGradientAverage({ gradients: [[4], [8], [12], [16]] });
    lab.close();
    return Array.from(average);
  });
  assert.deepEqual(found, [10]);
});

test("an error has its three fields on either side", async () => {
  const found = await page.evaluate(async () => {
    const { load, loadInWorker, ShardlabError } = globalThis.shardlab;
    const seen = [];
    for (const lab of [await load(), await loadInWorker()]) {
      try {
        await lab.pipelineBubbleFraction({ stages: 2.5, microBatches: 4 });
      } catch (error) {
        seen.push([error instanceof ShardlabError, error.parameter, error.value, typeof error.rule]);
      }
    }
    return seen;
  });
  assert.deepEqual(found, [
    [true, "stages", 2.5, "string"],
    [true, "stages", 2.5, "string"],
  ]);
});

test("a long call in a worker leaves the page free", async () => {
  const ticks = await page.evaluate(async () => {
    const lab = await globalThis.shardlab.loadInWorker();
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    await lab.pipelineSchedule({ stages: 64, microBatches: 8192 });
    clearInterval(timer);
    lab.close();
    return ticks;
  });
  assert.ok(ticks > 0);
});

test("nothing reached the console", () => assert.deepEqual(page.trouble, []));
