/** Where the numbers of an average of gradients come from. */

import { bytes, count, exact, inText } from "../format.js";
import type { DataTable, Reason } from "../routine.js";
import { overTheOthers, type AverageResult } from "../routines/data-parallel-average.js";
import { columnsOf } from "../rows.js";
import { say, word } from "../words.js";
import { matrixTable } from "./matrix-table.js";

export function averageReasons(result: AverageResult): Reason[] {
  const { fault, gradients, summed, found } = result;
  const ranks = gradients.length;
  const elements = columnsOf(gradients);
  const firsts = summed.slice(0, 4).map((row) => exact(row[0] ?? 0));
  const terms = firsts.join(" + ") + (ranks > 4 ? " + …" : "");
  const sum = exact((found.average[0] ?? 0) * ranks);
  const busiest = found.bytesSentPerRank.reduce((a, b) => Math.max(a, b), 0);
  return [
    {
      name: word("Average of the first element"),
      guard: "data parallel: gradients 4, 8, 12 and 16 average to 10",
      equals: ["(g₀ + g₁ + … ) / N", `(${terms}) / ${ranks}`, exact(found.average[0] ?? 0)],
      note: word("The all-reduce sums; the division by N is a step of its own."),
    },
    ...(fault === "drop" && ranks > 1
      ? [
          {
            name: word("The same sum over the ranks that are left"),
            equals: [`${sum} / (${ranks} − 1)`, exact(overTheOthers(result)[0] ?? 0)],
            note: word("The mean of the others: the data of the lost rank are gone, so that it leans to theirs."),
          },
        ]
      : []),
    {
      name: word("Largest difference"),
      guard: "data parallel: differs from the serial mean by rounding alone on arbitrary numbers",
      equals: [word("max |average − serial mean|"), exact(found.maxAbsDifference)],
      note: word("0 where the sums are exact; elsewhere the rounding of another order of additions."),
    },
    {
      name: word("Bytes of the all-reduce"),
      guard: "ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements",
      equals: [
        "2 · S · (N − 1) / N",
        `2 · ${count(elements * 8)} · (${ranks} − 1) / ${ranks}`,
        inText(bytes((2 * elements * 8 * (ranks - 1)) / ranks)),
      ],
      note: say`Chunks are whole elements: the busiest rank sent ${inText(bytes(busiest))}.`,
    },
  ];
}

export function averageTable({ summed, found }: AverageResult): DataTable {
  return matrixTable(word("Gradients that are summed, and their average"), word("element"), [
    ...summed.map((row, rank) => [say`rank ${rank}`, row] as const).slice(0, 31),
    [word("average"), found.average] as const,
  ]);
}
