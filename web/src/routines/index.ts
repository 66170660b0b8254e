import type { Routine } from "../routine.js";
import { allReduce } from "./all-reduce.js";
import { allReduceCost } from "./all-reduce-cost.js";
import { bubble } from "./bubble.js";
import { dataParallel } from "./data-parallel.js";
import { pipeline } from "./pipeline.js";
import { tensorParallel } from "./tensor-parallel.js";
import { zero } from "./zero.js";

/** The lab's seven routines, in the order of the page. */
export const routines: readonly Routine[] = [
  allReduce,
  allReduceCost,
  dataParallel,
  tensorParallel,
  bubble,
  pipeline,
  zero,
];
