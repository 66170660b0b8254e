import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, restart, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;
let page;
let ring;

before(async () => {
  site = await open();
  page = await site.lab({ only: "all-reduce" });
  ring = widget(page, "all-reduce");
});

after(() => site?.close());

beforeEach(() => restart(page));

const next = () => ring.press("one step on");

describe("steps and bytes", () => {
  for (const [ranks, steps, factor] of repeated(
    [
      [4, 6, "1.5×"],
      [64, 126, "1.96875×"],
    ],
    [
      [2, 2, "1×"],
      [8, 14, "1.75×"],
      [16, 30, "1.875×"],
    ],
  )) {
    test(`${ranks} ranks: ${steps} steps, and each sends ${factor} its tensor`, async () => {
      await ring.set("ranks", String(ranks));
      assert.equal(await ring.readout("steps"), `0 / ${steps}`);
      assert.match(await ring.readout("factor"), new RegExp(`^${factor} = `));
      assert.equal(await ring.readout("sent"), "0 GiB");
      await ring.step(steps);
      const { sent, factor: ended } = await ring.readouts();
      assert.equal(ended, `${factor} = ${sent}`, "what was promised is what was sent");
    });
  }

  test("each step of four ranks sends a quarter of the tensor", async () => {
    for (const sent of ["0.25 GiB", "0.5 GiB", "0.75 GiB", "1 GiB", "1.25 GiB", "1.5 GiB"]) {
      await next();
      assert.equal(await ring.readout("sent"), sent);
    }
    assert.equal(await ring.readout("steps"), "6 / 6");
    const reasons = await ring.reasons();
    assert.ok(reasons.includes("S · sent / held = 1 GiB · 48 / 32 = 1.5 GiB"), "as the schedule booked it");
    assert.ok(reasons.includes("2 · S · (N − 1) / N = 2 · 1 GiB · (4 − 1) / 4 = 1.5 GiB"), "as the core prices it");
    assert.ok(reasons.includes("1 + 10 + 100 + 1000 = 1111"));
  });

  test("amounts are said in the unit that was typed, and far smaller ones in their own", async () => {
    await ring.set("bytes", "1GB");
    await next();
    assert.equal(await ring.readout("sent"), "0.25 GB");
    await ring.setAll({ ranks: "512", bytes: "1GiB" });
    assert.equal(await ring.readout("sent"), "2 MiB");
  });

  test("the time grows from step to step to what the core prices", async () => {
    assert.equal(await ring.readout("seconds"), "0 s of 32.2 ms");
    await ring.step(3);
    assert.equal(await ring.readout("seconds"), "16.1 ms of 32.2 ms");
    await ring.setAll({ bytes: "0", latencySeconds: "1ms" });
    assert.deepEqual([await ring.readout("sent"), await ring.readout("seconds")], ["0 B", "3 ms of 6 ms"]);
    await ring.setAll({ bytes: "1e6", bytesPerSecond: "1e9" });
    assert.equal(await ring.readout("seconds"), "3.75 ms of 7.5 ms");
    const reasons = await ring.reasons();
    assert.ok(reasons.includes("k · (α + c / β) = 3 · (1 ms + 0.25 MB / (1 GB/s)) = 3.75 ms"));
    assert.ok(reasons.includes("2 (N − 1) · α + 2 (N − 1) · S / (N · β) = 6 · 1 ms + 1.5 MB / (1 GB/s) = 7.5 ms"));
  });

  test("a bar says what was sent, below a line at twice the tensor", async () => {
    const bar = () =>
      ring.root.locator(".sent-bar").evaluate((group) => {
        const width = (kind) => Number(group.querySelector(`rect.${kind}[height="18"]`)?.getAttribute("width") ?? 0);
        const mark = Number(/^M([\d.]+)/.exec(group.querySelector(".mark").getAttribute("d"))[1]);
        return { collect: width("collect") / (mark - 1), handRound: width("hand-round") / (mark - 1), end: width("unsent") / (mark - 1) };
      });
    assert.deepEqual(await bar(), { collect: 0, handRound: 0, end: 0.75 });
    await ring.step(4);
    const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-3, `${found} is near ${wanted}`);
    const { collect, handRound } = await bar();
    near(collect, 0.375);
    near(handRound, 0.125);
    assert.ok((await ring.figureTexts()).includes("sent by each rank: 1 of 1.5 S"));
    await ring.set("ranks", "16");
    near((await bar()).end, 0.9375);
    await ring.set("ranks", "64");
    near((await bar()).end, 0.984375);
  });
});

