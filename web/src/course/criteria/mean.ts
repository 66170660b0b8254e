/** Why the data-parallel average must be the serial mean, and what breaks where a gradient is lost or counted twice. */

import type { AsyncLab } from "shardlab";
import { exact } from "../../format.js";
import { InputError, type Inputs } from "../../parameter.js";
import { question } from "../../questions/data-parallel.js";
import { dataParallel } from "../../routines/data-parallel.js";
import { naming } from "../../rows.js";
import type { Criterion } from "../criterion.js";
import { isNear, wholeOf } from "../numbers.js";

const most = 16;

/** One gradient of one number for each rank, and the rank that something happens to. */
interface Case {
  gradients: number[];
  rank: number;
}

async function caseOf(lab: AsyncLab, own: Inputs): Promise<Case> {
  const text = own.text("gradients");
  const rows = await naming({ text: "gradients" }, () => lab.parseCsv({ text: text.trim().split(/[\s,;]+/).join("\n") }));
  const gradients = rows.map((row) => row[0]!);
  if (gradients.length < 2 || gradients.length > most) throw new InputError("gradients", text, `be 2 to ${most} numbers, one for each rank`);
  const rank = wholeOf(own, "rank", 0, gradients.length - 1);
  if (gradients[rank] === 0) throw new InputError("rank", String(rank), "be one whose gradient is not 0: without it nothing would change");
  return { gradients, rank };
}

/**
 * What the ranks apply where the gradient of one of them goes into the sum so many times. What rounding leaves of terms
 * that cancel is 0.
 */
async function averageOf(lab: AsyncLab, { gradients, rank }: Case, times: number): Promise<number> {
  const summed = gradients.map((value, index) => [index === rank ? times * value : value]);
  const average = (await lab.dataParallelGradientAverage({ gradients: summed })).average[0]!;
  return Math.abs(average) < 1e-12 * Math.max(...gradients.map(Math.abs)) ? 0 : average;
}

