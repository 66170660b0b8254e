import type { AsyncLab, ZeroMemoryResult } from "shardlab";
import { readConfig } from "../config.js";
import { ladderFigure, type LadderPicture } from "../figures/ladder.js";
import { alike, binaryBytes, bytes, inText, plural, type Quantity } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { Readout, Routine, View } from "../routine.js";

const stages = [0, 1, 2, 3] as const;

export interface Result {
  ranks: number;
  zeroStage: number;
  counted: boolean;
  /** bytes of a GPU; nothing where none are given */
  capacity: number | undefined;
  ladder: readonly ZeroMemoryResult[];
}

function readCapacity(inputs: Inputs): number | undefined {
  const capacity = inputs.optional("capacity");
  if (capacity === undefined) return undefined;
  if (!(Number.isFinite(capacity) && capacity > 0)) {
    throw new InputError("capacity", inputs.text("capacity"), "be a number of bytes above 0");
  }
  return capacity;
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const counted = inputs.text("source") === "config";
  const model = counted ? { config: readConfig(inputs.text("config")) } : { params: inputs.number("params") };
  const ranks = inputs.number("ranks");
  const zeroStage = inputs.number("zeroStage");
  await lab.zeroMemoryPerGpu({ ...model, ranks, zeroStage });
  const ladder = await Promise.all(stages.map((stage) => lab.zeroMemoryPerGpu({ ...model, ranks, zeroStage: stage })));
  return { ranks, zeroStage, counted, capacity: readCapacity(inputs), ladder };
}

function fits({ capacity }: Result, memory: ZeroMemoryResult): boolean {
  return capacity === undefined || memory.totalBytes <= capacity;
}

/** What a rank sends in one of the collectives of a step: all of the weights but its own part, or of the gradients. */
export function sentAtOnce({ ranks, ladder }: Result): number {
  return (2 * ladder[0]!.params * (ranks - 1)) / ranks;
}

export function collectives(stage: number): number {
  return stage === 3 ? 3 : 2;
}

function caption(result: Result): string {
  const { ranks, zeroStage, capacity, ladder } = result;
  const own = ladder[zeroStage]!;
  const size = `ZeRO stage ${zeroStage} on ${plural(ranks, "rank")}: ${inText(bytes(own.totalBytes, 4))} of states on each`;
  if (capacity === undefined) return `${size}, before activations and buffers.`;
  const line = inText(bytes(capacity));
  if (fits(result, own)) return `${size}. That is within ${line}, before activations and buffers.`;
  const smallest = stages.find((stage) => fits(result, ladder[stage]!));
  const way = smallest === undefined ? "no stage does on so few ranks" : `stage ${smallest} is the first that does`;
  return `${size}. That does not fit ${line}; ${way}.`;
}

function sentRows(result: Result): LadderPicture["sent"] {
  const { zeroStage } = result;
  const size = inText(bytes(sentAtOnce(result), 4));
  const total = (times: number, more = "") =>
    result.ranks === 1 ? "0 B on one rank" : `${inText(bytes(times * sentAtOnce(result), 4))} (${times}Ψ)${more}`;
  return [
    {
      label: "stages 0–2",
      value: total(2),
      blocks: [
        { name: "RS bwd", size, kind: "backward" },
        { name: "AG", size, kind: "neutral" },
      ],
      sum: ["= an", "all-reduce"],
      chosen: zeroStage < 3,
    },
    {
      label: "stage 3",
      value: total(3, ", 1.5×"),
      blocks: [
        { name: "AG fwd", size, kind: "forward" },
        { name: "AG bwd", size, kind: "backward" },
        { name: "RS bwd", size, kind: "backward" },
      ],
      chosen: zeroStage === 3,
    },
  ];
}

function drawn(result: Result): Omit<LadderPicture, "summary"> {
  const { zeroStage, capacity, ladder } = result;
  const sizes = alike(ladder.map(({ totalBytes }) => totalBytes));
  return {
    rungs: ladder.map((memory, stage) => ({
      label: `stage ${stage}`,
      value: sizes[stage]!,
      beyond: "does not fit",
      parts: [
        { length: memory.parameterBytes, kind: "parameters" },
        { length: memory.gradientBytes, kind: "gradients" },
        { length: memory.optimizerBytes, kind: "optimizer" },
      ],
      chosen: stage === zeroStage,
    })),
    ...(capacity !== undefined && { limit: { at: capacity, label: `${inText(bytes(capacity))} of a GPU` } }),
    legend: [
      { kind: "parameters", label: "weights" },
      { kind: "gradients", label: "gradients" },
      { kind: "optimizer", label: "optimizer" },
    ],
    unmeasured: "activations: not in this model",
    sentTitle: [
      ["Sent by each rank in a step", "AG: all-gather", "RS: reduce-scatter of gradients"],
      ["Ψ: all weights once, 2 bytes each"],
    ],
    sent: sentRows(result),
  };
}

