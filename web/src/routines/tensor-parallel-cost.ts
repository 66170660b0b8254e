/** What tensor parallelism costs a real layer, inside a node and between nodes. */

import { presets } from "../presets/tensor-parallel-cost.js";
import type { AsyncLab, CollectiveCall, ModelConfig, TensorParallelCostResult } from "shardlab";
import { readConfig } from "../config.js";
import { bars } from "../figures/frame.js";
import { bytes, inText, percent, plural, seconds } from "../format.js";
import { InputError, type Inputs, type Parameter } from "../parameter.js";
import type { Readout, Routine, View } from "../routine.js";
import { naming } from "../rows.js";
import { say, word } from "../words.js";
import { rate, type Link } from "./alpha-beta.js";

/** Groups to compare the user's with, where the heads divide. */
const groups = [1, 2, 4, 8, 16, 32, 64];

/** A layer over a group of ranks. */
export interface Priced {
  ranks: number;
  cost: TensorParallelCostResult;
  /** of its matrix products, forward and backward */
  computing: number;
  /** of its collectives, forward and backward: within a node, and where ranks of two nodes meet */
  inside: number;
  between: number;
}

export interface Result {
  asked: Priced;
  compared: readonly Priced[];
  perNode: number;
  tokens: number;
  sequenceParallel: boolean;
  node: Link;
  network: Link;
  flopsPerSecond: number;
}

/** The collectives of one layer for a micro-batch. */
export function layerCalls({ collectives, layers }: TensorParallelCostResult): CollectiveCall[] {
  return collectives.filter(({ count, phase, tensor }) => phase !== "step" && count === layers && /^(attention|mlp) /.test(tensor));
}

export function stepsOf({ kind, ranks }: CollectiveCall): number {
  return (kind === "all-reduce" ? 2 : 1) * (ranks - 1);
}

function secondsOf(calls: readonly CollectiveCall[], { latencySeconds, bytesPerSecond }: Link): number {
  return calls.reduce((sum, call) => sum + stepsOf(call) * latencySeconds + call.bytesSentPerRank / bytesPerSecond, 0);
}

/** The communication that a group has, where it stands. */
export function communication(one: Priced, perNode: number): number {
  return one.ranks <= perNode ? one.inside : one.between;
}

const fields = {
  hidden_size: "hiddenSize",
  num_attention_heads: "heads",
  num_key_value_heads: "kvHeads",
  intermediate_size: "ffn",
};

function configOf(inputs: Inputs): ModelConfig {
  if (inputs.text("source") === "config") return readConfig(inputs.text("config"));
  return {
    model_type: "llama",
    hidden_size: inputs.number("hiddenSize"),
    num_attention_heads: inputs.number("heads"),
    num_key_value_heads: inputs.number("kvHeads"),
    intermediate_size: inputs.number("ffn"),
    num_hidden_layers: 1,
    vocab_size: 1,
  };
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const config = configOf(inputs);
  const sequence = inputs.number("sequence");
  const microBatch = inputs.number("microBatch");
  const sequenceParallel = inputs.text("sequenceParallel") === "on";
  const node = { latencySeconds: inputs.number("latencySeconds"), bytesPerSecond: inputs.number("bytesPerSecond") };
  const network = { latencySeconds: inputs.number("interLatencySeconds"), bytesPerSecond: inputs.number("interBytesPerSecond") };
  for (const [link, prefix] of [[node, ""], [network, "inter"]] as const) {
    const names = prefix === "" ? {} : { latencySeconds: "interLatencySeconds", bytesPerSecond: "interBytesPerSecond" };
    // What a link may be, the lab knows, and says of one that gradients would have to cross.
    await naming(names, () => lab.gradientBuckets({ layers: [[0, 0]], ranks: 1, ...link }));
  }
  const flopsPerSecond = inputs.number("flopsPerSecond");
  if (!(flopsPerSecond >= 1 && flopsPerSecond <= 1e18)) {
    throw new InputError("flopsPerSecond", inputs.text("flopsPerSecond"), "be a number from 1 to 10¹⁸");
  }
  const perNode = inputs.number("perNode");
  if (!(Number.isInteger(perNode) && perNode >= 1)) {
    throw new InputError("perNode", inputs.text("perNode"), "be a whole number of at least 1");
  }
  const names = inputs.text("source") === "config" ? {} : fields;
  const priced = async (ranks: number): Promise<Priced> => {
    const options = { config, ranks, sequence, microBatch, sequenceParallel, keepGathered: true };
    const cost = await naming(names, () => lab.tensorParallelCost(options));
    const calls = layerCalls(cost);
    return {
      ranks,
      cost,
      computing: (3 * 2 * cost.layerMultiplications) / flopsPerSecond,
      inside: secondsOf(calls, node),
      between: secondsOf(calls, network),
    };
  };
  const asked = await priced(inputs.number("ranks"));
  const others = groups.filter((ranks) => ranks !== asked.ranks).map((ranks) => priced(ranks).catch(() => undefined));
  const compared = [asked, ...(await Promise.all(others))].filter((one) => one !== undefined).sort((a, b) => a.ranks - b.ranks);
  return { asked, compared, perNode, tokens: sequence * microBatch, sequenceParallel, node, network, flopsPerSecond };
}

