// The verification: all tables, one of them, and a cell that is chosen by a link, by keys and by a click.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { open, restart, widget } from "./browser.mjs";
import { source } from "./sources.mjs";

let site;
let page;
let verify;

before(async () => {
  site = await open();
  page = await site.lab({ only: "verify" });
  verify = widget(page, "verify");
});

after(() => site?.close());

beforeEach(() => restart(page));

const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");
const chosen = () => verify.root.locator(".match-cell.picked").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell")));
const shown = (texts) =>
  verify.root.evaluate(async (element, state) => {
    element.state = state;
    await element.updateComplete;
  }, texts);

test("all tables are listed with how many of their cells agree, and none differs without a reason", async () => {
  const { counts, tables } = await verify.root.evaluate((element) => element.results);
  assert.equal(counts.differ, 0);
  assert.equal(await verify.root.locator(".matches .name").count(), tables.length);
  assert.match(plain(await verify.caption()), /^Of 1 600 published numbers and operations 1 571 are got again, .*None differs without one\.$/);
  assert.equal(plain(await verify.readout("known")), "29");
  await verify.disclose("data");
  assert.equal(await verify.root.locator(".data tbody tr").count(), tables.length);
});

test("what differs is shown alone: tables, and rows of a table", async () => {
  await verify.set("show", "differing");
  assert.deepEqual(await verify.root.locator(".matches .name").allTextContents(), [
    "ZeRO, table 2",
    "Playbook, bubbles",
    "Zero Bubble, table 5",
    "PyTorch, zero bubble",
  ]);
  await verify.set("table", "ultrascale_bubble");
  assert.match(await verify.root.locator(".magnifier [role=status]").textContent(), /Rows 1 to \d of 9/);
  await verify.set("table", "zero_table1");
  assert.match(await verify.caption(), /^No cell of this table differs\./);
});

test("a link leads to a cell, which stands in the picture and says how it is computed", async () => {
  const linked = await site.lab({ only: "verify", fragment: "#v=1&verify.table=nccl_double_binary_tree&verify.cell=32-ranks-rank-31.tree1-parent" });
  const one = widget(linked, "verify");
  await one.settled();
  assert.equal(await one.root.locator('.picked[data-cell="32-ranks-rank-31.tree1-parent"]').count(), 1);
  assert.match(await one.caption(), /^32 ranks, rank 31, tree1 parent: printed −1, computed −1\. They agree\. Computed: double_binary_tree/);
  assert.equal(await one.root.locator(".magnifier [role=status]").textContent(), "Rows 97 to 104 of 104");
  assert.deepEqual(linked.trouble, []);
  await linked.close();
});

test("a cell says what is printed, what is computed, what is between them, and why", async () => {
  await shown({ table: "zero_table1", cell: "64-ranks.p-os" });
  assert.deepEqual(
    [await verify.readout("expected"), await verify.readout("got"), await verify.readout("difference"), await verify.readout("tolerance")].map(plain),
    ["31.4 GB", "31.4063 GB", "0.00625 GB", "0.05 GB"],
  );
  assert.match(plain(await verify.caption()), /They may differ by 0\.05 GB: half a unit of the last printed digit\. Source: Rajbhandari et al\./);
  await verify.disclose("why");
  assert.match(await verify.root.locator(".why .sources").textContent(), /Rajbhandari.*table 1/);
  assert.equal(await verify.root.locator(".why .sources a").getAttribute("href"), "https://arxiv.org/abs/1910.02054");

  await shown({ table: "zero_bubble_table5", cell: "1-5b-p-8-m-24-1f1b-i.with-every-dependency" });
  assert.match(await verify.caption(), /printed 0\.1055, computed 0\.108967775\d+\. They differ, and it is known why\. The published rates were simulated without one dependency/);
});

test("keys and buttons go from cell to cell, and Undo goes back", async () => {
  await verify.set("table", "zero_table1");
  const figure = verify.root.locator(".figure");
  await figure.focus();
  await page.keyboard.press("ArrowRight");
  await verify.settled();
  assert.deepEqual(await chosen(), ["1-rank.p-os"]);
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
  await verify.settled();
  assert.deepEqual(await chosen(), ["4-ranks.p-os"]);
  await verify.root.locator(".magnifier button[aria-label='cell below']").click();
  await verify.settled();
  assert.deepEqual(await chosen(), ["16-ranks.p-os"]);
  await figure.focus();
  await page.keyboard.press("0");
  await verify.settled();
  assert.deepEqual(await chosen(), []);
  await verify.press("Undo");
  assert.deepEqual(await chosen(), ["16-ranks.p-os"]);
});

