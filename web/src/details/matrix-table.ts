/** Matrices as tables. */

import { exact } from "../format.js";
import type { DataTable } from "../routine.js";

const mostTableRows = 32;
const mostTableColumns = 16;

/** Rows with their names as a table; what is beyond a table's size is said, not shown. */
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
  const part = `the first ${Math.min(named.length, mostTableRows)} of ${named.length} rows and ${shown} of ${columns} columns`;
  return { caption: cut ? `${caption} (${part})` : caption, head, rows };
}
