/** Where the two bubbles come from. */

import { exact } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import type { Result } from "../routines/bubble.js";
import { gpipe, megatronPipeline } from "../sources.js";
import { word } from "../words.js";

function reasons({ stages, microBatches, fraction }: Result): Reason[] {
  const [p, m] = [exact(stages), exact(microBatches)];
  return [
    {
      name: word("Bubble of the total time"),
      guard: "bubble fraction: (P-1)/(M+P-1)",
      equals: ["(P − 1) / (M + P − 1)", `(${p} − 1) / (${m} + ${p} − 1)`, exact(fraction)],
      note: word("The idle share of everything that was paid for: 0 to 1."),
    },
    {
      name: word("Bubble of the ideal time"),
      guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
      equals: ["(P − 1) / M", `(${p} − 1) / ${m}`, exact((stages - 1) / microBatches)],
      note: word("Idle time over the time of the work alone; it may exceed 1. Papers use either: ask which."),
    },
  ];
}

function table({ byMicroBatches, byStages }: Result): DataTable {
  return {
    caption: word("Bubble by stages and micro-batches"),
    head: [word("stages"), word("micro-batches"), word("of total"), word("of ideal")],
    rows: [...byMicroBatches, ...byStages].map((one) => [
      exact(one.stages),
      exact(one.microBatches),
      exact(one.fraction),
      exact((one.stages - 1) / one.microBatches),
    ]),
  };
}

export const details: Details<Result> = { reasons, sources: [gpipe, megatronPipeline], table };
