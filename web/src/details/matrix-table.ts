/** Matrices as tables. */

import { exact } from "../format.js";
import type { DataTable } from "../routine.js";
import { say } from "../words.js";

const mostTableRows = 32;
const mostTableColumns = 16;

/**
 * Rows with their names as a table; what is beyond a table's size is said, not shown.
 *
 * @param column what a column is, before its number
 */
export function matrixTable(
  caption: string,
  column: string,
  named: readonly (readonly [string, ArrayLike<number>])[],
): DataTable {
  const columns = named[0]?.[1].length ?? 0;
  const shown = Math.min(columns, mostTableColumns);
  const head = ["", ...Array.from({ length: shown }, (_, index) => `${column} ${index}`)];
  const rows = named
    .slice(0, mostTableRows)
    .map(([name, values]) => [name, ...Array.from({ length: shown }, (_, index) => exact(values[index]!))]);
  const cut = columns > shown || named.length > mostTableRows;
  const most = Math.min(named.length, mostTableRows);
  return {
    caption: cut ? say`${caption} (the first ${most} of ${named.length} rows and ${shown} of ${columns} columns)` : caption,
    head,
    rows,
  };
}
