import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, settled, tags, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;
let page;

before(async () => {
  site = await open();
  page = await site.lab();
});

after(() => site?.close());

/** What a user may type into each parameter, and what the page must say: the rule, in part, and the value. */
const notWhole = repeated(["2.5"], ["abc", "-1", "", "nan", "1e400", "Infinity", "1 2"]);
const notReal = repeated(["abc"], ["-1", "nan", "1e400"]);
const bad = {
  "all-reduce": {
    ranks: [...notWhole, "0", "1025", "1e9"],
    bytes: [...notWhole, "1e300"],
    latencySeconds: [...notReal, ""],
    bytesPerSecond: [...notReal, "", "0"],
    elements: [...notWhole.filter((text) => text !== ""), "0", "1e12", "1e15"],
  },
  "all-reduce-cost": {
    ranks: [...notWhole, "0", "1e12"],
    bytes: [...notWhole, "1e300"],
    latencySeconds: [...notReal, ""],
    bytesPerSecond: [...notReal, "", "0"],
  },
  "data-parallel": { gradients: ["", "1,2\n3\n", "1,x\n", "nan\n", "1\n\n2\n", "1e999\n", "a;b"] },
  "tensor-parallel": {
    ranks: [...notWhole, "0", "1e12"],
    inFeatures: [...notWhole, "0", "1e12"],
    outFeatures: [...notWhole, "0", "1e12"],
    batch: [...notWhole, "0", "1e12"],
    seed: notWhole,
  },
  bubble: { stages: [...notWhole, "0", "1e12"], microBatches: [...notWhole, "0", "1e12"] },
  pipeline: {
    stages: [...notWhole, "0", "1e12"],
    microBatches: [...notWhole, "0", "1e12"],
    forward: [...notReal, "", "0"],
    backward: [...notReal, "", "0"],
    communication: [...notReal, ""],
    gradientSync: [...notReal, ""],
    activationBytes: [...notReal, "1e300", "2 apples"],
  },
  zero: {
    params: [...notWhole, "0", "1e300"],
    ranks: [...notWhole, "0", "1e12"],
    zeroStage: [...notWhole, "4"],
    capacity: [...notReal, "0"],
  },
  memory: {
    tp: [...notWhole, "0", "1e12"],
    pp: [...notWhole, "0", "1e12"],
    dp: [...notWhole, "0", "1e12"],
    zeroStage: [...notWhole, "4"],
    microBatches: [...notWhole, "0", "1e12"],
    sequence: [...notWhole, "0", "1e12"],
  },
};

for (const [id, parameters] of Object.entries(bad)) {
  for (const [parameter, texts] of Object.entries(parameters)) {
    test(`${id}: a bad ${parameter} is refused by name, and the last good picture stays`, async () => {
      const one = widget(page, id);
      const field = one.control(parameter).locator("input[type=text], textarea");
      const good = await field.inputValue();
      const [figure, readouts] = [await one.figure(), await one.readouts()];
      for (const text of texts) {
        await one.set(parameter, text);
        const error = await one.error(parameter);
        assert.ok(error.invalid, `${parameter} = ${JSON.stringify(text)} is marked as invalid`);
        assert.ok(error.described, "the field points to its error");
        assert.match(error.text, / must .+\. (It is .+|Nothing is given)\.$/, `for ${JSON.stringify(text)}`);
        assert.equal(await one.figure(), figure, `the picture stays for ${JSON.stringify(text)}`);
        assert.deepEqual(await one.readouts(), readouts);
        assert.match(await one.caption(), /last valid input is shown/);
        assert.equal(await field.inputValue(), text, "the text stays as typed");
      }
      await one.set(parameter, good);
      assert.deepEqual(await one.error(parameter), { invalid: false, text: "", described: true });
      assert.doesNotMatch(await one.caption(), /last valid input/);
    });
  }
}

test("an error names the control's own parameter only", async () => {
  const pipeline = widget(page, "pipeline");
  await pipeline.set("microBatches", "2.5");
  assert.match((await pipeline.error("microBatches")).text, /^Micro-batches must .*whole number.*It is 2\.5\.$/);
  assert.equal((await pipeline.error("stages")).invalid, false);
  await pipeline.set("microBatches", "8");
});

test("ring: a bad CSV is refused at its text area", async () => {
  const ring = widget(page, "all-reduce");
  await ring.set("source", "csv");
  for (const text of ["", "1,2\n3\n", "1,x\n", "1;2\n"]) {
    await ring.set("csv", text);
    assert.ok((await ring.error("csv")).invalid, JSON.stringify(text));
  }
  await ring.set("csv", "1,2\n3,4\n");
  assert.equal((await ring.error("csv")).invalid, false);
  await ring.set("source", "powers");
});