function share(one: Priced, perNode: number): number {
  const spent = communication(one, perNode);
  return spent === 0 ? 0 : spent / (spent + one.computing);
}

function placed({ ranks }: Priced, perNode: number): string {
  return ranks <= perNode ? plural(ranks, "rank") : say`${ranks} on ${Math.ceil(ranks / perNode)} nodes`;
}

function caption({ asked, perNode, node, network }: Result): string {
  const calls = layerCalls(asked.cost);
  if (calls.length === 0) return word("One rank holds the layer and sends nothing.");
  const size = inText(bytes(calls[0]!.bytes, 4));
  const called =
    asked.ranks <= perNode
      ? say`${asked.ranks} ranks in one node call ${calls.length} collectives of ${size} a layer, and each waits for them.`
      : say`${asked.ranks} ranks on ${Math.ceil(asked.ranks / perNode)} nodes call ${calls.length} collectives of ${size} a layer, and each waits for them.`;
  const [inside, between, computing] = [asked.inside, asked.between, asked.computing].map((time) => inText(seconds(time)));
  return say`${called} At ${rate(node)} they take ${inside!}, at the network's ${rate(network)} ${between!}; the layer's products take ${computing!}. That keeps tensor parallelism inside a node.`;
}

function readouts({ asked, perNode }: Result): Readout[] {
  const calls = layerCalls(asked.cost);
  const sent = calls.reduce((sum, call) => sum + call.bytesSentPerRank, 0);
  return [
    { id: "sent", label: word("Sent per rank and layer"), ...bytes(sent) },
    { id: "token", label: word("Sent per token and layer"), ...bytes(asked.cost.layerBytesPerToken) },
    { id: "inside", label: word("On links of the node"), ...seconds(asked.inside) },
    { id: "between", label: word("On the network"), ...seconds(asked.between) },
    { id: "computing", label: word("Products of the layer"), ...seconds(asked.computing) },
    { id: "share", label: word("Share of communication"), ...percent(share(asked, perNode)) },
  ];
}

function view(result: Result, width: number): View {
  const { asked, compared, perNode } = result;
  const rows = compared.map((one) => {
    const spent = communication(one, perNode);
    return {
      one,
      spent,
      text: `${inText(seconds(one.computing + spent))}, ${inText(percent(share(one, perNode)))}`,
    };
  });
  return {
    figure: bars(
      {
        rows: rows.map(({ one, spent, text }) => ({
          label: placed(one, perNode),
          value: text,
          parts: [
            { length: one.computing, kind: "work" },
            ...(spent > 0 ? [{ length: spent, kind: "idle" }] : []),
          ],
          current: one.ranks === asked.ranks,
        })),
        most: Math.max(...rows.map(({ one, spent }) => one.computing + spent)) || 1,
        legend: [
          { kind: "work", label: word("products") },
          { kind: "idle", label: word("collectives and their share") },
        ],
        summary: say`Time of one layer, forward and backward. ${rows.map(({ one, text }) => `${placed(one, perNode)}: ${text}`).join("; ")}.`,
      },
      width,
    ),
    caption: caption(result),
    readouts: readouts(result),
  };
}

