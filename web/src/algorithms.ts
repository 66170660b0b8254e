/** The all-reduce algorithms, as they are called. */

import type { Algorithm } from "shardlab";

/** As they are in a choice; `word` has them in the language that is spoken. */
export const algorithmNames: Readonly<Record<Algorithm, string>> = {
  ring: "Ring",
  naive: "Naive (gather, broadcast)",
  tree: "Binomial tree",
  "double-tree": "Double binary tree",
  "halving-doubling": "Halving-doubling",
  hierarchical: "Hierarchical",
};
