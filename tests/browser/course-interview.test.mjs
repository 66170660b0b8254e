/** The course's interview questions: answers are folded away, and each number in them is the lab's. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { open, widget } from "./browser.mjs";

let site;
let lab;

before(async () => {
  site = await open();
  lab = await (await importBuilt()).load();
});

after(() => site?.close());

const plain = (text) => text.replace(/\s+/g, " ").trim();
const three = (value) => String(Number(value.toPrecision(3)));
const four = (value) => String(Number(value.toPrecision(4)));
const config = { model_type: "llama", hidden_size: 8192, num_attention_heads: 64, num_key_value_heads: 8, intermediate_size: 28672, num_hidden_layers: 80, vocab_size: 128256 };

/** The numbers that stand in each answer, by the lab. */
const numbers = {
  ring: () => {
    const of = (algorithm) => lab.allReduceCost({ ranks: 8, bytes: 1e9, algorithm });
    const [ring, halving, tree] = ["ring", "halving-doubling", "tree"].map(of);
    assert.equal(halving.bytesSentPerRank, ring.bytesSentPerRank);
    assert.equal(halving.steps, tree.steps);
    return [`${ring.leastTotalBytes / 1e9} GB in all and ${ring.leastBusiestRankBytes / 1e9} GB a rank`, `${ring.bytesSentPerRank / 1e9} GB in ${halving.steps} steps instead of ${ring.steps}`, `root sends ${tree.bytesSentPerRank / 1e9} GB`];
  },
  split: () => {
    const cost = lab.tensorParallelCost({ config, ranks: 8, sequence: 8192 });
    const [{ bytes, bytesSentPerRank, count }, ...others] = cost.collectives;
    assert.equal([...others.slice(0, 3)].every((one) => one.count === count && one.bytesSentPerRank === bytesSentPerRank), true);
    const time = (rate) => `${three((4e3 * bytesSentPerRank) / rate)} ms`;
    return [`${four(bytes / 1e6)} MB`, `${four(bytesSentPerRank / 1e6)} MB in each of four`, `${time(450e9)} a layer`, time(50e9), `${three((6e3 * cost.layerMultiplications) / 400e12)} ms at 400 TFLOP/s`];
  },
  bubble: () => {
    const of = (stages, microBatches) => `${three(100 * lab.pipelineBubbleFraction({ stages, microBatches }))} %`;
    const interleaved = lab.interleavedBubbleFraction({ stages: 8, microBatches: 8, chunks: 4 });
    return [of(8, 8), `32 bring it to ${of(8, 32)}`, `7 / (4 · 8 + 7), the same ${three(100 * interleaved)} %`];
  },
  zero: () => {
    const found = [0, 1, 2, 3].map((zeroStage) => lab.zeroStates({ params: 7e9, ranks: 8, zeroStage }));
    const [none, one, two, three] = found.map(({ totalBytes }) => totalBytes / 1e9);
    assert.equal(found[2].sentBytes, found[0].sentBytes);
    return [`${none}, ${one}, ${two} and ${three} GB`, `${found[0].sentBytes / 1e9} GB a step`, `${found[3].sentBytes / 1e9} GB, half as much again`];
  },
  job: () => {
    const common = { preset: "llama3-70b", gpu: "h100-80gb", tp: 8, zeroStage: 1, sequence: 8192, microBatches: 16, sequenceParallel: true, flash: true, recompute: "none" };
    const found = lab.footprint({ ...common, pp: 2, dp: 4 });
    const flat = lab.footprint({ ...common, pp: 1, dp: 8 });
    assert.ok(found.fits && flat.fits && found.cost.ranks === 64);
    const { parameters, weightBytes, gradientBytes, optimizerBytes, activationBytes } = found.perStage[0];
    const { bubbleOfTotal, tensorBytes, dataBytes, pipelineBytes } = found.cost;
    const gb = (size) => `${three(size / 1e9)} GB`;
    return [
      `${three(parameters / 1e9)} billion parameters`,
      `${gb(weightBytes)} of weights, ${gb(gradientBytes)} of gradients`,
      `a quarter of the optimizer, ${gb(optimizerBytes)}`,
      gb(activationBytes),
      `holds ${three(found.mostLoadedRankBytes / 2 ** 30)} GiB`,
      `${three(100 * bubbleOfTotal)} %`,
      `sends ${gb(tensorBytes)} for tensor parallelism`,
      `${gb(dataBytes)} for data parallelism and ${gb(pipelineBytes)}`,
      `holds ${three(flat.mostLoadedRankBytes / 2 ** 30)} GiB`,
    ];
  },
};

test("answers are folded away, and each number in them is the lab's", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(`${site.url}course.html`);
  const all = page.locator(".interview details");
  assert.deepEqual(await all.evaluateAll((found) => found.map(({ dataset, open }) => [dataset.question, open])), Object.keys(numbers).map((name) => [name, false]));
  for (const [name, of] of Object.entries(numbers)) {
    const text = plain(await page.locator(`[data-question="${name}"]`).textContent());
    for (const expected of of()) assert.ok(text.includes(expected), `${name}: ${expected}`);
  }
  await page.close();
});

test("links into the lab show what they speak of", async () => {
  const page = await site.page();
  await page.goto(`${site.url}course.html`);
  const links = await page.locator(".interview a[href^='index.html']").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.equal(links.length, 5);
  const shown = await site.page();
  for (const link of links) {
    await shown.goto(site.url + link);
    assert.equal(await shown.locator("#notice").isVisible(), false, link);
  }
  const memory = widget(shown, "memory");
  await memory.root.scrollIntoViewIfNeeded();
  await memory.settled();
  assert.match(plain(await memory.caption()), /on 64 × H100 80GB \(tp 8, pp 2, dp 4, ZeRO stage 1\): a rank of stage 0 holds most, 52\.67 GiB .*; it fits/);
  assert.deepEqual(shown.trouble, []);
  await shown.close();
  await page.close();
});
