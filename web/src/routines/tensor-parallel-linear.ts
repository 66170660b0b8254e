/** One matrix over the ranks, forward and backward. */

import type { AsyncLab, Matrix, Mistake, Split, TensorParallelLinearResult } from "shardlab";
import { drawable, matricesFigure, mostBatchDrawn, mostFeaturesDrawn, mostRanksDrawn } from "../figures/matrices.js";
import { bytes, count, exact, inText, plural, significant } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { View } from "../routine.js";
import { columnsOf, mostNumbers, naming } from "../rows.js";
import { say, word } from "../words.js";

/** Most multiplications of one call on the page. */
const mostMultiplications = 2 ** 27;

export interface LinearResult {
  kind: "linear";
  w: Matrix;
  x: Matrix;
  /** of the loss with respect to W·x */
  slope: Matrix;
  ranks: number;
  split: Split;
  pass: "forward" | "backward";
  /** what is left out, where the split has it */
  forget: Mistake | undefined;
  found: TensorParallelLinearResult;
  /** W·x, or Wᵀ·∂y, on one rank */
  reference: Matrix;
}

/** The one collective of each split. */
const collectiveOf: Readonly<Record<Split, Mistake>> = { column: "backward-all-reduce", row: "forward-all-reduce" };

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

export async function runLinear(lab: AsyncLab, inputs: Inputs): Promise<LinearResult> {
  const split = inputs.text("split") as Split;
  const [inFeatures, outFeatures, batch, seed] = ["inFeatures", "outFeatures", "batch", "seed"].map((name) =>
    inputs.number(name),
  ) as [number, number, number, number];
  await requireSize(lab, inFeatures, outFeatures, batch);
  const w = await wholeNumbers(lab, outFeatures, inFeatures, seed);
  const x = await wholeNumbers(lab, inFeatures, batch, seed + 1);
  const slope = await wholeNumbers(lab, outFeatures, batch, seed + 2);
  const ranks = inputs.number("ranks");
  const pass = inputs.text("pass") as LinearResult["pass"];
  const forget = ranks > 1 && inputs.text("forget") === collectiveOf[split] ? collectiveOf[split] : undefined;
  const found = await lab.tensorParallelLinear({ w, x, outputGradient: slope, ranks, split, ...(forget && { forget }) });
  const whole = await lab.tensorParallelLinear({ w, x, outputGradient: slope, ranks: 1 });
  const reference = pass === "forward" ? whole.result : whole.inputGradient;
  return { kind: "linear", w, x, slope, ranks, split, pass, forget, found, reference };
}

/** Elements of the weights that the rank with the most of them holds. */
export function largestShard({ found }: LinearResult): number {
  return found.weightShards.reduce((most, shard) => Math.max(most, shard.length * columnsOf(shard)), 0);
}

/** A multiplication and an addition for every weight and input. */
export function flops(result: LinearResult): number {
  return 2 * columnsOf(result.x) * largestShard(result);
}

/** Bytes that a rank sends in the direction that is shown. */
export function sent({ found, pass }: LinearResult): number {
  return found.collectives.filter(({ phase }) => phase === pass).reduce((sum, call) => sum + call.bytesSentPerRank, 0);
}

/** The largest difference to the whole layer, of what is shown. */
export function errorOf({ found, pass }: LinearResult): number {
  return pass === "forward" ? found.maxAbsError : found.gradients.find(({ name }) => name === "input")!.maxAbsError;
}

/** Whether each rank has a partial sum of the whole, and not a piece. */
export function addsUp({ split, pass }: LinearResult): boolean {
  return (split === "row") === (pass === "forward");
}

const captions: Readonly<Record<Split, Readonly<Record<LinearResult["pass"], (ranks: string) => string>>>> = {
  column: {
    forward: (ranks) =>
      say`Split by columns: each of ${ranks} computes its own rows of y, and nothing is sent. That is so forward, and because x is on every rank: backward, each rank has a partial sum of x's gradient, which takes an all-reduce.`,
    backward: (ranks) =>
      say`Split by columns, backward: each of ${ranks} computes Wᵀ·∂y over its own rows of W, a partial sum of all of ∂x. An all-reduce adds them: the forward that needed nobody is paid for here (Megatron's f).`,
  },
  row: {
    forward: (ranks) =>
      say`Split by rows: each of ${ranks} computes a partial sum of all of y, of full size and wrong by itself. An all-reduce adds them, and every rank has y.`,
    backward: (ranks) =>
      say`Split by rows, backward: each of ${ranks} computes the rows of ∂x that belong to its own inputs, from the whole of ∂y. Nothing is sent (Megatron's g passes ∂y on).`,
  },
};

function caption(result: LinearResult): string {
  const { ranks, split, pass, forget } = result;
  const said = captions[split][pass](plural(ranks, "rank"));
  if (forget === undefined) return said;
  return addsUp(result)
    ? say`The all-reduce is forgotten: rank 0 takes its own partial sum for the whole, and is off by up to ${exact(errorOf(result))}. Nothing fails; the numbers are wrong.`
    : say`${said} What is forgotten is the other direction's.`;
}

function joining(result: LinearResult): string[] {
  const { ranks, pass, forget } = result;
  if (ranks === 1) return [word("alone"), word("nothing to join")];
  if (!addsUp(result)) return [pass === "forward" ? word("rows of y") : word("rows of ∂x"), word("nothing is sent")];
  if (forget !== undefined) return [word("forgotten"), word("rank 0's own")];
  return [word("all-reduce"), say`${inText(bytes(sent(result)))} per rank`];
}

function transposed(matrix: Matrix): Matrix {
  return Array.from({ length: columnsOf(matrix) }, (_, column) => Float64Array.from(matrix, (row) => row[column]!));
}

function pictureOf(result: LinearResult) {
  const { w, x, slope, split, pass, found, reference } = result;
  const shared = { reference, joining: joining(result), weightShards: found.weightShards };
  return pass === "forward"
    ? { ...shared, w, x, split, partialOutputs: found.partialOutputs, result: found.result }
    : {
        ...shared,
        w: transposed(w),
        x: slope,
        split: split === "column" ? ("row" as const) : ("column" as const),
        weightShards: found.weightShards.map(transposed),
        partialOutputs: found.partialInputGradients,
        result: found.inputGradient,
        names: { w: "Wᵀ", x: "∂y", y: "∂x" },
      };
}

export function viewLinear(result: LinearResult, width: number): View {
  const said = caption(result);
  const ranks = plural(result.ranks, "rank");
  const summary =
    result.pass === "forward" ? say`W times x over ${ranks}. ${said}` : say`The gradient of x over ${ranks}. ${said}`;
  const picture = { ...pictureOf(result), summary };
  const drawn = drawable(picture);
  const limits = say`Drawn up to ${mostFeaturesDrawn} features, ${mostBatchDrawn} inputs in a batch and ${mostRanksDrawn} ranks.`;
  return {
    ...(drawn && { figure: matricesFigure(picture, width) }),
    caption: drawn ? said : say`${said} ${limits}`,
    readouts: [
      { id: "weights", label: word("Weights per rank"), ...bytes(largestShard(result) * 8) },
      { id: "bytes", label: word("Sent per rank"), ...bytes(sent(result)) },
      { id: "flops", label: word("FLOPs per rank"), value: count(flops(result)) },
      { id: "error", label: result.pass === "forward" ? word("Error against W·x") : word("Error against Wᵀ·∂y"), value: significant(errorOf(result)) },
    ],
  };
}
