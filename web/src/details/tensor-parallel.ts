/** Where the numbers of a sharded product come from. */

import { count, exact, significant } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { flops, largestShard, type Result } from "../routines/tensor-parallel.js";
import { columnsOf } from "../rows.js";
import { megatron } from "../sources.js";
import { matrixTable } from "./matrix-table.js";

function firstElement({ w, x, ranks, split, found }: Result): Reason {
  const factor = (value: number) => (value < 0 ? `(${exact(value)})` : exact(value));
  const terms = Array.from(
    { length: Math.min(columnsOf(w), 4) },
    (_, column) => `${factor(w[0]![column]!)} · ${factor(x[column]![0]!)}`,
  );
  const sum = terms.join(" + ") + (columnsOf(w) > 4 ? " + …" : "");
  const partials = found.partialOutputs.slice(0, 4).map((partial) => factor(partial[0]?.[0] ?? 0));
  const parts = partials.join(" + ") + (ranks > 4 ? " + …" : "");
  const total = exact(found.result[0]![0]!);
  return {
    name: "First element of y",
    guard: "tensor parallel by rows: the partial sums add up to the whole product",
    equals: split === "row" ? ["Σ W₀ᵢ xᵢ₀", sum, parts, total] : ["Σ W₀ᵢ xᵢ₀", sum, total],
    note:
      split === "row"
        ? "Each rank has summed its own columns of W; the all-reduce adds the partial sums."
        : "Rank 0 holds the whole first row of W and needs nobody else for it.",
  };
}

function communication({ w, x, ranks, split, found }: Result): Reason {
  const size = w.length * columnsOf(x) * 8;
  return split === "column"
    ? {
        name: "Sent per rank",
        guard: "tensor parallel by columns: exact, and nothing is sent",
        equals: ["0 B"],
        note: "x is on every rank already; backward, its gradient is all-reduced.",
      }
    : {
        name: "Sent per rank",
        guard: "tensor parallel by rows: exact on whole numbers, and costs one all-reduce of the output",
        equals: [
          "2 · S · (N − 1) / N",
          `2 · ${count(size)} · (${ranks} − 1) / ${ranks}`,
          `${exact((2 * size * (ranks - 1)) / ranks)} B`,
        ],
        note:
          `S is y: ${w.length} · ${columnsOf(x)} numbers of 8 bytes. Chunks are whole numbers: ` +
          `the busiest rank sent ${exact(found.communicationBytesPerRank)} B.`,
      };
}

function work(result: Result): Reason[] {
  const { w, x, ranks, split } = result;
  const [outputs, inputs, batch] = [w.length, columnsOf(w), columnsOf(x)];
  const largest = largestShard(result);
  const divides = (split === "column" ? outputs : inputs) % ranks === 0;
  return [
    {
      name: "Weights of the largest shard",
      guard: "tensor parallel: shards have the shapes that the header draws",
      equals: [
        split === "column" ? "⌈out / N⌉ · in · 8 B" : "out · ⌈in / N⌉ · 8 B",
        split === "column" ? `⌈${outputs} / ${ranks}⌉ · ${inputs} · 8 B` : `${outputs} · ⌈${inputs} / ${ranks}⌉ · 8 B`,
        `${exact(largest * 8)} B`,
      ],
    },
    {
      name: "Floating-point operations of a rank",
      guard: "tensor parallel: shards have the shapes that the header draws",
      equals: divides
        ? ["2 · batch · in · out / N", `2 · ${batch} · ${inputs} · ${outputs} / ${ranks}`, exact(flops(result))]
        : ["2 · batch · weights", `2 · ${batch} · ${exact(largest)}`, exact(flops(result))],
      note:
        "A multiplication and an addition for each weight and each input of the batch" +
        (divides ? "" : "; of the rank with the largest shard, since N does not divide") +
        ". The additions of an all-reduce are not in it.",
    },
  ];
}

function error({ found }: Result): Reason {
  return {
    name: "Error",
    guard: "tensor parallel by columns: exact, and nothing is sent",
    equals: ["max |y − W·x|", exact(found.maxAbsError)],
    note:
      "W·x is computed in one place, without shards. The numbers are small and whole, so that their sums are exact; " +
      `the largest relative error is ${significant(found.maxRelError)}.`,
  };
}

function reasons(result: Result): Reason[] {
  return [firstElement(result), communication(result), ...work(result), error(result)];
}

function table({ found }: Result): DataTable {
  return matrixTable(
    "y = W·x",
    "input",
    found.result.map((row, index) => [`output ${index}`, row] as const),
  );
}

export const details: Details<Result> = { reasons, sources: [megatron], table };
