import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { open, widget } from "./browser.mjs";

let site;
let page;

before(async () => {
  site = await open();
  page = await site.lab();
});

after(() => site?.close());

/** The file that an entry of the menu gives. */
async function exported(id, what) {
  const one = widget(page, id);
  await one.root.locator(".menu").evaluate((menu) => {
    menu.open = true;
  });
  const waiting = page.waitForEvent("download");
  await one.root.locator(".menu").getByRole("button", { name: what }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("SVG stands by itself: no class, no style, its colours in it", async () => {
  await widget(page, "all-reduce").step(2);
  const { name, bytes } = await exported("all-reduce", "SVG");
  assert.equal(name, "shardlab-all-reduce.svg");
  const text = bytes.toString();
  const parsed = await page.evaluate((source) => {
    const drawing = new DOMParser().parseFromString(source, "image/svg+xml");
    return {
      wrong: drawing.querySelector("parsererror")?.textContent,
      root: drawing.documentElement.namespaceURI,
      texts: [...drawing.querySelectorAll("text")].map((one) => one.textContent.trim()),
      bare: [...drawing.querySelectorAll("text, rect, path")].filter((one) => !one.hasAttribute("fill")).length,
    };
  }, text);
  assert.equal(parsed.wrong, undefined);
  assert.equal(parsed.root, "http://www.w3.org/2000/svg");
  assert.ok(parsed.texts.includes("1001"));
  assert.equal(parsed.bare, 0);
  assert.doesNotMatch(text, /class=|style=|var\(|<!--/);
});

test("SVG of a pipeline has its gradient sync where there is one", async () => {
  const samples = async () => (await exported("pipeline", "SVG")).bytes.toString().match(/>\s*sync\s*</g)?.length ?? 0;
  assert.equal(await samples(), 0);
  await widget(page, "pipeline").set("gradientSync", "5");
  assert.equal(await samples(), 4);
  await widget(page, "pipeline").set("gradientSync", "0");
});

test("PNG has the figure's pixels, twice as fine", async () => {
  const { name, bytes } = await exported("pipeline", "PNG");
  assert.equal(name, "shardlab-pipeline.png");
  assert.deepEqual([...bytes.subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
  const box = await widget(page, "pipeline").root.locator(".figure svg").evaluate((one) => one.viewBox.baseVal.width);
  assert.equal(bytes.readUInt32BE(16), 2 * box);
  const colours = await page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(data)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const seen = new Set();
    for (let at = 0; at < pixels.length; at += 4) seen.add(`${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`);
    return [...seen];
  }, [...bytes]);
  assert.ok(colours.includes("207,228,245") && colours.includes("255,255,255"), "forward's colour on the panel's");
});

test("CSV is the data table, with numbers that programs read", async () => {
  await widget(page, "all-reduce").step(1);
  const { name, bytes } = await exported("all-reduce", "CSV");
  assert.equal(name, "shardlab-all-reduce.csv");
  assert.equal(
    bytes.toString(),
    ",element 0,element 1,element 2,element 3\n" +
      "rank 0,1,1,1,1001\nrank 1,11,10,10,10\nrank 2,100,110,100,100\nrank 3,1000,1000,1100,1000\n",
  );
});

test("JSON has the state and the result", async () => {
  const { name, bytes } = await exported("pipeline", "JSON");
  assert.equal(name, "shardlab-pipeline.json");
  const { title, link, state, result } = JSON.parse(bytes.toString());
  assert.equal(title, "Pipeline schedule");
  assert.equal(state.microBatches, "4");
  assert.match(link, /#pipeline$/, "it stands as it starts");
  const [{ schedule, found }] = result.executed;
  assert.deepEqual([schedule, found.makespan, found.operations.start.length], ["1f1b", 21, 32]);
});

test("a pipeline is written for PyTorch, and traced for Perfetto", async () => {
  const csv = await exported("pipeline", "PyTorch");
  assert.equal(csv.name, "shardlab-pipeline-schedule.csv");
  assert.match(csv.bytes.toString(), /^0F0,0F1,0F2,0F3,0B0,/);
  const trace = await exported("pipeline", "Perfetto");
  assert.equal(trace.name, "shardlab-pipeline-trace.json");
  assert.equal(JSON.parse(trace.bytes.toString()).traceEvents.filter(({ ph }) => ph === "X").length, 32);
});

test("a citation names the widget and links to its state", async () => {
  const zero = widget(page, "zero");
  await zero.root.locator(".menu").evaluate((menu) => {
    menu.open = true;
  });
  await zero.press("Cite");
  await zero.root.locator(".said p").waitFor();
  const area = zero.root.locator(".said textarea");
  const text = (await area.count()) > 0 ? await area.inputValue() : "";
  assert.match((await zero.root.locator(".said").textContent()).trim(), /^The citation(, to be copied:| is copied\.)/);
  if (text !== "") assert.match(text, /ZeRO memory.*#zero$/);
});

test("nothing was asked of the network, and nothing printed", () => {
  assert.deepEqual(
    page.trouble.filter((one) => !one.startsWith("request: blob:")),
    [],
  );
});
