import type { Derivation, VerifiedCell, VerifiedTable } from "shardlab";
import { gridFigure, gridRoom, tablesFigure, type GridCell, type Look, type TableBar } from "../figures/matches.js";
import type { Figure } from "../figures/markup.js";
import { asWritten, count, exact, significant } from "../format.js";
import { presets } from "../presets/verify.js";
import type { Readout, Routine, View } from "../routine.js";
import { sentences } from "../said.js";
import { nameOf, run, tableChoices, type VerifyState } from "../verify-state.js";
import { cellWalk } from "../verify-walk.js";
import { rule, say, word } from "../words.js";
import matchesStyle from "../figure/matches.css";

const signs: Readonly<Record<Look, string>> = { agrees: "=", assumed: "=°", known: "≠", differs: "!" };

export function derivationOf(table: VerifiedTable, cell: VerifiedCell): Derivation {
  return table.derivations[cell.derivation]!;
}

function lookOf(table: VerifiedTable, cell: VerifiedCell): Look {
  if (cell.verdict === "known-difference") return "known";
  if (cell.verdict === "differs") return "differs";
  return derivationOf(table, cell).assumption === "" ? "agrees" : "assumed";
}

/** A number, or an operation without the word that all pairs have. */
function short(value: number | string): string {
  return typeof value === "number" ? significant(value, Number.isInteger(value) ? 15 : 6) : word(value.replace("OVERLAP_F_B", ""));
}

/** What the source prints, to its last zero. */
export function printed({ expected, printed: text }: VerifiedCell): string {
  return typeof expected === "number" ? asWritten(text) : word(text);
}

/** More digits than these have no room in the picture. */
const mostDigits = 12;

function shortPrinted(cell: VerifiedCell): string {
  return typeof cell.expected === "number" && cell.printed.length <= mostDigits ? printed(cell) : short(cell.expected);
}

export function whole(value: number | string, unit: string): string {
  return withUnit(typeof value === "number" ? exact(value) : word(value), unit);
}

export function withUnit(value: string, unit: string): string {
  return unit === "" ? value : `${value}\u00a0${word(unit)}`;
}

/** A row's name has numbers in it, and names of models. */
export function rowName({ rows }: VerifiedTable, row: number): string {
  return rule(rows[row]!);
}

function legend(looks: readonly Look[]) {
  const names: Readonly<Record<Look, string>> = {
    agrees: word("agrees"),
    assumed: word("agrees under an assumption"),
    known: word("differs, with the reason"),
    differs: word("differs, and must not"),
  };
  const order: readonly Look[] = ["agrees", "assumed", "known", "differs"];
  return order.filter((look) => looks.includes(look)).map((look) => ({ kind: `match ${look}`, label: names[look], sign: signs[look] }));
}

// All tables

function agreeing({ counts: { agree, cells } }: VerifiedTable): string {
  return say`${count(agree)} of ${count(cells)} agree`;
}

function barOf(table: VerifiedTable): TableBar {
  const { agree, agreeUnderAssumption, knownDifferences, differ } = table.counts;
  const parts: [Look, number][] = [
    ["agrees", agree - agreeUnderAssumption],
    ["assumed", agreeUnderAssumption],
    ["known", knownDifferences],
    ["differs", differ],
  ];
  return {
    name: word(nameOf(table)),
    value: agreeing(table),
    parts: parts.filter(([, cells]) => cells > 0).map(([look, cells]) => ({ look, cells })),
  };
}

function allCaption({ counts }: VerifyState): string {
  const { cells, agree, agreeUnderAssumption, knownDifferences, differ } = counts;
  const of = say`Of ${count(cells)} published numbers and operations ${count(agree)} are got again, ${count(agreeUnderAssumption)} of them under an assumption that is named.`;
  const known = say`${count(knownDifferences)} differ for reasons that are named.`;
  return sentences(of, known, differ === 0 ? word("None differs without one.") : say`${count(differ)} differ, and must not.`);
}

function listFigure(state: VerifyState, width: number, said: string): Figure {
  const tables = state.tables.map(barOf);
  const looks = tables.flatMap(({ parts }) => parts.map(({ look }) => look));
  const told = tables.map(({ name, value }) => `${name}: ${value}`).join("; ");
  return tablesFigure({ tables, legend: legend(looks), summary: say`How many cells of each published table agree. ${told}. ${said}` }, width);
}

