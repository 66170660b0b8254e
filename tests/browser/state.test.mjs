import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { blur, open, passQuestions, settled, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

/** Waits until the address has followed the controls. */
function addressHas(page, text) {
  return page.waitForFunction((part) => location.hash.includes(part), text);
}

describe("the address", () => {
  test("follows the controls, without an entry in the browser's history, and survives a reload", async () => {
    const page = await site.lab();
    const entries = await page.evaluate(() => history.length);
    await widget(page, "all-reduce").setAll({ ranks: "8", elements: "16" });
    await widget(page, "all-reduce").step(5);
    await widget(page, "pipeline").set("schedule", "gpipe");
    await addressHas(page, "pipeline.schedule=gpipe");
    assert.match(page.url(), /#v=1&all-reduce\.ranks=8&all-reduce\.elements=16&all-reduce\.step=5&pipeline\.schedule=gpipe$/);
    assert.equal(await page.evaluate(() => history.length), entries);
    const [figure, state] = [await widget(page, "all-reduce").figure(), await widget(page, "all-reduce").state()];
    await page.reload();
    await settled(page);
    assert.deepEqual(await widget(page, "all-reduce").state(), state);
    assert.equal(await widget(page, "all-reduce").readout("steps"), "5 / 14", "who has come this far is not asked again");
    assert.equal(await widget(page, "all-reduce").figure(), figure);
    assert.equal(await widget(page, "pipeline").readout("makespan"), "21");
    assert.equal((await widget(page, "pipeline").state()).schedule, "gpipe");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("keeps the place on the page beside the state", async () => {
    const page = await site.lab();
    await widget(page, "zero").set("params", "70e9");
    await page.getByRole("link", { name: "ZeRO", exact: true }).click();
    await addressHas(page, "zero.params=70e9");
    assert.match(page.url(), /#zero&v=1&/);
    await page.close();
  });

  test("is that of a link which is followed just after a change, whose event is still to come", async () => {
    const page = await site.lab({ only: ["bubble", "zero"] });
    await widget(page, "bubble").set("stages", "16");
    await page.evaluate(async () => {
      const followed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      document.querySelector("shardlab-bubble").set({ name: "microBatches" }, "32");
      // The page is busy until the address is due to follow; the click comes first, and its event after that.
      setTimeout(() => document.querySelector('a[href="#zero"]').click());
      const due = performance.now() + 400;
      while (performance.now() < due);
      await followed;
    });
    assert.match(page.url(), /#zero(&|$)/);
    await addressHas(page, "#zero&v=1&bubble.stages=16&bubble.micro-batches=32");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("says what it does not know, and the notice goes away", async () => {
    const page = await site.lab({ fragment: "#v=1&bubble.stages=8&bubble.color=red" });
    const notice = page.locator("#notice");
    assert.match(await notice.textContent(), /does not know: bubble\.color/);
    assert.equal(await widget(page, "bubble").readout("bubble-of-total"), "46.7 %");
    await notice.getByRole("button").click();
    assert.equal(await notice.isVisible(), false);
    await page.close();
  });

  test("gives way where the core refuses it, and says so", async () => {
    const page = await site.lab({ fragment: "#v=1&pipeline.stages=1e12&pipeline.micro-batches=16&all-reduce.step=99" });
    const pipeline = widget(page, "pipeline");
    const notice = pipeline.root.locator(".notices");
    assert.match(await notice.textContent(), /From the link: Stages must .* Shown is 4\./);
    assert.equal((await pipeline.state()).microBatches, "16");
    assert.equal(await pipeline.readout("bubble-of-total"), "15.8 %");
    const ring = widget(page, "all-reduce");
    assert.match(await ring.root.locator(".notices").textContent(), /Step 99 is beyond 6/);
    assert.equal(await ring.readout("steps"), "6 / 6");
    await pipeline.press("Dismiss");
    assert.equal(await notice.count(), 0);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("what a link asked for in vain is told until the next link is followed", async () => {
    const page = await site.lab({ only: "pipeline", fragment: "#v=1&pipeline.stages=1e12" });
    const pipeline = widget(page, "pipeline");
    const notice = pipeline.root.locator(".notices");
    const follow = (fragment) =>
      page.evaluate(async (text) => {
        const followed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
        location.hash = text;
        await followed;
        await document.querySelector("shardlab-pipeline").updateComplete;
      }, fragment);
    assert.equal(await notice.count(), 1);
    await follow("#v=1&pipeline.micro-batches=16");
    assert.equal(await notice.count(), 0);
    await follow("#v=1&pipeline.stages=1e12");
    assert.equal(await notice.count(), 1);
    await follow("#zero");
    assert.equal(await notice.count(), 0);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("a link of one widget is copied, and shows it", async () => {
    const page = await site.lab({ only: "all-reduce" });
    const ring = widget(page, "all-reduce");
    await ring.setAll({ ranks: "5" });
    await ring.step(2);
    await ring.root.getByRole("button", { name: "Copy link" }).click();
    const copied = ring.root.locator(".said");
    await page.waitForFunction(() =>
      document.querySelector("shardlab-all-reduce").shadowRoot.querySelector(".said p") !== null,
    );
    const area = copied.locator("textarea");
    const text = (await area.count()) > 0 ? await area.inputValue() : await ring.root.evaluate((one) => one.permalink());
    const other = await site.page();
    await other.goto(text);
    await settled(other);
    assert.deepEqual(await widget(other, "all-reduce").state(), await ring.state());
    await other.close();
    await page.close();
  });
});

test("a link of the page leads to its chapter, past widgets that were never in sight", async () => {
  for (const width of repeated([1200], [390])) {
    for (const [link, goal] of [["nav a[href='#zero']", "#zero"], [".start li:last-child a", "shardlab-zero"]]) {
      const page = await site.page({ width, reducedMotion: "no-preference" });
      await page.goto(site.url);
      await settled(page);
      await page.locator(link).click();
      const top = () => page.locator(goal).evaluate((one) => Math.round(one.getBoundingClientRect().top));
      await page.waitForFunction((name) => document.querySelector(name).getBoundingClientRect().top < innerHeight, goal);
      await settled(page);
      assert.equal(await top(), 16, `${link} at ${width} pixels`);
      await page.close();
    }
  }
});

describe("undo, redo and reset", () => {
  let page;
  before(async () => {
    page = await site.lab({ only: "bubble" });
  });
  after(() => page?.close());

  test("a drag of a slider is one step, by key and by button", async () => {
    const bubble = widget(page, "bubble");
    const slider = bubble.control("stages").locator("input[type=range]");
    await slider.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await slider.boundingBox();
    await page.mouse.move(x + width * 0.1, y + height / 2);
    await page.mouse.down();
    for (const part of [0.3, 0.5, 0.7]) await page.mouse.move(x + width * part, y + height / 2);
    await page.mouse.up();
    await bubble.settled();
    const dragged = (await bubble.state()).stages;
    assert.notEqual(dragged, "4");
    await page.keyboard.press("Control+z");
    await bubble.settled();
    assert.equal((await bubble.state()).stages, "4");
    await page.keyboard.press("Control+Shift+Z");
    await bubble.settled();
    assert.equal((await bubble.state()).stages, dragged);
    await bubble.press("Undo");
    assert.equal((await bubble.state()).stages, "4");
    await bubble.press("Redo");
    assert.equal((await bubble.state()).stages, dragged);
    await bubble.press("Reset");
    assert.equal((await bubble.state()).stages, "4");
  });

  test("what was typed is undone at once, and an error with it", async () => {
    const bubble = widget(page, "bubble");
    const field = bubble.control("microBatches").locator("input[type=text]");
    await field.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("2.5");
    await bubble.settled();
    assert.ok((await bubble.error("microBatches")).invalid);
    await page.keyboard.press("Control+z");
    await bubble.settled();
    assert.equal(await field.inputValue(), "8");
    assert.equal((await bubble.error("microBatches")).invalid, false);
  });

  test("reset goes back to what the page's author wrote", async () => {
    await page.evaluate(() => {
      const element = document.createElement("shardlab-bubble");
      element.id = "own";
      element.setAttribute("stages", "6");
      document.querySelector("main").append(element);
      return element.updateComplete;
    });
    const own = page.locator("#own");
    await own.locator("#stages").fill("9");
    await own.locator("#stages").blur();
    await own.locator(".figure").focus();
    await page.keyboard.press("r");
    assert.deepEqual(await own.evaluate((element) => element.updateComplete.then(() => element.state.stages)), "6");
    await own.evaluate((element) => element.remove());
  });

  test("an R that is typed stays a letter, and keys elsewhere on the page do nothing", async () => {
    const bubble = widget(page, "bubble");
    await bubble.set("stages", "7");
    const field = bubble.control("stages").locator("input[type=text]");
    await field.press("r");
    await bubble.settled();
    assert.equal((await bubble.state()).stages, "7r");
    await bubble.set("stages", "7");
    await blur(page);
    for (const key of ["r", " ", "Home", "?"]) await page.keyboard.press(key);
    await bubble.settled();
    assert.equal((await bubble.state()).stages, "7");
  });
});

describe("playing", () => {
  const now = (page) => page.evaluate(() => Number(document.querySelector("shardlab-all-reduce").state.step));
  const reaches = (page, step) =>
    page.waitForFunction((least) => Number(document.querySelector("shardlab-all-reduce").state.step) >= least, step);

  test("nothing moves until asked; then steps follow each other to the end, and stop", async () => {
    const page = await site.lab({ only: "all-reduce" });
    const ring = widget(page, "all-reduce");
    await page.waitForTimeout(1500);
    assert.equal(await now(page), 0);
    await ring.set("ranks", "3");
    await ring.root.locator(".speed").selectOption("2");
    await ring.press("Play");
    assert.equal(await ring.root.getByRole("button", { name: "Pause" }).count(), 1);
    await reaches(page, 4);
    await ring.root.getByRole("button", { name: "Play", exact: true }).waitFor();
    assert.equal(await ring.readout("steps"), "4 / 4");
    await ring.press("Undo");
    assert.equal(await now(page), 0, "a play is one step to undo");
    await page.close();
  });

  test("by keys alone, where the focus is within", async () => {
    const page = await site.lab({ only: "all-reduce" });
    const ring = widget(page, "all-reduce");
    await ring.root.locator(".figure").focus();
    await page.keyboard.press("End");
    await ring.settled();
    assert.equal(await now(page), 6);
    await page.keyboard.press("Home");
    await ring.settled();
    assert.equal(await now(page), 0);
    await page.keyboard.press("Space");
    await reaches(page, 1);
    await page.keyboard.press("Space");
    await ring.root.getByRole("button", { name: "Play", exact: true }).waitFor();
    // The scrubber stands where the picture is, which follows the state.
    await ring.settled();
    await ring.root.locator("input[name=step]").focus();
    const before = await now(page);
    await page.keyboard.press("ArrowRight");
    await ring.settled();
    assert.equal(await now(page), before + 1);
    await page.keyboard.press("ArrowLeft");
    await ring.settled();
    assert.equal(await now(page), before);
    await page.keyboard.press("?");
    await ring.settled();
    assert.match(await ring.root.locator(".keys").textContent(), /Space/);
    await page.close();
  });

  test("it pauses where it cannot be seen", async () => {
    const page = await site.lab();
    const ring = widget(page, "all-reduce");
    await ring.press("Play");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(
      () => document.querySelector("shardlab-all-reduce").shadowRoot.querySelector(".play").textContent === "Play",
    );
    await page.close();
  });

  const moving = (page) =>
    page.evaluate(() => document.querySelector("shardlab-all-reduce").shadowRoot.querySelector(".figure svg").getAnimations({ subtree: true }).length);

  for (const width of repeated([1200], [390])) {
    test(`chunks travel at ${width} pixels; where motion is not wanted a step is a cut, and an arrow says what moved`, async () => {
      for (const reducedMotion of ["no-preference", "reduce"]) {
        const page = await site.lab({ only: "all-reduce", width, reducedMotion });
        const ring = widget(page, "all-reduce");
        await ring.root.locator(".figure").scrollIntoViewIfNeeded();
        const moved = await ring.root.evaluate(async (element) => {
          element.stepTo(1);
          await element.updateComplete;
          return element.shadowRoot.querySelector(".figure svg").getAnimations({ subtree: true }).length;
        });
        assert.equal(moved, reducedMotion === "reduce" ? 0 : 4);
        assert.equal(await ring.root.locator(".figure .arrow").count(), 4);
        await ring.step(3);
        await page.waitForTimeout(400);
        assert.equal(await moving(page), 0);
        await page.close();
      }
    });
  }
});

describe("a prediction", () => {
  test("comes before the numbers; an answer tells which idea it is", async () => {
    const page = await site.page();
    await page.goto(site.url);
    await settled(page);
    const ring = widget(page, "all-reduce");
    assert.deepEqual([...new Set(Object.values(await ring.readouts()))], ["?"]);
    assert.doesNotMatch(await ring.root.locator(".widget").textContent(), /less than 2× its tensor/);
    assert.equal(await ring.root.locator(".why, .data").count(), 0);
    const told = page.evaluate(
      () => new Promise((resolve) => addEventListener("shardlab-change", ({ detail }) => resolve(detail), { once: true })),
    );
    await ring.root.getByRole("button", { name: "16× its tensor" }).click();
    await ring.settled();
    const { answer, right } = await told;
    assert.deepEqual([answer, right], ["16× its tensor", false]);
    const verdict = ring.root.locator(".verdict");
    assert.match(await verdict.textContent(), /Not quite\..*handed its whole tensor to all the others.*The answer: 1\.875×/s);
    assert.equal(await verdict.evaluate((one) => one.getRootNode().activeElement === one), true);
    assert.equal(await ring.readout("factor"), "1.5× = 1.5 GiB");
    assert.match(await ring.root.locator(".widget").textContent(), /less than 2× its tensor/);
    await page.close();
  });

  test("each chapter asks one, exactly one answer is right, and each wrong one has its reason", async () => {
    const page = await site.page();
    await page.goto(site.url);
    await settled(page);
    const questions = await page.evaluate(() =>
      Promise.all(
        [...document.querySelectorAll("main .chapter:not([aria-labelledby=write])")].map((chapter) =>
          Promise.all([...chapter.querySelectorAll("[predict]")].map(({ routine }) => routine.question())),
        ),
      ),
    );
    // The chapter of the exercise has no widget: it asks in its own way.
    assert.equal(questions.length, 8);
    for (const chapter of questions) {
      assert.ok(chapter.length >= 1);
      for (const { answers } of chapter) {
        assert.equal(answers.filter(({ right }) => right).length, 1);
        assert.ok(answers.length >= 3 && answers.every(({ because }) => because.length > 20));
      }
    }
    await page.close();
  });

  test("a right answer is said to be right, and the question can be passed over", async () => {
    const page = await site.page();
    await page.goto(site.url);
    await settled(page);
    const zero = widget(page, "zero");
    await zero.press("Stage 3");
    assert.match(await zero.root.locator(".verdict").textContent(), /Right\. You said: Stage 3\./);
    await passQuestions(page);
    assert.equal(await widget(page, "bubble").readout("bubble-of-total"), "27.3 %");
    assert.deepEqual(page.trouble, []);
    await page.close();
  });
});
