import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, describe, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { open, restart, settled, widget } from "./browser.mjs";
import { source } from "./sources.mjs";

/** 70 billion parameters on 8 cards. */
const onEight = { tp: "1", pp: "1", dp: "8", zeroStage: "3", recompute: "full", microBatches: "1" };

let site;
let page;
let memory;

before(async () => {
  site = await open();
  page = await site.lab({ only: "memory" });
  memory = widget(page, "memory");
});

after(() => site?.close());

beforeEach(() => restart(page));

async function texts() {
  return (await memory.figureTexts()).map((text) => text.replace(/[\u00a0\u202f]/g, " "));
}

/** What is written beside each bar. */
async function bars() {
  const all = await texts();
  return all.flatMap((text, index) => (/^stage \d+ · /.test(text) ? [[text, all[index + 1]]] : []));
}

async function column(name) {
  const [head, ...rows] = await memory.table();
  return rows.map((row) => row[head.indexOf(name)]);
}

function offers() {
  return memory.root
    .locator(".offers > ul li")
    .evaluateAll((all) => all.map((one) => one.querySelector("span").textContent.replace(/\s+/g, " ").trim()));
}

test("models, mixtures, cards and recipes are those that the lab knows", async () => {
  const { cards, mixtures, models, recipes } = await source("memory-choices.ts");
  const { load } = await importBuilt();
  const lab = await load();
  const named = (all) => all.map(({ id: value, name: label }) => ({ value, label }));
  assert.deepEqual(models, named(lab.transformerPresets()));
  assert.deepEqual(cards, named(lab.accelerators()));
  assert.deepEqual(recipes.map(({ value }) => value), lab.precisionRecipes().map(({ name }) => name));
  const withExperts = models.filter(({ value }) => lab.transformer({ preset: value }).shape.experts > 0);
  assert.deepEqual(mixtures, withExperts.map(({ value }) => value));
});

describe("Llama 3 70B on 64 cards", () => {
  test("has a bar a stage, of which the first holds most", async () => {
    assert.deepEqual(await bars(), [
      ["stage 0 · 20 layers", "44.92 GiB"],
      ["stage 1 · 20 layers", "38.33 GiB"],
      ["stage 2 · 20 layers", "32.98 GiB"],
      ["stage 3 · 20 layers", "29.91 GiB"],
    ]);
    assert.match(await memory.root.locator("g.current").textContent(), /stage 0/);
    assert.deepEqual((await texts()).slice(0, 2), ["79.11 GiB usable", "79.65 GiB built in"]);
    assert.deepEqual(await column("total"), ["48.23 GB", "41.15 GB", "35.41 GB", "32.12 GB"]);
    assert.deepEqual(await column("in flight"), ["4", "3", "2", "1"]);
  });

  test("fits; numbers follow the controls", async () => {
    assert.match(await memory.caption(), /64 × H100 80GB .* 44\.92 GiB of 79\.11 GiB usable; it fits, with 34\.19 GiB to spare\./);
    assert.deepEqual(await offers(), []);
    await memory.expects([
      [{}, { most: "44.92 GiB of 79.11 GiB", fits: "34.19 GiB", cards: "64", bubble: "15.8 %", parameters: "70.55 billion" }],
      [{ zeroStage: "0" }, { cards: "64" }],
      [{ zeroStage: "1", tp: "4" }, { cards: "32" }],
      [{ tp: "8", gpu: "custom", capacity: "40GiB" }, { most: "44.92 GiB of 40 GiB", fits: "4.917 GiB" }],
    ]);
    assert.match(await memory.root.locator("[data-readout=fits]").evaluate((one) => one.previousElementSibling.textContent), /Does not fit/);
  });

  test("of many stages some are drawn, all are in the table", async () => {
    await memory.setAll({ pp: "40", microBatches: "80" });
    assert.deepEqual((await bars()).map(([label]) => label.split(" ")[1]), ["0", "1", "19", "38", "39"]);
    assert.equal((await column("layers")).length, 40);
  });
});

