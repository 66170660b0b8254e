/** Where the numbers of a sharded product come from. */

import { count, exact, significant } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import type { Result } from "../routines/tensor-parallel.js";
import { addsUp, errorOf, flops, largestShard, sent, type LinearResult } from "../routines/tensor-parallel-linear.js";
import { columnsOf } from "../rows.js";
import { megatron, sequenceParallelism } from "../sources.js";
import { say, word } from "../words.js";
import { matrixTable } from "./matrix-table.js";
import { blockReasons, blockTable } from "./tensor-parallel-block.js";

function firstElement({ w, x, ranks, split, found }: LinearResult): Reason {
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
    name: word("First element of y"),
    guard: "tensor parallel by rows: the partial sums add up to the whole product",
    equals: split === "row" ? ["Σ W₀ᵢ xᵢ₀", sum, parts, total] : ["Σ W₀ᵢ xᵢ₀", sum, total],
    note:
      split === "row"
        ? word("Each rank has summed its own columns of W; the all-reduce adds the partial sums.")
        : word("Rank 0 holds the whole first row of W and needs nobody else for it."),
  };
}

function communication(result: LinearResult): Reason {
  const { w, x, ranks, pass } = result;
  const [outputs, inputs, batch] = [w.length, columnsOf(w), columnsOf(x)];
  if (!addsUp(result)) {
    return {
      name: word("Sent per rank"),
      guard: "a linear layer communicates forward by rows and backward by columns",
      equals: ["0 B"],
      note:
        pass === "forward"
          ? word("x is on every rank already; backward, its gradient is all-reduced.")
          : word("∂y is on every rank, and each gives the rows of ∂x that belong to its own inputs."),
    };
  }
  const features = pass === "forward" ? outputs : inputs;
  const size = features * batch * 8;
  return {
    name: word("Sent per rank"),
    guard: "a linear layer communicates forward by rows and backward by columns",
    equals: ["2 · S · (N − 1) / N", `2 · ${count(size)} · (${ranks} − 1) / ${ranks}`, `${exact((2 * size * (ranks - 1)) / ranks)} B`],
    note: chunksSent(result, pass === "forward" ? "y" : "∂x", `${features} · ${batch}`),
  };
}

/** @param size of what is added up, in numbers */
function chunksSent(result: LinearResult, summed: string, size: string): string {
  const { ranks, split, found } = result;
  if (found.collectives.length === 0 && ranks > 1) {
    return say`S is ${summed}: ${size} numbers of 8 bytes. Chunks are whole numbers: forgotten, none was sent.`;
  }
  const most = exact(sent(result));
  return split === "row"
    ? say`S is ${summed}: ${size} numbers of 8 bytes. Chunks are whole numbers: the busiest rank sent ${most} B. Split by rows, this is the one collective of the layer.`
    : say`S is ${summed}: ${size} numbers of 8 bytes. Chunks are whole numbers: the busiest rank sent ${most} B. Split by columns, this is the one collective of the layer.`;
}

function work(result: LinearResult): Reason[] {
  const { w, x, ranks, split } = result;
  const [outputs, inputs, batch] = [w.length, columnsOf(w), columnsOf(x)];
  const largest = largestShard(result);
  const divides = (split === "column" ? outputs : inputs) % ranks === 0;
  return [
    {
      name: word("Weights of the largest shard"),
      guard: "tensor parallel: shards have the shapes that the header draws",
      equals: [
        split === "column" ? word("⌈out / N⌉ · in · 8 B") : word("out · ⌈in / N⌉ · 8 B"),
        split === "column" ? `⌈${outputs} / ${ranks}⌉ · ${inputs} · 8 B` : `${outputs} · ⌈${inputs} / ${ranks}⌉ · 8 B`,
        `${exact(largest * 8)} B`,
      ],
    },
    {
      name: word("Floating-point operations of a rank"),
      guard: "tensor parallel: shards have the shapes that the header draws",
      equals: divides
        ? [word("2 · batch · in · out / N"), `2 · ${batch} · ${inputs} · ${outputs} / ${ranks}`, exact(flops(result))]
        : [word("2 · batch · weights"), `2 · ${batch} · ${exact(largest)}`, exact(flops(result))],
      note: divides
        ? word("A multiplication and an addition for each weight and each input of the batch. The additions of an all-reduce are not in it.")
        : word(
            "A multiplication and an addition for each weight and each input of the batch; of the rank with the largest shard, since N " +
              "does not divide. The additions of an all-reduce are not in it.",
          ),
    },
  ];
}

function error(result: LinearResult): Reason {
  const { pass, found } = result;
  return pass === "forward"
    ? {
        name: word("Error"),
        guard: "tensor parallel by columns: exact, and nothing is sent",
        equals: [word("max |y − W·x|"), exact(found.maxAbsError)],
        note: say`W·x is computed in one place, without shards. The numbers are small and whole, so that their sums are exact; the largest relative error is ${significant(found.maxRelError)}.`,
      }
    : {
        name: word("Error"),
        guard: "a sharded linear layer gives the whole one's gradients, over 300 random shapes each way",
        equals: [word("max |∂x − Wᵀ·∂y|"), exact(errorOf(result))],
        note: word(
          "Wᵀ·∂y is computed in one place, without shards, from the same whole numbers. W's own gradient needs nobody: each rank has " +
            "all that its shard's takes.",
        ),
      };
}

function linearReasons(result: LinearResult): Reason[] {
  return [...(result.pass === "forward" ? [firstElement(result)] : []), communication(result), ...work(result), error(result)];
}

function reasons(result: Result): Reason[] {
  return result.kind === "linear" ? linearReasons(result) : blockReasons(result);
}

function linearTable({ pass, found }: LinearResult): DataTable {
  return pass === "forward"
    ? matrixTable("y = W·x", word("input"), found.result.map((row, index) => [say`output ${index}`, row] as const))
    : matrixTable("∂x = Wᵀ·∂y", word("input"), found.inputGradient.map((row, index) => [say`feature ${index}`, row] as const));
}

function table(result: Result): DataTable {
  return result.kind === "linear" ? linearTable(result) : blockTable(result);
}

export const details: Details<Result> = { reasons, sources: [megatron, sequenceParallelism], table };
