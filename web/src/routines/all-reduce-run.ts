/** Executes an all-reduce as far as the reader asks for, and prices it. */

import type { Algorithm, AllReduceOptions, AsyncLab, DType, Matrix, Reduction } from "shardlab";
import { cellsOf } from "../collective-state.js";
import { InputError, type Inputs } from "../parameter.js";
import { Part } from "../part.js";
import { columnsOf, matrixFromText, naming, requireDrawable } from "../rows.js";
import { elementBytes, type Result } from "./all-reduce-numbers.js";
import { linkOf } from "./alpha-beta.js";

/** Up to so many ranks a sum of 10^r is exact in a double, and its digits say who is in it. */
const mostPowersOfTen = 16;

/** Most ranks that the core builds a collective for. */
const mostRanks = 1024;

/** Most ranks that are drawn, and most cells. */
export const mostRanksDrawn = 16;
export const mostCellsDrawn = 64;

/** What takes more than the plain ring that the widget starts with. */
export const variants = new Part(() => import("./all-reduce-variants.js"));

export function isPlain({ algorithm, op, fault }: Pick<Result, "algorithm" | "op" | "fault">): boolean {
  return algorithm === "ring" && op === "sum" && fault === undefined;
}

/** How the tensor is moved, in the words of the core's options. */
type Plan = Required<Pick<AllReduceOptions, "algorithm" | "slices">> & Pick<AllReduceOptions, "perNode">;

function planOf(inputs: Inputs): Plan {
  const algorithm = inputs.text("algorithm") as Algorithm;
  const slices = algorithm === "tree" || algorithm === "double-tree" ? inputs.number("slices") : 1;
  return { algorithm, slices, ...(algorithm === "hierarchical" && { perNode: inputs.number("perNode") }) };
}

async function startingBuffers(lab: AsyncLab, inputs: Inputs, plan: Plan): Promise<Matrix> {
  if (inputs.text("source") === "csv") return matrixFromText(lab, "csv", inputs.text("csv"));
  const ranks = inputs.number("ranks");
  // The core's own rule, asked before the buffers are made.
  if (!(Number.isInteger(ranks) && ranks >= 1 && ranks <= mostRanks)) {
    throw new InputError("ranks", inputs.text("ranks"), `be a whole number from 1 to ${mostRanks}`);
  }
  await lab.allReduceCost({ ...plan, ranks, bytes: inputs.number("bytes") });
  const elements = inputs.optional("elements") ?? (await lab.evenElements({ ...plan, ranks }));
  await naming({ bytes: "elements" }, () => lab.allReduceCost({ ranks, bytes: elements }));
  if (elements === 0) throw new InputError("elements", "0", "be at least 1, or left empty");
  requireDrawable("elements", elements, ranks * elements);
  return Array.from({ length: ranks }, (_, rank) =>
    new Float64Array(elements).fill(ranks <= mostPowersOfTen ? 10 ** rank : rank + 1),
  );
}

function followedChunk(inputs: Inputs, chunks: number): number | undefined {
  if (inputs.text("follow") !== "one") return undefined;
  const chunk = inputs.number("chunk");
  if (Number.isInteger(chunk) && chunk >= 0 && chunk < chunks) return chunk;
  throw new InputError("chunk", inputs.text("chunk"), `be a whole number from 0 to ${chunks - 1}`);
}

export async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const own = inputs.text("source") === "csv";
  const plan = planOf(inputs);
  const dtype = inputs.text("dtype") as DType;
  const op = inputs.text("op") as Reduction;
  const buffers = await startingBuffers(lab, inputs, plan);
  const ranks = buffers.length;
  const elements = columnsOf(buffers);
  const bytes = own ? elements * elementBytes[dtype] : inputs.number("bytes");
  const link = linkOf(inputs);
  const cost = await lab.allReduceCost({ ...plan, ranks, bytes, ...link });
  const pieces = await lab.evenElements({ ...plan, ranks });
  const chunk = followedChunk(inputs, pieces);
  const sound: AllReduceOptions = { ...plan, buffers, op, dtype, tensorBytes: bytes, ...link };
  const isSound = inputs.text("fault") === "none";
  if (!isSound || !isPlain({ ...plan, op, fault: undefined })) await variants.loaded();
  const fault = isSound ? undefined : await variants.there.breakageOf(inputs, ranks, () => lab.allReduce(sound));
  const options = fault === undefined ? sound : { ...sound, fault: fault.text };
  const whole = await lab.allReduce(options);
  const step = Math.min(inputs.number("step"), whole.steps);
  const now = step === whole.steps ? whole : await lab.allReduce({ ...options, stopAfter: step });
  const drawn = ranks <= mostRanksDrawn && pieces <= mostCellsDrawn;
  return {
    ...plan,
    perNode: plan.perNode,
    op,
    dtype,
    ranks,
    elements,
    bytes,
    binary: !own && /iB\s*$/.test(inputs.text("bytes")),
    powersOfTen: !own && ranks <= mostPowersOfTen,
    layout: inputs.text("layout"),
    chunk,
    fault,
    step,
    whole,
    now,
    cells: drawn ? cellsOf(whole.schedule, elements, pieces) : undefined,
    link,
    cost,
  };
}
