// All-reduce by every algorithm: what each rank ends with, what each sends, and what goes wrong when it is made to.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, beforeEach, describe, test } from "node:test";
import { collisions, open, restart, widget } from "./browser.mjs";
import { repeated } from "./tier.mjs";

let site;
let page;
let reduce;

before(async () => {
  site = await open();
  page = await site.lab({ only: "all-reduce" });
  reduce = widget(page, "all-reduce");
});

after(() => site?.close());

beforeEach(() => restart(page));

const algorithms = ["ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical"];

/** Shows a state, which is quicker than typing it. */
const show = (texts) =>
  reduce.root.evaluate(async (element, state) => {
    element.state = state;
    await element.updateComplete;
  }, texts);

/** What stands in the cells of the figure, without what is on links. */
const cells = () =>
  reduce.root
    .locator(".figure g:not(.badge) > text.value")
    .evaluateAll((texts) => texts.map((text) => text.textContent.trim()));

const count = (selector) => reduce.root.locator(`.figure ${selector}`).count();
const end = async () => reduce.root.evaluate((element) => element.position().count);

describe("every algorithm ends in everyone's numbers", () => {
  for (const algorithm of algorithms) {
    test(algorithm, async () => {
      for (const ranks of repeated([3, 8], [2, 4])) {
        const state = { algorithm, ranks: String(ranks), perNode: ranks === 3 ? "3" : "2", layout: "row", slices: "2" };
        await show(state);
        const steps = await end();
        await show({ ...state, step: String(steps) });
        const all = await reduce.root.evaluate((element) => element.results.now.result.map((row) => [...row]));
        assert.equal(all.length, ranks);
        assert.deepEqual([...new Set(all.flat())], [Number("1".repeat(ranks))], `${ranks} ranks`);
        assert.equal(await count("g.whole > .cell"), await count(".cell"), "all cells are whole");
        assert.match(await reduce.caption(), /Every rank now holds the whole sum\.$/);
        assert.equal(await reduce.readout("steps"), `${steps} / ${steps}`);
      }
    });
  }
});

describe("steps and bytes", () => {
  test("are those of the closed forms, and the least is said beside them", async () => {
    for (const [texts, steps, factor] of [
      [{ algorithm: "naive" }, 6, "1 to 3× = 1 to 3 GiB; at least 1.5×"],
      [{ algorithm: "tree" }, 4, "1 to 2× = 1 to 2 GiB; at least 1.5×"],
      [{ algorithm: "tree", ranks: "8" }, 6, "1 to 3× = 1 to 3 GiB; at least 1.75×"],
      [{ algorithm: "tree", ranks: "8", slices: "4" }, 9, "1 to 3× = 1 to 3 GiB; at least 1.75×"],
      [{ algorithm: "halving-doubling", ranks: "8" }, 6, "1.75× = 1.75 GiB"],
      [{ algorithm: "halving-doubling", ranks: "6" }, 6, "1 to 2.5× = 1 to 2.5 GiB; at least 1.667×"],
      [{ algorithm: "hierarchical", ranks: "8", perNode: "4" }, 8, "1.75× = 1.75 GiB"],
    ]) {
      await show(texts);
      assert.deepEqual([await reduce.readout("steps"), await reduce.readout("factor")], [`0 / ${steps}`, factor], JSON.stringify(texts));
    }
  });

  test("time grows with each step's own length, to what the core prices", async () => {
    await show({ algorithm: "halving-doubling", bytes: "1GB", step: "1" });
    assert.equal(await reduce.readout("seconds"), "10 ms of 30 ms");
    await show({ algorithm: "halving-doubling", bytes: "1GB", step: "2" });
    assert.equal(await reduce.readout("seconds"), "15 ms of 30 ms");
    await show({ algorithm: "naive", bytes: "1GB", step: "6" });
    assert.equal(await reduce.readout("seconds"), "120 ms of 120 ms");
  });

  test("the reasons have the formulas of each, with the user's numbers", async () => {
    await show({ algorithm: "tree", ranks: "8", slices: "4" });
    const tree = await reduce.reasons();
    assert.ok(tree.includes("2 ⌈log₂ N⌉ + s − 1 = 2 ⌈log₂ 8⌉ + 4 − 1 = 9"));
    assert.ok(tree.includes("S · ⌈log₂ N⌉ = 1 GiB · ⌈log₂ 8⌉ = 3 GiB"));
    assert.ok(tree.includes("2 · S · (N − 1) = 2 · 1 GiB · (8 − 1) = 14 GiB"));
    await show({ algorithm: "halving-doubling", ranks: "6" });
    assert.ok((await reduce.reasons()).includes("2 · S · (P − 1) / P + S = 2 · 1 GiB · (4 − 1) / 4 + 1 GiB = 2.5 GiB"));
    await show({ algorithm: "hierarchical", ranks: "8", perNode: "4" });
    assert.ok((await reduce.reasons()).includes("2 (g − 1) + 2 (k − 1) = 2 (4 − 1) + 2 (2 − 1) = 8"));
  });

  test("each formula is MathML, and guarded by a test case that there is", async () => {
    const folder = new URL("../", import.meta.url);
    const cases = readdirSync(folder)
      .filter((name) => name.endsWith(".cpp"))
      .map((name) => readFileSync(new URL(name, folder), "utf8"))
      .join();
    for (const algorithm of algorithms) {
      await show({ algorithm, fault: "slow", dtype: "float32" });
      const all = await reduce.reasons();
      const guards = await reduce.root.locator(".why .guard q").allTextContents();
      assert.equal(guards.length, all.length, algorithm);
      for (const guard of guards) assert.ok(cases.includes(`"${guard}"`), `${algorithm}: ${guard}`);
      const words = await reduce.root.locator(".why math > mrow > mtext").allTextContents();
      assert.deepEqual(words.filter((word) => /[0-9=/]/.test(word)), [], algorithm);
    }
  });

  test("the table has the bytes of each rank where they differ", async () => {
    await show({ algorithm: "tree", step: "4" });
    assert.deepEqual((await reduce.table()).slice(0, 3), [
      ["", "element 0", "sent", "received"],
      ["rank 0", "1 111", "16", "16"],
      ["rank 1", "1 111", "8", "8"],
    ]);
  });
});