describe("70B on 8 cards", () => {
  test("does not fit, which a text says and not stripes alone", async () => {
    await memory.press("Does 70B fit on 8 cards?");
    assert.deepEqual(await bars(), [["stage 0 · 80 layers", "162.2 GiB, does not fit"]]);
    assert.match(await memory.caption(), /it does not fit, by 83\.05 GiB/);
    assert.equal(await memory.root.locator(".beyond").count(), 1);
  });

  test("fits after each change that is offered, which is undone at once", async () => {
    await memory.setAll(onEight);
    const all = await offers();
    assert.equal(all.length, 4);
    assert.match(all[2], /^Data-parallel ranks: 22 76\.86 GiB; cards 8 → 22; sent in a step 370 GB → 404 GB\.$/);
    for (const [index, text] of all.entries()) {
      const held = /(\d[\d.]* GiB);/.exec(text)[1];
      await memory.root.locator(".offers > ul li button").nth(index).click();
      await memory.settled();
      assert.equal((await memory.readout("most")).split(" of ")[0], held, text);
      assert.match(await memory.caption(), /it fits/, text);
      await memory.press("Undo");
      assert.deepEqual(await offers(), all);
    }
  });

  test("says of every other change why not", async () => {
    await memory.setAll(onEight);
    const refused = memory.root.locator(".offers .refused li");
    const reasons = (await refused.allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());
    assert.ok(reasons.includes("ZeRO stage: All states are sharded already."), reasons.join("; "));
    await memory.setAll({ zeroStage: "0", dp: "1" });
    const bytes = (await refused.allTextContents()).join(" ").replace(/\s+/g, " ");
    assert.match(bytes, /takes enough off the most loaded rank\. The best leaves [\d.]+ GiB\./);
  });

  test("the button that applies a change can be found by its name, and the focus stays in the widget", async () => {
    await memory.setAll(onEight);
    await memory.press("Apply: Data-parallel ranks: 22");
    assert.equal((await memory.state()).dp, "22");
    const focused = await memory.root.evaluate((element) => element.shadowRoot.activeElement?.className);
    assert.match(focused, /figure/);
  });

  test("the fewest cards are cut and share states as the search does, whatever was set of that", async () => {
    const folded = memory.root.locator(".folded summary");
    await folded.click();
    await memory.setAll({ ...onEight, layersPerPart: "80", shardRanks: "8" });
    await memory.press("Apply: Fewest cards: 16");
    assert.match(await memory.caption(), /on 16 × .* it fits/);
    await folded.click();
  });
});

describe("two settings", () => {
  test("are drawn on one axis, the pinned one below", async () => {
    await memory.press("Pin this to compare");
    await memory.setAll({ tp: "4", zeroStage: "3" });
    assert.deepEqual((await bars()).slice(4), [
      ["stage 0 · 20 layers", "44.92 GiB"],
      ["stage 1 · 20 layers", "38.33 GiB"],
      ["stage 2 · 20 layers", "32.98 GiB"],
      ["stage 3 · 20 layers", "29.91 GiB"],
    ]);
    assert.ok((await texts()).includes("Pinned: Llama 3 70B · 64 × H100 80GB"));
    assert.equal(await memory.root.locator(".lighter .piece").count() > 20, true);
    assert.match(await memory.caption(), /Pinned, Llama 3 70B on 64 .*: 44\.92 GiB; it fits/);
    await memory.press("Remove what is pinned");
    assert.equal((await bars()).length, 4);
  });

  test("are in the link", async () => {
    await memory.setAll({ tp: "4", gpu: "custom", capacity: "50GiB" });
    await memory.press("Pin this to compare");
    await memory.set("gpu", "b200-180gb");
    const link = await memory.root.evaluate((element) => element.permalink());
    const other = await site.lab({ only: "memory", fragment: link.slice(link.indexOf("#")) });
    const again = widget(other, "memory");
    assert.equal(await again.caption(), await memory.caption());
    assert.ok((await again.figureTexts()).includes("50 GiB usable"));
    assert.deepEqual(other.trouble, []);
    await other.close();
  });

  test("of which the pinned one cannot be, leave the other as it is, and say so", async () => {
    await memory.root.evaluate((element) => {
      element.state = { pinned: "pin=1&tp=3&schedule=none&nothing=1" };
      return element.updateComplete;
    });
    assert.equal((await bars()).length, 4);
    assert.match(await memory.caption(), /What was pinned cannot be shown: heads is 64; it must be a multiple of tp/);
  });
});

/** A formula with values, as "2 · 8 192 · 1 · (128 + 64) / 8", computed. */
function computed(text) {
  const plain = text
    .replace(/\s/g, "")
    .replace(/·/g, "*")
    .replace(/−/g, "-")
    .replace(/⌈/g, "Math.ceil(")
    .replace(/⌉/g, ")");
  assert.match(plain.replace(/Math\.ceil/g, ""), /^[\d+*/().-]+$/, text);
  return Function(`return ${plain}`)();
}

