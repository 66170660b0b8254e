/** The all-reduce algorithms in a sentence each. */

import type { Algorithm } from "shardlab";
import { word, type Told } from "./words.js";

/** What a picture of each shows; the ring's is the widget's own claim. */
export const claims: Readonly<Partial<Record<Algorithm, Told>>> = {
  naive: () => word("One rank gathers all tensors and hands the sum back: it sends N − 1 tensors, and each of the others one."),
  tree: () => word("A binomial tree takes few steps, and its root sends the whole tensor on every level."),
  "double-tree": () => word("Two binary trees carry half of the tensor each, in few steps, and a rank that has children in one is a leaf of the other."),
  "halving-doubling": () => word("Partners swap halves, then quarters: as few bytes as in the ring, in 2 log₂ N steps where N is a power of two."),
  hierarchical: () => word("First inside the nodes, then between them: the network carries each share of the tensor once round."),
};

/** What an algorithm is about to do, said before its first step. */
export const outlines: Readonly<Record<Algorithm, Told>> = {
  ring: () => word("In a step all ranks do the same, each with another chunk: first the sums go round, then what is finished."),
  naive: () => word("Rank 0 gathers all tensors, one after the other, and sends what comes out to each of the others."),
  tree: () => word("Ranks pair up, then pairs of pairs, until rank 0 has everything; it comes back the same way."),
  "double-tree": () => word("Two trees carry half of the tensor each, and a rank that has children in one is a leaf of the other."),
  "halving-doubling": () => word("Partners swap halves, then quarters, until each has one finished part; then the parts grow back."),
  hierarchical: () => word("First round the ranks of each node, then from node to node, and at last round each node again."),
};
