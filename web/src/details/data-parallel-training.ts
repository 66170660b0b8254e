/** Where the numbers of a data-parallel training come from. */

import { bytes, count, exact, inText, list, significant } from "../format.js";
import type { DataTable, Reason } from "../routine.js";
import { largest, last, modelParameters, mostHeld, small, type TrainingResult } from "../routines/data-parallel-training.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

export function trainingReasons(result: TrainingResult): Reason[] {
  return [...losses(result), difference(result), replicas(result), sent(result), held(result)];
}

function losses({ found, seed }: TrainingResult): Reason[] {
  const [serial, parallel] = [last(found.lossesSerial), last(found.lossesParallel)];
  return [
    {
      name: word("Final loss, serial"),
      guard: "training: a seed decides the task",
      equals: [word("loss of the whole batch before the last step"), significant(serial)],
      note: sentences(
        word("The mean of (output − target)² over the batch of all ranks."),
        say`The model is a perceptron with one hidden layer, of ${modelParameters} parameters; it learns another one's outputs, with noise, and no row comes twice.`,
        say`Seed ${exact(seed)} chooses the numbers.`,
      ),
    },
    {
      name: word("Final loss, on the ranks"),
      guard: "training: any shape, any ranks and any weighted batches are the serial training",
      equals: [word("the same, each row at the weights of its rank"), significant(parallel)],
      note: say`It differs from the serial one by ${small(Math.abs(parallel - serial))}.`,
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
            note: say`Rank ${ranks - 1} has ${last(batches)} of ${rows} rows, and 1/${ranks} of the say.`,
          }
        : {
            guard: "training: ranks are the serial training to 1e-12 for 200 steps, at every ZeRO stage",
            note: word("What is left is rounding: the ranks add in another order."),
          }
      : {
          guard:
            fault.kind === "miss-gather"
              ? "training faults: until the gather that is missed nothing differs"
              : "training faults: a gradient that is missing or doubled is off by its share of the mean",
          note:
            fault.kind === "miss-gather"
              ? say`Nothing differs before step ${fault.step + 1}.`
              : say`The first step is off by the gradient of rank ${fault.rank}, divided by ${ranks}.`,
        };
  return {
    name: word("Largest difference of weights, relative"),
    equals: [word("max |parallel − serial| over max |serial|"), small(found.maxRelativeWeightDifference)],
    guard: wrong.guard,
    note: sentences(
      say`In the step where it is largest, over all ranks and weights; the largest difference itself is ${small(found.maxWeightDifference)}.`,
      wrong.note,
    ),
  };
}

function replicas({ found, stage, fault }: TrainingResult): Reason {
  return {
    name: word("Largest difference of replicas"),
    guard: fault?.kind === "miss-gather" ? "training faults: replicas stay apart at stage 0, and meet at the next gather elsewhere" : "training: stages 1, 2 and 3 give the same bits",
    equals: [word("max over steps, weights and pairs of ranks"), small(found.maxReplicaDifference)],
    note:
      stage === 3
        ? word("Of what the ranks gathered for the backward: between steps each holds its shard alone.")
        : word("All ranks apply what one collective gave all of them."),
  };
}

function sent(result: TrainingResult): Reason {
  const { ranks, stage, found } = result;
  const factor = stage === 3 ? 3 : 2;
  const size = modelParameters * 8;
  const busiest = largest(found.bytesSentPerRankPerStep);
  const formula = (factor * size * (ranks - 1)) / ranks;
  return {
    name: word("Sent per rank and step"),
    guard: "training: a rank sends 2(R-1)/R of the parameters' bytes, and 3(R-1)/R at stage 3",
    equals: [`${factor} · S · (R − 1) / R`, `${factor} · ${count(size)} · (${ranks} − 1) / ${ranks}`, inText(bytes(formula))],
    note: sentences(
      say`S is ${modelParameters} numbers of 8 bytes.`,
      collectives(stage),
      busiest === formula ? "" : say`Chunks are whole numbers: the busiest rank sent ${inText(bytes(busiest))}.`,
    ),
  };
}

function collectives(stage: number): string {
  if (stage === 0) return say`Stage ${stage} has an all-reduce of gradients.`;
  if (stage < 3) return say`Stage ${stage} has a reduce-scatter of gradients and an all-gather of parameters.`;
  return say`Stage ${stage} has two all-gathers of parameters, before the forward and before the backward, and a reduce-scatter of gradients.`;
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
  const each = [
    say`${count(parameterElements[0]!)} parameters`,
    say`${count(gradientElements[0]!)} gradients`,
    say`${count(optimizerElements[0]!)} of the optimizer's state`,
  ];
  return {
    name: word("Elements held per rank"),
    guard: "training: each stage leaves each rank less",
    equals: [there.map(({ letters }) => letters).join(" + "), there.map(({ numbers }) => numbers).join(" + "), count(mostHeld(result))],
    note: sentences(
      say`On rank 0: ${list(each)}.`,
      optimizer === "adam" ? word("Adam keeps two moments of every parameter.") : word("SGD without momentum keeps nothing."),
      modelParameters % ranks === 0 ? "" : word("Shards are whole numbers, and the number shown is that of the rank that holds the most."),
      word("Activations and buffers do not count."),
    ),
  };
}

const mostRows = 1000;

export function trainingTable({ steps, found }: TrainingResult): DataTable {
  const every = Math.ceil(steps / mostRows);
  const shown = Array.from({ length: Math.ceil(steps / every) }, (_, index) => index * every);
  return {
    caption:
      every === 1
        ? word("Losses before each step, and differences after it")
        : say`Losses before each step, and differences after it: one step of ${every}`,
    head: [
      word("step"),
      word("loss, serial"),
      word("loss, on the ranks"),
      word("largest difference of weights"),
      word("largest difference of replicas"),
    ],
    rows: shown.map((step) => [
      String(step + 1),
      significant(found.lossesSerial[step]!, 6),
      significant(found.lossesParallel[step]!, 6),
      small(found.maxWeightDifferences[step]!),
      small(found.maxReplicaDifferences[step]!),
    ]),
  };
}
