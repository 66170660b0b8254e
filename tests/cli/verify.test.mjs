import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused } from "./support.mjs";

test("every table is computed anew, and no cell differs that must agree", () => {
  const { summary, tables } = answer("verify");
  assert.equal(summary.differ, 0);
  assert.equal(summary.agree + summary.known_differences, summary.cells);
  assert.equal(summary.cells, tables.reduce((sum, table) => sum + table.cells.length, 0));
  for (const { id, counts, cells, derivations } of tables) {
    assert.equal(counts.cells, cells.length, id);
    const verdicts = (word) => cells.filter(({ verdict }) => verdict === word);
    assert.equal(counts.agree, verdicts("agrees").length, id);
    for (const cell of verdicts("known-difference")) {
      assert.notEqual(derivations[cell.derivation].known_difference, "", `${id} ${cell.id}`);
    }
    const assumed = verdicts("agrees").filter((cell) => derivations[cell.derivation].assumption !== "");
    assert.equal(counts.agree_under_assumption, assumed.length, id);
  }
});

test("a cell of one table has what is printed, what is got and what is between them", () => {
  const { summary, tables } = answer("verify --table zero_table1");
  assert.deepEqual(summary, { cells: 18, agree: 18, agree_under_assumption: 0, known_differences: 0, differ: 0 });
  const [table] = tables;
  assert.equal(table.source.address, "https://arxiv.org/abs/1910.02054");
  assert.deepEqual(table.cells.find(({ id }) => id === "64-ranks.p-os"), {
    id: "64-ranks.p-os",
    row: "64 ranks",
    column: "P_os",
    unit: "GB",
    expected: 31.4,
    printed: "31.4",
    got: 31.40625,
    difference: 31.40625 - 31.4,
    tolerance: 0.05,
    relative_difference: (31.40625 - 31.4) / 31.4,
    verdict: "agrees",
    derivation: 0,
  });
});

test("what is printed keeps its zeros, and its unit is in words", () => {
  const [{ cells }] = answer("verify --table korthikanti_table3_5").tables;
  const { expected, printed } = cells.find(({ id }) => id === "22b.throughput-increase");
  assert.deepEqual([expected, printed], [29, "29.0"]);
  assert.equal(answer("verify --table zero_table2").tables[0].cells[0].unit, "billion parameters");
});

test("a cell of words has no difference but its words", () => {
  const [{ cells }] = answer("verify --table dualpipev_4rank_10mb").tables;
  assert.deepEqual(Object.keys(cells[0]), ["id", "row", "column", "unit", "expected", "printed", "got", "verdict", "derivation"]);
  assert.equal(cells[0].expected, "0F0");
  assert.equal(cells[0].printed, "0F0");
  assert.equal(cells[0].got, "0F0");
});

test("a table that is not carried is refused", () => {
  assertRefused("verify --table gpipe", "--table is gpipe", "zero_table1");
  assertRefused("verify --tables zero_table1", "--tables is unknown");
});