describe("each formula with the reader's values gives the bytes that stand behind it", () => {
  const cases = {
    "a Llama over tensor-parallel ranks by tokens": {},
    "heads that are held twice, sequences cut": { tp: "16", cp: "2", sequenceParallel: "off" },
    "a GPT": { model: "gpt3-175b", flash: "off", sequence: "2048", tp: "1" },
    "a vocabulary that does not divide": { model: "gpt2", tp: "4", pp: "1", sequence: "1024" },
    "experts": { model: "mixtral-8x7b", ep: "2", zeroStage: "3" },
    "latent attention, experts over several ranks": { model: "deepseek-v3", ep: "2", dp: "4", cp: "2" },
    "norms of outputs": { model: "gemma2-27b", sequenceParallel: "off" },
    "gpt-oss": { model: "gpt-oss-120b", pp: "1" },
    "groups that share states": { dp: "16", zeroStage: "3", shardRanks: "8" },
    "another optimizer": { recipe: "fp32-adam", zeroStage: "2" },
  };
  for (const [name, state] of Object.entries(cases)) {
    test(name, async () => {
      await memory.root.evaluate((element, given) => {
        element.state = given;
        return element.updateComplete;
      }, state);
      const reasons = (await memory.reasons()).map((text) => text.split(" = "));
      const formulas = reasons.filter((parts) => parts.length === 3);
      assert.ok(formulas.length >= 10, `${formulas.length} formulas`);
      for (const [letters, values, bytes] of formulas) {
        const found = Number(bytes.replace(/[^\d.]/g, ""));
        // A shard is rounded up to whole elements.
        assert.ok(Math.abs(computed(values) - found) <= 64, `${letters} = ${values} = ${bytes}`);
      }
    });
  }
});

test("a model of one's own is read from its config.json, and has experts cut where it has any", async () => {
  assert.equal(await memory.control("ep").count(), 0);
  await memory.set("model", "mixtral-8x7b");
  assert.equal(await memory.control("ep").count(), 1);
  await memory.set("model", "config");
  assert.equal(await memory.readout("parameters"), "8.03 billion");
  await memory.set("config", "{");
  assert.match((await memory.error("config")).text, /must be JSON/);
  assert.match(await memory.caption(), /last valid input/);
});

test("what is less used is folded away, and shows itself where it is wrong", async () => {
  const folded = memory.root.locator(".folded");
  assert.equal(await folded.evaluate((one) => one.open), false);
  await memory.root.evaluate((element) => {
    element.state = { fragmentation: "2" };
    return element.updateComplete;
  });
  assert.equal(await folded.evaluate((one) => one.open), true);
  assert.match((await memory.error("fragmentation")).text, /Lost between blocks must be .* from 0 to 1\. It is 2\./);
  await memory.setAll({ fragmentation: "0", layersPerPart: "19, 20, 20, 21" });
  assert.equal(await folded.locator("summary").textContent(), "More settings, 2 changed");
  assert.deepEqual(await column("layers"), ["19", "20", "20", "21"]);
  assert.deepEqual(await column("fragmentation"), ["0 B", "0 B", "0 B", "0 B"]);
  await memory.set("layersPerPart", "19, x");
  assert.match((await memory.error("layersPerPart")).text, /whole numbers, one for each model part/);
});

describe("what has a default", () => {
  const defaults = {
    contextBytes: "987842478",
    communicationBytes: "1GiB",
    bucketBytes: "50MiB",
    prefetchedLayers: "1",
    fragmentation: "0.02",
    logitGradients: "on",
    stageOutputs: "off",
    perNode: "8",
  };

  test("says at its control which it is and where it is from, with a link", async () => {
    const { allowances } = await source("memory-allowances.ts");
    assert.deepEqual(allowances.map(({ name }) => name), Object.keys(defaults));
    await memory.disclose("folded");
    const listed = [];
    for (const { name, initial } of allowances) {
      const help = memory.control(name).locator(".help").last();
      assert.match(await help.textContent(), initial === "" ? /when left empty.* Source: ./s : /Source: ./, name);
      listed.push(...(await help.locator("a").evaluateAll((all) => all.map((one) => one.href))));
    }
    for (const url of listed) assert.match(url, /^https:\/\/\S+$/);
    await memory.disclose("why");
    const behind = await memory.root.locator(".sources a").evaluateAll((all) => all.map((one) => one.href));
    for (const url of listed) assert.ok(behind.includes(url), url);
  });

  test("is what is used where nothing else is given", async () => {
    for (const layout of [{}, { zeroStage: "3", dp: "4" }]) {
      await memory.setAll(layout);
      const before = [await column("total"), await offers()];
      await memory.disclose("folded");
      await memory.setAll(defaults);
      assert.deepEqual([await column("total"), await offers()], before);
      for (const [name, other] of [["contextBytes", "2GiB"], ["communicationBytes", "0"], ["fragmentation", "0.5"], ["logitGradients", "off"], ["stageOutputs", "on"]]) {
        await memory.set(name, other);
        assert.notDeepEqual(await column("total"), before[0], name);
        await memory.set(name, defaults[name]);
      }
      await restart(page);
    }
  });

  test("of a card is what a program can have of it, with its source", async () => {
    const lab = await (await importBuilt()).load();
    const { usableBytes, source: from } = lab.accelerators().find(({ id }) => id === "h100-80gb");
    const reasons = (await memory.reasons()).map((text) => text.replace(/[\u00a0\u202f]/g, " "));
    assert.ok(reasons.some((text) => text.endsWith(`= ${String(usableBytes).replace(/\B(?=(\d{3})+$)/g, " ")} B`)), reasons.join("; "));
    assert.ok((await memory.root.locator(".why .note").allTextContents()).some((text) => text.includes(from)));
  });
});