export const mean: Criterion = {
  id: "mean",
  title: "Which average must the ranks apply, and what breaks?",
  routine: dataParallel,
  predicts: question,
  parts: [
    {
      kind: "own",
      id: "gradients",
      label: "Gradients",
      ask: `Choose a gradient for each rank, a number each, as 3, 5, 10, 2. From 2 to ${most} ranks.`,
    },
    { kind: "own", id: "rank", label: "Rank", ask: "Choose the rank to which something will happen. They count from 0." },
    {
      kind: "number",
      id: "average",
      label: "Average",
      ask: "Nothing happens. Which average do all ranks apply?",
      within: 0.002,
      look: "Add them all, and divide by the number of ranks.",
    },
    {
      kind: "number",
      id: "dropped",
      label: "One dropped",
      ask: "The gradient of your rank is dropped, and nobody knows. What do the ranks apply?",
      within: 0.002,
      look: "Nobody knows: by how many do they divide?",
    },
    {
      kind: "number",
      id: "doubled",
      label: "One counted twice",
      ask: "It is counted twice instead. What do they apply?",
      within: 0.002,
      look: "Add it once more to the sum. By how many do they divide?",
    },
    {
      kind: "choice",
      id: "why",
      label: "Why",
      ask: "Why must the average of the ranks equal the mean that one machine would compute?",
      statements: [
        {
          id: "same",
          text: "All ranks compute the same gradient, since they have the same weights.",
          short: "all gradients are the same",
          because: "They have the same weights, and each has other data: were the gradients the same, no rank would be needed but one.",
        },
        {
          id: "linear",
          text: "The loss of the batch is the mean of its examples' losses, and so is its gradient: equal parts of the batch may be averaged in any order.",
          short: "the gradient of a mean is the mean of gradients",
          right: true,
          because: "N ranks then take the very step that one would take with the whole batch. Parts of different sizes have to be weighted.",
        },
        {
          id: "size",
          text: "An average is smaller than a sum, and smaller gradients make training stable.",
          short: "smaller gradients are stable",
          because: "The learning rate is there for that. What counts is which step is taken: that of the whole batch.",
        },
        {
          id: "replicas",
          text: "Otherwise the weights of the replicas would become different ones.",
          short: "replicas would differ",
          because: "They all apply what the all-reduce gives them. If that is wrong, it is wrong in the same way everywhere.",
        },
      ],
    },
    {
      kind: "ticks",
      id: "breaks",
      label: "What breaks",
      ask: "Your rank's gradient is dropped in every step, without a message. What holds? Tick all that does.",
      statements: [
        {
          id: "fails",
          text: "The loss becomes infinite or no number, and the training stops.",
          short: "it fails",
          because: "Nothing fails: a sum of fewer terms is a number like any other.",
        },
        {
          id: "unseen",
          text: "What this rank sees of the data has no say in the weights.",
          short: "its data has no say",
          right: true,
          because: "Its part of the data is as good as absent.",
        },
        {
          id: "drift",
          text: "The replicas drift apart.",
          short: "replicas drift apart",
          because: "All get the same wrong average and stay one model. They drift apart where the result differs from rank to rank, as after a missed all-gather.",
        },
        {
          id: "scaled",
          text: "The others' gradients are divided by a number that is too large: steps are too short on the average.",
          short: "steps too short",
          right: true,
          because: "The sum of N − 1 is divided by N.",
        },
        {
          id: "silent",
          text: "The loss goes down all the same, and no number says that something is wrong.",
          short: "nothing says so",
          right: true,
          because: "A descent on less data is still a descent: only a comparison with the serial mean shows it.",
        },
      ],
    },
    {
      kind: "task",
      id: "shown",
      label: "In the widget",
      ask: "Show it: give the widget your gradients, and drop that of your rank.",
    },
  ],

  async expect(lab, own) {
    const given = await caseOf(lab, own);
    const { gradients, rank } = given;
    const ranks = gradients.length;
    const [lost, whole, twice] = await Promise.all([0, 1, 2].map((times) => averageOf(lab, given, times)));
    const sums = [lost!, whole!, twice!].map((value) => value * ranks) as [number, number, number];
    const over = (sum: number) => `${exact(Number(sum.toPrecision(10)))} / ${ranks}`;
    const summed = { value: sums[1], because: "That is the sum. The division by the number of ranks is still to come." };
    return {
      average: { right: whole!, because: `${over(sums[1])}, on every rank.`, slips: [summed] },
      dropped: {
        right: lost!,
        because: `${over(sums[0])}: the sum lacks ${exact(gradients[rank]!)}, and is divided by ${ranks} as ever.`,
        slips: [
          { value: sums[0] / (ranks - 1), because: "That divides by those who are left. Nobody has told them that they are fewer; and it is not the mean of all either." },
          { value: whole!, because: "That is the mean of all, but one of them is not in the sum." },
          { value: sums[0], because: "That is the sum of the others. The division is still to come." },
        ],
      },
      doubled: {
        right: twice!,
        because: `${over(sums[2])}: ${exact(gradients[rank]!)} weighs as much as two ranks.`,
        slips: [
          { value: sums[2] / (ranks + 1), because: "That divides by one more. There are as many ranks as before." },
          { value: whole!, because: "That is the mean of all, each of them once." },
          { value: sums[2], because: "That is the sum. The division is still to come." },
        ],
      },
    };
  },

  async check(lab, setting, own) {
    const { gradients, rank } = await caseOf(lab, own);
    if (setting.text("show") !== "average") return "It shows something else than one average.";
    const shown = await lab.parseCsv({ text: setting.text("gradients") });
    const isSame = shown.length === gradients.length && shown.every((row, index) => row.length === 1 && isNear(row[0]!, gradients[index]!, 1e-12));
    if (!isSame) return "Its gradients are to be yours, one in each row.";
    if (setting.text("fault") !== "drop") return setting.text("fault") === "double" ? "It counts one twice." : "Nothing is broken in it yet.";
    return setting.number("rank") === rank ? undefined : "It drops the gradient of another rank than yours.";
  },
};
