/** Where the price of a sharded layer comes from. */

import { bytes, count, exact, inText, percent, plural, seconds } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { rate } from "../routines/alpha-beta.js";
import { communication, layerCalls, stepsOf, type Result } from "../routines/tensor-parallel-cost.js";
import { linkModel, megatron, sequenceParallelism } from "../sources.js";

function calls({ asked, tokens }: Result): Reason[] {
  const [first] = layerCalls(asked.cost);
  if (first === undefined) return [];
  const number = layerCalls(asked.cost).length;
  const factor = stepsOf(first) / first.ranks;
  return [
    {
      name: "A collective's tensor",
      guard: "a layer of Llama-3-70B reduces tensors of 134 217 728 bytes",
      equals: ["tokens · hidden · 2 B", `${exact(tokens)} · ${exact(first.bytes / tokens / 2)} · 2 B`, `${exact(first.bytes)} B`],
      note: "Activations of 16 bits. It does not depend on the ranks.",
    },
    {
      name: "Sent per token and layer",
      guard: "a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
      equals: [
        first.kind === "all-reduce" ? "calls · 2 · S · (N − 1) / N / tokens" : "calls · S · (N − 1) / N / tokens",
        `${number} · ${exact(factor)} · ${exact(first.bytes)} B / ${exact(tokens)}`,
        inText(bytes(asked.cost.layerBytesPerToken)),
      ],
      note: "Forward and backward, whatever the weights.",
    },
    {
      name: "Sent per rank and layer",
      guard: "a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
      equals: [
        "calls · sent in one",
        `${number} · ${inText(bytes(first.bytesSentPerRank, 4))}`,
        inText(bytes(number * first.bytesSentPerRank)),
      ],
    },
  ];
}

function times(result: Result): Reason[] {
  const { asked, node, network } = result;
  const list = layerCalls(asked.cost);
  const [first] = list;
  if (first === undefined) return [];
  return (
    [
      ["On links of the node", node, asked.inside],
      ["On the network", network, asked.between],
    ] as const
  ).map(([name, link, time]) => ({
    name,
    guard: "ring cost: with a link, latency and bandwidth terms add up",
    equals: [
      "calls · (steps · α + sent / β)",
      `${list.length} · (${stepsOf(first)} · ${inText(seconds(link.latencySeconds))} + ${inText(bytes(first.bytesSentPerRank, 4))} / (${rate(link)}))`,
      inText(seconds(time)),
    ],
    note:
      name === "On the network"
        ? "What the same collectives would take where neighbours in the ring stand in two nodes: the ring is as fast as its slowest link."
        : "Each call waits for what comes before it and holds up what comes after: nothing hides it.",
  }));
}

function computing({ asked, flopsPerSecond, perNode }: Result): Reason[] {
  const spent = communication(asked, perNode);
  const all = spent + asked.computing;
  return [
    {
      name: "Products of the layer",
      guard: "a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
      equals: [
        "3 · 2 · multiplications / rate",
        `3 · 2 · ${count(asked.cost.layerMultiplications)} / ${count(flopsPerSecond)}`,
        inText(seconds(asked.computing)),
      ],
      note: "The backward takes twice the forward. Scores of all pairs of tokens are in it; a causal kernel does half of them.",
    },
    {
      name: "Share of communication",
      equals: [
        "communication / (communication + products)",
        `${inText(seconds(spent))} / ${inText(seconds(all))}`,
        inText(percent(all === 0 ? 0 : spent / all)),
      ],
      note: `${plural(asked.ranks, "rank")}, ${asked.ranks <= perNode ? "on links of the node" : "on the network, since they do not fit into a node"}.`,
    },
  ];
}

function reasons(result: Result): Reason[] {
  return [...calls(result), ...times(result), ...computing(result)];
}

function table({ compared, perNode }: Result): DataTable {
  return {
    caption: "One layer, forward and backward, by ranks",
    head: ["ranks", "bytes sent per token", "products, seconds", "in the node, seconds", "on the network, seconds", "where it stands, seconds"],
    rows: compared.map((one) =>
      [
        one.ranks,
        one.cost.layerBytesPerToken,
        one.computing,
        one.inside,
        one.between,
        one.computing + communication(one, perNode),
      ].map(exact),
    ),
  };
}

export const details: Details<Result> = { reasons, sources: [megatron, sequenceParallelism, linkModel], table };
