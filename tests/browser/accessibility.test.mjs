import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lowContrast, violations } from "./accessibility.mjs";
import { open, otherState, unfold, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

/**
 * Backgrounds of what is said by a text on them, lines behind curves, lanes of operations too many to be cells, areas
 * within each other with the axis below them, of which the outermost stands against the panel, and gaps.
 */
const quiet = ".card, .grid, .cell, .chosen, .veil, .hatched, .parting, .casing, .lanes path, .held path + path, .held ~ .axis";

const ways = repeated(
  [["light", { colorScheme: "light" }]],
  [
    ["dark", { colorScheme: "dark" }],
    ["forced colours", { forcedColors: "active" }],
  ],
);

for (const [name, options] of ways) {
  describe(name, () => {
    let page;
    before(async () => {
      page = await site.lab(options);
    });
    after(() => page?.close());

    test("axe finds nothing", async () => {
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await lowContrast(page, quiet), []);
    });

    test("nor does a limit go under in the bar that it cuts", async () => {
      for (const zeroStage of ["0", "1", "2", "3"]) {
        await widget(page, "zero").setAll({ source: "preset", microBatches: "4", zeroStage });
        assert.deepEqual(await lowContrast(page, quiet), [], `stage ${zeroStage}`);
      }
    });

    test("nor with other controls, in the middle of the steps, with an error and everything unfolded", async () => {
      await otherState(page);
      await unfold(page);
      for (const width of repeated([320], [390, 1200])) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await violations(page), [], `at ${width} pixels`);
        assert.deepEqual(await lowContrast(page, quiet), [], `at ${width} pixels`);
      }
      assert.deepEqual(page.trouble, []);
    });
  });
}
