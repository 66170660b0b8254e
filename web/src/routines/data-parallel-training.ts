/** A training on data-parallel ranks, beside the same training in one place. */

import type { AsyncLab, DataParallelTrainOptions, DataParallelTrainResult } from "shardlab";
import { trainingFigure, mostRanksHeld } from "../figures/training.js";
import { bytes, count, exact, inText, percent, plural, significant } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { Readout, View } from "../routine.js";
import { naming } from "../rows.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

export interface TrainingFault {
  kind: "drop" | "double" | "miss-gather";
  rank: number;
  /** from 0, for `miss-gather` */
  step: number;
}

export interface TrainingResult {
  kind: "training";
  ranks: number;
  steps: number;
  optimizer: "sgd" | "adam";
  stage: number;
  /** rows of each rank's batch */
  batches: readonly number[];
  weighted: boolean;
  fault: TrainingFault | undefined;
  seed: number;
  found: DataParallelTrainResult;
}

/** Parameters of the model, as its header says. */
export const modelParameters = 960;

/** As the core has it. */
const [mostRanks, mostSteps] = [64, 10_000];

/** Rows of one rank's batch, and those of the last one where batches are unequal. */
const [rows, fewerRows] = [8, 2];

/** Most rows that are trained on while the page waits. */
const mostRows = 2 ** 17;

/** Differences of the weights up to here are rounding. */
export const rounding = 1e-9;

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function faultOf(inputs: Inputs, ranks: number, steps: number): TrainingFault | undefined {
  const kind = inputs.text("trainingFault") as TrainingFault["kind"] | "none";
  if (kind === "none") return undefined;
  const rank = inputs.optional("faultRank") ?? ranks - 1;
  if (!isWithin(rank, 0, ranks - 1)) {
    throw new InputError("faultRank", inputs.text("faultRank"), `be a rank from 0 to ${ranks - 1}, or left empty`);
  }
  if (kind !== "miss-gather") return { kind, rank, step: 0 };
  const step = inputs.number("faultStep");
  if (!isWithin(step, 1, steps)) {
    throw new InputError("faultStep", inputs.text("faultStep"), `be a step from 1 to ${steps}`);
  }
  return { kind, rank, step: step - 1 };
}

export async function runTraining(lab: AsyncLab, inputs: Inputs): Promise<TrainingResult> {
  const [ranks, steps] = [inputs.number("ranks"), inputs.number("steps")];
  const optimizer = inputs.text("optimizer") as TrainingResult["optimizer"];
  const stage = inputs.number("zeroStage");
  const plain: DataParallelTrainOptions = {
    ranks,
    steps,
    optimizer,
    zeroStage: stage,
    learningRate: inputs.number("learningRate"),
    seed: inputs.number("seed"),
  };
  // Ranks and steps that do not exist are the core's to refuse.
  if (!isWithin(ranks, 1, mostRanks) || !isWithin(steps, 1, mostSteps)) await lab.dataParallelTrain(plain);
  const unequal = inputs.text("batches") === "unequal";
  const batches = Array.from({ length: ranks }, (_, rank) => (unequal && rank === ranks - 1 ? fewerRows : rows));
  const perStep = batches.reduce((sum, some) => sum + some, 0);
  if (steps * perStep > mostRows) {
    const rule = `be at most ${count(Math.floor(mostRows / perStep))} on this page, with ${count(perStep)} rows a step`;
    throw new InputError("steps", inputs.text("steps"), rule);
  }
  const weighted = unequal && inputs.text("mean") === "weighted";
  const fault = faultOf(inputs, ranks, steps);
  const text = fault && `${fault.kind}:${fault.rank}${fault.kind === "miss-gather" ? `:${fault.step}` : ""}`;
  const found = await naming({ fault: "trainingFault" }, () =>
    lab.dataParallelTrain({ ...plain, batches, weighted, ...(text !== undefined && { fault: text }) }),
  );
  return { kind: "training", ranks, steps, optimizer, stage, batches, weighted, fault, seed: plain.seed!, found };
}