test("a click chooses a cell", async () => {
  await verify.set("table", "korthikanti_table3_5");
  await verify.root.locator('[data-cell="175b.model-flops-utilization"]').click();
  await verify.settled();
  assert.deepEqual(await chosen(), ["175b.model-flops-utilization"]);
  assert.match(await verify.caption(), /^175B, model FLOPs utilization: printed 51\.4/);
});

test("what is printed is shown as it is printed, and its unit in words", async () => {
  await shown({ table: "korthikanti_table3_5", cell: "22b.throughput-increase" });
  assert.equal(plain(await verify.readout("expected")), "29.0 %");
  assert.match(plain(await verify.caption()), /^22B, throughput increase: printed 29\.0 %, computed 29\.0909/);
  assert.ok((await verify.figureTexts()).includes("29.0"));
  await verify.disclose("data");
  assert.equal(await verify.root.locator(".data tbody tr").first().locator("td, th").nth(3).textContent(), "29.0");
  await verify.disclose("why");
  assert.match(plain(await verify.root.locator(".why").textContent()), /− ?29\.0 ?%/);
  await shown({ table: "zero_table2", cell: "1-of-64-gpus.p-os" });
  assert.match(plain(await verify.caption()), /printed 7\.6 billion parameters, computed 7\.64179/);
});

test("a link's cell that is none leaves the table that the link asks for, and is told", async () => {
  const linked = await site.lab({ only: "verify", fragment: "#v=1&verify.table=zero_table1&verify.cell=nonsense" });
  const one = widget(linked, "verify");
  await one.settled();
  assert.deepEqual(await one.state().then(({ table, cell }) => [table, cell]), ["zero_table1", ""]);
  assert.match(await one.caption(), /^Memory of the training states/);
  assert.deepEqual(await one.root.locator(".notices p").allTextContents(), [
    "From the link: Cell must be a cell of a table, as 1-rank.p-os is. It is nonsense. Left out.",
  ]);
  assert.deepEqual(linked.trouble, []);
  await linked.close();
});

test("whatever the core says of its tables, Chinese has; names of works and files stay as they are", async () => {
  const lab = await (await importBuilt()).load();
  const { rule, speaking } = await source("words.ts");
  const { default: chinese } = await source("words/zh-hans.ts");
  const inChinese = (text) => speaking(chinese, () => rule(text));
  const isName = (text) => !/\s/.test(text) && /[./_+%]|^[A-Z]|^(us|ms|algbw)$/.test(text);
  for (const { id, title, rowHeader, rows, columns, derivations, source: { place }, cells } of lab.verify({}).tables) {
    const sentences = derivations.flatMap(({ formula, assumption, tolerance, knownDifference }) => [formula, assumption, tolerance, knownDifference]);
    const heads = [rowHeader, place, ...columns.flatMap(({ name, unit }) => [name, unit])];
    const words = cells.flatMap(({ expected, got }) => [expected, got]).filter((value) => value === "idle");
    for (const text of [title, ...sentences, ...heads, ...words]) {
      if (text !== "" && !isName(text)) assert.match(inChinese(text), /\p{Script=Han}/u, `${id}: ${text}`);
    }
    // Of models, plots and runs the rows have the names.
    for (const row of rows) if (/ ranks?\b|GPUs|cards?\b|hierarchical|recomputation\b(?=$)/.test(row)) assert.match(inChinese(row), /\p{Script=Han}/u, row);
  }
  await verify.root.evaluate((element) => {
    element.lang = "zh";
    return element.updateComplete;
  });
  await shown({ table: "zero_table2", cell: "4-of-256-gpus.p-os" });
  assert.match(plain(await verify.caption()), /^256 个 GPU 中的 4 个，P_os：印出 30\.4 × 10⁹ 个参数/);
  assert.doesNotMatch((await verify.caption()).replace(/Rajbhandari[^。]*/, ""), /[a-z]{4,} [a-z]{3,}/);
  await verify.root.evaluate((element) => {
    element.removeAttribute("lang");
    return element.updateComplete;
  });
});

test("a cell of another table is no cell of this one, and one of no table is refused", async () => {
  await shown({ table: "zero_table2", cell: "64-ranks.p-os" });
  assert.deepEqual(await chosen(), []);
  await shown({ table: "zero_table1", cell: "nowhere" });
  assert.match(await verify.root.locator(".caption .error").textContent(), /must be a cell of a table, as 1-rank\.p-os is\. It is nowhere\./);
  assert.deepEqual(page.trouble, []);
});

test("the data table has every cell of the table, and can be reached by keyboard", async () => {
  await verify.set("table", "nccl_double_binary_tree");
  await verify.disclose("data");
  const region = verify.root.locator(".data .scroll");
  assert.equal(await region.locator("tbody tr").count(), 624);
  assert.equal(await region.getAttribute("tabindex"), "0");
});
