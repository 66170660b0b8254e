import type { AsyncLab, Matrix, Split, TensorParallelMatmulResult } from "shardlab";
import { drawable, matricesFigure, mostBatchDrawn, mostFeaturesDrawn, mostRanksDrawn } from "../figures/matrices.js";
import { bytes, count, exact, inText, plural, significant } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { Routine, View } from "../routine.js";
import { columnsOf, mostNumbers, naming } from "../rows.js";

/** Most multiplications of one call on the page. */
const mostMultiplications = 2 ** 27;

export interface Result {
  w: Matrix;
  x: Matrix;
  ranks: number;
  split: Split;
  found: TensorParallelMatmulResult;
  /** the product on one rank */
  reference: Matrix;
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
  const { result: reference } = await lab.tensorParallelMatmul({ w, x, ranks: 1 });
  return { w, x, ranks, split, found, reference };
}

/** Elements of the weights that the rank with the most of them holds. */
export function largestShard({ found }: Result): number {
  return found.weightShards.reduce((most, shard) => Math.max(most, shard.length * columnsOf(shard)), 0);
}

/** A multiplication and an addition for every weight and input. */
export function flops(result: Result): number {
  return 2 * columnsOf(result.x) * largestShard(result);
}

function caption({ ranks, split }: Result): string {
  const each = `each of ${plural(ranks, "rank")} computes`;
  return split === "column"
    ? `Split by columns: ${each} its own rows of y, and nothing is sent. That is so forward, and because x is on every ` +
        "rank: backward, each rank has a partial sum of x's gradient, which takes an all-reduce."
    : `Split by rows: ${each} a partial sum of all of y, of full size and wrong by itself. An all-reduce adds them, and ` +
        "every rank has y.";
}

function joining({ ranks, split, found }: Result): string[] {
  if (ranks === 1) return ["alone", "nothing to join"];
  if (split === "column") return ["rows of y", "nothing is sent"];
  return ["all-reduce", `${inText(bytes(found.communicationBytesPerRank))} per rank`];
}

function view(result: Result, width: number): View {
  const { w, x, ranks, split, found, reference } = result;
  const said = caption(result);
  const picture = {
    w,
    x,
    split,
    weightShards: found.weightShards,
    partialOutputs: found.partialOutputs,
    result: found.result,
    reference,
    joining: joining(result),
    summary: `W times x over ${plural(ranks, "rank")}. ${said}`,
  };
  const drawn = drawable(picture);
  const limits = `Drawn up to ${mostFeaturesDrawn} features, ${mostBatchDrawn} inputs in a batch and ${mostRanksDrawn} ranks.`;
  return {
    ...(drawn && { figure: matricesFigure(picture, width) }),
    caption: drawn ? said : `${said} ${limits}`,
    readouts: [
      { id: "weights", label: "Weights per rank", ...bytes(largestShard(result) * 8) },
      { id: "bytes", label: "Sent per rank", ...bytes(found.communicationBytesPerRank) },
      { id: "flops", label: "FLOPs per rank", value: count(flops(result)) },
      { id: "error", label: "Error against W·x", value: significant(found.maxAbsError) },
    ],
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
  tryNext: "Split by rows, and see partial sums where pieces were.",
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
  details: async () => (await import("../details/tensor-parallel.js")).details,
};
