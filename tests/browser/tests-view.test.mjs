import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { nativeNames } from "../native_cases.mjs";
import { violations } from "./accessibility.mjs";
import { open } from "./browser.mjs";
import { repeated } from "./tier.mjs";

/** Milliseconds that all tests may take on a machine that has much else to do. */
const patience = 300_000;

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

/** The view, with its cases listed. */
async function openView({ address = "", ...options } = {}) {
  const page = await site.page(options);
  await page.goto(`${site.url}tests.html${address}`);
  await settled(page);
  return page;
}

function settled(page) {
  return page.locator("shardlab-tests").evaluate((element) => element.updateComplete);
}

function text(locator) {
  return locator.innerText().then((found) => found.replace(/\s+/g, " ").trim());
}

/** Presses a button that runs something, and gives what the last line says. */
async function run(page, button) {
  await button.click();
  const summary = page.locator("output[name=summary]");
  await summary.waitFor({ timeout: patience });
  return text(summary);
}

/** Another suite in place of the real one: a case that passes, one that fails, one whose module stops. */
async function showFake(page) {
  await page.locator("shardlab-tests").evaluate((element) => {
    const cases = [
      { name: "two and two are four", tags: "[sum]", file: "tests/sum.cpp", line: 3 },
      { name: 'two and two are "five" & <more>', tags: "[sum]", file: "tests/sum.cpp", line: 7 },
      { name: "the ring closes", tags: "[ring]", file: "tests/lab/ring.cpp", line: 1 },
    ];
    const failures = [
      {
        expression: "CHECK( sum(2, 2) == 5 )",
        expanded: "4 == 5",
        messages: ["the second of the numbers is 2"],
        file: "tests/sum.cpp",
        line: 9,
      },
    ];
    const build = { sources: "ab12", compiler: "Clang", bits: [{ name: "one", hash: "01" }, { name: "two", hash: "02" }] };
    const native = { sources: "ab12", compiler: "GCC", bits: [{ name: "one", hash: "01" }, { name: "two", hash: "03" }] };
    let stop;
    element.suite = {
      load: async () => ({ cases, build, native }),
      async run(names, onEvent) {
        for (const { name } of cases.filter((one) => names === undefined || names.includes(one.name))) {
          onEvent({ kind: "start", name });
          const ok = !name.includes("five");
          await new Promise((resolve) => {
            stop = resolve;
            if (!element.held) resolve();
          });
          if (element.held) return;
          if (name === element.breaks) throw new Error("unreachable");
          const counts = ok ? { passed: 2, failed: 0, failures: [] } : { passed: 1, failed: 1, failures };
          onEvent({ kind: "end", result: { name, ok, seconds: 0.0015, ...counts } });
        }
      },
      stop: () => stop?.(),
    };
  });
  await settled(page);
}

