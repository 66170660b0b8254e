import type { Routine } from "../routine.js";
import { allReduce } from "./all-reduce.js";
import { allReduceCost } from "./all-reduce-cost.js";
import { bubble } from "./bubble.js";
import { crossover } from "./crossover.js";
import { dataParallel } from "./data-parallel.js";
import { measure } from "./measure.js";
import { memory } from "./memory.js";
import { ncclTuning } from "./nccl-tuning.js";
import { pipeline } from "./pipeline.js";
import { tensorParallel } from "./tensor-parallel.js";
import { tensorParallelCost } from "./tensor-parallel-cost.js";
import { verify } from "./verify.js";
import { zero } from "./zero.js";

/** The lab's widgets, in the order of the page. */
export const routines: readonly Routine[] = [
  allReduce,
  allReduceCost,
  crossover,
  ncclTuning,
  dataParallel,
  tensorParallel,
  tensorParallelCost,
  bubble,
  pipeline,
  zero,
  memory,
  measure,
  verify,
];
