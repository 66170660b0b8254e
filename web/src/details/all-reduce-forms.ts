/** The closed forms of each algorithm: its steps, and what its busiest rank sends. */

import { exact, inText, significant } from "../format.js";
import { amounts, type Result } from "../routines/all-reduce-numbers.js";
import { word, type Told } from "../words.js";

/** An equation: the formula, the same with the user's values, and what comes out. */
type Form = readonly [string, string, string];

/** The largest power of two up to N. */
function power({ ranks }: Result): number {
  return 2 ** Math.floor(Math.log2(ranks));
}

export function stepsForm(result: Result): Form {
  const { algorithm, ranks, slices, perNode = 1, cost } = result;
  const steps = exact(cost.steps);
  switch (algorithm) {
    case "ring":
    case "naive":
      return ["2 (N − 1)", `2 (${ranks} − 1)`, steps];
    case "tree":
    case "double-tree":
      return ["2 ⌈log₂ N⌉ + s − 1", `2 ⌈log₂ ${ranks}⌉ + ${slices} − 1`, steps];
    case "halving-doubling":
      return power(result) === ranks
        ? ["2 log₂ N", `2 log₂ ${ranks}`, steps]
        : ["2 log₂ P + 2", `2 log₂ ${power(result)} + 2`, steps];
    case "hierarchical":
      return ["2 (g − 1) + 2 (k − 1)", `2 (${perNode} − 1) + 2 (${ranks / perNode} − 1)`, steps];
  }
}

export function sentForm(result: Result): Form {
  const { algorithm, ranks, cost, bytes } = result;
  const size = inText(amounts(result)(1));
  const end = inText(amounts(result)(bytes === 0 ? 0 : cost.bytesSentPerRank / bytes));
  switch (algorithm) {
    case "ring":
    case "hierarchical":
      return ["2 · S · (N − 1) / N", `2 · ${size} · (${ranks} − 1) / ${ranks}`, end];
    case "naive":
      return ["S · (N − 1)", `${size} · (${ranks} − 1)`, end];
    case "tree":
      return ["S · ⌈log₂ N⌉", `${size} · ⌈log₂ ${ranks}⌉`, end];
    case "double-tree":
      return doubleTree(ranks, size, end);
    case "halving-doubling":
      return halving(result, size, end);
  }
}

function doubleTree(ranks: number, size: string, end: string): Form {
  const share = ranks > 3 ? 2 : Math.max(0, ranks / 2);
  return [`${significant(share)} · S`, `${significant(share)} · ${size}`, end];
}

function halving(result: Result, size: string, end: string): Form {
  const most = power(result);
  const numbers = `2 · ${size} · (${most} − 1) / ${most}`;
  return most === result.ranks ? ["2 · S · (N − 1) / N", numbers, end] : ["2 · S · (P − 1) / P + S", `${numbers} + ${size}`, end];
}

/** What the letters of the two forms stand for, and why they are what they are. */
export const formNotes: Readonly<Record<Exclude<Result["algorithm"], "ring">, Told>> = {
  naive: () => word("N − 1 messages to rank 0 and N − 1 back, one after the other: rank 0 sends the whole tensor to each of the others."),
  tree: () => word("A level of the tree halves the ranks that are left. s slices follow each other a step apart. Rank 0 sends the tensor to a child on each level."),
  "double-tree": () => word("Each tree carries half of the tensor. A rank that has two children in one tree has none in the other, and sends to its parents in both."),
  "halving-doubling": () => word("P is the largest power of two up to N; the ranks beyond it fold their tensors into a neighbour's first and get the result last."),
  hierarchical: () => word("g ranks in each of k nodes: a ring in the node, a ring between nodes on each rank's share, a ring in the node."),
};
