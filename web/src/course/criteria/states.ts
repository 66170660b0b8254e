/** Why stage 3 of ZeRO tends to 16 N / R bytes on a rank, and what it costs. */

import { bytes as sized, count, inText } from "../../format.js";
import { InputError } from "../../parameter.js";
import { question } from "../../questions/zero.js";
import { zero } from "../../routines/zero.js";
import { run } from "../../zero-state.js";
import type { Criterion } from "../criterion.js";
import { wholeOf } from "../numbers.js";

/** The model and the room of the task. */
const asked = { params: 70e9, room: 80e9 };

const fewestParams = 1e6;

export const states: Criterion = {
  id: "states",
  title: "What does stage 3 leave on a rank, and what does it cost?",
  routine: zero,
  predicts: question,
  parts: [
    { kind: "own", id: "params", label: "Parameters N", quantity: "count", ask: "Choose the size of a model, as 7B or 350M parameters." },
    { kind: "own", id: "ranks", label: "Ranks R", ask: "Choose a number of data-parallel ranks R, from 2 to 4096." },
    {
      kind: "number",
      id: "replica",
      label: "Stage 0",
      quantity: "bytes",
      ask: "Adam in mixed precision, without sharding: how many bytes of states has each rank?",
      within: 0.005,
      look: "Weight and gradient in 16 bits; master weight and two moments in 32.",
    },
    {
      kind: "number",
      id: "shard",
      label: "Stage 3",
      quantity: "bytes",
      ask: "And at stage 3?",
      within: 0.005,
      look: "Which of the states does this stage shard, and over how many ranks? Mind the unit: a bare number is bytes.",
    },
    {
      kind: "number",
      id: "times",
      label: "Traffic",
      ask: "How many times as much does a rank send in a step at stage 3 as without sharding?",
      within: 0.005,
      look: "Without sharding it is an all-reduce: what is that made of? And what does stage 3 gather, how often?",
    },
    {
      kind: "choice",
      id: "why",
      label: "Why",
      ask: "Why 16 N / R?",
      statements: [
        {
          id: "products",
          text: "Each rank computes one R-th of every layer, and needs no more than that.",
          short: "an R-th of every layer",
          because: "That is tensor parallelism. Under ZeRO each rank computes all of every layer, on its own tokens.",
        },
        {
          id: "formats",
          text: "Weights are kept in 16 bits, of which each rank needs R times fewer.",
          short: "16 bits, divided",
          because: "The 16 are bytes, not bits: 2 of a weight, 2 of a gradient and 12 of the optimizer.",
        },
        {
          id: "activations",
          text: "All that is in a rank's memory is divided by R: states, activations and buffers.",
          short: "all memory is divided",
          because: "ZeRO divides states. Activations are of a rank's own tokens, and stay however many ranks there are.",
        },
        {
          id: "once",
          text: "A parameter has 16 bytes of states, and of all R ranks one alone keeps them: weight, gradient and optimizer.",
          short: "all 16 bytes on one rank alone",
          right: true,
          because: "Stages 1 and 2 leave something whole on every rank, which more ranks do not make smaller. Stage 3 leaves nothing.",
        },
      ],
    },
    {
      kind: "ticks",
      id: "cost",
      label: "What it costs",
      ask: "What does stage 3 cost, against no sharding? Tick all that holds.",
      statements: [
        {
          id: "gather",
          text: "Each layer's weights are gathered before its forward, and again before its backward.",
          short: "weights gathered twice",
          right: true,
          because: "What is not kept has to be fetched, twice.",
        },
        {
          id: "exact",
          text: "The gradient is no longer quite that of the whole batch.",
          short: "an inexact gradient",
          because: "It is the same sum. It only ends on one rank, whose update the others gather.",
        },
        {
          id: "half",
          text: "Each rank sends half as much again in a step.",
          short: "1.5 times the traffic",
          right: true,
          because: "Three times the model, where an all-reduce sends it twice.",
        },
        {
          id: "wait",
          text: "A layer cannot begin before its weights are there: gathering has to run ahead of computing.",
          short: "gathering must run ahead",
          right: true,
          because: "An all-reduce of gradients may come late, and weights may not.",
        },
        {
          id: "sends",
          text: "Activations are sent from rank to rank.",
          short: "activations are sent",
          because: "That is tensor or pipeline parallelism. Here each rank keeps its own tokens to itself.",
        },
      ],
    },
    {
      kind: "task",
      id: "shown",
      label: "In the widget",
      ask: "Show it: 70B parameters, whose states take no more than 80 GB on a rank, on as few ranks as can be.",
    },
  ],

  async expect(lab, own) {
    const params = own.number("params");
    const ranks = wholeOf(own, "ranks", 2, 4096);
    const [plain, one, two, three] = await Promise.all([0, 1, 2, 3].map((zeroStage) => lab.zeroStates({ params, ranks, zeroStage })));
    if (params < fewestParams) throw new InputError("params", own.text("params"), "be a million at least");
    const text = (value: number) => inText(sized(value, 4));
    return {
      replica: {
        right: plain!.totalBytes,
        because: `2 + 2 + 12 = 16 bytes of each: ${text(plain!.totalBytes)}.`,
        slips: [
          { value: plain!.parameterBytes, because: "Those are the weights alone. There are gradients, and what the optimizer keeps." },
          { value: plain!.optimizerBytes, because: "That is the optimizer's part. Weights and gradients come on top." },
          { value: plain!.parameterBytes + plain!.gradientBytes, because: "Those are weights and gradients. The optimizer keeps three numbers of 32 bits for each parameter." },
          { value: three!.totalBytes, because: "That is divided by the ranks already." },
        ],
      },
      shard: {
        right: three!.totalBytes,
        because: `16 · ${count(params)} B / ${count(ranks)} = ${text(three!.totalBytes)}.`,
        slips: [
          { value: one!.totalBytes, because: "That is stage 1, which divides the 12 bytes of the optimizer alone." },
          { value: two!.totalBytes, because: "That is stage 2, which leaves the weights whole on every rank." },
          { value: three!.parameterBytes, because: "Those are the weights alone. Gradients and optimizer are divided, too, and are there." },
          { value: plain!.totalBytes, because: "That is not divided yet." },
        ],
      },
      times: {
        right: three!.sentBytes / plain!.sentBytes,
        because: `${text(three!.sentBytes)} beside ${text(plain!.sentBytes)}: two gathers and a reduce-scatter, where an all-reduce is one of each.`,
        slips: [
          { value: 1, because: "That is so up to stage 2. What stage 3 does not keep, it has to fetch." },
          { value: 2, because: "That counts both gathers as new. One of them is half of the all-reduce that stage 0 has." },
          { value: 3, because: "It does send three times the model. How many times does stage 0 send it?" },
        ],
      },
    };
  },

  async check(lab, setting) {
    const { params, ranks, zeroStage, kept, ladder } = await run(lab, setting);
    if (Math.abs(params - asked.params) > 0.02 * asked.params) return "It is to be a model of 70B parameters.";
    if (setting.text("recipe") !== "mixed-adam") return "It has another optimizer than Adam in mixed precision.";
    const room = (size: number) => size <= asked.room;
    const { totalBytes } = ladder[zeroStage]!;
    if (!room(totalBytes)) return `It leaves ${inText(sized(totalBytes, 4))} on a rank.`;
    if (zeroStage < 3 || kept) return "It fits. At another stage fewer ranks are enough.";
    const fewer = await lab.zeroStates({ params, ranks: Math.max(ranks - 1, 1), zeroStage });
    return ranks > 1 && room(fewer.totalBytes) ? "It fits. Fewer ranks are enough." : undefined;
  },
};
