import type { AsyncLab, ModelConfig, ZeroMemoryResult } from "shardlab";
import { bars } from "../figures/frame.js";
import { binaryBytes, bytes, count, exact, inText, plural } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { Reason, Routine, View } from "../routine.js";
import { zeroPaper } from "../sources.js";

const stages = [0, 1, 2, 3] as const;
/** The round number of the papers; a real card has a little more or less. */
const capacity = 80e9;

interface Result {
  ranks: number;
  zeroStage: number;
  counted: boolean;
  ladder: readonly ZeroMemoryResult[];
}

function readConfig(text: string): ModelConfig {
  const shown = text.trim() === "" ? "empty" : text.trim().slice(0, 24);
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new InputError("config", shown, `be JSON (${(error as Error).message})`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new InputError("config", shown, "be a JSON object, as in a model's config.json");
  }
  return config as ModelConfig;
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const counted = inputs.text("source") === "config";
  const model = counted ? { config: readConfig(inputs.text("config")) } : { params: inputs.number("params") };
  const ranks = inputs.number("ranks");
  const zeroStage = inputs.number("zeroStage");
  await lab.zeroMemoryPerGpu({ ...model, ranks, zeroStage });
  const ladder = await Promise.all(stages.map((stage) => lab.zeroMemoryPerGpu({ ...model, ranks, zeroStage: stage })));
  return { ranks, zeroStage, counted, ladder };
}

function fits(memory: ZeroMemoryResult): boolean {
  return memory.totalBytes <= capacity;
}

function total({ ranks, zeroStage, ladder }: Result): Reason {
  const { params, totalBytes } = ladder[zeroStage]!;
  const n = count(params);
  const formulas: [string, string][] = [
    ["16 · N", `16 · ${n}`],
    ["(4 + 12 / R) · N", `(4 + 12 / ${ranks}) · ${n}`],
    ["(2 + 14 / R) · N", `(2 + 14 / ${ranks}) · ${n}`],
    ["16 · N / R", `16 · ${n} / ${ranks}`],
  ];
  const guard = "ZeRO: the 18 cells of the paper's table 1, to one unit of the last printed digit";
  return { name: `Total at stage ${zeroStage}`, guard, equals: [...formulas[zeroStage]!, `${exact(totalBytes)} B`] };
}

function part(name: string, perParameter: number, sharded: boolean, { ranks, zeroStage, ladder }: Result): Reason {
  const { params } = ladder[zeroStage]!;
  const whole = perParameter * params;
  return {
    name,
    guard: "ZeRO: each stage shards one more part",
    equals: sharded
      ? [`${perParameter} · N / R`, `${perParameter} · ${count(params)} / ${ranks}`, `${exact(whole / ranks)} B`]
      : [`${perParameter} · N`, `${perParameter} · ${count(params)}`, `${exact(whole)} B`],
  };
}

function caption({ ranks, zeroStage, ladder }: Result): string {
  const own = ladder[zeroStage]!;
  const smallest = stages.find((stage) => fits(ladder[stage]!));
  const size = `ZeRO stage ${zeroStage} on ${plural(ranks, "rank")}: ${inText(bytes(own.totalBytes, 4))} of states on each`;
  const line = inText(bytes(capacity));
  if (fits(own)) return `${size}. That is within ${line}, before activations and buffers.`;
  const way = smallest === undefined ? "no stage does on so few ranks" : `stage ${smallest} is the first that does`;
  return `${size}. That does not fit ${line}; ${way}.`;
}

function view(result: Result, width: number): View {
  const { zeroStage, counted, ladder } = result;
  const own = ladder[zeroStage]!;
  const most = Math.max(capacity, ...ladder.map((memory) => memory.totalBytes));
  const said = caption(result);
  return {
    figure: bars(
      {
        rows: ladder.map((memory, stage) => ({
          label: `stage ${stage}`,
          value: inText(bytes(memory.totalBytes)) + (fits(memory) ? "" : ", too large"),
          parts: [
            { length: memory.parameterBytes, kind: "parameters" },
            { length: memory.gradientBytes, kind: "gradients" },
            { length: memory.optimizerBytes, kind: "optimizer" },
          ],
          current: stage === zeroStage,
        })),
        most,
        marks: [{ at: capacity, label: inText(bytes(capacity)) }],
        legend: [
          { kind: "parameters", label: "weights" },
          { kind: "gradients", label: "gradients" },
          { kind: "optimizer", label: "optimizer" },
        ],
        summary: `Bytes of states on each rank, by ZeRO stage. ${ladder
          .map((memory, stage) => `Stage ${stage}: ${inText(bytes(memory.totalBytes))}`)
          .join("; ")}. ${said}`,
      },
      width,
    ),
    caption: said,
    readouts: [
      { id: "total", label: "States per rank", ...bytes(own.totalBytes, 4) },
      { id: "parameters", label: "Weights", ...bytes(own.parameterBytes) },
      { id: "gradients", label: "Gradients", ...bytes(own.gradientBytes) },
      { id: "optimizer", label: "Optimizer", ...bytes(own.optimizerBytes) },
    ],
    reasons: [
      ...(counted
        ? [{
              name: "Parameters",
              guard: "parameters of public models are exact",
              equals: ["N", count(own.params)],
              note: "Counted exactly from the configuration.",
            }]
        : []),
      part("Weights, 16 bit", 2, zeroStage >= 3, result),
      part("Gradients, 16 bit", 2, zeroStage >= 2, result),
      part("Optimizer: fp32 weights, momentum, variance", 12, zeroStage >= 1, result),
      {
        ...total(result),
        note: "States only: activations, buffers and the layer that stage 3 has gathered come on top.",
      },
    ],
    sources: [zeroPaper],
    table: {
      caption: "States of one rank",
      head: ["stage", "weights", "gradients", "optimizer", "total", "in GiB"],
      rows: ladder.map((memory, stage) => [
        String(stage),
        inText(bytes(memory.parameterBytes, 6)),
        inText(bytes(memory.gradientBytes, 6)),
        inText(bytes(memory.optimizerBytes, 6)),
        inText(bytes(memory.totalBytes, 6)),
        inText(binaryBytes(memory.totalBytes)),
      ]),
    },
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
    "16 bytes per parameter. Stage 1 shards the 12 of the optimizer, stage 2 also the gradient's 2, stage 3 also the weight's 2.",
  question: {
    text: "Which is the first stage that sends more than plain data parallelism does?",
    answers: [
      {
        label: "Stage 1",
        because: "It sends a reduce-scatter of gradients and an all-gather of weights: together just an all-reduce.",
      },
      {
        label: "Stage 2",
        because: "It only keeps less of what the reduce-scatter brings: the bytes are those of stage 1, and of an all-reduce.",
      },
      {
        label: "Stage 3",
        right: true,
        because: "Weights are gathered for the forward and again for the backward: 3 instead of 2 times the model, 1.5× the traffic.",
      },
      { label: "None", because: "Memory is not free here: what is not held must be fetched, as stage 3 does." },
    ],
  },
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
      description: "Llama and GPT-2 families. Shown: the shape of Llama-3-8B.",
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
  ],
  run,
  view,
};
