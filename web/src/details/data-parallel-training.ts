/** Where the numbers of a data-parallel training come from. */

import { bytes, count, exact, inText, list, significant } from "../format.js";
import type { DataTable, Reason } from "../routine.js";
import { largest, last, modelParameters, mostHeld, small, type TrainingResult } from "../routines/data-parallel-training.js";

export function trainingReasons(result: TrainingResult): Reason[] {
  return [...losses(result), difference(result), replicas(result), sent(result), held(result)];
}

function losses({ found, seed }: TrainingResult): Reason[] {
  const [serial, parallel] = [last(found.lossesSerial), last(found.lossesParallel)];
  return [
    {
      name: "Final loss, serial",
      guard: "training: a seed decides the task",
      equals: ["loss of the whole batch before the last step", significant(serial)],
      note: `The mean of (output − target)² over the batch of all ranks. The model is a perceptron with one hidden layer, of ${modelParameters} parameters; it learns another one's outputs, with noise, and no row comes twice. Seed ${exact(seed)} chooses the numbers.`,
    },
    {
      name: "Final loss, on the ranks",
      guard: "training: any shape, any ranks and any weighted batches are the serial training",
      equals: ["the same, each row at the weights of its rank", significant(parallel)],
      note: `It differs from the serial one by ${small(Math.abs(parallel - serial))}.`,
    },
  ];
}

function difference({ found, fault, batches, weighted, ranks }: TrainingResult): Reason {
  const unequal = ranks > 1 && last(batches) !== batches[0];
  const rows = batches.reduce((sum, some) => sum + some, 0);
  const wrong =
    fault === undefined
      ? unequal && !weighted
        ? {
            guard: "training: of unequal batches the mean of means is another gradient, unless weighted",
            note: `Rank ${ranks - 1} has ${last(batches)} of ${rows} rows, and 1/${ranks} of the say.`,
          }
        : {
            guard: "training: ranks are the serial training to 1e-12 for 200 steps, at every ZeRO stage",
            note: "What is left is rounding: the ranks add in another order.",
          }
      : {
          guard:
            fault.kind === "miss-gather"
              ? "training faults: until the gather that is missed nothing differs"
              : "training faults: a gradient that is missing or doubled is off by its share of the mean",
          note:
            fault.kind === "miss-gather"
              ? `Nothing differs before step ${fault.step + 1}.`
              : `The first step is off by the gradient of rank ${fault.rank}, divided by ${ranks}.`,
        };
  return {
    name: "Largest difference of weights, relative",
    equals: ["max |parallel − serial| over max |serial|", small(found.maxRelativeWeightDifference)],
    guard: wrong.guard,
    note: `In the step where it is largest, over all ranks and weights; the largest difference itself is ${small(found.maxWeightDifference)}. ${wrong.note}`,
  };
}

function replicas({ found, stage, fault }: TrainingResult): Reason {
  return {
    name: "Largest difference of replicas",
    guard: fault?.kind === "miss-gather" ? "training faults: replicas stay apart at stage 0, and meet at the next gather elsewhere" : "training: stages 1, 2 and 3 give the same bits",
    equals: ["max over steps, weights and pairs of ranks", small(found.maxReplicaDifference)],
    note: stage === 3 ? "Of what the ranks gathered for the backward: between steps each holds its shard alone." : "All ranks apply what one collective gave all of them.",
  };
}

function sent(result: TrainingResult): Reason {
  const { ranks, stage, found } = result;
  const factor = stage === 3 ? 3 : 2;
  const size = modelParameters * 8;
  const busiest = largest(found.bytesSentPerRankPerStep);
  const what = ["an all-reduce of gradients", "a reduce-scatter of gradients and an all-gather of parameters"];
  const formula = (factor * size * (ranks - 1)) / ranks;
  return {
    name: "Sent per rank and step",
    guard: "training: a rank sends 2(R-1)/R of the parameters' bytes, and 3(R-1)/R at stage 3",
    equals: [`${factor} · S · (R − 1) / R`, `${factor} · ${count(size)} · (${ranks} − 1) / ${ranks}`, inText(bytes(formula))],
    note:
      `S is ${modelParameters} numbers of 8 bytes. Stage ${stage} has ` +
      (stage === 3 ? "two all-gathers of parameters, before the forward and before the backward, and a reduce-scatter of gradients." : `${what[Math.min(stage, 1)]}.`) +
      (busiest === formula ? "" : ` Chunks are whole numbers: the busiest rank sent ${inText(bytes(busiest))}.`),
  };
}

function held(result: TrainingResult): Reason {
  const { ranks, stage, optimizer, found } = result;
  const states = optimizer === "adam" ? 2 : 0;
  const parts = [1, 1, states].map((vectors, kind) => {
    const shard = stage >= 3 - kind;
    const whole = vectors === 1 ? "Ψ" : `${vectors} · Ψ`;
    const number = vectors === 1 ? String(modelParameters) : `${vectors} · ${modelParameters}`;
    return vectors === 0 ? undefined : { letters: shard ? `${whole} / R` : whole, numbers: shard ? `${number} / ${ranks}` : number };
  });
  const there = parts.filter((part) => part !== undefined);
  const { parameterElements, gradientElements, optimizerElements } = found.held;
  const each = [`${count(parameterElements[0]!)} parameters`, `${count(gradientElements[0]!)} gradients`, `${count(optimizerElements[0]!)} of the optimizer's state`];
  return {
    name: "Elements held per rank",
    guard: "training: each stage leaves each rank less",
    equals: [there.map(({ letters }) => letters).join(" + "), there.map(({ numbers }) => numbers).join(" + "), count(mostHeld(result))],
    note:
      `On rank 0: ${list(each)}. ` +
      (optimizer === "adam" ? "Adam keeps two moments of every parameter." : "SGD without momentum keeps nothing.") +
      (modelParameters % ranks === 0 ? "" : " Shards are whole numbers, and the number shown is that of the rank that holds the most.") +
      " Activations and buffers do not count.",
  };
}

const mostRows = 1000;

export function trainingTable({ steps, found }: TrainingResult): DataTable {
  const every = Math.ceil(steps / mostRows);
  const shown = Array.from({ length: Math.ceil(steps / every) }, (_, index) => index * every);
  return {
    caption: `Losses before each step, and differences after it${every === 1 ? "" : `: one step of ${every}`}`,
    head: ["step", "loss, serial", "loss, on the ranks", "largest difference of weights", "largest difference of replicas"],
    rows: shown.map((step) => [
      String(step + 1),
      significant(found.lossesSerial[step]!, 6),
      significant(found.lossesParallel[step]!, 6),
      small(found.maxWeightDifferences[step]!),
      small(found.maxReplicaDifferences[step]!),
    ]),
  };
}