test("all native cases are listed, run in a worker, and pass", async () => {
  const page = await openView();
  const names = nativeNames();
  assert.ok(names.length > 100);
  const listed = await page.locator("shardlab-tests li > a").allInnerTexts();
  assert.deepEqual([...listed].sort(), [...names].sort());
  assert.equal(page.workers().length, 1);
  assert.equal(await run(page, page.getByRole("button", { name: "Run all", exact: true })), `${names.length} passed, 0 failed`);
  const states = await page.locator("shardlab-tests li").evaluateAll((all) => all.map((one) => one.dataset.state));
  assert.deepEqual([...new Set(states)], ["passed"]);
  assert.match(await page.locator("shardlab-tests li .time").first().innerText(), /^[\d.]+ m?s$/);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("the bits are the native build's, and so are the sources", async () => {
  const page = await openView();
  const verdict = await text(page.locator(".verdict"));
  assert.match(verdict, /^Compiled from the same sources as the native build; (\d+) of \1 results have the same bits\.$/);
  await page.locator(".identity summary").click();
  const rows = await page.locator(".identity tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText)),
  );
  assert.match(rows[1][2], /^[0-9a-f]{64}$/);
  for (const [name, native, here, verdict] of rows.slice(1)) assert.deepEqual([native, verdict], [here, "equal"], name);
  await page.close();
});

test("one case, one subject, and what a filter shows can be run alone", async () => {
  const page = await openView();
  const bits = page.locator("shardlab-tests li", { hasText: "bits of the ring and the tree all-reduce" });
  assert.equal(await run(page, bits.getByRole("button")), "1 passed, 0 failed");
  assert.equal(await bits.getAttribute("data-state"), "passed");
  assert.equal(await page.locator("shardlab-tests li[data-state=waiting]").count(), nativeNames().length - 1);

  const subject = page.getByRole("button", { name: "Run Determinism", exact: true });
  const inSubject = nativeNames().filter((name) => name.startsWith("bits of")).length + 1;
  assert.equal(await run(page, subject), `${inSubject} passed, 0 failed`);

  await page.getByRole("searchbox", { name: "Filter" }).fill("ring, bytes");
  const shown = await page.locator("shardlab-tests li").count();
  assert.equal(shown, 0);
  await page.getByRole("searchbox", { name: "Filter" }).fill("DETERMINISM bits of");
  assert.equal(await page.locator("shardlab-tests li").count(), inSubject - 1);
  assert.equal(await run(page, page.getByRole("button", { name: "Run shown", exact: true })), `${inSubject - 1} passed, 0 failed`);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("every case can be named to the tests, whatever characters its name has", async () => {
  const page = await openView();
  const subjects = await page.locator(".subject").all();
  assert.ok(subjects.length > 20);
  let named = 0;
  for (const subject of repeated(subjects.slice(0, 4), subjects.slice(4))) {
    const cases = await subject.locator("li").count();
    assert.equal(await run(page, subject.locator("header button")), `${cases} passed, 0 failed`);
    named += cases;
  }
  assert.equal(named, await page.locator("li[data-state=passed]").count());
  await page.close();
});

test("an address leads to a case, by its short name or its title", async () => {
  const name = "bits of the simulated pipeline";
  for (const wanted of ["bits-of-the-simulated-pipeline", encodeURIComponent(name)]) {
    const page = await openView({ address: `#t=${wanted}` });
    const current = page.locator("shardlab-tests li[aria-current=true]");
    await current.waitFor();
    assert.equal(await text(current.locator("a")), name);
    const focused = () =>
      page.locator("shardlab-tests").evaluate((element) => element.shadowRoot.activeElement?.textContent);
    assert.equal(await focused(), name);
    const box = await current.boundingBox();
    assert.ok(box.y > 0 && box.y < 900);

    await page.getByRole("searchbox", { name: "Filter" }).fill("zero");
    await page.evaluate(() => (location.hash = "#t=bits-of-the-averaged-gradient"));
    await page.locator("li[aria-current=true]", { hasText: "averaged" }).waitFor();
    assert.equal(await page.getByRole("searchbox", { name: "Filter" }).inputValue(), "");
    await page.evaluate(() => (location.hash = "#t=no-such-case"));
    await page.getByRole("alert").filter({ hasText: "No case is called no-such-case." }).waitFor();
    await page.close();
  }
});

describe("with results that are not the real ones", () => {
  let page;
  before(async () => {
    page = await openView();
    await showFake(page);
  });
  after(() => page?.close());

  test("a failed assertion shows its expression, also with the values in it", async () => {
    assert.equal(await run(page, page.getByRole("button", { name: "Run all", exact: true })), "2 passed, 1 failed");
    const failed = page.locator("li[data-state=failed]");
    assert.equal(await text(failed.locator(".failures")), [
      "tests/sum.cpp:9 CHECK( sum(2, 2) == 5 )",
      "which is 4 == 5",
      "the second of the numbers is 2",
    ].join(" "));
    assert.match(await text(page.locator(".subject").first()), /^Sum tests\/sum\.cpp 1 failed, 1 of 2 passed/);
    assert.match(await text(page.locator(".subject").nth(1)), /^Lab: ring tests\/lab\/ring\.cpp 1 of 1 passed/);
    await page.getByRole("checkbox", { name: "Failed only" }).check();
    assert.equal(await page.locator("shardlab-tests li").count(), 1);
    await page.getByRole("checkbox", { name: "Failed only" }).uncheck();
  });

  test("bits that differ are shown as different", async () => {
    assert.match(await text(page.locator(".verdict.different")), /1 of 2 results have the same bits/);
    await page.locator(".identity summary").click();
    const verdicts = await page.locator(".identity tbody tr td:last-child").allInnerTexts();
    assert.deepEqual(verdicts, ["", "equal", "equal", "different"]);
  });

  test("the results are copied as JSON and as JUnit", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: site.origin });
    const copied = async (name) => {
      await page.getByRole("button", { name }).click();
      await page.getByText(`Copied as ${name.replace("Copy as ", "")}.`).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const { passed, failed, sources, cases } = JSON.parse(await copied("Copy as JSON"));
    assert.deepEqual([passed, failed, sources], [2, 1, "ab12"]);
    assert.deepEqual(cases[1].failures[0].expanded, "4 == 5");
    assert.deepEqual(cases[2].tags, ["ring"]);

    const junit = await copied("Copy as JUnit");
    const read = await page.evaluate((source) => {
      const document = new DOMParser().parseFromString(source, "application/xml");
      return {
        suites: [...document.querySelectorAll("testsuite")].map((one) => [
          one.getAttribute("name"),
          one.getAttribute("tests"),
          one.getAttribute("failures"),
        ]),
        names: [...document.querySelectorAll("testcase")].map((one) => one.getAttribute("name")),
        failures: [...document.querySelectorAll("failure")].map((one) => one.textContent),
      };
    }, junit);
    assert.deepEqual(read, {
      suites: [
        ["Sum", "2", "1"],
        ["Lab: ring", "1", "0"],
      ],
      names: ["two and two are four", 'two and two are "five" & <more>', "the ring closes"],
      failures: ["4 == 5\nthe second of the numbers is 2\nat tests/sum.cpp:9"],
    });
  });

  test("where copying is not allowed, the text can be taken", async () => {
    await page.context().clearPermissions();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    assert.equal(JSON.parse(await page.getByLabel("The report").inputValue()).failed, 1);
  });

  test("a module that stops has failed the case that it was in", async () => {
    const view = page.locator("shardlab-tests");
    await view.evaluate((element) => (element.breaks = "the ring closes"));
    assert.equal(await run(page, page.getByRole("button", { name: "Run all", exact: true })), "1 passed, 2 failed");
    assert.match(await text(page.getByRole("alert")), /The tests stopped: unreachable\./);
    assert.match(await text(page.locator("li", { hasText: "ring closes" })), /The module stopped\./);
    await view.evaluate((element) => delete element.breaks);
  });

  test("a run can be stopped, and says what did not run", async () => {
    const view = page.locator("shardlab-tests");
    await view.evaluate((element) => (element.held = true));
    await page.getByRole("button", { name: "Run all", exact: true }).click();
    await page.locator("li[data-state=running]").waitFor();
    const stopped = await run(page, page.getByRole("button", { name: "Stop", exact: true }));
    assert.equal(stopped, "0 passed, 0 failed, 3 not run");
    await view.evaluate((element) => delete element.held);
    assert.equal(await run(page, page.getByRole("button", { name: "Run all", exact: true })), "2 passed, 1 failed");
    assert.deepEqual(page.trouble, []);
  });
});

test("the real run can be stopped, and run again", async () => {
  const page = await openView();
  // Within the page, so that the run is not over before the button is pressed.
  await page.locator("shardlab-tests").evaluate(async ({ renderRoot }) => {
    renderRoot.querySelector("button[name=all]").click();
    while (renderRoot.querySelector("[data-state=passed]") === null) await new Promise(requestAnimationFrame);
    renderRoot.querySelector("button[name=stop]").click();
  });
  await page.locator("output", { hasText: /^\d+ passed, 0 failed, \d+ not run$/ }).waitFor();
  const first = page.locator("shardlab-tests li").first().getByRole("button");
  await first.click();
  await page.locator("output", { hasText: /^1 passed, 0 failed$/ }).waitFor();
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("where the tests' module is missing, the page says so", async () => {
  const page = await site.page();
  await page.route("**/shardlab_tests.wasm", (route) => route.fulfill({ status: 404 }));
  await page.goto(`${site.url}tests.html`);
  const alert = page.getByRole("alert");
  assert.match(await text(alert), /The tests could not be loaded: shardlab_tests\.wasm could not be loaded.*404/);
  await page.close();
});

for (const [name, options] of repeated(
  [["light", {}]],
  [
    ["dark", { colorScheme: "dark" }],
    ["forced colours", { forcedColors: "active" }],
  ],
)) {
  test(`axe finds nothing, ${name}, after a run and with failures`, async () => {
    const page = await openView(options);
    await page.locator(".identity summary").click();
    await run(page, page.getByRole("button", { name: "Run Determinism", exact: true }));
    assert.deepEqual(await violations(page), []);
    await showFake(page);
    await run(page, page.getByRole("button", { name: "Run all", exact: true }));
    assert.deepEqual(await violations(page), []);
    await page.close();
  });
}

for (const width of repeated([320], [390])) {
  test(`nothing scrolls sideways at ${width} pixels`, async () => {
    const page = await openView({ width });
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await page.locator(".identity summary").click();
    assert.equal(await sideways(), 0);
    await showFake(page);
    await run(page, page.getByRole("button", { name: "Run all", exact: true }));
    assert.equal(await sideways(), 0);
    await page.close();
  });
}

test("the keyboard alone runs a case, and gets out of the view again", async () => {
  const page = await openView();
  await showFake(page);
  const focused = () =>
    page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement;
      return inner?.getAttribute("aria-label") ?? inner?.textContent.trim() ?? document.activeElement.localName;
    });
  const seen = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    const name = await focused();
    if (name === "body") break;
    seen.push(name);
    if (name === "Run the ring closes") await page.keyboard.press("Enter");
  }
  assert.equal(await focused(), "body");
  for (const name of ["Run all", "Run Sum", "two and two are four", "Run two and two are four"]) {
    assert.ok(seen.includes(name), name);
  }
  assert.equal(await text(page.locator("output[name=summary]")), "1 passed, 0 failed");
  await page.close();
});
