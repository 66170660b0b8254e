import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { open, unfold, widget } from "./browser.mjs";
import { host, started } from "./host.mjs";

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

describe("of a widget on a page of others, and of an embed", () => {
  const pages = {
    "an element": async () => {
      const page = await host(site, '<main style="color-scheme: dark"><shardlab-pipeline preset="against-gpipe" theme="dark"></shardlab-pipeline></main><script type="module" src="widgets/pipeline.js"></script>', { colorScheme: "dark" });
      return page;
    },
    "an embed": async () => {
      const page = await site.page({ colorScheme: "dark" });
      await page.goto(`${site.url}embed/pipeline.html?preset=against-gpipe&theme=dark`);
      return page;
    },
  };
  for (const [name, opened] of Object.entries(pages)) {
    test(`${name}: what is set and where it is found again are text, dark on white`, async () => {
      const page = await opened();
      const one = page.locator("shardlab-pipeline");
      await started(one);
      const address = one.locator(".address");
      assert.equal(await address.isVisible(), false);
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: paper, height: 1000 });
      assert.deepEqual(await seen(page, ["input", "textarea", "select", "button", "summary"]), []);
      assert.match((await one.locator(".stated").innerText()).replace(/\s+/g, " "), /Schedule 1F1B Below it GPipe Micro-batches 8 Stages 4 /);
      assert.doesNotMatch(await one.locator(".stated").innerText(), /Activation bytes/, "what is empty");
      const link = (await address.innerText()).trim();
      assert.equal(link, await one.evaluate((element) => element.permalink()));
      // An embed's own address has what its author asked for.
      const expected = name === "an embed" ? /embed\/pipeline\.html\?preset=against-gpipe&theme=dark#v=1$/ : /#v=1&pipeline\.compare=gpipe&pipeline\.micro-batches=8$/;
      assert.match(link, expected);
      const colours = await one.evaluate((element) => {
        const of = (part, property) => getComputedStyle(element.shadowRoot.querySelector(part))[property];
        return [of(".widget", "backgroundColor"), of(".caption", "color"), of(".address", "color"), getComputedStyle(element.shadowRoot.querySelector(".figure svg text")).fill];
      });
      assert.deepEqual(colours.map((colour) => (colour === "rgb(90, 96, 107)" ? "rgb(28, 30, 34)" : colour)), ["rgb(255, 255, 255)", ...Array(3).fill("rgb(28, 30, 34)")]);
      if (name === "an embed") assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(28, 30, 34)");
      const wide = await one.evaluate(({ shadowRoot }) => shadowRoot.querySelector(".figure svg").getBoundingClientRect().right);
      assert.ok(wide <= paper);
      await page.close();
    });
  }

  test("an address that nobody types is left out", async () => {
    const page = await host(site, '<main><shardlab-pipeline></shardlab-pipeline></main><script type="module" src="widgets/pipeline.js"></script>');
    const one = page.locator("shardlab-pipeline");
    await started(one);
    assert.equal(await one.locator(".address").count(), 1);
    await one.evaluate(async (element) => {
      element.state = { schedule: "own", csv: "0F0,0B0,".repeat(60) };
      await element.updateComplete;
    });
    assert.equal(await one.locator(".address").count(), 0);
    await page.close();
  });
});

test("on the screen the controls alone say what is set", async () => {
  const page = await site.lab();
  assert.deepEqual(await seen(page, [".stated", ".address"]), []);
  await page.close();
});
