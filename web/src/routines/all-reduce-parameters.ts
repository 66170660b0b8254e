/** What an all-reduce is asked for. */

import { algorithmNames } from "../algorithms.js";
import type { Choice, Parameter } from "../parameter.js";
import { linkParameters } from "./alpha-beta.js";

const ownNumbers = { parameter: "source", is: "csv" };
const powers = { parameter: "source", is: "powers" };

function choicesOf(labels: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

const algorithm: readonly Parameter[] = [
  { name: "algorithm", label: "Algorithm", kind: "choice", initial: "ring", choices: choicesOf(algorithmNames) },
  {
    name: "slices",
    label: "Slices",
    kind: "whole",
    initial: "1",
    range: { least: 1, most: 16 },
    description: "Parts of the tensor that follow each other through the tree.",
    when: { parameter: "algorithm", is: ["tree", "double-tree"] },
  },
  {
    name: "perNode",
    label: "Ranks in a node",
    kind: "whole",
    initial: "2",
    range: { least: 1, most: 8 },
    when: { parameter: "algorithm", is: "hierarchical" },
  },
];

const tensors: readonly Parameter[] = [
  {
    name: "source",
    label: "Numbers",
    kind: "choice",
    initial: "powers",
    choices: choicesOf({ powers: "10ʳ on rank r", csv: "My own" }),
  },
  {
    name: "ranks",
    label: "Ranks",
    kind: "whole",
    initial: "4",
    range: { least: 2, most: 16 },
    aliases: ["buffers"],
    description: "Up to 1024 may be typed; beyond 16, rank r starts with r + 1.",
    when: powers,
  },
  {
    name: "bytes",
    label: "Tensor",
    kind: "whole",
    quantity: "bytes",
    initial: "1GiB",
    range: { least: 1e3, most: 1e12, scale: "decades" },
    when: powers,
  },
  {
    name: "csv",
    label: "Tensors, a row per rank",
    kind: "text",
    initial: "1, 2, 3, 4\n10, 20, 30, 40\n100, 200, 300, 400\n",
    files: ".csv,.txt,text/csv,text/plain",
    description: "Comma-separated numbers, without a header.",
    aliases: ["text", "input", "buffers"],
    when: ownNumbers,
  },
];

const look: readonly Parameter[] = [
  {
    name: "layout",
    label: "Layout",
    kind: "choice",
    initial: "ring",
    choices: choicesOf({ ring: "Ring", row: "Rows", nodes: "Nodes" }),
    description: "Where a ring has no room, or there are no nodes, there are rows.",
  },
  {
    name: "follow",
    label: "Follow",
    kind: "choice",
    initial: "all",
    choices: choicesOf({ all: "All chunks", one: "One chunk" }),
  },
  {
    name: "chunk",
    label: "Chunk",
    kind: "whole",
    initial: "0",
    range: { least: 0, most: 15 },
    when: { parameter: "follow", is: "one" },
  },
  {
    name: "elements",
    label: "Elements",
    kind: "whole",
    initial: "",
    optional: true,
    range: { least: 1, most: 64 },
    description: "Numbers that stand for the tensor. Left empty, one for each piece that moves.",
    when: powers,
  },
];

const reduction: readonly Parameter[] = [
  {
    name: "op",
    label: "Reduce to",
    kind: "choice",
    initial: "sum",
    choices: choicesOf({ sum: "Sum", max: "Maximum", min: "Minimum", average: "Average" }),
  },
  {
    name: "dtype",
    label: "Numbers of",
    kind: "choice",
    initial: "float64",
    choices: choicesOf({ float64: "float64", float32: "float32" }),
  },
];

const breaks: readonly Parameter[] = [
  {
    name: "fault",
    label: "Break it",
    kind: "choice",
    initial: "none",
    choices: choicesOf({
      none: "Nothing goes wrong",
      drop: "A rank is left out",
      double: "A rank counts twice",
      "miss-hop": "A message never arrives",
      stale: "A message is out of date",
      slow: "A rank has slow links",
    }),
  },
  {
    name: "faultRank",
    label: "At rank",
    kind: "whole",
    initial: "",
    optional: true,
    range: { least: 0, most: 15 },
    description: "Left empty, one at which it shows.",
    when: { parameter: "fault", is: ["drop", "double", "miss-hop", "stale", "slow"] },
  },
  {
    name: "faultStep",
    label: "In step",
    kind: "whole",
    initial: "",
    optional: true,
    range: { least: 1, most: 30 },
    description: "Left empty, the last one in which that rank sends.",
    when: { parameter: "fault", is: ["miss-hop", "stale"] },
  },
];

export const parameters: readonly Parameter[] = [
  ...algorithm,
  ...tensors,
  ...breaks,
  ...linkParameters,
  ...look,
  ...reduction,
  { name: "step", label: "Step", kind: "step", initial: "0", aliases: ["stopAfter"] },
];
