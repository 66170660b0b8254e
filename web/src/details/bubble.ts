/** Where the two bubbles come from. */

import { exact } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import type { Result } from "../routines/bubble.js";
import { gpipe, megatronPipeline } from "../sources.js";

function reasons({ stages, microBatches, fraction }: Result): Reason[] {
  const [p, m] = [exact(stages), exact(microBatches)];
  return [
    {
      name: "Bubble of the total time",
      guard: "bubble fraction: (P-1)/(M+P-1)",
      equals: ["(P − 1) / (M + P − 1)", `(${p} − 1) / (${m} + ${p} − 1)`, exact(fraction)],
      note: "The idle share of everything that was paid for: 0 to 1.",
    },
    {
      name: "Bubble of the ideal time",
      guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
      equals: ["(P − 1) / M", `(${p} − 1) / ${m}`, exact((stages - 1) / microBatches)],
      note: "Idle time over the time of the work alone; it may exceed 1. Papers use either: ask which.",
    },
  ];
}

function table({ byMicroBatches, byStages }: Result): DataTable {
  return {
    caption: "Bubble by stages and micro-batches",
    head: ["stages", "micro-batches", "of total", "of ideal"],
    rows: [...byMicroBatches, ...byStages].map((one) => [
      exact(one.stages),
      exact(one.microBatches),
      exact(one.fraction),
      exact((one.stages - 1) / one.microBatches),
    ]),
  };
}

export const details: Details<Result> = { reasons, sources: [gpipe, megatronPipeline], table };
