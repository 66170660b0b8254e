import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, importBuilt } from "./support.mjs";

const { load, ShardlabError } = await importBuilt();
const lab = await load();

test("every cell of every table agrees or differs for a reason that is named", () => {
  const { tables, counts } = lab.verify({});
  assert.equal(counts.differ, 0);
  assert.equal(counts.agree + counts.knownDifferences, counts.cells);
  assert.equal(counts.cells, tables.reduce((sum, { cells }) => sum + cells.length, 0));
  for (const { id, rows, columns, cells, derivations } of tables) {
    for (const cell of cells) {
      const known = derivations[cell.derivation].knownDifference !== "";
      assert.ok(cell.verdict === "agrees" || (cell.verdict === "known-difference" && known), `${id} ${cell.id}`);
      assert.ok(cell.row < rows.length && cell.column < columns.length);
    }
  }
});

test("a cell has what is printed, what is got and what is between them", () => {
  const [table] = lab.verify({ table: "zero_table1" }).tables;
  const cell = table.cells.find(({ id }) => id === "64-ranks.p-os");
  assert.equal(table.rows[cell.row], "64 ranks");
  assert.deepEqual(table.columns[cell.column], { name: "P_os", unit: "GB" });
  assert.equal(cell.printed, "31.4");
  assert.deepEqual([cell.expected, cell.got, cell.difference], [31.4, 31.40625, 31.40625 - 31.4]);
});

test("words have no difference", () => {
  const [{ cells }] = lab.verify({ table: "dualpipev_4rank_10mb" }).tables;
  assert.deepEqual([cells[0].expected, cells[0].difference, cells[0].relativeDifference], ["0F0", null, null]);
});

test("a table that is not carried is refused", () => {
  assert.throws(() => lab.verify({ table: "gpipe" }), (error) => {
    assertRefused(error, ShardlabError, "table", /zero_table1/);
    return true;
  });
});