function allReadouts({ counts }: VerifyState): Readout[] {
  return [
    { id: "cells", label: word("Cells"), value: count(counts.cells) },
    { id: "agree", label: word("Agree"), value: count(counts.agree) },
    { id: "assumed", label: word("Of them under an assumption"), value: count(counts.agreeUnderAssumption) },
    { id: "known", label: word("Differ, with the reason"), value: count(counts.knownDifferences) },
  ];
}

// One table

/** So many numbers of a list, with the chosen one in the middle where it can be. */
function windowed(all: readonly number[], chosen: number, most: number): number[] {
  const from = Math.min(Math.max(chosen - Math.floor(most / 2), 0), Math.max(all.length - most, 0));
  return all.slice(from, from + most);
}

function gridCell(table: VerifiedTable, cell: VerifiedCell | undefined, chosen: VerifiedCell | undefined): GridCell | undefined {
  if (cell === undefined) return undefined;
  const look = lookOf(table, cell);
  return { id: cell.id, look, sign: signs[look], expected: shortPrinted(cell), got: short(cell.got), chosen: cell === chosen };
}

function shownRows({ rows, cell }: VerifyState, width: number): number[] {
  return windowed(rows, cell === undefined ? 0 : Math.max(rows.indexOf(cell.row), 0), gridRoom(width).rows);
}

function shownColumns({ cell }: VerifyState, table: VerifiedTable, width: number): number[] {
  return windowed(table.columns.map((_, column) => column), cell?.column ?? 0, gridRoom(width).columns);
}

/** "Rows 5 to 12 of 104, columns 3 to 4 of 6" */
function shownPart(state: VerifyState, table: VerifiedTable, width: number): string {
  const rows = shownRows(state, width);
  const from = state.rows.indexOf(rows[0]!) + 1;
  const part = say`Rows ${count(from)} to ${count(from + rows.length - 1)} of ${count(state.rows.length)}`;
  const columns = shownColumns(state, table, width);
  if (columns.length === table.columns.length) return part;
  return say`${part}, columns ${count(columns[0]! + 1)} to ${count(columns[columns.length - 1]! + 1)} of ${count(table.columns.length)}`;
}

function tableFigure(state: VerifyState, table: VerifiedTable, width: number, said: string): Figure | undefined {
  const { cell } = state;
  const rows = shownRows(state, width);
  if (rows.length === 0) return undefined;
  const columns = shownColumns(state, table, width);
  const at = (row: number, column: number) => table.cells.find((one) => one.row === row && one.column === column);
  const cells = rows.map((row) => columns.map((column) => gridCell(table, at(row, column), cell)));
  return gridFigure(
    {
      columns: columns.map((column) => ({ name: rule(table.columns[column]!.name), unit: word(table.columns[column]!.unit) })),
      rows: rows.map((row, index) => ({ name: rowName(table, row), cells: cells[index]! })),
      legend: legend(cells.flat().flatMap((one) => (one === undefined ? [] : [one.look]))),
      summary: say`Cells of a published table: what is printed, and below it what is computed. ${said}`,
    },
    width,
  );
}

function tableCaption(table: VerifiedTable): string {
  const { agreeUnderAssumption, knownDifferences, differ } = table.counts;
  return sentences(
    `${word(table.title)}: ${agreeing(table)}.`,
    agreeUnderAssumption > 0 ? say`Of them ${count(agreeUnderAssumption)} agree under an assumption only.` : "",
    knownDifferences > 0 ? say`${count(knownDifferences)} differ for reasons that are named.` : "",
    differ > 0 ? say`${count(differ)} differ, and must not.` : "",
    say`Printed stands above computed. Source: ${word(table.source.title)}, ${word(table.source.place)}.`,
  );
}

/** "0.00625 GB, 0.02 % of what is printed"; of words nothing. */
export function distance({ difference, relativeDifference }: VerifiedCell, unit: string): string | undefined {
  if (difference === null) return undefined;
  const size = whole(rounded(difference), unit);
  return relativeDifference === null || difference === 0 ? size : say`${size}, ${significant(relativeDifference * 100)} % of it`;
}

