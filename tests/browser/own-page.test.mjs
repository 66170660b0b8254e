/** A widget's own page for everyone: by axe, narrow, enlarged, from right to left, with motion unwanted, on paper. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lowContrast, violations } from "./accessibility.mjs";
import { open, unfold } from "./browser.mjs";
import { repeated } from "./tier.mjs";

const ids = repeated(["pipeline"], ["all-reduce", "all-reduce-cost", "crossover", "nccl-tuning", "data-parallel", "tensor-parallel", "tensor-parallel-cost", "bubble", "zero", "memory", "measure", "verify"]);
const schemes = repeated([{ colorScheme: "dark" }], [{ colorScheme: "light" }, { forcedColors: "active" }]);

/** As in the tests of the lab's page. */
const quiet = ".card, .grid, .cell, .chosen, .veil, .hatched, .parting, .casing, .lanes path, .held path + path, .held ~ .axis";

let site;

before(async () => {
  site = await open();
});
after(() => site.close());

async function opened(id, { query = "", ...options } = {}) {
  const page = await site.page(options);
  await page.goto(`${site.url}embed/${id}.html${query}`);
  await page.locator(`shardlab-${id}`).evaluate(async (one) => {
    await customElements.whenDefined(one.localName);
    await one.ready;
    await one.updateComplete;
  });
  return page;
}

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Whatever reaches out of the window, and is not in a box that scrolls. */
const outside = (page) =>
  page.evaluate(() =>
    [...document.querySelector("main > *").shadowRoot.querySelectorAll("*")]
      .filter((one) => !one.closest(".scroll, .figure, .unseen, option") && one.checkVisibility())
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 || one.getBoundingClientRect().left < -0.5)
      .map((one) => `${one.localName}.${one.className}`),
  );

for (const id of ids) {
  describe(id, () => {
    for (const scheme of schemes) {
      test(`axe finds nothing, ${Object.values(scheme)[0]}, closed and unfolded`, async () => {
        const page = await opened(id, scheme);
        assert.deepEqual(await violations(page), []);
        await unfold(page);
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(await lowContrast(page, quiet), []);
        assert.deepEqual(page.trouble.filter((one) => !one.startsWith("request: blob:")), []);
        await page.close();
      });
    }

    // Twice as large, a window of 640 pixels has room for 320.
    test("nothing is cut off at 320 pixels, nor from right to left", async () => {
      for (const direction of ["ltr", "rtl"]) {
        const page = await opened(id, { width: 320 });
        await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), direction);
        await unfold(page);
        assert.equal(await sideways(page), 0, direction);
        assert.deepEqual(await outside(page), [], direction);
        await page.close();
      }
    });

    test("nothing moves where motion is unwanted, or its author says so", async () => {
      for (const options of [{ reducedMotion: "reduce" }, { reducedMotion: "no-preference", query: "?no-motion" }]) {
        const page = await opened(id, options);
        const moving = await page.locator(`shardlab-${id}`).evaluate(async (one) => {
          one.next();
          await one.updateComplete;
          return one.shadowRoot.getAnimations().length + document.getAnimations().length;
        });
        assert.equal(moving, 0);
        await page.close();
      }
    });

    test("without a script there is its picture, and the caption under it", async () => {
      const page = await site.page({ javaScriptEnabled: false });
      await page.goto(`${site.url}embed/${id}.html`);
      assert.ok(await page.locator(".first svg").first().isVisible());
      assert.ok((await page.locator(".first figcaption").textContent()).length > 20);
      await page.close();
    });
  });
}
