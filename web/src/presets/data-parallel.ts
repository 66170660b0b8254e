import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "Four gradients and their average", texts: {} },
  { name: "lost-rank", label: "A rank is lost: 6 or 8 in place of 10", texts: { fault: "drop", rank: "3" } },
  {
    name: "diverging-replicas",
    label: "A rank misses one all-gather: replicas diverge, and no loss tells",
    texts: { show: "training", trainingFault: "miss-gather", faultRank: "3", faultStep: "20" },
  },
  { name: "unequal-batches", label: "A mean of means, where the last batch is smaller", texts: { show: "training", batches: "unequal" } },
  { name: "sharded", label: "Everything is sharded: the same training", texts: { show: "training", zeroStage: "3" } },
  { name: "buckets", label: "All-reduces behind the backward, bucket by bucket", texts: { show: "buckets" } },
];
