/** What the verification shows: all tables, or one of them and a cell of it. */

import type { AsyncLab, PublishedTableName, VerifiedCell, VerifiedCounts, VerifiedTable, VerifyResult } from "shardlab";
import type { Way } from "./magnify.js";
import { InputError, type Choice, type Inputs, type Texts } from "./parameter.js";

/** The tables by the names that a list has room for. */
const names: Readonly<Record<PublishedTableName, string>> = {
  zero_table1: "ZeRO, table 1",
  zero_table2: "ZeRO, table 2",
  korthikanti_table3_5: "Korthikanti, tables",
  korthikanti_text: "Korthikanti, text",
  model_params: "Parameters of models",
  ultrascale_memory: "Playbook, memory",
  ultrascale_bubble: "Playbook, bubbles",
  zero_bubble_table5: "Zero Bubble, table 5",
  dualpipev_4rank_10mb: "PyTorch, DualPipeV",
  zb1p_2rank_2stagep_compute: "PyTorch, zero bubble",
  mleng_worked_example: "Bekman, worked example",
  nccl_double_binary_tree: "NCCL, double tree",
  nccl_tuning_printed: "NCCL, tuning table",
  nccl_tests_allreduce_runs: "nccl-tests, four runs",
};

export const tableChoices: readonly Choice[] = [
  { value: "all", label: "All tables" },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
];

export function nameOf({ id }: VerifiedTable): string {
  return names[id];
}

export interface VerifyState {
  /** those that are listed: all, or those with a cell that differs */
  tables: readonly VerifiedTable[];
  /** of those that are listed */
  counts: VerifiedCounts;
  /** the one that is shown */
  table: VerifiedTable | undefined;
  /** its rows that are shown: all, or those with a cell that differs */
  rows: readonly number[];
  cell: VerifiedCell | undefined;
  onlyDiffering: boolean;
}

/** The tables are always the same: they are computed once. */
let computed: Promise<VerifyResult> | undefined;
let tables: readonly VerifiedTable[] = [];

async function allOf(lab: AsyncLab): Promise<VerifyResult> {
  computed ??= Promise.resolve(lab.verify({}));
  try {
    const found = await computed;
    tables = found.tables;
    return found;
  } catch (error) {
    computed = undefined;
    throw error;
  }
}

const differs = ({ verdict }: VerifiedCell) => verdict !== "agrees";

function shownRows({ rows, cells }: VerifiedTable, onlyDiffering: boolean): number[] {
  const shown = new Set((onlyDiffering ? cells.filter(differs) : cells).map(({ row }) => row));
  return rows.map((_, row) => row).filter((row) => shown.has(row));
}

function together(some: readonly VerifiedTable[]): VerifiedCounts {
  const sum = (key: keyof VerifiedCounts) => some.reduce((before, { counts }) => before + counts[key], 0);
  return {
    cells: sum("cells"),
    agree: sum("agree"),
    agreeUnderAssumption: sum("agreeUnderAssumption"),
    knownDifferences: sum("knownDifferences"),
    differ: sum("differ"),
  };
}

/** The cell that is asked for; none where it is one of another table, as after a change of the table. */
function cellAsked(id: string, table: VerifiedTable | undefined): VerifiedCell | undefined {
  if (id === "" || table === undefined) return undefined;
  const known = tables.some(({ cells }) => cells.some((cell) => cell.id === id));
  if (!known) throw new InputError("cell", id, `be a cell of a table, as ${table.cells[0]!.id} is`);
  return table.cells.find((cell) => cell.id === id);
}

export async function run(lab: AsyncLab, inputs: Inputs): Promise<VerifyState> {
  const all = await allOf(lab);
  const onlyDiffering = inputs.text("show") === "differing";
  const table = all.tables.find(({ id }) => id === inputs.text("table"));
  const listed = onlyDiffering ? all.tables.filter(({ cells }) => cells.some(differs)) : all.tables;
  return {
    tables: listed,
    counts: together(listed),
    table,
    rows: table === undefined ? [] : shownRows(table, onlyDiffering),
    cell: cellAsked(inputs.text("cell"), table),
    onlyDiffering,
  };
}

/** The texts when a way is gone from the chosen cell: to its sides, up (`out`) and down (`in`), and to none (`whole`). */
export function walked({ table: id, cell: chosen = "", show }: Texts, way: Way): Texts | undefined {
  const table = tables.find((one) => one.id === id);
  if (table === undefined) return undefined;
  const rows = shownRows(table, show === "differing");
  const at = table.cells.find((cell) => cell.id === chosen);
  if (way === "whole") return at === undefined ? undefined : { cell: "" };
  const inRow = (row: number | undefined) => table.cells.filter((cell) => cell.row === row);
  const [first] = inRow(rows[0]);
  if (at === undefined || !rows.includes(at.row)) return first && { cell: first.id };
  const beside = way === "back" || way === "on";
  const row = rows[rows.indexOf(at.row) + (beside ? 0 : way === "in" ? 1 : -1)];
  const line = inRow(row);
  const next = beside
    ? line[line.indexOf(at) + (way === "on" ? 1 : -1)]
    : (line.find(({ column }) => column >= at.column) ?? line[line.length - 1]);
  return next && { cell: next.id };
}
