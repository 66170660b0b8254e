/** How the cells of published tables are computed, and what each differs by. */

import type { Derivation, VerifiedCell, VerifiedTable } from "shardlab";
import { count, exact } from "../format.js";
import type { DataTable, Details, Reason, Source } from "../routine.js";
import { cellName, derivationOf, distance, printed, rounded, rowName, whole, withUnit } from "../routines/verify.js";
import { sentences } from "../said.js";
import { nameOf, type VerifyState } from "../verify-state.js";
import { rule, say, word } from "../words.js";

const guard = "every cell of every published table agrees, or differs for a reason that is named";

function note({ formula, assumption, tolerance, knownDifference }: Derivation): string {
  return sentences(
    say`Computed: ${word(formula)}.`,
    assumption === "" ? "" : say`Assumed: ${word(assumption)}.`,
    say`Why it may differ, or not: ${word(tolerance)}.`,
    word(knownDifference),
  );
}

function ofCell(table: VerifiedTable, cell: VerifiedCell): Reason {
  const { unit } = table.columns[cell.column]!;
  const [got, expected] = [whole(cell.got, unit), withUnit(printed(cell), unit)];
  const apart = distance(cell, unit);
  const equals = apart === undefined ? [word("computed"), got] : [word("computed − printed"), `${got} − ${expected}`, apart];
  return { name: cellName(table, cell), guard, equals, note: note(derivationOf(table, cell)) };
}

/** The cells that are computed in one way, together. */
function ofWay(table: VerifiedTable, derivation: Derivation, index: number): Reason {
  const cells = table.cells.filter((cell) => cell.derivation === index);
  const agree = cells.filter(({ verdict }) => verdict === "agrees").length;
  const first = cells[0]!;
  const name = cells.length === 1 ? cellName(table, first) : say`${cellName(table, first)} and others, ${count(cells.length)} in all`;
  return { name, guard, equals: [word("cells that agree"), say`${count(agree)} of ${count(cells.length)}`], note: note(derivation) };
}

function ofTable(table: VerifiedTable): Reason {
  const { agree, cells } = table.counts;
  return {
    name: `${word(nameOf(table))}: ${word(table.title)}`,
    guard,
    equals: [word("cells that agree"), say`${count(agree)} of ${count(cells)}`],
  };
}

function reasons({ table, cell, tables }: VerifyState): Reason[] {
  if (table === undefined) return tables.map(ofTable);
  if (cell !== undefined) return [ofCell(table, cell)];
  return table.derivations.map((derivation, index) => ofWay(table, derivation, index));
}

function sourceOf({ source: { title, address, place } }: VerifiedTable): Source {
  return { text: `${word(title)}, ${word(place)}`, url: address };
}

function verdictOf(table: VerifiedTable, cell: VerifiedCell): string {
  if (cell.verdict === "known-difference") return word("differs, with the reason");
  if (cell.verdict === "differs") return word("differs, and must not");
  return derivationOf(table, cell).assumption === "" ? word("agrees") : word("agrees under an assumption");
}

function cellsTable(table: VerifiedTable, rows: readonly number[]): DataTable {
  const plain = (value: number | string) => (typeof value === "number" ? exact(value) : word(value));
  const shown = table.cells.filter(({ row }) => rows.includes(row));
  return {
    caption: word(table.title),
    head: [word(table.rowHeader), word("column"), word("unit"), word("printed"), word("computed"), word("difference"), word("the print explains"), word("compares")],
    rows: shown.map((cell) => {
      const { name, unit } = table.columns[cell.column]!;
      const numbers = cell.difference === null ? ["", ""] : [exact(rounded(cell.difference)), exact(rounded(cell.tolerance))];
      return [rowName(table, cell.row), rule(name), word(unit), printed(cell), plain(cell.got), ...numbers, verdictOf(table, cell)];
    }),
  };
}

function tablesTable(tables: readonly VerifiedTable[]): DataTable {
  return {
    caption: word("Published tables"),
    head: [word("table"), word("cells"), word("agree"), word("of them under an assumption"), word("differ, with the reason"), word("source")],
    rows: tables.map((table) => {
      const { cells, agree, agreeUnderAssumption, knownDifferences } = table.counts;
      const numbers = [cells, agree, agreeUnderAssumption, knownDifferences].map(count);
      return [word(nameOf(table)), ...numbers, sourceOf(table).text];
    }),
  };
}

export const details: Details<VerifyState> = {
  reasons,
  sources: [],
  sourcesOf({ table, tables }) {
    const found = (table === undefined ? tables : [table]).map(sourceOf);
    return found.filter(({ text }, index) => found.findIndex((one) => one.text === text) === index);
  },
  table: ({ table, tables, rows }) => (table === undefined ? tablesTable(tables) : cellsTable(table, rows)),
};