/** Decimal, and the same in the binary units that tools print. */
function both(value: number): Quantity {
  const { value: shown, unit } = bytes(value, 4);
  return { value: shown, unit: `${unit} =\u00a0${inText(binaryBytes(value))}` };
}

function readouts(result: Result): Readout[] {
  const own = result.ladder[result.zeroStage]!;
  return [
    { id: "total", label: "States per rank", ...both(own.totalBytes) },
    { id: "parameters", label: "Weights", ...both(own.parameterBytes) },
    { id: "gradients", label: "Gradients", ...both(own.gradientBytes) },
    { id: "optimizer", label: "Optimizer", ...both(own.optimizerBytes) },
    { id: "sent", label: "Sent in a step", ...bytes(collectives(result.zeroStage) * sentAtOnce(result), 4) },
  ];
}

function view(result: Result, width: number): View {
  const said = caption(result);
  const picture = drawn(result);
  const sizes = picture.rungs.map(({ label, value }) => `${label}: ${value}`).join("; ");
  return {
    figure: ladderFigure({ ...picture, summary: `Bytes of states on each rank, by ZeRO stage. ${sizes}. ${said}` }, width),
    caption: said,
    readouts: readouts(result),
  };
}

const llama3 = {
  model_type: "llama",
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  max_position_embeddings: 8192,
  tie_word_embeddings: false,
};

export const zero: Routine<Result> = {
  id: "zero",
  title: "ZeRO memory",
  claim:
    "16 bytes per parameter. Stage 1 shards the 12 of the optimizer, stage 2 also the gradient's 2, stage 3 also the weight's 2; only stage 3 sends more.",
  question: {
    text: "Which is the first stage that sends more than plain data parallelism does?",
    figureTells: true,
    answers: [
      {
        label: "Stage 1",
        because:
          "That counts the all-gather of weights as something new: with the reduce-scatter before it, it is what an all-reduce is made of.",
      },
      {
        label: "Stage 2",
        because:
          "That takes holding less for sending more: it only keeps less of what the reduce-scatter brings, and the bytes are those of an all-reduce.",
      },
      {
        label: "Stage 3",
        right: true,
        because:
          "Weights are gathered for the forward and again for the backward: 3 instead of 2 times the model, 1.5× the traffic.",
      },
      {
        label: "None",
        because: "That takes the saving for free: what stage 3 does not hold must be fetched, layer by layer, twice.",
      },
    ],
  },
  tryNext: "Raise the ZeRO stage to 3, and see what each rank sends.",
  parameters: [
    {
      name: "source",
      label: "Model",
      kind: "choice",
      initial: "params",
      choices: [
        { value: "params", label: "Parameters" },
        { value: "config", label: "config.json" },
      ],
    },
    {
      name: "params",
      label: "Parameters",
      kind: "whole",
      quantity: "count",
      initial: "7B",
      range: { least: 1e8, most: 1e12, scale: "decades" },
      when: { parameter: "source", is: "params" },
    },
    {
      name: "config",
      label: "A Hugging Face config.json",
      kind: "text",
      initial: `${JSON.stringify(llama3, null, 2)}\n`,
      files: ".json,application/json",
      takesOthers: true,
      description: "Of Llama, GPT, Qwen, Gemma, Mixtral, DeepSeek and others. Shown: the shape of Llama-3-8B.",
      when: { parameter: "source", is: "config" },
    },
    {
      name: "ranks",
      label: "Data-parallel ranks",
      kind: "whole",
      initial: "8",
      range: { least: 1, most: 1024, scale: "powers" },
    },
    {
      name: "zeroStage",
      label: "ZeRO stage",
      kind: "whole",
      initial: "1",
      range: { least: 0, most: 3 },
    },
    {
      name: "capacity",
      label: "Memory of a GPU",
      kind: "real",
      quantity: "bytes",
      initial: "80GB",
      optional: true,
      description: "80 GB is the round number of the papers; a card's own may be given as 79.1GiB. Empty: no line.",
    },
  ],
  run,
  view,
  details: async () => (await import("../details/zero.js")).details,
};