/** Of a number that is no more than a difference four digits are enough. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function allowance({ tolerance }: VerifiedCell, unit: string, because: string): string {
  if (tolerance === 0) return say`They may not differ: ${word(because)}.`;
  return say`They may differ by ${whole(rounded(tolerance), unit)}: ${word(because)}.`;
}

export function cellName(table: VerifiedTable, cell: VerifiedCell): string {
  return say`${rowName(table, cell.row)}, ${rule(table.columns[cell.column]!.name)}`;
}

function cellCaption(table: VerifiedTable, cell: VerifiedCell): string {
  const { unit } = table.columns[cell.column]!;
  const { formula, assumption, tolerance, knownDifference } = derivationOf(table, cell);
  const apart = distance(cell, unit);
  const verdict = {
    agrees: word("They agree."),
    "known-difference": word("They differ, and it is known why."),
    differs: word("They differ, and must not."),
  }[cell.verdict];
  return sentences(
    say`${cellName(table, cell)}: printed ${withUnit(printed(cell), unit)}, computed ${whole(cell.got, unit)}.`,
    verdict,
    cell.verdict === "known-difference" ? word(knownDifference) : "",
    say`Computed: ${word(formula)}.`,
    assumption === "" ? "" : say`Assumed: ${word(assumption)}.`,
    apart === undefined ? "" : allowance(cell, unit, tolerance),
    say`Source: ${word(table.source.title)}, ${word(table.source.place)}.`,
  );
}

function cellReadouts(table: VerifiedTable, cell: VerifiedCell): Readout[] {
  const { unit } = table.columns[cell.column]!;
  const written = (value: string) => ({ value, ...(unit !== "" && { unit: word(unit) }) });
  const value = (of: number | string) => written(short(of));
  return [
    { id: "expected", label: word("Printed"), ...written(shortPrinted(cell)) },
    { id: "got", label: word("Computed"), ...value(cell.got) },
    ...(cell.difference === null ? [] : [{ id: "difference", label: word("Difference"), ...value(rounded(cell.difference)) }]),
    ...(cell.difference === null ? [] : [{ id: "tolerance", label: word("The print explains"), ...value(rounded(cell.tolerance)) }]),
  ];
}

function tableReadouts({ counts }: VerifiedTable): Readout[] {
  return [
    { id: "agree", label: word("Agree"), value: say`${count(counts.agree)} of ${count(counts.cells)}` },
    { id: "assumed", label: word("Of them under an assumption"), value: count(counts.agreeUnderAssumption) },
    { id: "known", label: word("Differ, with the reason"), value: count(counts.knownDifferences) },
  ];
}

function tableView(state: VerifyState, table: VerifiedTable, width: number): View {
  const { cell, rows } = state;
  const caption = cell === undefined ? tableCaption(table) : cellCaption(table, cell);
  const none = rows.length === 0 ? say`No cell of this table differs. ${caption}` : caption;
  const figure = tableFigure(state, table, width, caption);
  return {
    ...(figure !== undefined && { figure, magnified: shownPart(state, table, width) }),
    caption: none,
    readouts: cell === undefined ? tableReadouts(table) : cellReadouts(table, cell),
    tryNext: cell === undefined ? word("Choose a cell: how is it computed, and what may it differ by?") : word("Take another table, or those cells alone that differ."),
  };
}

function view(state: VerifyState, width: number): View {
  if (state.table !== undefined) return tableView(state, state.table, width);
  const caption = allCaption(state);
  return { figure: listFigure(state, width, caption), caption, readouts: allReadouts(state) };
}

export const verify: Routine<VerifyState> = {
  id: "verify",
  modules: ["verify"],
  title: "Published numbers, computed again",
  claim:
    "What papers and logs print, this lab computes again, cell by cell. Most of it agrees to the last printed digit; where it does not, the reason is said.",
  question: async () => (await import("../questions/verify.js")).question,
  tryNext: "Choose a table, then a cell of it; or show those alone that differ.",
  parameters: [
    { name: "table", label: "Table", kind: "choice", initial: "all", choices: tableChoices },
    {
      name: "show",
      label: "Show",
      kind: "choice",
      initial: "all",
      choices: [
        { value: "all", label: "All" },
        { value: "differing", label: "What differs" },
      ],
    },
    { name: "cell", label: "Cell", kind: "kept", initial: "", optional: true },
  ],
  presets,
  styles: [matchesStyle],
  run,
  view,
  hand: async () => (await import("../verify-walk.js")).attachHand,
  magnifier: cellWalk,
  details: async () => (await import("../details/verify.js")).details,
};
