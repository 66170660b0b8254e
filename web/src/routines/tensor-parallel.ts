import type { AsyncLab, Matrix, Split, TensorParallelMatmulResult } from "shardlab";
import { drawable, matricesFigure, mostBatchDrawn, mostFeaturesDrawn, mostRanksDrawn } from "../figures/matrices.js";
import { bytes, count, exact, plural, significant } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { Reason, Routine, View } from "../routine.js";
import { columnsOf, matrixTable, mostNumbers, naming } from "../rows.js";
import { megatron } from "../sources.js";

/** Most multiplications of one call on the page. */
const mostMultiplications = 2 ** 27;

interface Result {
  w: Matrix;
  x: Matrix;
  ranks: number;
  split: Split;
  found: TensorParallelMatmulResult;
}

/** A matrix of small whole numbers: sums of their products are exact in any order, so that equal means equal. */
async function wholeNumbers(lab: AsyncLab, rows: number, columns: number, seed: number): Promise<Matrix> {
  const matrix = await lab.randomMatrix({ rows, columns, seed });
  return matrix.map((row) => row.map((value) => Math.round(4 * value) + 0));
}

/** The core checks that it is a size, on a matrix without rows, which takes no memory. */
async function requireExtent(lab: AsyncLab, parameter: string, extent: number): Promise<void> {
  await naming({ rows: parameter, columns: parameter }, () => lab.randomMatrix({ rows: 0, columns: extent }));
  if (extent === 0) throw new InputError(parameter, "0", "be a whole number of at least 1");
}

async function requireSize(lab: AsyncLab, inFeatures: number, outFeatures: number, batch: number): Promise<void> {
  await requireExtent(lab, "inFeatures", inFeatures);
  await requireExtent(lab, "outFeatures", outFeatures);
  await requireExtent(lab, "batch", batch);
  const rule = `keep every matrix within ${exact(mostNumbers)} numbers and the product within 2²⁷ multiplications on this page`;
  const large = inFeatures * Math.max(outFeatures, batch) > mostNumbers || outFeatures * batch > mostNumbers;
  if (large || inFeatures * outFeatures * batch > mostMultiplications) {
    const sizes = { inFeatures, outFeatures, batch };
    const [name, size] = Object.entries(sizes).reduce((a, b) => (b[1] > a[1] ? b : a));
    throw new InputError(name, exact(size), rule);
  }
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const split = inputs.text("split") as Split;
  const [inFeatures, outFeatures, batch, seed] = ["inFeatures", "outFeatures", "batch", "seed"].map((name) =>
    inputs.number(name),
  ) as [number, number, number, number];
  await requireSize(lab, inFeatures, outFeatures, batch);
  const w = await wholeNumbers(lab, outFeatures, inFeatures, seed);
  const x = await wholeNumbers(lab, inFeatures, batch, seed + 1);
  const ranks = inputs.number("ranks");
  const found = await lab.tensorParallelMatmul({ w, x, ranks, split });
  return { w, x, ranks, split, found };
}

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

function view(result: Result, width: number): View {
  const { w, x, ranks, split, found } = result;
  const said =
    split === "column"
      ? `Split by columns: each of ${plural(ranks, "rank")} computes its own part of y, and nothing is sent.`
      : `Split by rows: each of ${plural(ranks, "rank")} computes a partial sum of all of y, and an all-reduce adds them.`;
  const picture = {
    w,
    x,
    split,
    weightShards: found.weightShards,
    partialOutputs: found.partialOutputs,
    result: found.result,
    summary: `W times x over ${plural(ranks, "rank")}. ${said}`,
  };
  const drawn = drawable(picture);
  const limits = `Drawn up to ${mostFeaturesDrawn} features, ${mostBatchDrawn} inputs in a batch and ${mostRanksDrawn} ranks.`;
  const largest = found.weightShards.reduce((most, shard) => Math.max(most, shard.length * columnsOf(shard)), 0);
  return {
    ...(drawn && { figure: matricesFigure(picture, width) }),
    caption: drawn ? said : `${said} ${limits}`,
    readouts: [
      { id: "error", label: "Error against W·x", value: significant(found.maxAbsError) },
      { id: "relative-error", label: "Relative error", value: significant(found.maxRelError) },
      { id: "bytes", label: "Sent per rank", ...bytes(found.communicationBytesPerRank) },
      { id: "weights", label: "Weights per rank", ...bytes(largest * 8) },
    ],
    reasons: [
      firstElement(result),
      communication(result),
      {
        name: "Weights of the largest shard",
      guard: "tensor parallel: shards have the shapes that the header draws",
        equals: [
          split === "column" ? "⌈out / N⌉ · in · 8 B" : "out · ⌈in / N⌉ · 8 B",
          split === "column"
            ? `⌈${w.length} / ${ranks}⌉ · ${columnsOf(w)} · 8 B`
            : `${w.length} · ⌈${columnsOf(w)} / ${ranks}⌉ · 8 B`,
          `${exact(largest * 8)} B`,
        ],
      },
      {
        name: "Error",
      guard: "tensor parallel by columns: exact, and nothing is sent",
        equals: ["max |y − W·x|", exact(found.maxAbsError)],
        note: "W·x is computed in one place, without shards. The numbers are small and whole, so their sums are exact.",
      },
    ],
    sources: [megatron],
    table: matrixTable(
      "y = W·x",
      "input",
      found.result.map((row, index) => [`output ${index}`, row] as const),
    ),
  };
}

export const tensorParallel: Routine<Result> = {
  id: "tensor-parallel",
  title: "Tensor-parallel matmul",
  claim:
    "Split by columns, outputs are pieces and nothing is added. Split by rows, they are partial sums, and an all-reduce is needed.",
  question: {
    text: "W is split by rows instead, so that each rank has an output of full size. What makes y of them?",
    answers: [
      {
        label: "An all-gather that joins them",
        because: "Joining is for pieces, as the split by columns gives. These are sums that miss the other ranks' terms.",
      },
      {
        label: "Nothing, each is y",
        because: "Each rank has seen only its own columns of W and rows of x: its output is of the right size and wrong.",
      },
      {
        label: "An all-reduce that adds them",
        right: true,
        because: "Each rank's output is a partial sum over its own part of the inner index.",
      },
    ],
  },
  parameters: [
    {
      name: "split",
      label: "Split",
      kind: "choice",
      initial: "column",
      choices: [
        { value: "column", label: "Column" },
        { value: "row", label: "Row" },
      ],
      description: "Megatron's words for Y = X·A; here W is Aᵀ, so a column of A is a row of W.",
    },
    { name: "ranks", label: "Ranks", kind: "whole", initial: "2", range: { least: 1, most: 8 } },
    {
      name: "inFeatures",
      label: "In features",
      kind: "whole",
      initial: "4",
      range: { least: 1, most: 16 },
      aliases: ["x"],
    },
    {
      name: "outFeatures",
      label: "Out features",
      kind: "whole",
      initial: "4",
      range: { least: 1, most: 16 },
      aliases: ["w"],
    },
    { name: "batch", label: "Batch", kind: "whole", initial: "2", range: { least: 1, most: 6 } },
    {
      name: "seed",
      label: "Seed",
      kind: "whole",
      initial: "1",
      range: { least: 0, most: 20 },
      description: "Chooses the numbers, whole ones from −4 to 4.",
    },
  ],
  run,
  view,
};
