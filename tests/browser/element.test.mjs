/** The element as a page of others uses it: attributes, properties, methods and events; nothing of the lab's page is there. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.mjs";

let site;

before(async () => {
  site = await open();
});
after(() => site.close());

/** A page with this in its body, and a module script; `window.told` has the events of widgets by type. */
async function host(body, script = 'import "./widgets/all-reduce.js";') {
  const page = await site.page();
  const told = `window.told = {};
    for (const type of ["ready", "change", "step", "error", "export"].map((one) => "shardlab-" + one).concat("input", "change"))
      addEventListener(type, ({ detail }) => (told[type] ??= []).push(detail ?? null));`;
  await page.route(`${site.url}host.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="data:,"><script>${told}</script><body>${body}<script type="module">${script}</script></body></html>`,
    }),
  );
  await page.goto(`${site.url}host.html`);
  await page.waitForFunction(() => [...document.querySelectorAll("*")].filter(({ localName }) => localName.startsWith("shardlab-")).every((one) => one.matches(":defined")));
  await page.evaluate(() => Promise.all([...document.querySelectorAll(":defined")].map((one) => one.ready)));
  return page;
}

const first = (page, run, argument) => page.locator("shardlab-all-reduce").first().evaluate(run, argument);

test("attributes are where it starts, and follow what the page says later", async () => {
  const page = await host('<shardlab-all-reduce ranks="8" step="3"></shardlab-all-reduce>');
  assert.deepEqual(await first(page, ({ ranks, step, bytes }) => ({ ranks, step, bytes })), { ranks: 8, step: 3, bytes: "1GiB" });
  assert.equal(await first(page, async (one) => {
    one.setAttribute("ranks", "5");
    await one.updateComplete;
    return one.results.ranks;
  }), 5);
  assert.deepEqual(await first(page, async (one) => {
    one.ranks = 6;
    await one.updateComplete;
    return [one.getAttribute("ranks"), one.state.ranks, one.state.step];
  }), ["6", "6", "3"]);
  assert.deepEqual(await page.evaluate(() => [told["shardlab-change"], told.input]), [undefined, undefined], "a page is not told of what it did itself");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("what a page set before the element was there is kept", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>", 'document.querySelector("shardlab-all-reduce").ranks = 7; await import("./widgets/all-reduce.js");');
  assert.equal(await first(page, ({ ranks }) => ranks), 7);
  await page.close();
});

test("reset is back to what the author wrote, and undo before that", async () => {
  const page = await host('<shardlab-all-reduce ranks="8"></shardlab-all-reduce>');
  const ranks = page.locator("[data-parameter=ranks] input[type=text]");
  await ranks.fill("3");
  await first(page, (one) => one.reset());
  assert.equal(await first(page, ({ ranks: now }) => now), 8);
  await first(page, (one) => one.undo());
  assert.equal(await first(page, ({ ranks: now }) => now), 3);
  await first(page, (one) => one.redo());
  assert.equal(await first(page, ({ ranks: now }) => now), 8);
  await page.close();
});

test("a reader's change is told once, as an input and a change, with the state", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  await page.locator("[data-parameter=ranks] input[type=text]").fill("8");
  await page.keyboard.press("Tab");
  await first(page, (one) => one.updateComplete);
  const told = await page.evaluate(() => window.told);
  assert.deepEqual(told["shardlab-ready"].map(({ id }) => id), ["all-reduce"]);
  assert.equal(told["shardlab-change"].length, 1);
  const [{ changed, source, state }] = told["shardlab-change"];
  assert.deepEqual([changed, source, state.ranks], [["ranks"], "user", "8"]);
  assert.equal(told.input.length, 1);
  assert.ok(told.change.length >= 1);
  assert.equal(await first(page, ({ value }) => value.ranks), "8");
  await page.close();
});

test("steps are told with their caption, and errors with a code", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  await first(page, async (one) => {
    one.next();
    await one.updateComplete;
    one.stepTo(99);
    await one.updateComplete;
  });
  await page.waitForFunction(() => told["shardlab-step"]?.length === 2);
  const steps = await page.evaluate(() => told["shardlab-step"]);
  assert.deepEqual(steps.map(({ i, n }) => [i, n]), [[1, 6], [6, 6]]);
  assert.match(steps[0].caption, /^Step 1: /);
  await page.locator("[data-parameter=ranks] input[type=text]").fill("x");
  await page.waitForFunction(() => told["shardlab-error"]?.length === 1);
  const [error] = await page.evaluate(() => told["shardlab-error"]);
  assert.equal(error.code, "SHARDLAB-INPUT");
  assert.match(error.message, /^Ranks must/);
  await page.close();
});

