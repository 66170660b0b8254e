import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import path from "node:path";
import { nativeNames } from "../native_cases.mjs";
import { violations } from "./accessibility.mjs";
import { open, siteDirectory } from "./browser.mjs";
import { repeated } from "./tier.mjs";

const solution = await readFile(new URL("../exercise/solution.js", import.meta.url), "utf8");
const offByOne = solution.replace("send(r, r + 1 - s, false)", "send(r, r - s, false)");
const cases = nativeNames("[ring_all_reduce]").length;

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

/** The exercise's page, with its editor and its cases. */
async function openExercise({ fragment = "", ...options } = {}) {
  const page = await site.page(options);
  await page.goto(`${site.url}exercise.html${fragment}`);
  await ready(page);
  return page;
}

const view = (page) => page.locator("shardlab-exercise");
const ready = (page) => view(page).evaluate((element) => element.ready.then(() => element.updateComplete));
const editor = (page) => view(page).getByRole("textbox", { name: /, JavaScript$/ });
const written = async (page) => (await editor(page).innerText()).trim();
const status = (page) => view(page).locator(".status");

/** Puts a text in place of what stands in the editor, as a reader pastes. */
async function write(page, text) {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Presses Run, and gives what is said at the end. */
async function run(page) {
  await view(page).getByRole("button", { name: "Run", exact: true }).click();
  return ended(page);
}

async function ended(page) {
  await view(page).locator("button[name=run][aria-disabled=false]").waitFor();
  return (await status(page).innerText()).replace(/\s+/g, " ").trim();
}

/** All of a student's work at once. */
function put(page, work, task = "ring-all-reduce") {
  return view(page).evaluate(
    (element, [file, id]) => {
      element.task = id;
      element.work = file;
      return element.updateComplete;
    },
    [work, task],
  );
}

/** What is said to describe an element, within its own tree. */
const described = (locator) => locator.evaluate((element) => element.getRootNode().getElementById(element.getAttribute("aria-describedby")).textContent.trim());

const states = (page) => view(page).locator(".cases li").evaluateAll((all) => all.map((one) => one.dataset.state));

test("a student writes the ring from the page's own words, and every native case passes", async () => {
  const page = await openExercise();
  const words = await view(page).locator(".task").innerText();
  for (const said of ["chunk (r − s) mod N to rank r + 1", "chunk (r + 1 − s) mod N", "8 bytes an element", "work on a copy"]) assert.ok(words.includes(said), said);
  await view(page).getByText("Ranks, chunks, and what may be called").click();
  assert.match(await view(page).locator(".task").innerText(), /73 elements in 4 chunks are 19, 18, 18, 18/);

  assert.match(await editor(page).innerText(), /function ringAllReduce\(\{ buffers \}\) \{/);
  assert.equal(await status(page).innerText(), `${cases} cases wait for ringAllReduce.`);
  assert.equal(await run(page), `0 of ${cases} cases pass, ${cases} failed.`);
  await write(
    page,
    `function ringAllReduce({ buffers }) {
  const n = buffers.length;
  const tensors = buffers.map((tensor) => tensor.slice());
  const sent = new Array(n).fill(0);
  const elements = tensors[0].length;
  const short = Math.floor(elements / n);
  const start = (c) => c * short + Math.min(c, elements % n);
  function pass(rank, chunk, add) {
    const next = (rank + 1) % n;
    for (let e = start(chunk); e < start(chunk + 1); e++) {
      tensors[next][e] = add ? tensors[next][e] + tensors[rank][e] : tensors[rank][e];
      sent[rank] += 8;
    }
  }
  for (let s = 0; s <= n - 2; s++) for (let r = 0; r < n; r++) pass(r, (r - s + n) % n, true);
  for (let s = 0; s <= n - 2; s++) for (let r = 0; r < n; r++) pass(r, (r + 1 - s + n) % n, false);
  return { buffers: tensors, steps: 2 * (n - 1), bytesSentPerRank: sent };
}`,
  );
  assert.equal(await run(page), `All ${cases} cases pass.`);
  assert.deepEqual(await states(page), Array(cases).fill("passed"));
  assert.equal(await view(page).locator("select").evaluate((element) => element.selectedOptions[0].label.trim()), "✓ ringAllReduce");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a ring that is off by one chunk is drawn beside the right one", async () => {
  const page = await openExercise();
  await put(page, offByOne);
  assert.equal(await run(page), `3 of ${cases} cases pass, 5 failed.`);
  const failed = view(page).locator(".cases li", { hasText: "all get 1111" });
  assert.equal(
    await failed.locator(".message").innerText(),
    "rank 0, element 0 (chunk 0): is 1, must be 1111: rank 1's, rank 2's and rank 3's contributions are missing",
  );
  const figure = failed.locator("svg[aria-label]", { hasText: "your ring" });
  assert.equal(
    await figure.getAttribute("aria-label"),
    "Rank 0 holds 0001 in chunk 0, and must hold 1111. 16 of 16 chunks are wrong.",
  );
  const values = await figure.locator("text.value").allTextContents();
  assert.deepEqual(values.slice(0, 4), ["0001", "0010", "0100", "1000"]);
  assert.deepEqual([...new Set(values.slice(16))], ["1111"]);
  assert.equal(await figure.locator("rect.wrong").count(), 16);
  const wide = (await figure.boundingBox()).width;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.waitForFunction((before) => document.querySelector("shardlab-exercise").shadowRoot.querySelector(".figure svg").clientWidth < before, wide);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.equal(await failed.locator(".figure").evaluate((box) => box.scrollWidth - box.clientWidth), 0);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("another wrong answer stands beside the right one, marked where they part", async () => {
  const page = await openExercise();
  await put(page, solution.replace("Math.min(stages - 1 - s, microBatches)", "microBatches"), "pipeline-schedule-1f1b");
  assert.equal(await run(page), "3 of 6 cases pass, 3 failed.");
  const failed = view(page).locator(".cases li", { hasText: "The order on 4 stages" });
  assert.match(await failed.locator(".message").innerText(), /^stage 0, position 4: is F4, must be B0: /);
  assert.equal(await failed.locator(".call").innerText(), "pipelineSchedule1f1b({ stages: 4, microBatches: 8 })");
  assert.match(await failed.locator("caption").innerText(), /operations\[0\]/);
  assert.deepEqual(await failed.locator(".marked").allInnerTexts(), ["F4", "B0"]);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

/** What has no end, and what is said of it. */
const endless = [
  ["an endless loop", "while (true) {}", "ringAllReduce had not ended after 1 second, and was stopped. Is there a loop that never ends?"],
  ["a huge allocation", "const all = []; while (true) all.push(new Float64Array(100000));", "ringAllReduce asked for more than 64 MiB of memory, and was stopped."],
  ["a recursion", "return ringAllReduce({ buffers });", "ringAllReduce called itself too deeply, and was stopped. Does a function call itself for ever?"],
  // What the interpreter does in one go asks nobody whether it may go on.
  ["a search that never ends", "Array.prototype.lastIndexOf.call({ length: 2 ** 40 }, 1);", "The function had not ended after 2.5 seconds, and was stopped. Is there a loop that never ends?"],
];

for (const [what, body, sentence] of endless) {
  test(`${what} ends in a sentence, and what is put right then runs`, async () => {
    const page = await openExercise();
    await write(page, `function ringAllReduce({ buffers }) {\n  ${body}\n}`);
    assert.equal(await run(page), `0 of ${cases} cases pass, 1 failed, ${cases - 1} not run. ${sentence}`);
    assert.deepEqual((await states(page)).slice(0, 2), ["failed", "left"]);
    await put(page, solution);
    assert.equal(await run(page), `All ${cases} cases pass.`);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
}

test("a run is stopped by its button, and begins anew", async () => {
  const page = await openExercise();
  await write(page, "function ringAllReduce({ buffers }) {\n  const end = Date.now() + 300;\n  while (Date.now() < end) {}\n}");
  await view(page).getByRole("button", { name: "Run", exact: true }).click();
  await status(page).getByText("Running").waitFor();
  await view(page).getByRole("button", { name: "Stop", exact: true }).click();
  assert.match(await ended(page), /The run was stopped\.$/);
  await put(page, solution);
  assert.equal(await run(page), `All ${cases} cases pass.`);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a source that cannot be read is told by its line, which is marked", async () => {
  const page = await openExercise({ fragment: "#v=1&task=all-reduce-cost" });
  await write(page, "function allReduceCost({ ranks, bytes }) {\nconst none = ;\n}");
  assert.match(await run(page), /^No case was run: line 2: SyntaxError: /);
  assert.equal(await view(page).locator(".error-line").innerText(), "const none = ;");
  await write(page, "function allReduceCost() {\n\n\nreturn none;\n}");
  assert.equal(await view(page).locator(".error-line").count(), 0);
  assert.match(await status(page).innerText(), /The code has changed since\.$/);
  assert.equal(await run(page), "0 of 3 cases pass, 3 failed.");
  assert.match(await view(page).locator(".message").first().innerText(), /^allReduceCost threw an error: line 4: ReferenceError: /);
  assert.equal(await view(page).locator(".error-line").innerText(), "return none;");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("what the function logs stands below the cases", async () => {
  const page = await openExercise({ fragment: "#v=1&task=all-reduce-cost" });
  await write(page, "function allReduceCost({ ranks, bytes }) {\n  console.log('<b>', ranks);\n}");
  await run(page);
  assert.match(await view(page).locator(".logged pre").innerText(), /^<b> 4\n/);
  await page.close();
});

test("every function passes with a solution, and the page counts them", async () => {
  const page = await openExercise();
  await put(page, solution);
  const ids = await view(page).locator("option").evaluateAll((all) => all.map(({ value }) => value));
  assert.equal(ids.length, 11);
  for (const id of ids) {
    await view(page).locator("select").selectOption(id);
    assert.match(await run(page), /^All \d+ cases pass\.$/, id);
  }
  assert.equal(await view(page).locator(".choice span").innerText(), "11 of 11 pass");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("work is kept in this browser, and by task in the address", async () => {
  const page = await openExercise();
  await view(page).locator("select").selectOption("all-reduce-cost");
  await write(page, "// mine");
  await page.waitForFunction(() => localStorage.getItem("shardlab-exercise")?.includes("// mine"));
  assert.equal(new URL(page.url()).hash, "#v=1&task=all-reduce-cost");
  await page.reload();
  await ready(page);
  assert.equal(await written(page), "// mine");
  await view(page).getByRole("button", { name: "Start over" }).click();
  assert.match(await editor(page).innerText(), /function allReduceCost/);
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await written(page), "// mine");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a link holds the work, and leaves alone what this browser keeps", async () => {
  const page = await openExercise();
  await write(page, "// mine");
  await page.waitForFunction(() => localStorage.getItem("shardlab-exercise")?.includes("// mine"));
  await put(page, solution);
  const link = await view(page).evaluate((element) => element.permalink());
  assert.ok(link.startsWith(`${site.url}exercise.html#v=1&task=ring-all-reduce&work=`), link);
  assert.ok(link.length < 4000, `${link.length} characters`);
  await page.goto("about:blank");
  await page.goto(link);
  await ready(page);
  assert.match(await written(page), /^const chunk = /);
  assert.match(await page.locator("#notice").innerText(), /^This is the work in the link\./);
  await write(page, "// other");
  await page.waitForTimeout(400);
  assert.ok((await page.evaluate(() => localStorage.getItem("shardlab-exercise"))).includes("// mine"));
  assert.deepEqual(page.trouble, []);
  await page.close();
});

for (const [what, fragment, notice] of [
  ["cut", "#v=1&task=ring-all-reduce&work=zVhtb9s4Ev6eXz", "The work in the link cannot be read: a part of it may be missing."],
  ["of no task", "#v=1&task=ring", "The link asks for ring; there are ring-all-reduce"],
  ["of another version", "#v=2&task=all-reduce-cost", "The link is of version 2; this page reads version 1."],
]) {
  test(`a link that is ${what} leaves the page as it is, and says so`, async () => {
    const page = await openExercise({ fragment });
    assert.ok((await page.locator("#notice").innerText()).includes(notice));
    assert.equal(await view(page).locator(".cm-content").count(), 1);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
}

test("a link that would be too long is refused, with its length", async () => {
  const page = await openExercise();
  const noise = Array.from({ length: 2000 }, (_, index) => `// ${Math.sin(index)}`).join("\n");
  await put(page, `// ==== ring-all-reduce ====\n${noise}\n`);
  await view(page).getByRole("button", { name: "Copy link" }).click();
  await view(page).getByText(/^The link would have \d+ characters, and more than 8000 may be cut on their way: download the file instead\.$/).waitFor();
  await page.close();
});

test("work goes into a file and comes back from it", async () => {
  const page = await openExercise();
  await put(page, solution);
  const [download] = await Promise.all([page.waitForEvent("download"), view(page).getByRole("button", { name: "Download" }).click()]);
  assert.equal(download.suggestedFilename(), "shardlab-lab.js");
  const file = await download.path();
  assert.equal(await readFile(file, "utf8"), solution);
  const open = (name, text) => view(page).locator("input[type=file]").setInputFiles({ name, mimeType: "text/javascript", buffer: Buffer.from(text) });
  await open("work.js", "// ==== ring-all-reduce ====\n// from a file\n// ==== none ====\n");
  await view(page).getByText("Opened: ringAllReduce. It also has none, which this page does not know.").waitFor();
  assert.equal(await written(page), "// from a file");
  await open("newer.js", "// ==== none ====\n");
  await view(page).getByText("newer.js has none, which this page does not know.").waitFor();
  await open("large.js", "x".repeat(2 ** 20 + 1));
  await view(page).getByText("large.js is larger than 1 MiB.").waitFor();
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a file that holds one function is opened as that, or as the one that is shown", async () => {
  const page = await openExercise();
  const open = (name, text) => view(page).locator("input[type=file]").setInputFiles({ name, mimeType: "text/javascript", buffer: Buffer.from(text) });
  const shown = () => view(page).locator("select").inputValue();
  const said = view(page).locator(".said");
  await open("cost.js", "// mine\nexport function allReduceCost() {}\n");
  await said.getByText("Opened: allReduceCost.").waitFor();
  assert.deepEqual([await shown(), await written(page)], ["all-reduce-cost", "// mine\nexport function allReduceCost() {}"]);
  await open("notes.txt", "// only notes");
  await said.getByText("notes.txt declares no function of the lab: it is opened as allReduceCost.").waitFor();
  assert.deepEqual([await shown(), await written(page)], ["all-reduce-cost", "// only notes"]);
  await open("both.js", "function allReduceCost() {}\nfunction ringAllReduce() {}\n");
  await said.getByText("both.js has ringAllReduce and allReduceCost, and nothing that parts them: put a line such as // ==== ring-all-reduce ==== before each.").waitFor();
  await open("empty.js", " \n");
  await said.getByText("empty.js is empty.").waitFor();
  assert.equal(await written(page), "// only notes");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("the page's query says which function is shown, in which language, and light or dark", async () => {
  const page = await site.page();
  await page.goto(`${site.url}exercise.html?task=all-reduce-cost&lang=zh&theme=dark`);
  await ready(page);
  assert.equal(await view(page).locator("select").inputValue(), "all-reduce-cost");
  assert.equal(await view(page).locator("button[name=run]").innerText(), "运行");
  assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, getComputedStyle(document.documentElement).colorScheme]), ["en", "dark"]);
  await view(page).locator("select").selectOption("ring-all-reduce");
  assert.match(page.url(), /\?task=all-reduce-cost&lang=zh&theme=dark#v=1&task=ring-all-reduce$/);
  assert.match(await view(page).evaluate((element) => element.permalink()), /exercise\.html\?task=all-reduce-cost&lang=zh&theme=dark#v=1&task=ring-all-reduce$/);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a query that asks for a function that there is not leaves the page as it is, and says so", async () => {
  const page = await site.page();
  const notice = /^The link asks for ring; there are ring-all-reduce, /;
  await page.goto(`${site.url}exercise.html?task=ring`);
  await page.locator("#notice").getByText(notice).waitFor();
  assert.equal(await view(page).evaluate((element) => element.task), "ring-all-reduce");
  await page.goto(`${site.url}embed/exercise.html?task=ring`);
  await view(page).getByText(notice).waitFor();
  assert.equal(await view(page).evaluate((element) => element.task), "ring-all-reduce");
  await page.close();
});

test("what stops or precedes a run is said with one full stop", async () => {
  const page = await openExercise({ fragment: "#v=1&task=all-reduce-cost" });
  await write(page, "throw 'it is over.';");
  assert.equal(await run(page), "No case was run: it is over.");
  await write(page, "throw 'why?';");
  assert.equal(await run(page), "No case was run: why?");
  await write(page, "while (true) {}");
  assert.equal(await run(page), "No case was run: allReduceCost, before any call, had not ended after 1 second, and was stopped. Is there a loop that never ends?");
  await write(page, "function allReduceCost() {\n  return {\n}\n");
  assert.equal(await run(page), "No case was run: line 1: SyntaxError: the { of this line is never closed: } is missing, at the end or before.");
  assert.equal(await view(page).locator(".error-line").innerText(), "function allReduceCost() {");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("the keyboard writes, runs, and leaves", async () => {
  const page = await openExercise({ fragment: "#v=1&task=pipeline-bubble-fraction" });
  await view(page).locator("select").focus();
  for (let press = 0; press < 4 && !(await editor(page).evaluate((one) => one.matches(":focus"))); press += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("function pipelineBubbleFraction({ stages, microBatches }) {\nreturn (stages - 1) / (microBatches + stages - 1);\n}");
  await page.keyboard.press("Tab");
  assert.ok(await editor(page).evaluate((one) => one.matches(":focus")));
  await page.keyboard.press("ControlOrMeta+Enter");
  assert.equal(await ended(page), "All 2 cases pass.");
  assert.ok(await editor(page).evaluate((one) => one.matches(":focus")));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.name), "run");
  assert.match(await described(editor(page)), /press Esc and then Tab/);
  await page.close();
});

test("without its editor there is a plain field, and without its cases a sentence", async () => {
  const page = await site.page();
  await page.route(/lab_exercise\.wasm$/, (route) => route.fulfill({ status: 404 }));
  await page.route(/chunks\//, async (route) => {
    const response = await route.fetch();
    return (await response.text()).includes("cm-gutterElement") ? route.abort() : route.fulfill({ response });
  });
  await page.goto(`${site.url}exercise.html`);
  await ready(page);
  await view(page).getByText("The editor could not be loaded; a plain field stands in its place.").waitFor();
  const loadingFailed = "The cases could not be loaded: lab_exercise.wasm could not be loaded: the server answered 404.";
  assert.equal(await view(page).locator(".trouble").innerText(), loadingFailed);
  assert.match(await described(view(page).locator("textarea")), /^(Ctrl|⌘) Enter runs the cases\.$/);
  await view(page).locator("textarea").fill(`${solution.slice(solution.indexOf("const chunk"), solution.indexOf("// ==== all-reduce-cost"))}`);
  assert.equal(await run(page), "");
  assert.equal(await view(page).locator(".trouble").innerText(), loadingFailed);
  await page.unroute(/lab_exercise\.wasm$/);
  assert.equal(await run(page), `All ${cases} cases pass.`);
  await page.close();
});

describe("accessibility", () => {
  for (const [scheme, options] of repeated([["light", {}]], [["dark", { colorScheme: "dark" }], ["forced colours", { forcedColors: "active" }], ["narrow", { width: 390 }]])) {
    test(`nothing is found in ${scheme}`, async () => {
      const page = await openExercise(options);
      await put(page, offByOne);
      await run(page);
      assert.deepEqual(await violations(page), []);
      await page.close();
    });
  }
});

describe("other forms", () => {
  test("a frame without an origin of its own runs the cases, keeps to its policy, and tells its height", async () => {
    const page = await site.page();
    await page.route(`${site.url}host.html`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<script>window.told = []; addEventListener("message", ({ data }) => window.told.push(data));</script>
          <iframe sandbox="allow-scripts" src="embed/exercise.html?task=all-reduce-cost&theme=dark" width="800" height="900" title="Exercise"></iframe>`,
      }),
    );
    await page.goto(`${site.url}host.html`);
    const frame = page.frameLocator("iframe");
    await frame.locator("shardlab-exercise").evaluate((element) => element.ready);
    await frame.locator("shardlab-exercise").evaluate((element, work) => {
      element.work = work;
      return element.run();
    }, solution);
    assert.equal(await frame.locator(".status").innerText(), "All 3 cases pass.");
    await page.waitForFunction(() => window.told.some((one) => one.type === "resize"));
    const told = await page.evaluate(() => window.told.filter(({ shardlab }) => shardlab === 1));
    assert.deepEqual([...new Set(told.map(({ type }) => type))].sort(), ["done", "ready", "resize"]);
    assert.deepEqual(told.find(({ type }) => type === "done"), { shardlab: 1, type: "done", id: "exercise", task: "all-reduce-cost", passed: 3, failed: 0, left: 0 });
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("a file by itself runs the cases, and its address keeps the work", async () => {
    const page = await site.page();
    const address = pathToFileURL(path.join(siteDirectory(), "offline/exercise.html")).href;
    await page.goto(address);
    await ready(page);
    await put(page, solution);
    assert.equal(await run(page), `All ${cases} cases pass.`);
    await write(page, "// mine");
    await page.waitForFunction(() => location.hash.includes("work="));
    await page.reload();
    await ready(page);
    assert.equal(await written(page), "// mine");
    assert.deepEqual(page.trouble.filter((one) => !/^request: (file|blob):/.test(one)), []);
    await page.close();
  });
});