export function last(values: ArrayLike<number>): number {
  return values[values.length - 1]!;
}

export function largest(values: ArrayLike<number>): number {
  return Array.from(values).reduce((most, value) => Math.max(most, value), 0);
}

/** What the rank that holds the most holds. */
export function mostHeld({ ranks, found: { held } }: TrainingResult): number {
  const sums = Array.from({ length: ranks }, (_, rank) => held.parameterElements[rank]! + held.gradientElements[rank]! + held.optimizerElements[rank]!);
  return largest(sums);
}

/** The first step, from 0, after which weights differ by more than rounding; undefined if none does. */
export function firstApart({ found }: TrainingResult): number | undefined {
  const at = found.maxWeightDifferences.findIndex((value) => value > rounding);
  return at < 0 ? undefined : at;
}

/** Where the losses lie furthest apart. */
function widest({ lossesSerial, lossesParallel }: DataParallelTrainResult): { step: number; by: number } {
  let found = { step: 0, by: 0 };
  lossesSerial.forEach((loss, step) => {
    const by = Math.abs(lossesParallel[step]! - loss);
    if (by > found.by) found = { step, by };
  });
  return found;
}

/** What is only rounding has one digit that means anything. */
export function small(value: number): string {
  return value === 0 ? "0" : significant(value, value < rounding ? 1 : 3);
}

function agreement(result: TrainingResult): string {
  const { ranks, found } = result;
  const off = found.maxRelativeWeightDifference;
  if (ranks === 1) return word("One rank takes the serial steps, bit by bit.");
  return off === 0
    ? say`Serial and on ${ranks} ranks, the same training: the curves lie on each other, and all weights agree bit by bit.`
    : say`Serial and on ${ranks} ranks, the same training: the curves lie on each other, and weights differ by ${small(off)} of the largest at most, which is rounding.`;
}

function holding({ stage, ranks, optimizer }: TrainingResult): string {
  if (ranks === 1) return "";
  if (stage === 0) return word("Every rank holds a whole copy of everything.");
  const none = optimizer === "sgd" ? word("SGD without momentum has no state to shard.") : "";
  if (stage === 1) return sentences(word("Each rank holds a shard of the optimizer state, and whole copies of the rest."), none);
  if (stage === 2) return sentences(word("Each rank holds a shard of gradients and optimizer state, and all parameters."), none);
  return sentences(word("Each rank holds a shard of parameters, gradients and optimizer state, and gathers parameters twice a step."), none);
}

function apart(result: TrainingResult): string {
  const { found } = result;
  const from = firstApart(result);
  if (from === undefined) return word("No weight differs by more than rounding.");
  const { step, by } = widest(found);
  const share = inText(percent(found.maxRelativeWeightDifference));
  return say`From step ${from + 1} on weights differ, by up to ${share} of the largest; losses by up to ${significant(by, 2)}, in step ${step + 1}.`;
}

function replicas(result: TrainingResult): string {
  const { ranks, fault, found } = result;
  if (ranks === 1) return "";
  const most = found.maxReplicaDifference;
  if (most === 0) return word("All replicas agree with each other: nothing says that something is wrong.");
  const end = last(found.maxReplicaDifferences);
  if (end > 0) {
    return say`Replicas diverge, by up to ${significant(most)}: each rank goes on with weights of its own, and a loss curve alone does not tell.`;
  }
  return fault!.step + 1 < result.steps
    ? say`Replicas differ by up to ${significant(most)} and meet again after the next all-gather, but not at the serial weights.`
    : say`Replicas differ by up to ${significant(most)} and meet again after the next all-gather.`;
}

