/** Why a split by columns sends nothing and one by rows does, and why that keeps tensor parallelism in a node. */

import type { AsyncLab } from "shardlab";
import { count } from "../../format.js";
import { InputError, type Inputs } from "../../parameter.js";
import { layerCalls } from "../../routines/tensor-parallel-cost.js";
import { question } from "../../questions/tensor-parallel.js";
import { tensorParallel } from "../../routines/tensor-parallel.js";
import type { Criterion } from "../criterion.js";
import { wholeOf } from "../numbers.js";

/** The core's matrices are of such numbers. */
const bytesOfNumber = 8;

interface Shape {
  ranks: number;
  inFeatures: number;
  outFeatures: number;
  batch: number;
}

function shapeOf(own: Inputs): Shape {
  const ranks = wholeOf(own, "ranks", 2, 8);
  const inFeatures = wholeOf(own, "inFeatures", ranks, 256);
  const outFeatures = wholeOf(own, "outFeatures", ranks, 256);
  if (outFeatures % ranks !== 0) throw new InputError("outFeatures", String(outFeatures), `be a multiple of your ${ranks} ranks`);
  return { ranks, inFeatures, outFeatures, batch: wholeOf(own, "batch", 1, 64) };
}

/** The product in both splits, executed. */
async function products(lab: AsyncLab, { ranks, inFeatures, outFeatures, batch }: Shape) {
  const w = await lab.randomMatrix({ rows: outFeatures, columns: inFeatures, seed: 1 });
  const x = await lab.randomMatrix({ rows: inFeatures, columns: batch, seed: 2 });
  const [column, row] = await Promise.all((["column", "row"] as const).map((split) => lab.tensorParallelMatmul({ w, x, ranks, split })));
  return { column: column!, row: row! };
}

function numbersIn(matrix: readonly ArrayLike<number>[] | undefined): number {
  return (matrix ?? []).reduce((sum, row) => sum + row.length, 0);
}

/** All-reduces of one transformer layer, forward and backward. */
async function callsOfLayer(lab: AsyncLab, ranks: number): Promise<number> {
  const config = {
    model_type: "llama",
    hidden_size: 8 * ranks,
    num_attention_heads: ranks,
    num_key_value_heads: ranks,
    intermediate_size: 32 * ranks,
    num_hidden_layers: 1,
    vocab_size: ranks,
  };
  return layerCalls(await lab.tensorParallelCost({ config, ranks, sequence: 8 })).length;
}