describe("the reduction", () => {
  test("maximum, minimum and average", async () => {
    for (const [op, value] of [["max", "1000"], ["min", "0001"], ["average", "277.75"]]) {
      await show({ algorithm: "tree", op, step: "4" });
      assert.deepEqual([...new Set(await cells())], [value], op);
    }
    await show({ algorithm: "tree", op: "average", step: "3" });
    assert.ok((await cells()).includes("1111"), "only the end divides");
  });

  test("float32 rounds, and how far the sums are off the exact ones is said", async () => {
    await show({ ranks: "16", dtype: "float32", layout: "row", algorithm: "tree", step: "8" });
    assert.deepEqual([...new Set(await cells())], ["1111111126482944"]);
    assert.ok((await reduce.reasons()).some((text) => text.startsWith("max |sum − exact sum| = 28 182 073")));
  });
});

describe("break it", () => {
  test("a rank that is left out lacks its digit, and nothing looks wrong", async () => {
    await show({ fault: "drop", step: "6" });
    assert.ok((await reduce.figureTexts()).includes("0111"));
    assert.ok(!(await reduce.figureTexts()).includes("1111"));
    assert.match(await reduce.caption(), /Suppose rank 3 is left out\. All ranks differ .* by up to 1 000, and all ranks agree on it: nothing looks wrong\. In reality: NCCL does not go on without a rank/);
    assert.equal(await reduce.readout("diverged"), "4 of 4 by up to 1 000");
  });

  test("a message that never arrives leaves replicas that diverge, and they are marked", async () => {
    await show({ fault: "miss-hop", faultRank: "1", faultStep: "5", step: "4" });
    assert.equal(await count(".differs"), 0);
    await show({ fault: "miss-hop", faultRank: "1", faultStep: "5", step: "5" });
    assert.equal(await count(".badge.lost"), 1);
    await show({ fault: "miss-hop", faultRank: "1", faultStep: "5", step: "6" });
    assert.match(await reduce.caption(), /Ranks 2 and 3 differ from a sound run by up to 1 001, and replicas diverge, by up to 1 001\. In reality: NCCL does not skip a message/);
    assert.deepEqual((await reduce.figureTexts()).filter((text) => text.includes("≠")), ["rank 2 ≠", "rank 3 ≠"]);
    assert.equal(await count(".card.apart"), 2);
  });

  for (const algorithm of algorithms) {
    test(`each fault of ${algorithm} has a rank and a step where it shows, if nobody names them`, async () => {
      for (const fault of ["drop", "double", "miss-hop", "stale", "slow"]) {
        for (const ranks of ["2", "4"]) {
          await show({ algorithm, fault, ranks });
          await show({ algorithm, fault, ranks, step: String(await end()) });
          const { diverged } = await reduce.readouts();
          if (fault === "slow") assert.equal(diverged, `0 of ${ranks}`);
          else assert.notEqual(diverged, `0 of ${ranks}`, `${fault} on ${ranks} ranks`);
        }
      }
    });
  }

  test("a slow rank takes twice as long, and changes no number", async () => {
    await show({ fault: "slow", step: "6" });
    assert.equal(await reduce.readout("seconds"), "64.5 ms of 64.5 ms");
    assert.ok((await reduce.figureTexts()).includes("1111"));
  });

  test("what cannot go wrong is refused at its control", async () => {
    await reduce.setAll({ fault: "miss-hop", faultRank: "4" });
    assert.match((await reduce.error("faultRank")).text, /^At rank must be a rank from 0 to 3/);
    await reduce.setAll({ algorithm: "tree", faultRank: "3", faultStep: "4" });
    assert.match((await reduce.error("faultStep")).text, /^In step must be a step in which rank 3 sends .*: 1\. It is 4\.$/);
  });
});