function supposed({ fault, ranks, stage }: TrainingResult): string {
  const { kind, rank, step } = fault!;
  switch (kind) {
    case "drop":
      return say`Hypothetical: the gradient of rank ${rank} is missing in every step, and the sum is divided by ${ranks} all the same.`;
    case "double":
      return say`Hypothetical: the gradient of rank ${rank} counts twice in every step, and the sum is divided by ${ranks} all the same.`;
    case "miss-gather":
      if (stage === 0) {
        return say`Hypothetical: in step ${step + 1} rank ${rank} gets nothing of the all-gather, the second half of the all-reduce, and goes on with partial sums.`;
      }
      return stage === 3
        ? say`Hypothetical: in step ${step + 1} rank ${rank} gets nothing of the all-gather, and computes with what it gathered last.`
        : say`Hypothetical: in step ${step + 1} rank ${rank} gets nothing of the all-gather, and keeps old parameters beside its new shard.`;
  }
}

function caption(result: TrainingResult): string {
  const { fault, batches, weighted, ranks, found } = result;
  if (fault !== undefined) {
    return sentences(supposed(result), apart(result), replicas(result), say`In reality: ${word(found.consequence!)}`);
  }
  const unequal = ranks > 1 && last(batches) !== batches[0];
  if (unequal && !weighted) {
    const [most, fewer] = [exact(batches[0]!), last(batches)];
    return sentences(
      say`Batches of ${most} rows, and of ${fewer} on rank ${ranks - 1}: the mean of the ranks' means lets those ${fewer} rows count as much as ${most} of others.`,
      apart(result),
      word("Weighted by rows, it would be the serial training."),
    );
  }
  if (found.maxRelativeWeightDifference > rounding) {
    return sentences(apart(result), word("Nothing is wrong but the learning rate: it is so large that each step enlarges what rounding left."));
  }
  return sentences(agreement(result), unequal ? word("Gradients are weighted by their rows.") : "", holding(result));
}

function readouts(result: TrainingResult): Readout[] {
  const { stage, found } = result;
  return [
    { id: "loss-serial", label: word("Final loss, serial"), value: significant(last(found.lossesSerial)) },
    { id: "loss-parallel", label: word("Final loss, on the ranks"), value: significant(last(found.lossesParallel)) },
    { id: "difference", label: word("Largest difference of weights, relative"), value: small(found.maxRelativeWeightDifference) },
    { id: "replicas", label: word("Largest difference of replicas"), value: small(found.maxReplicaDifference) },
    { id: "bytes", label: say`Sent per rank and step, ${stage === 3 ? 3 : 2}(R−1)/R`, ...bytes(largest(found.bytesSentPerRankPerStep)) },
    { id: "held", label: word("Elements held per rank"), value: count(mostHeld(result)) },
  ];
}

export function viewTraining(result: TrainingResult, width: number): View {
  const { ranks, fault, stage, optimizer, found } = result;
  const said = caption(result);
  const { held } = found;
  const [steps, all] = [plural(result.steps, "step"), plural(ranks, "rank")];
  const what = say`Losses of ${steps}, serial and on ${all}; how far weights are apart; and what each rank holds.`;
  const columns = [
    { name: word("parameters"), vectors: 1, shards: stage >= 3, amounts: held.parameterElements },
    { name: word("gradients"), vectors: 1, shards: stage >= 2, amounts: held.gradientElements },
    { name: word("optimizer state"), short: word("optimizer"), vectors: optimizer === "adam" ? 2 : 0, shards: stage >= 1, amounts: held.optimizerElements },
  ];
  return {
    figure: trainingFigure(
      {
        serial: found.lossesSerial,
        parallel: found.lossesParallel,
        weights: found.maxWeightDifferences,
        replicas: found.maxReplicaDifferences,
        ...(fault?.kind === "miss-gather" && { mark: { step: fault.step + 1, label: say`rank ${fault.rank} misses the all-gather` } }),
        ranks,
        elements: modelParameters,
        columns: columns.map(({ amounts, ...column }) => ({ ...column, amounts: [...amounts] })),
        summary: sentences(what, said),
      },
      width,
    ),
    caption: sentences(said, ranks > mostRanksHeld ? say`What ranks hold is drawn for the first ${mostRanksHeld}.` : ""),
    claim: word("Serial or on ranks, in whole copies or in shards: it is the same training."),
    tryNext: word("Drop a gradient, or let a rank miss an all-gather, and see where it shows."),
    readouts: readouts(result),
  };
}