test("ring: a chunk that no rank has is refused, also where the ranks become fewer", async () => {
  const ring = widget(page, "all-reduce");
  await ring.set("follow", "one");
  for (const text of [...notWhole, "4"]) {
    await ring.set("chunk", text);
    assert.match((await ring.error("chunk")).text, /^Chunk must be a whole number from 0 to 3\./);
  }
  await ring.set("chunk", "3");
  assert.equal((await ring.error("chunk")).invalid, false);
  await ring.set("ranks", "3");
  assert.match((await ring.error("chunk")).text, /from 0 to 2\. It is 3\.$/);
  await ring.setAll({ ranks: "4", chunk: "0", follow: "all" });
});

test("ZeRO: a bad config.json is refused at its text area", async () => {
  const zero = widget(page, "zero");
  await zero.set("source", "config");
  const field = zero.control("config").locator("textarea");
  const good = await field.inputValue();
  const figure = await zero.figure();
  const wrong = [
    ["", /JSON/],
    ["{", /JSON/],
    ["[1]", /JSON object/],
    ["null", /JSON object/],
    ['{"model_type": "unknown"}', /model_type/],
    ["{}", /model_type/],
    ['{"model_type": "llama"}', /hidden_size|vocab_size|num_hidden_layers/],
    [good.replace("4096", '"many"'), /hidden_size/],
    [good.replace("4096", "-1"), /hidden_size/],
  ];
  for (const [text, rule] of wrong) {
    await zero.set("config", text);
    const error = await zero.error("config");
    assert.ok(error.invalid, JSON.stringify(text));
    assert.match(error.text, rule);
    assert.equal(await zero.figure(), figure);
  }
  await zero.set("config", good);
  assert.equal((await zero.error("config")).invalid, false);
  await zero.set("source", "params");
});

test("a file that is too large is refused before it is read", async () => {
  const data = widget(page, "data-parallel");
  const file = { name: "big.csv", mimeType: "text/csv", buffer: Buffer.alloc(5 * 2 ** 20, "1\n") };
  await data.control("gradients").locator("input[type=file]").setInputFiles(file);
  await data.root.locator(".wrong").waitFor();
  assert.match((await data.error("gradients")).text, /larger than 4 MiB/);
  await data.set("gradients", "4\n8\n12\n16\n");
});

test("a text of more lines than a page can lay out is refused before it stands there; of many, it is pasted at once", async () => {
  const data = widget(page, "data-parallel");
  const area = data.control("gradients").locator("textarea");
  const good = await area.inputValue();
  const paste = (text) =>
    area.evaluate((one, pasted) => {
      one.select();
      const event = new InputEvent("beforeinput", { inputType: "insertFromPaste", data: pasted, bubbles: true, cancelable: true, composed: true });
      return one.dispatchEvent(event);
    }, text);
  assert.equal(await paste("1\n".repeat(100_000)), false, "the browser does not paste it");
  await data.settled();
  assert.match((await data.error("gradients")).text, /^Gradients, a row per rank must have at most 10000 lines\. It is a text of 100000 lines\.$/);
  assert.equal(await area.inputValue(), good);

  await area.fill("1\n".repeat(10_001));
  await data.settled();
  assert.match((await data.error("gradients")).text, /It is a text of 10001 lines\.$/);
  assert.equal(await area.inputValue(), good);

  const file = { name: "long.csv", mimeType: "text/csv", buffer: Buffer.alloc(50_000, "1\n") };
  await data.control("gradients").locator("input[type=file]").setInputFiles(file);
  await data.root.locator(".wrong", { hasText: "25000" }).waitFor();
  assert.equal(await area.inputValue(), good);

  assert.equal(await paste("1\n".repeat(1000)), false);
  await data.settled();
  assert.equal((await data.error("gradients")).invalid, false);
  assert.equal((await data.state()).gradients, "1\n".repeat(1000));
  assert.equal(await paste("2\n4\n"), true, "a short one is the browser's matter");
  await data.set("gradients", good);
});

test("a field keeps the focus and the caret while the page computes and draws", async () => {
  const bubble = widget(page, "bubble");
  const field = bubble.control("stages").locator("input[type=text]");
  await field.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("1x2");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await bubble.settled();
  assert.equal(await field.inputValue(), "12");
  assert.deepEqual(
    await field.evaluate((input) => [input.getRootNode().activeElement === input, input.selectionStart]),
    [true, 1],
  );
  await bubble.set("stages", "4");
});

test("nothing of all this reached the console", async () => {
  await settled(page);
  assert.equal((await tags(page)).length, 13);
  assert.deepEqual(page.trouble, []);
});