/** Llama-3-70B's fields that count here. */
const exampleConfig = JSON.stringify(
  {
    model_type: "llama",
    hidden_size: 8192,
    num_hidden_layers: 80,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    intermediate_size: 28672,
    vocab_size: 128256,
  },
  undefined,
  1,
);

const model: readonly Parameter[] = [
  {
    name: "source",
    label: "Layer",
    kind: "choice",
    initial: "numbers",
    choices: [
      { value: "numbers", label: "Numbers" },
      { value: "config", label: "config.json" },
    ],
  },
  { name: "hiddenSize", formerly: ["hidden"], aliases: ["hidden"], label: "Hidden", kind: "whole", initial: "8192", range: { least: 512, most: 32768, scale: "powers" }, when: { parameter: "source", is: "numbers" } },
  { name: "ffn", label: "MLP features", kind: "whole", initial: "28672", range: { least: 1024, most: 131072, scale: "powers" }, description: "SwiGLU, with three matrices.", when: { parameter: "source", is: "numbers" } },
  { name: "heads", label: "Heads", kind: "whole", initial: "64", range: { least: 1, most: 256, scale: "powers" }, when: { parameter: "source", is: "numbers" } },
  { name: "kvHeads", label: "Key and value heads", kind: "whole", initial: "8", range: { least: 1, most: 256, scale: "powers" }, when: { parameter: "source", is: "numbers" } },
  {
    name: "config",
    label: "A Hugging Face config.json",
    kind: "text",
    initial: exampleConfig,
    files: ".json,application/json",
    description: "Of a dense model. It is not sent anywhere.",
    takesOthers: true,
    when: { parameter: "source", is: "config" },
  },
];

const group: readonly Parameter[] = [
  { name: "ranks", label: "Ranks", kind: "whole", initial: "8", range: { least: 1, most: 64, scale: "powers" } },
  { name: "perNode", label: "Ranks in a node", kind: "whole", initial: "8", range: { least: 1, most: 64, scale: "powers" } },
  { name: "sequence", label: "Sequence", kind: "whole", initial: "8192", range: { least: 128, most: 131072, scale: "powers" } },
  { name: "microBatch", label: "Micro-batch", kind: "whole", initial: "1", aliases: ["batch"], range: { least: 1, most: 16, scale: "powers" } },
  {
    name: "sequenceParallel",
    label: "Sequence parallelism",
    kind: "choice",
    initial: "off",
    choices: [
      { value: "off", label: "Off" },
      { value: "on", label: "On" },
    ],
  },
];

const links: readonly Parameter[] = [
  { name: "bytesPerSecond", label: "Link in the node, one way", kind: "real", quantity: "rate", initial: "450GB/s", range: { least: 1e9, most: 1e12, scale: "decades" } },
  { name: "latencySeconds", label: "Its latency", kind: "real", quantity: "seconds", initial: "2us", range: { least: 1e-7, most: 1e-3, scale: "decades" } },
  { name: "interBytesPerSecond", label: "Network, one way", kind: "real", quantity: "rate", initial: "50GB/s", range: { least: 1e8, most: 1e12, scale: "decades" } },
  { name: "interLatencySeconds", label: "Its latency", kind: "real", quantity: "seconds", initial: "5us", range: { least: 1e-7, most: 1e-3, scale: "decades" } },
  {
    name: "flopsPerSecond",
    label: "Computing, FLOP/s",
    kind: "real",
    quantity: "count",
    initial: "400T",
    range: { least: 1e12, most: 1e16, scale: "decades" },
    description: "What a rank reaches on the layer's products, not what its card is sold with.",
  },
];

export const tensorParallelCost: Routine<Result> = {
  id: "tensor-parallel-cost",
  modules: ["training"],
  title: "Tensor parallelism, priced",
  claim: "A layer waits for its all-reduces four times. Links inside a node are fast enough for that; a network between nodes is not.",
  tryNext: `Take 16 ranks: the group leaves its node, and communication takes most of the time.`,
  parameters: [...group, ...model, ...links],
  presets,
  run,
  view,
  details: async () => (await import("../details/tensor-parallel-cost.js")).details,
};