describe("one chunk is followed, whatever the algorithm", () => {
  test("halving-doubling", async () => {
    const state = { algorithm: "halving-doubling", ranks: "8", follow: "one", chunk: "3" };
    await show(state);
    assert.equal(await reduce.caption(), "Chunk 3 takes 7 messages to be reduced, and 7 messages to be handed round.");
    await show({ ...state, step: "3" });
    assert.match(await reduce.caption(), /^Step 3 of 6: chunk 3 goes from rank 2 to rank 6\. Rank 6 has it complete\.$/);
    assert.ok((await count("g.followed")) > 0);
  });

  test("a chunk that there is not is refused", async () => {
    await reduce.setAll({ algorithm: "tree", follow: "one", chunk: "1" });
    assert.match((await reduce.error("chunk")).text, /^Chunk must be a whole number from 0 to 0/);
  });
});

describe("layouts", () => {
  test("chords with a head for each message", async () => {
    await show({ algorithm: "tree", ranks: "8", step: "1" });
    assert.deepEqual([await count(".card"), await count(".way.collect")], [8, 1]);
    const heads = await reduce.root.locator(".figure .way.collect .head").getAttribute("d");
    assert.equal(heads.match(/z/g).length, 4);
    await show({ algorithm: "tree", ranks: "8", step: "6" });
    assert.deepEqual([await count(".way.collect"), await count(".way.hand-round")], [0, 1]);
  });

  test("ranks grouped into their nodes", async () => {
    await show({ algorithm: "hierarchical", ranks: "8", perNode: "4", layout: "nodes" });
    const texts = await reduce.figureTexts();
    assert.deepEqual(texts.filter((text) => text.startsWith("node")), ["node 0", "node 1"]);
    await show({ algorithm: "tree", layout: "nodes" });
    assert.deepEqual((await reduce.figureTexts()).filter((text) => text.startsWith("node")), []);
  });

  for (const algorithm of algorithms) {
    test(`no text of ${algorithm} runs into another, or out of the figure`, async () => {
      for (const ranks of [2, 3, 4, 6, 8, 12, 16]) {
        const state = { algorithm, ranks: String(ranks), perNode: ranks === 3 ? "3" : "2" };
        await show(state);
        await show({ ...state, step: String(Math.ceil((await end()) / 2)) });
        assert.deepEqual(await reduce.root.locator(".figure svg").evaluate(collisions), [], `${ranks} ranks`);
      }
    });
  }

  test("a thousand ranks are summarised", async () => {
    await show({ algorithm: "double-tree", ranks: "1024", slices: "8" });
    assert.match(await reduce.caption(), /^Ranks are drawn up to 16; the numbers are those of 1 024 ranks, executed\.$/);
    assert.equal(await count(".sent-bar"), 1);
  });
});

test("a link has all of it", async () => {
  await reduce.setAll({ algorithm: "tree", slices: "2", op: "max", dtype: "float32", fault: "miss-hop", faultRank: "1", faultStep: "2" });
  const link = await reduce.root.evaluate((element) => element.permalink());
  for (const part of ["algorithm=tree", "slices=2", "op=max", "dtype=float32", "fault=miss-hop", "fault-rank=1", "fault-step=2"]) {
    assert.ok(link.includes(`all-reduce.${part}`), `${part} in ${link}`);
  }
  const other = await site.lab({ fragment: link.slice(link.indexOf("#")) });
  assert.deepEqual(await widget(other, "all-reduce").state(), await reduce.state());
  await other.close();
});

test("nothing of all this reached the console", () => assert.deepEqual(page.trouble, []));