describe("launch flags", () => {
  /** The file of a framework, its name and text. */
  async function file(label) {
    await memory.disclose("menu");
    const [download] = await Promise.all([page.waitForEvent("download"), memory.press(label)]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  }

  async function settings() {
    await memory.disclose("more");
    return memory.root.locator(".more tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  }

  test("are a file for each framework", async () => {
    const megatron = await file("Megatron-LM");
    assert.equal(megatron.name, "shardlab-memory-megatron.txt");
    assert.match(megatron.text, /^--tensor-model-parallel-size 8 \\$/m);
    assert.match(megatron.text, /^--num-layers 80 \\$/m);
    const deepspeed = await file("DeepSpeed");
    assert.equal(deepspeed.name, "shardlab-memory-deepspeed.json");
    assert.equal(JSON.parse(deepspeed.text).zero_optimization.stage, 1);
    const titan = await file("torchtitan");
    assert.equal(titan.name, "shardlab-memory-torchtitan.toml");
    assert.match(titan.text, /^tensor_parallel_degree = 8$/m);
    const wrapped = await file("FSDP2");
    assert.equal(wrapped.name, "shardlab-memory-fsdp2.py");
    assert.match(wrapped.text, /^fully_shard\(model, \*\*options\)$/m);
  });

  test("are a table that follows the controls, and says that they were not run", async () => {
    const row = async (name) => (await settings()).find(([one]) => one === name);
    assert.deepEqual(await row("--tensor-model-parallel-size"), [
      "--tensor-model-parallel-size",
      "8",
      "ranks that every matrix is cut over",
    ]);
    assert.match(await memory.root.locator(".more .note").textContent(), /Megatron-LM.* not run here.* NVIDIA\/Megatron-LM at /);
    await memory.set("tp", "4");
    assert.equal((await row("--tensor-model-parallel-size"))[1], "4");
  });

  test("of another framework say what it has no setting for, by the controls' names", async () => {
    await memory.disclose("folded");
    await memory.set("framework", "deepspeed");
    assert.deepEqual((await settings()).find(([name]) => name === "zero_optimization.stage")?.[1], "1");
    const left = await memory.root.locator(".more li").allTextContents();
    assert.ok(left.some((sentence) => sentence.startsWith("sequence parallelism: ")), left.join("; "));
    assert.ok(left.some((sentence) => sentence.startsWith("pp 4: ")), left.join("; "));
  });
});

test("nothing in the figure is cut off or lies on something else, on a telephone neither", async () => {
  for (const width of [1200, 390, 320]) {
    const other = await site.lab({ only: "memory", width });
    const one = widget(other, "memory");
    await one.press("Pin this to compare");
    for (const state of [{}, { gpu: "v100-32gb" }, onEight]) {
      await one.setAll(state);
      const problems = await one.root.locator(".figure svg").evaluate((svg) => {
        const room = svg.getBoundingClientRect();
        const all = [...svg.querySelectorAll("text")].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
        const outside = all.filter(({ box }) => box.left < room.left - 1 || box.right > room.right + 1);
        const onEachOther = all.flatMap((a, index) =>
          all
            .slice(index + 1)
            .filter((b) => a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top < b.box.bottom - 4 && b.box.top < a.box.bottom - 4)
            .map((b) => `${a.text} on ${b.text}`),
        );
        return [...outside.map(({ text }) => text), ...onEachOther];
      });
      assert.deepEqual(problems, [], `at ${width} pixels, ${JSON.stringify(state)}`);
    }
    await settled(other);
    assert.deepEqual(other.trouble, []);
    await other.close();
  }
});