test("what can be taken away can be taken by a script", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  const taken = await first(page, async (one) => ({
    svg: await one.toSVG(),
    png: (await one.toPNG(1)).type,
    csv: await one.toCSV(),
    json: JSON.parse(await one.toJSON()),
  }));
  assert.match(taken.svg, /^<svg/);
  assert.equal(taken.png, "image/png");
  assert.match(taken.csv, /^,element 0/);
  assert.equal(taken.json.state.ranks, "4");
  await page.close();
});

test("an author hides and locks by name, and is told of names that are none", async () => {
  const page = await host('<shardlab-all-reduce hide="play export bytes" lock="ranks" theme="dark"></shardlab-all-reduce><shardlab-all-reduce hide="toolbars" ranks="1000000000"></shardlab-all-reduce>');
  const one = page.locator("shardlab-all-reduce").first();
  for (const gone of [".transport", ".menu", "[data-parameter=bytes]"]) assert.equal(await one.locator(gone).count(), 0, gone);
  assert.equal(await one.locator("[data-parameter=ranks] input[type=text]").isDisabled(), true);
  assert.equal(await one.locator("[data-parameter=latencySeconds] input[type=text]").isDisabled(), false);
  assert.equal(await one.locator(".widget").evaluate((box) => getComputedStyle(box).backgroundColor), "rgb(26, 29, 35)");
  const other = page.locator("shardlab-all-reduce").nth(1);
  assert.match(await other.locator(".notices").textContent(), /hide="toolbars" names nothing of this widget.*From this page's author: Ranks must .* Shown is 4\./s);
  assert.equal(await other.evaluate(({ ranks }) => ranks), 4);
  await page.close();
});

test("a file that the author names is what it starts with; where there is none, that is told", async () => {
  const page = await host('<shardlab-data-parallel></shardlab-data-parallel>', 'import "./widgets/data-parallel.js";');
  await page.route(`${site.url}runs/gradients.csv`, (route) => route.fulfill({ contentType: "text/csv", body: "1,2\n3,6\n" }));
  await page.route(`${site.url}runs/none.csv`, (route) => route.fulfill({ status: 404 }));
  const widget = page.locator("shardlab-data-parallel");
  const states = await widget.evaluate(async (one) => {
    const own = one.state.gradients;
    one.src = "runs/gradients.csv";
    await one.updateComplete;
    const read = one.state.gradients;
    one.state = { gradients: "5,5" };
    one.reset();
    await one.updateComplete;
    const again = one.state.gradients;
    one.src = "runs/none.csv";
    await one.updateComplete;
    return { isOther: own !== read, read, again, gone: one.state.gradients === own };
  });
  assert.deepEqual(states, { isOther: true, read: "1,2\n3,6\n", again: "1,2\n3,6\n", gone: true });
  assert.match(await widget.locator(".notices").textContent(), /src="runs\/none.csv" could not be read: the server answered 404\./);
  await page.close();

  const gpt2 = '{"model_type":"gpt2","n_embd":768,"n_head":12,"n_layer":12,"n_positions":4096,"vocab_size":50257}';
  const plain = await host('<shardlab-zero></shardlab-zero>', 'import "./widgets/zero.js";');
  await plain.route(`${site.url}config.json`, (route) => route.fulfill({ contentType: "application/json", body: gpt2 }));
  assert.deepEqual(await plain.locator("shardlab-zero").evaluate(async (one) => {
    one.src = "config.json";
    await one.updateComplete;
    return [one.state.source, one.state.config];
  }), ["config", gpt2], "the choice by which the file counts goes with it");
  await plain.close();
});

test("a file that comes late sets what nobody has touched since it was asked for", async () => {
  const page = await host("<shardlab-zero></shardlab-zero>", 'import "./widgets/zero.js";');
  const gpt2 = '{"model_type":"gpt2","n_embd":768,"n_head":12,"n_layer":12,"n_positions":4096,"vocab_size":50257}';
  let answer;
  const isAsked = new Promise((resolve) => {
    void page.route(`${site.url}config.json`, (route) => {
      answer = () => route.fulfill({ contentType: "application/json", body: gpt2 });
      resolve();
    });
  });
  const widget = page.locator("shardlab-zero");
  const shown = (...names) => widget.evaluate(async (one, all) => (await one.updateComplete, all.map((name) => one.state[name])), names);
  await widget.evaluate((one) => {
    one.state = { source: "params", params: "3e9" };
    one.src = "config.json";
  });
  await isAsked;
  const small = gpt2.replace("768", "384");
  await widget.evaluate((one, config) => {
    one.state = { ...one.state, config, params: "5e9" };
  }, small);
  await widget.locator("[data-parameter=ranks] input[type=text]").fill("16");
  await answer();
  assert.deepEqual(await shown("source", "config", "ranks", "params"), ["config", small, "16", "5e9"]);
  await widget.evaluate((one) => one.reset());
  assert.deepEqual(await shown("config"), [gpt2], "reset is back to the file");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a reader's link goes before the author's file", async () => {
  const page = await site.page();
  const body = '<shardlab-data-parallel src="gradients.csv"></shardlab-data-parallel><script type="module" src="widgets/data-parallel.js"></script>';
  await page.route(`${site.url}gradients.csv`, (route) => route.fulfill({ contentType: "text/csv", body: "1,2\n3,6\n" }));
  await page.route(`${site.url}notes.html`, (route) => route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="data:,">${body}` }));
  await page.goto(`${site.url}notes.html#v=1&data-parallel.gradients=7,7%0A9,9`);
  const widget = page.locator("shardlab-data-parallel");
  await widget.evaluate(async (one) => {
    await customElements.whenDefined(one.localName);
    await one.ready;
    await one.updateComplete;
  });
  assert.equal(await widget.evaluate(({ state }) => state.gradients), "7,7\n9,9");
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("what a page sets while a slider is dragged is a state of its own, between what was dragged before and after it", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  const slider = page.locator("[data-parameter=ranks] input[type=range]");
  const drag = (to) =>
    slider.evaluate((input, value) => {
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, to);
  const states = () => first(page, async (one) => (await one.updateComplete, [one.state.ranks, one.state.bytes]));
  const start = await states();
  await drag("3");
  const dragged = await states();
  await first(page, (one) => (one.bytes = "2GiB"));
  const both = await states();
  await drag("5");
  await drag("6");
  await slider.dispatchEvent("change");
  const end = await states();
  assert.deepEqual([start[1], dragged[1], both, end[1]], ["1GiB", "1GiB", [dragged[0], "2GiB"], "2GiB"]);
  assert.equal(new Set([start[0], dragged[0], end[0]]).size, 3);
  const ways = { undo: [both, dragged, start], redo: [dragged, both, end] };
  for (const [way, expected] of Object.entries(ways)) {
    for (const state of expected) {
      await first(page, (one, name) => one[name](), way);
      assert.deepEqual(await states(), state, way);
    }
  }
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("what a page sets again and again is undone at once, and what it sets as it is, is nothing to undo", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  const undo = page.getByRole("button", { name: "Undo" });
  await first(page, async (one) => {
    one.ranks = 4;
    one.state = { ranks: 4 };
    await one.updateComplete;
  });
  assert.equal(await undo.isEnabled(), false);
  await first(page, async (one) => {
    for (const ranks of [5, 6, 7]) one.ranks = ranks;
    await one.updateComplete;
  });
  await undo.click();
  assert.equal(await first(page, ({ ranks }) => ranks), 4);
  await page.close();
});

test("a widget is as light or dark as the page around it", async () => {
  const colour = (page, at) => page.locator("shardlab-all-reduce .widget").nth(at).evaluate((box) => getComputedStyle(box).backgroundColor);
  const page = await host('<div style="color-scheme: dark"><shardlab-all-reduce></shardlab-all-reduce></div><shardlab-all-reduce></shardlab-all-reduce>');
  assert.deepEqual([await colour(page, 0), await colour(page, 1)], ["rgb(26, 29, 35)", "rgb(255, 255, 255)"]);
  await page.close();
});

test("it survives being moved, and leaves nothing behind on the page", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce><aside></aside>");
  const before = await page.evaluate(() => [Object.keys(window).length, document.body.className, document.head.childElementCount]);
  await first(page, async (one) => {
    one.stepTo(2);
    document.querySelector("aside").append(one);
    await one.updateComplete;
  });
  assert.equal(await first(page, ({ state }) => state.step), "2");
  assert.deepEqual(await page.evaluate(() => [Object.keys(window).length, document.body.className, document.head.childElementCount]), before);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("every widget can be registered, with a property for each of its parameters, and its class without registering", async () => {
  const page = await host("", 'import "./widgets/index.js";');
  const tags = await page.evaluate(async () => {
    const { widgets } = await import("./widgets/index.js");
    return widgets.map(({ id }) => {
      const attributes = customElements.get(`shardlab-${id}`).observedAttributes;
      const element = document.createElement(`shardlab-${id}`);
      const camel = (name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
      return [id, element.matches(":defined"), attributes.filter((name) => !(camel(name) in element))];
    });
  });
  assert.ok(tags.length >= 11);
  assert.deepEqual(tags.filter(([, isDefined, missing]) => !isDefined || missing.length > 0), []);
  await page.close();
  const bare = await host("", 'window.One = (await import("./widgets/pipeline.class.js")).default;');
  await bare.waitForFunction(() => "One" in window);
  assert.deepEqual(await bare.evaluate(() => [customElements.get("shardlab-pipeline") === undefined, typeof One]), [true, "function"]);
  await bare.close();
});

test("bytes are in the units that the author asks for, everywhere", async () => {
  const page = await host('<shardlab-zero></shardlab-zero><shardlab-zero units="iec"></shardlab-zero><shardlab-memory units="si"></shardlab-memory>', 'import "./widgets/zero.js"; import "./widgets/memory.js";');
  const told = async (at, part) => (await page.locator("shardlab-zero, shardlab-memory").nth(at).locator(part).allTextContents()).join(" ");
  assert.match(await told(0, ".caption"), /\d.GB/);
  assert.doesNotMatch(await told(1, ".caption"), /\d.[kMGT]B/);
  assert.match(await told(1, "[data-readout]"), /35\.86.GiB =.38\.5.GB/);
  assert.doesNotMatch(await told(2, ".figure, .caption, .tiles"), /[KMGT]iB/);
  const table = page.locator("shardlab-zero").nth(1).locator(".data");
  await table.locator("summary").click();
  assert.match(await table.locator("tbody tr").first().textContent(), /104\.3.GiB.*112.GB/s);
  const zero = page.locator("shardlab-zero").first();
  await zero.evaluate(async (one) => {
    one.units = "iec";
    await one.updateComplete;
  });
  assert.match(await zero.locator(".caption").textContent(), /GiB/);
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a script sets what it likes, as texts or as a link has it; what is no parameter's is left out, and null takes back", async () => {
  const page = await host('<shardlab-all-reduce ranks="5"></shardlab-all-reduce>');
  const after = (run, value) => first(page, async (one, [source, given]) => {
    new Function("one", "value", source)(one, given);
    await one.updateComplete;
    return { ranks: one.state.ranks, extra: "junk" in one.state, error: one.matches(":state(error)") };
  }, [run, value]);
  const fine = (ranks) => ({ ranks, extra: false, error: false });
  assert.deepEqual(await after("one.state = value", { ranks: 8, junk: 1 }), fine("8"));
  for (const value of [null, [1, 2], { ranks: null }, { ranks: {} }, { step: "abc" }, 5]) assert.deepEqual(await after("one.state = value", value), fine("5"), JSON.stringify(value));
  assert.deepEqual(await after("one.state = value", "v=1&ranks=7"), fine("7"));
  assert.deepEqual(await after("one.ranks = value", 6), fine("6"));
  assert.deepEqual(await after("one.ranks = value", null), fine("4"));
  assert.deepEqual(await after("one.strings = value", 5), fine("4"));
  assert.deepEqual(page.trouble, []);
  await page.close();
});

test("a page is not told of what its own script does by methods, and is of a reader's", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  await first(page, async (one) => {
    one.next();
    one.stepTo(3);
    one.prev();
    one.undo();
    one.redo();
    one.reset();
    await one.updateComplete;
  });
  assert.equal(await page.evaluate(() => told["shardlab-change"]), undefined);
  await page.getByRole("button", { name: "one step on" }).click();
  await first(page, (one) => one.updateComplete);
  assert.deepEqual(await page.evaluate(() => told["shardlab-change"].map(({ changed }) => changed)), [["step"]]);
  await page.close();
});

test("methods work before it is a part of the page", async () => {
  const page = await host("<shardlab-all-reduce></shardlab-all-reduce>");
  const link = await page.evaluate(() => {
    const one = document.createElement("shardlab-all-reduce");
    one.ranks = 8;
    one.undo();
    one.reset();
    return one.permalink();
  });
  assert.match(link, /ranks=8/);
  await page.close();
});

test("what its author wrote in vain gives way whatever a link says; what is put right is what reset goes back to", async () => {
  const page = await site.page();
  await page.goto(`${site.url}embed/all-reduce.html?ranks=100000#v=1&step=2`);
  const widget = page.locator("shardlab-all-reduce");
  await widget.locator("[data-readout]").first().waitFor();
  assert.match(await widget.locator(".notices").textContent(), /From this page's author: Ranks must .* Shown is 4\./s);
  assert.equal(await widget.evaluate(({ state }) => state.step), "2");
  await widget.evaluate(async (one) => {
    one.ranks = 8;
    await one.updateComplete;
    one.reset();
    await one.updateComplete;
  });
  assert.equal(await widget.evaluate(({ state }) => state.ranks), "8");
  await widget.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await widget.evaluate(({ shadowRoot }) => shadowRoot.activeElement?.matches(".figure")), true, "the focus has a place to be");
  await page.close();
});

test("it keeps its looks in another document", async () => {
  const page = await host('<shardlab-all-reduce></shardlab-all-reduce><iframe title="Another"></iframe>');
  const { sheets, hidden } = await first(page, async (one) => {
    document.querySelector("iframe").contentDocument.body.append(one);
    await one.updateComplete;
    const { position } = one.ownerDocument.defaultView.getComputedStyle(one.shadowRoot.querySelector(".unseen"));
    return { sheets: one.shadowRoot.adoptedStyleSheets.length, hidden: position };
  });
  assert.ok(sheets > 0);
  assert.equal(hidden, "absolute");
  await page.close();
});

test("a file whose server never answers gives way when its author names another, or none", async () => {
  const page = await host("<shardlab-data-parallel></shardlab-data-parallel>", 'import "./widgets/data-parallel.js";');
  await page.route(`${site.url}slow.csv`, () => {});
  const widget = page.locator("shardlab-data-parallel");
  const shown = await widget.evaluate(async (one) => {
    one.src = "slow.csv";
    one.removeAttribute("src");
    await one.updateComplete;
    return one.shadowRoot.querySelectorAll("[data-readout]").length;
  });
  assert.ok(shown > 0);
  await page.close();
});

test("a lock holds for buttons too", async () => {
  const page = await host("<shardlab-memory lock></shardlab-memory>", 'import "./widgets/memory.js";');
  const widget = page.locator("shardlab-memory");
  const states = await widget.evaluate(async (one) => {
    const before = JSON.stringify(one.state);
    for (const button of one.shadowRoot.querySelectorAll(".offers button")) button.click();
    await one.updateComplete;
    return [before, JSON.stringify(one.state)];
  });
  assert.equal(states[1], states[0]);
  await page.close();
});

test("a link that a reader copies from notes leads to what was shown, there", async () => {
  const page = await host('<shardlab-all-reduce ranks="6"></shardlab-all-reduce>');
  const link = await first(page, async (one) => {
    one.state = { ranks: "8", step: "3" };
    await one.updateComplete;
    return one.permalink();
  });
  await page.goto("about:blank");
  await page.goto(link);
  await page.locator("shardlab-all-reduce").evaluate(async (one) => {
    await customElements.whenDefined(one.localName);
    await one.ready;
  });
  assert.deepEqual(await first(page, ({ state: { ranks, step } }) => [ranks, step]), ["8", "3"]);
  await page.close();
});
