/** Where the numbers of data parallelism come from. */

import type { DataTable, Details, Reason } from "../routine.js";
import type { Result } from "../routines/data-parallel.js";
import { adamPaper, ddp, ncclFaults, ringPaper, zeroPaper, zeroTraffic } from "../sources.js";
import { averageReasons, averageTable } from "./data-parallel-average.js";
import { bucketsReasons, bucketsTable } from "./data-parallel-buckets.js";
import { trainingReasons, trainingTable } from "./data-parallel-training.js";

function reasons(result: Result): Reason[] {
  switch (result.kind) {
    case "average":
      return averageReasons(result);
    case "training":
      return trainingReasons(result);
    case "buckets":
      return bucketsReasons(result);
  }
}

function table(result: Result): DataTable {
  switch (result.kind) {
    case "average":
      return averageTable(result);
    case "training":
      return trainingTable(result);
    case "buckets":
      return bucketsTable(result);
  }
}

export const details: Details<Result> = {
  reasons,
  sources: [ddp, ringPaper, zeroPaper, zeroTraffic, adamPaper, ncclFaults],
  table,
};