describe("what the ranks hold", () => {
  test("each chunk's sum grows from step to step", async () => {
    assert.match(await ring.caption(), /^Every rank holds its own numbers only\. No rank is special/);
    await next();
    assert.deepEqual((await ring.table()).slice(1), [
      ["rank 0", "1", "1", "1", "1 001"],
      ["rank 1", "11", "10", "10", "10"],
      ["rank 2", "100", "110", "100", "100"],
      ["rank 3", "1 000", "1 000", "1 100", "1 000"],
    ]);
    for (const text of ["0011", "0110", "1100", "1001"]) assert.ok((await ring.figureTexts()).includes(text), text);
    assert.match(await ring.caption(), /^Step 1: all 4 links carry one chunk at once\./);
  });

  test("after the reduce-scatter each rank has one finished chunk, at the end all", async () => {
    const finished = () => ring.root.locator(".figure .whole").count();
    await ring.step(3);
    assert.match(await ring.caption(), /reduce-scatter is done/);
    assert.equal((await ring.figureTexts()).filter((text) => text === "1111").length, 4);
    assert.equal(await finished(), 4);
    await ring.step(6);
    assert.equal((await ring.figureTexts()).filter((text) => text === "1111").length, 16 + 4, "16 chunks, and 4 on the links");
    assert.equal(await finished(), 16);
    assert.match(await ring.caption(), /Every rank now holds the whole sum\.$/);
  });

  test("the position stays where ranks change", async () => {
    await next();
    await next();
    assert.equal(await ring.readout("steps"), "2 / 6");
    await ring.press("one step back");
    await ring.set("ranks", "3");
    assert.equal(await ring.readout("steps"), "1 / 4");
    await ring.press("to the start");
    assert.equal(await ring.readout("steps"), "0 / 4");
  });

  test("the user's own tensors are summed, and sized by themselves", async () => {
    await ring.set("source", "csv");
    await ring.set("csv", "1,2.5,3\n10,20,-30\n");
    assert.equal(await ring.control("bytes").count(), 0);
    await ring.step(2);
    assert.deepEqual((await ring.table()).slice(1), [
      ["rank 0", "11", "22.5", "−27"],
      ["rank 1", "11", "22.5", "−27"],
    ]);
    assert.equal(await ring.readout("factor"), "1× = 24 B");
    await ring.set("csv", "1,2,3\n4,5,6\n7,8,9\n1,1,1\n");
    await ring.step(6);
    assert.deepEqual((await ring.table())[4], ["rank 3", "13", "16", "19"]);
    assert.equal(await ring.readout("factor"), "1.333 to 1.667× = 32 to 40 B");
  });

  test("chunks differ where the ranks do not divide the elements, and need not be there", async () => {
    await ring.setAll({ elements: "3", bytes: "24" });
    assert.equal(await ring.readout("factor"), "1.333 to 1.667× = 32 to 40 B");
    assert.ok((await ring.figureTexts()).includes("sent by the busiest rank: 0 of 1.667 S"));
    await ring.setAll({ elements: "73", bytes: "584" });
    assert.equal(await ring.readout("factor"), "1.493 to 1.507× = 872 to 880 B");
    assert.ok((await ring.reasons()).includes("2 (N − 1) · elements = 2 (4 − 1) · 73 = 438"));
    await ring.set("elements", "1");
    await ring.step(2);
    assert.match(await ring.caption(), /^Step 2: 1 of 4 links carry a chunk\./);
  });

  test("one rank has nobody to add to", async () => {
    await ring.set("ranks", "1");
    assert.equal(await ring.caption(), "One rank has nobody to add to: no step, nothing sent.");
    assert.equal(await ring.readout("factor"), "0× = 0 GiB");
    await ring.set("follow", "one");
    assert.equal(await ring.caption(), "One rank has nobody to add to: no step, nothing sent.");
  });
});

