/** Simplified Chinese. What ranks, stages and collectives are called in English in Chinese papers and code is left in English. */

import type { Catalogue } from "../words.js";
import collectives from "./zh-hans/collectives.js";
import core from "./zh-hans/core.js";
import dataParallel from "./zh-hans/data-parallel.js";
import embedding from "./zh-hans/embedding.js";
import exercise from "./zh-hans/exercise.js";
import frame from "./zh-hans/frame.js";
import launch from "./zh-hans/launch.js";
import measure from "./zh-hans/measure.js";
import memory from "./zh-hans/memory.js";
import pipeline from "./zh-hans/pipeline.js";
import tensorParallel from "./zh-hans/tensor-parallel.js";
import verify from "./zh-hans/verify.js";

const texts: Catalogue = {
  ...core,
  ...launch,
  ...frame,
  ...embedding,
  ...exercise,
  ...collectives,
  ...dataParallel,
  ...tensorParallel,
  ...pipeline,
  ...memory,
  ...measure,
  ...verify,
};

export default texts;
