/** Where the price of a sharded layer comes from. */

import { bytes, count, exact, inText, percent, plural, seconds } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { rate, type Link } from "../routines/alpha-beta.js";
import { communication, layerCalls, stepsOf, type Result } from "../routines/tensor-parallel-cost.js";
import { linkModel, megatron, sequenceParallelism } from "../sources.js";
import { say, word } from "../words.js";

function calls({ asked, tokens }: Result): Reason[] {
  const [first] = layerCalls(asked.cost);
  if (first === undefined) return [];
  const number = layerCalls(asked.cost).length;
  const factor = stepsOf(first) / first.ranks;
  return [
    {
      name: word("A collective's tensor"),
      guard: "a layer of Llama-3-70B reduces tensors of 134 217 728 bytes",
      equals: [word("tokens · hidden · 2 B"), `${exact(tokens)} · ${exact(first.bytes / tokens / 2)} · 2 B`, `${exact(first.bytes)} B`],
      note: word("Activations of 16 bits. It does not depend on the ranks."),
    },
    {
      name: word("Sent per token and layer"),
      guard: "a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
      equals: [
        first.kind === "all-reduce" ? word("calls · 2 · S · (N − 1) / N / tokens") : word("calls · S · (N − 1) / N / tokens"),
        `${number} · ${exact(factor)} · ${exact(first.bytes)} B / ${exact(tokens)}`,
        inText(bytes(asked.cost.layerBytesPerToken)),
      ],
      note: word("Forward and backward, whatever the weights."),
    },
    {
      name: word("Sent per rank and layer"),
      guard: "a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
      equals: [
        word("calls · sent in one"),
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
  const one = (name: string, link: Link, time: number, note: string): Reason => ({
    name,
    guard: "ring cost: with a link, latency and bandwidth terms add up",
    equals: [
      word("calls · (steps · α + sent / β)"),
      `${list.length} · (${stepsOf(first)} · ${inText(seconds(link.latencySeconds))} + ${inText(bytes(first.bytesSentPerRank, 4))} / (${rate(link)}))`,
      inText(seconds(time)),
    ],
    note,
  });
  const waits = word("Each call waits for what comes before it and holds up what comes after: nothing hides it.");
  const slowest = word(
    "What the same collectives would take where neighbours in the ring stand in two nodes: the ring is as fast as its slowest link.",
  );
  return [one(word("On links of the node"), node, asked.inside, waits), one(word("On the network"), network, asked.between, slowest)];
}

function computing({ asked, flopsPerSecond, perNode }: Result): Reason[] {
  const spent = communication(asked, perNode);
  const all = spent + asked.computing;
  return [
    {
      name: word("Products of the layer"),
      guard: "a model's tokens make each rank send four all-reduces of a layer, and five of the vocabulary",
      equals: [
        word("3 · 2 · multiplications / rate"),
        `3 · 2 · ${count(asked.cost.layerMultiplications)} / ${count(flopsPerSecond)}`,
        inText(seconds(asked.computing)),
      ],
      note: word("The backward takes twice the forward. Scores of all pairs of tokens are in it; a causal kernel does half of them."),
    },
    {
      name: word("Share of communication"),
      equals: [
        word("communication / (communication + products)"),
        `${inText(seconds(spent))} / ${inText(seconds(all))}`,
        inText(percent(all === 0 ? 0 : spent / all)),
      ],
      note:
        asked.ranks <= perNode
          ? say`${plural(asked.ranks, "rank")}, on links of the node.`
          : say`${plural(asked.ranks, "rank")}, on the network, since they do not fit into a node.`,
    },
  ];
}

function reasons(result: Result): Reason[] {
  return [...calls(result), ...times(result), ...computing(result)];
}

function table({ compared, perNode }: Result): DataTable {
  return {
    caption: word("One layer, forward and backward, by ranks"),
    head: [
      word("ranks"),
      word("bytes sent per token"),
      word("products, seconds"),
      word("in the node, seconds"),
      word("on the network, seconds"),
      word("where it stands, seconds"),
    ],
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