describe("one chunk is followed", () => {
  beforeEach(() => ring.setAll({ follow: "one", chunk: "2" }));

  test("the caption says where it is, and what is left of its way", async () => {
    const said = [
      /^Chunk 2 sets out from rank 2\. It takes 3 hops, N − 1, to collect .*, and as many to hand/,
      /^Step 1: chunk 2 comes from rank 2 to rank 3, where it is now the sum of ranks 2 and 3\. 2 hops to go until it is complete\.$/,
      /^Step 2: .* from rank 3 to rank 0, where it is now the sum of ranks 0, 2 and 3\. 1 hop to go/,
      /^Step 3: chunk 2 is complete on rank 1, after 3 hops\. It takes 3 more until everyone has it\.$/,
      /^Step 4: chunk 2 comes from rank 1 to rank 2, finished\. 2 of 4 ranks have it; 2 hops to go\.$/,
      /^Step 5: .* 3 of 4 ranks have it; 1 hop to go\.$/,
      /^Step 6: chunk 2 is complete on every rank, after 3 hops to collect it and 3 to hand it round\.$/,
    ];
    for (const [step, sentence] of said.entries()) {
      await ring.step(step);
      assert.match(await ring.caption(), sentence);
    }
  });

  test("it stands out on every rank, the others stand back, and the links that it passed show it", async () => {
    const count = (selector) => ring.root.locator(`.figure ${selector}`).count();
    assert.deepEqual([await count("g.followed"), await count("g.aside")], [4, 12]);
    assert.equal(await count(".link.passed"), 0);
    await ring.step(3);
    assert.deepEqual([await count(".link.passed"), await count(".link.again")], [3, 0]);
    await ring.step(6);
    assert.deepEqual([await count(".link.passed"), await count(".link.again")], [4, 2]);
    const texts = await ring.figureTexts();
    for (const hops of ["start, hop 4", "hops 1, 5", "hops 2, 6", "hop 3"]) assert.ok(texts.includes(hops), hops);
    await ring.set("follow", "all");
    assert.equal(await count("g.followed"), 0);
  });

  test("an empty chunk is said to be empty", async () => {
    await ring.set("elements", "2");
    assert.equal(await ring.caption(), "Chunk 2 is empty, and nothing of it moves.");
  });
});

describe("layouts", () => {
  /** Rows have no links between them to be seen. */
  const inRows = async () => (await ring.root.locator(".figure .link").count()) === 0;

  test("a ring or rows, as chosen", async () => {
    assert.equal(await inRows(), false);
    await ring.set("layout", "row");
    assert.equal(await inRows(), true);
    await next();
    assert.equal(await ring.root.locator(".figure .arrow").count(), 4);
  });

  for (const ranks of repeated([2, 5, 16], [3, 4, 6, 8, 12])) {
    test(`the cards of a ring of ${ranks} stand clear of each other`, async () => {
      await ring.set("ranks", String(ranks));
      assert.equal(await inRows(), false);
      const boxes = await ring.root
        .locator(".figure .card")
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
      assert.equal(boxes.length, ranks);
      const overlaps = boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .filter((two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom),
      );
      assert.deepEqual(overlaps, []);
    });
  }

  test("where a ring has no room there are rows", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await page.waitForFunction(() => document.querySelector("shardlab-all-reduce").shadowRoot.querySelector(".figure svg").viewBox.baseVal.width < 390);
    assert.equal(await inRows(), true);
  });

  test("beyond 16 ranks the bar alone is drawn, and all is computed the same", async () => {
    await ring.set("ranks", "64");
    assert.match(await ring.caption(), /^Ranks are drawn up to 16/);
    assert.deepEqual([await ring.root.locator(".figure .card").count(), await ring.root.locator(".sent-bar").count()], [0, 1]);
    await ring.step(126);
    assert.deepEqual((await ring.table())[1].slice(0, 2), ["rank 0", "2 080"]);
  });
});

test("nothing of all this reached the console", () => assert.deepEqual(page.trouble, []));
