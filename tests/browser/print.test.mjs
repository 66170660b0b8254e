import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { open, unfold, widget } from "./browser.mjs";

let site;

before(async () => {
  site = await open();
});

after(() => site?.close());

/** Inside A4's margins, in CSS pixels. */
const paper = 718;

/** The lab as it goes to paper. */
async function printed({ prepare = () => {}, ...options } = {}) {
  const page = await site.lab(options);
  await prepare(page);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: paper, height: 1000 });
  return page;
}

/** The selectors of which something can be seen. */
function seen(page, selectors) {
  return page.evaluate(
    (all) =>
      all.filter((selector) =>
        [...document.querySelectorAll("main *")].some((element) =>
          [...(element.shadowRoot?.querySelectorAll(selector) ?? [])].some((one) => one.checkVisibility()),
        ),
      ),
    selectors,
  );
}

describe("on paper", () => {
  test("nothing is left that can be operated, and what the controls say is text", async () => {
    const page = await printed({
      prepare: async (lab) => {
        await widget(lab, "pipeline").setAll({ schedule: "gpipe", stages: "6" });
        await widget(lab, "all-reduce").set("source", "csv");
      },
    });
    assert.deepEqual(await seen(page, ["input", "textarea", "select", "button", "summary"]), []);
    assert.equal(await page.locator("nav").isVisible(), false);
    const text = async (id) => (await widget(page, id).root.locator(".stated").innerText()).replace(/\s+/g, " ");
    assert.match(await text("pipeline"), /Schedule GPipe .*Stages 6 /);
    assert.match(await text("all-reduce"), /Numbers My own Tensors, a row per rank 1, 2, 3, 4 10, 20/);
    assert.deepEqual(await seen(page, [".caption", ".tiles", ".figure svg", ".claim"]), [".caption", ".tiles", ".figure svg", ".claim"]);
    assert.deepEqual(page.trouble, []);
    await page.close();
  });

  test("what was unfolded is there, with the addresses of its sources", async () => {
    const page = await printed({ prepare: unfold });
    assert.deepEqual(await seen(page, [".why dl", ".data table"]), [".why dl", ".data table"]);
    const address = await page.evaluate(
      () => getComputedStyle(document.querySelector("shardlab-pipeline").shadowRoot.querySelector(".sources a"), "::after").content,
    );
    assert.match(address, /https/);
    await page.close();
  });

  test("it is dark on white, whatever the screen shows", async () => {
    const page = await printed({ only: "pipeline", colorScheme: "dark" });
    const colors = await page.evaluate(() => {
      const { shadowRoot } = document.querySelector("shardlab-pipeline");
      const of = (element, property) => getComputedStyle(element)[property];
      return [of(document.body, "backgroundColor"), of(shadowRoot.querySelector(".widget"), "backgroundColor"), of(document.body, "color")];
    });
    assert.deepEqual(colors, ["rgb(255, 255, 255)", "rgb(255, 255, 255)", "rgb(28, 30, 34)"]);
    await page.close();
  });

  test("no figure is wider than the paper", async () => {
    const page = await printed({ prepare: (lab) => widget(lab, "pipeline").setAll({ stages: "8", microBatches: "32" }) });
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll("main *")].flatMap((element) =>
        [...(element.shadowRoot?.querySelectorAll(".figure svg") ?? [])]
          .filter((svg) => svg.getBoundingClientRect().right > innerWidth)
          .map(() => element.localName),
      ),
    );
    assert.deepEqual(wide, []);
    await page.close();
  });

  test("a question that was not answered stays, for a pencil", async () => {
    const page = await site.page();
    await page.goto(site.url);
    await page.locator("shardlab-zero .question").waitFor();
    await page.emulateMedia({ media: "print" });
    const zero = page.locator("shardlab-zero");
    assert.equal(await zero.getByRole("button", { name: "Stage 3" }).isVisible(), true);
    assert.equal(await zero.getByRole("button", { name: "Just show me" }).isVisible(), false);
    await page.close();
  });
});

test("on the screen the controls alone say what is set", async () => {
  const page = await site.lab();
  assert.deepEqual(await seen(page, [".stated"]), []);
  await page.close();
});