export const split: Criterion = {
  id: "split",
  title: "Which split has to send, and why does that stay in one node?",
  routine: tensorParallel,
  predicts: question,
  parts: [
    { kind: "own", id: "ranks", label: "Ranks", ask: "Choose a number of ranks, from 2 to 8." },
    { kind: "own", id: "inFeatures", label: "In features", ask: "Choose the inputs of a linear layer, up to 256." },
    { kind: "own", id: "outFeatures", label: "Out features", ask: "Choose its outputs, a multiple of your ranks." },
    { kind: "own", id: "batch", label: "Batch", ask: "Choose how many inputs it gets at once, up to 64." },
    {
      kind: "number",
      id: "column",
      label: "Columns: on a rank",
      ask: "Split by columns: how many numbers of the output does a rank compute?",
      within: 0,
      look: "Which of the outputs does it have weights for? And that for every input of the batch.",
    },
    {
      kind: "number",
      id: "columnSent",
      label: "Columns: sent",
      ask: "And how many numbers does it send in the forward, if the next layer can work on its part?",
      within: 0,
      look: "Is anything missing in what it has?",
    },
    {
      kind: "number",
      id: "row",
      label: "Rows: on a rank",
      ask: "Split by rows: how many numbers of the output does a rank compute?",
      within: 0,
      look: "It has a part of the inputs, and weights from these to every output.",
    },
    {
      kind: "number",
      id: "rowSent",
      label: "Rows: sent",
      ask: "And how many numbers does it send until every rank has the output, by a ring?",
      within: 0,
      look: "Which collective makes the output of it, and how much does a rank send in a ring?",
    },
    {
      kind: "number",
      id: "layer",
      label: "All-reduces of a layer",
      ask: "A transformer layer has attention and MLP, each split by columns and then by rows. How many all-reduces are there in a forward and a backward?",
      within: 0,
      look: "Count those of attention and MLP, forward and backward.",
    },
    {
      kind: "choice",
      id: "why",
      label: "Why",
      ask: "What makes the difference between the two splits?",
      statements: [
        {
          id: "smaller",
          text: "Row shards are larger than column shards, so that they do not fit without communication.",
          short: "row shards are larger",
          because: "Both are one part of the same matrix, and of one size.",
        },
        {
          id: "inner",
          text: "Columns split the outputs: each is computed on one rank from the whole input. Rows split the sum over the inputs: each rank has a term of every output.",
          short: "columns split outputs, rows split the sum",
          right: true,
          because: "Pieces need no others to be right. Partial sums have to be added, and that is an all-reduce.",
        },
        {
          id: "input",
          text: "By columns every rank needs the whole input, and by rows only a part of it: what is saved there is sent later.",
          short: "what the input saves is sent later",
          because: "That is so, and it is no reason: if rows split the outputs, nothing would have to be added.",
        },
      ],
    },
    {
      kind: "choice",
      id: "node",
      label: "Why one node",
      ask: "Why is such a group kept inside one node?",
      statements: [
        {
          id: "memory",
          text: "The GPUs of a node share their memory.",
          short: "shared memory",
          because: "Each has its own. What they share is fast links.",
        },
        {
          id: "weights",
          text: "The weights have to be gathered for every layer.",
          short: "weights are gathered",
          because: "That is ZeRO's third stage. In tensor parallelism a rank never has another one's weights: activations travel.",
        },
        {
          id: "once",
          text: "Its all-reduce of gradients at the end of a step is larger than data parallelism's.",
          short: "a larger gradient all-reduce",
          because: "There is none: each rank has its own weights, and with them all of their gradient.",
        },
        {
          id: "between",
          text: "Its all-reduces stand between products that wait for them, in every layer, forward and backward: on a network's bandwidth the waiting is longer than the work.",
          short: "every layer waits for them",
          right: true,
          because: "A gradient can be sent while the backward goes on. An activation that the next product needs cannot.",
        },
      ],
    },
    {
      kind: "task",
      id: "shown",
      label: "In the widget",
      ask: "Show it: your layer on your ranks, forward, in the split whose outputs have to be added.",
    },
  ],

  async expect(lab, own) {
    const shape = shapeOf(own);
    const { ranks, outFeatures, batch } = shape;
    const { column, row } = await products(lab, shape);
    const [piece, partial] = [numbersIn(column.partialOutputs[0]), numbersIn(row.partialOutputs[0])];
    const sent = row.communicationBytesPerRank / bytesOfNumber;
    const calls = await callsOfLayer(lab, ranks);
    const plain = outFeatures * batch;
    return {
      column: {
        right: piece,
        because: `${outFeatures} / ${ranks} outputs for each of ${count(batch)}: ${count(piece)}.`,
        slips: [
          { value: plain, because: "That is the whole output. A rank has weights for its own part of the outputs only." },
          { value: outFeatures / ranks, because: "That is for one input. There is a batch of them." },
        ],
      },
      columnSent: {
        right: column.communicationBytesPerRank / bytesOfNumber,
        because: "Nothing: what it has is right as it is, and the next layer's rows are on the same rank.",
        slips: [{ value: piece, because: "That would join the pieces. The next layer, split by rows, takes just this rank's piece." }],
      },
      row: {
        right: partial,
        because: `All ${count(partial)}, and each lacks the other ranks' terms.`,
        slips: [{ value: piece, because: "That is the split by columns. By rows the sum over the inputs is split, and every output has a term on every rank." }],
      },
      rowSent: {
        right: sent,
        because: `An all-reduce of ${count(plain)} numbers on ${ranks} ranks: 2 (${ranks} − 1) / ${ranks} times as many.`,
        slips: [
          { value: 0, because: "Then each rank would go on with sums that lack the others' terms." },
          { value: ranks * plain, because: "That is all of it from all to all. A ring sends 2 (N − 1) / N times the tensor." },
          { value: sent / 2, because: "That is one round of the ring. There are two." },
          { value: plain, because: "That is the output once. How often does a rank send its tensor in an all-reduce?" },
        ],
      },
      layer: {
        right: calls,
        because: "Attention and MLP end in one each in the forward; in the backward each begins with one, for the gradient of its input.",
        slips: [
          { value: calls / 2, because: "That is one pass. The backward has as many: the gradient of the input is a sum over the ranks." },
          { value: 1, because: "That is one block in one pass. There are two blocks, and a backward." },
          { value: 2 * calls, because: "That has one for each matrix. The two of a block share one: what the columns give, the rows take as it is." },
        ],
      },
    };
  },

  async check(_, setting, own) {
    const shape = shapeOf(own);
    if (setting.text("split") === "column") return "That is the split whose outputs are pieces.";
    if (setting.text("split") !== "row") return "It shows a whole block. Take one layer.";
    if (setting.text("pass") !== "forward") return "It shows the backward.";
    if (setting.text("forget") !== "none") return "It forgets something.";
    const names = ["ranks", "inFeatures", "outFeatures", "batch"] as const;
    return names.every((name) => setting.number(name) === shape[name]) ? undefined : "It is to be your layer, with your batch, on your ranks.";
  },
};
