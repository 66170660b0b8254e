/** The bubble of eight stages and four micro-batches, and why more micro-batches make it smaller and more stages do not. */

import type { AsyncLab } from "shardlab";
import { count, inText, percent } from "../../format.js";
import { InputError } from "../../parameter.js";
import { question } from "../../questions/bubble.js";
import { bubble } from "../../routines/bubble.js";
import type { Criterion } from "../criterion.js";
import { wholeOf } from "../numbers.js";

/** The size that the criterion is known by. */
const known = { stages: 8, microBatches: 4 };

/** What the task brings it down to, on as many stages. */
const wanted = 0.2;

/** What the student's own pipeline is to be brought down to. */
const tenth = 0.1;

/** The fewest micro-batches of which no more than a share of the time is idle. */
async function fewest(lab: AsyncLab, stages: number, share: number): Promise<number> {
  const isIdle = async (microBatches: number) => (await lab.pipelineBubbleFraction({ stages, microBatches })) > share;
  let [less, enough] = [0, 1];
  while (await isIdle(enough)) [less, enough] = [enough, 2 * enough];
  while (enough - less > 1) {
    const middle = Math.floor((less + enough) / 2);
    if (await isIdle(middle)) less = middle;
    else enough = middle;
  }
  return enough;
}

const share = (value: number): string => inText(percent(value));

export const idle: Criterion = {
  id: "idle",
  title: "The bubble of (8, 4), and what makes it smaller",
  routine: bubble,
  predicts: question,
  parts: [
    {
      kind: "number",
      id: "known",
      label: "(8, 4)",
      ask: "Eight equal stages, four micro-batches: which part of the time is a stage idle? As a fraction or in per cent.",
      within: 0.006,
      share: true,
      look: "How many slots are there until the first micro-batch has filled the pipeline, and how many in all?",
    },
    { kind: "own", id: "stages", label: "Stages P", ask: "Choose a number of stages P, from 2 to 256." },
    { kind: "own", id: "microBatches", label: "Micro-batches M", ask: "Choose a number of micro-batches M, from 1 to 4096." },
    {
      kind: "number",
      id: "own",
      label: "Yours",
      ask: "Which part of the time is a stage of yours idle?",
      within: 0.006,
      share: true,
      look: "P − 1 slots of waiting: beside how many of work?",
    },
    {
      kind: "number",
      id: "least",
      label: "For a tenth",
      ask: "How many micro-batches do your stages need at least, so that no more than a tenth of the time is idle?",
      within: 0,
      look: "(P − 1) / (M + P − 1) is to be 1/10.",
    },
    {
      kind: "choice",
      id: "why",
      label: "Why",
      ask: "Why do more micro-batches make the idle part smaller, and more stages do not?",
      statements: [
        {
          id: "shorter",
          text: "More stages make each of them shorter, and with them the waiting; more micro-batches do the same.",
          short: "both make waiting shorter",
          because: "A slot does get shorter with more stages. But there are more slots to fill and to drain, and the part of them in the whole grows.",
        },
        {
          id: "beside",
          text: "A stage works on several micro-batches at the same time.",
          short: "several at the same time",
          because: "A stage works on one of them at a time. What makes up for the waiting is that more of them come after each other.",
        },
        {
          id: "spread",
          text: "Filling and draining take P − 1 slots for any M: more micro-batches spread these over more work, more stages add to them.",
          short: "P − 1 slots, spread over M",
          right: true,
          because: "(P − 1) / (M + P − 1): M stands below only, P above and below.",
        },
        {
          id: "messages",
          text: "Fewer stages send fewer messages.",
          short: "fewer messages",
          because: "In this count messages take no time at all, and the bubble is there.",
        },
      ],
    },
    {
      kind: "task",
      id: "shown",
      label: "In the widget",
      ask: "Show it: eight stages, and the fewest micro-batches of which no more than 20 % of the time is idle.",
    },
  ],

  async expect(lab, own) {
    const stages = wholeOf(own, "stages", 2, 256);
    const microBatches = wholeOf(own, "microBatches", 1, 4096);
    if (stages === known.stages && microBatches === known.microBatches) {
      throw new InputError("microBatches", String(microBatches), "make another pipeline than (8, 4), which is asked for already");
    }
    const [eight, yours] = await Promise.all([known, { stages, microBatches }].map((size) => lab.pipelineBubbleFraction(size)));
    const least = await fewest(lab, stages, tenth);
    const [P, M] = [count(stages), count(microBatches)];
    return {
      known: {
        right: eight!,
        because: `7 / (4 + 7) = 7/11 = ${share(eight!)}.`,
        slips: [
          { value: 3 / 11, because: "That is four stages and eight micro-batches: eight is the number of stages." },
          { value: 7 / 4, because: "That compares with the time that the work needs. The time that passes has the waiting in it, too." },
          { value: 4 / 11, because: "That is the part in which it works." },
          { value: 8 / 12, because: "The first stage does not wait for itself: filling takes P − 1 slots." },
          { value: 4 / 8, because: "That is M / P. Count the slots: four with work, and the others." },
        ],
      },
      own: {
        right: yours!,
        because: `(${P} − 1) / (${M} + ${P} − 1) = ${share(yours!)}.`,
        slips: [
          { value: (stages - 1) / microBatches, because: "That compares with the time that the work needs. The time that passes has the waiting in it, too." },
          { value: 1 - yours!, because: "That is the part in which it works." },
          { value: (microBatches - 1) / (microBatches + stages - 1), because: "That has stages and micro-batches the other way round." },
          { value: stages / (microBatches + stages), because: "The first stage does not wait for itself: filling takes P − 1 slots." },
        ],
      },
      least: {
        right: least,
        because: `${count(least)}: then ${count(stages - 1)} of ${count(least + stages - 1)} slots are idle.`,
        slips: [
          { value: 10 * (stages - 1), because: "That takes a tenth of the work's time. Of all time, which is longer, a few less are enough." },
          { value: 9 * stages, because: "That takes P slots of waiting. There are P − 1." },
          { value: least - 1, because: "That leaves a little more than a tenth." },
        ],
      },
    };
  },

  async check(lab, setting) {
    const stages = setting.number("stages");
    const microBatches = setting.number("microBatches");
    if (stages !== known.stages) return `It has ${count(stages)} stages, and is to have ${known.stages}.`;
    const found = await lab.pipelineBubbleFraction({ stages, microBatches });
    if (found > wanted) return `It is idle ${share(found)} of the time.`;
    return microBatches === (await fewest(lab, stages, wanted)) ? undefined : "Fewer micro-batches are enough.";
  },
};
