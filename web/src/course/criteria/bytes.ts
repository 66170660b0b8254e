/** Why the bytes of a rank tend to twice the tensor, and not to N times. */

import { bytes as sized, count, inText } from "../../format.js";
import { InputError } from "../../parameter.js";
import { run } from "../../routines/all-reduce-run.js";
import { question } from "../../questions/all-reduce.js";
import { allReduce } from "../../routines/all-reduce.js";
import type { Criterion } from "../criterion.js";
import { isNear, wholeOf } from "../numbers.js";

/** How often a rank is to send its tensor, in the task: a ring of eight does. */
const asked = 1.75;

export const bytes: Criterion = {
  id: "bytes",
  title: "How much does a rank send, and why not N times its tensor?",
  routine: allReduce,
  predicts: question,
  parts: [
    { kind: "own", id: "ranks", label: "Ranks N", ask: "Choose a number of ranks N, from 2 to 1024." },
    { kind: "own", id: "bytes", label: "Tensor S", quantity: "bytes", ask: "Choose the size of each rank's tensor, as 100MB or 1GiB." },
    {
      kind: "number",
      id: "sent",
      label: "Sent by a rank",
      quantity: "bytes",
      ask: "How many bytes does a rank send in all, in a ring all-reduce of your tensor?",
      within: 0.005,
      look: "How large is the piece of one step, and how many steps are there?",
    },
    {
      kind: "number",
      id: "limit",
      label: "Limit",
      ask: "With ever more ranks, towards how many times its tensor does that go?",
      within: 0.01,
      look: "Take 4, 16 and 64 ranks in the widget, and look at what a rank sends.",
    },
    {
      kind: "choice",
      id: "why",
      label: "Why",
      ask: "Why does it not grow with N?",
      statements: [
        {
          id: "cancel",
          text: "There are more steps, and the piece of each step is smaller: 2 (N − 1) of them, with S / N each.",
          short: "N cancels: steps grow, pieces shrink",
          right: true,
          because: "2 (N − 1) · S / N: what is left of N is (N − 1) / N, which is below 1.",
        },
        {
          id: "neighbours",
          text: "A rank has two neighbours, and sends its tensor to each of them.",
          short: "two neighbours",
          because: "It sends to one of them and receives from the other. The 2 stands for two rounds: to collect, and to hand round.",
        },
        {
          id: "root",
          text: "One rank collects all tensors, so that the others need not.",
          short: "one rank collects",
          because: "That rank would receive N − 1 tensors, and everyone would wait for it. In a ring all ranks do the same.",
        },
        {
          id: "smaller",
          text: "Sums are smaller than what they are made of, so that later steps send less.",
          short: "sums are smaller",
          because: "A sum of N numbers takes the room of one: that is why a chunk does not grow. But no step sends less than another.",
        },
      ],
    },
    {
      kind: "task",
      id: "shown",
      label: "In the widget",
      ask: `Show it: set the widget so that the rank that sends most sends exactly ${asked} times its tensor.`,
    },
  ],

  async expect(lab, own) {
    const ranks = wholeOf(own, "ranks", 2, 1024);
    const size = own.number("bytes");
    const { steps, bytesSentPerRank: sent } = await lab.allReduceCost({ ranks, bytes: size });
    if (size === 0) throw new InputError("bytes", own.text("bytes"), "be at least a byte");
    const text = (value: number) => inText(sized(value, 4));
    return {
      sent: {
        right: sent,
        because: `${count(steps)} steps with ${text(size)} / ${count(ranks)} each: ${text(sent)}.`,
        slips: [
          { value: ranks * size, because: "That is N whole tensors. A rank passes on sums, and each as a piece of one N-th." },
          { value: (ranks - 1) * size, because: "That is its whole tensor to each of the others. In a ring it sends to one neighbour, a piece in each step." },
          { value: sent / 2, because: "That is one round, which leaves each rank with one sum of N. They still have to be handed round." },
          { value: 2 * size, because: "That is where it goes with ever more ranks. Yours are N: the last hop of each round is not needed." },
          { value: size, because: "That is the tensor once. It takes a round to collect the sums and another to hand them round." },
          { value: size / ranks, because: "That is what it sends in one step." },
        ],
      },
      limit: {
        right: 2,
        because: "2 (N − 1) / N is 1.5 for four ranks, 1.875 for sixteen and 1.998 for 1024: below 2 for any number.",
        slips: [
          { value: 1, because: "One round comes close to one tensor, and there are two." },
          { value: ranks, because: "That is N times. Twice the ranks make twice the steps, but each of them sends half as much." },
        ],
      },
    };
  },

  async check(lab, setting) {
    const { cost, bytes: size, fault } = await run(lab, setting);
    if (fault !== undefined) return "It shows an all-reduce with a fault.";
    if (size > 0 && isNear(cost.bytesSentPerRank / size, asked, 1e-6)) return undefined;
    return `It sends ${Number((cost.bytesSentPerRank / size).toPrecision(4))} times its tensor. For which N is 2 (N − 1) / N = ${asked}?`;
  },
};
