import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertRefused, examples, importBuilt } from "./support.mjs";

const { load, loadInWorker, ShardlabError } = await importBuilt();
const lab = await load();
const remoteLab = await loadInWorker();
after(() => remoteLab.close());

/** Options of a routine with some changed; `undefined` leaves an option out. */
function changed(routine, changes) {
  return Object.fromEntries(
    Object.entries({ ...examples[routine], ...changes }).filter(([, value]) => value !== undefined),
  );
}

async function thrown(run) {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** On the main thread and in the worker alike, the call is refused with these fields. */
async function assertBothRefuse(routine, options, parameter, rule, value) {
  const here = await thrown(() => lab[routine](options));
  assertRefused(here, ShardlabError, parameter, rule, value);
  const there = await thrown(() => remoteLab[routine](options));
  assertRefused(there, ShardlabError, parameter, rule, value);
  assert.deepEqual(
    [there.parameter, there.value, there.rule, there.message],
    [here.parameter, here.value, here.rule, here.message],
  );
}

const wholeNumbers = {
  ringAllReduce: ["stopAfter"],
  allReduceCost: ["ranks", "bytes"],
  treeAllReduceCost: ["ranks", "bytes"],
  tensorParallelMatmul: ["ranks"],
  tensorParallelMlp: ["ranks"],
  tensorParallelLinear: ["ranks"],
  tensorParallelBlock: ["ranks", "hidden", "heads", "ffn", "vocabulary", "batch", "sequence", "seed"],
  tensorParallelCost: ["ranks", "microBatch", "sequence"],
  pipelineBubbleFraction: ["stages", "microBatches"],
  interleavedBubbleFraction: ["stages", "microBatches", "chunks"],
  pipelineSchedule: ["stages", "microBatches"],
  pipelineSchedule1f1b: ["stages", "microBatches"],
  dataParallelTrain: ["ranks", "steps", "zeroStage", "seed"],
  gradientBuckets: ["ranks", "bucketBytes", "firstBucketBytes"],
  zeroMemoryPerGpu: ["params", "ranks", "zeroStage"],
  zeroPartition: ["elements", "ranks", "alignment"],
  activationMemoryBytes: ["sequence", "microBatch", "hidden", "heads", "tp", "layers", "inFlight"],
  transformer: ["sequence"],
  layerActivations: ["sequence", "layer", "microBatch", "tp", "cp"],
  zeroStates: ["tp", "pp", "ranks", "cp", "ep", "zeroStage", "microBatches", "shardRanks"],
  footprint: ["tp", "pp", "dp", "cp", "ep", "microBatch", "microBatches", "sequence", "zeroStage", "shardRanks", "recomputeEvery"],
  smallestCluster: ["microBatch", "sequence", "perNode", "mostRanks", "contextBytes", "bucketBytes", "prefetchedLayers"],
  launchSettings: ["tp", "dp", "microBatches", "zeroStage"],
  randomMatrix: ["rows", "columns", "seed"],
};

for (const [routine, keys] of Object.entries(wholeNumbers)) {
  test(`${routine} refuses what is no whole number in ${keys.join(", ")}`, async () => {
    for (const key of keys) {
      for (const value of [-1, 0.5, NaN, Infinity, -Infinity, 1e300]) {
        await assertBothRefuse(routine, changed(routine, { [key]: value }), key, /whole number/, value);
      }
      for (const value of ["4", "", null, true, 4n]) {
        await assertBothRefuse(routine, changed(routine, { [key]: value }), key, /^be a number$/, value);
      }
      for (const value of [[4], {}, () => 4, Symbol("four"), new Number(4)]) {
        await assertBothRefuse(routine, changed(routine, { [key]: value }), key, /^be a number$/);
      }
    }
  });
}

test("zero ranks, stages or micro-batches, 2^40 ranks and stage 4 are refused", async () => {
  for (const [routine, key, value] of [
    ["allReduceCost", "ranks", 0],
    ["allReduceCost", "ranks", 2 ** 40],
    ["tensorParallelMatmul", "ranks", 0],
    ["tensorParallelMatmul", "ranks", 2 ** 32 + 2],
    ["pipelineSchedule", "stages", 0],
    ["pipelineSchedule1f1b", "microBatches", 0],
    ["pipelineBubbleFraction", "microBatches", 0],
    ["zeroMemoryPerGpu", "zeroStage", 4],
    ["zeroMemoryPerGpu", "params", 0],
    ["zeroMemoryPerGpu", "params", 2 ** 54],
    ["ringAllReduce", "stopAfter", 7],
  ]) {
    await assertBothRefuse(routine, changed(routine, { [key]: value }), key, /^be a whole number from/, value);
  }
});

test("an option that must be given is missed by name", async () => {
  for (const [routine, key] of [
    ["ringAllReduce", "buffers"],
    ["allReduceCost", "bytes"],
    ["tensorParallelMlp", "outputGradient"],
    ["pipelineSchedule1f1b", "microBatches"],
    ["transformerParameters", "config"],
    ["launchSettings", "framework"],
    ["parseCsv", "text"],
  ]) {
    await assertBothRefuse(routine, changed(routine, { [key]: undefined }), key, /^be a/);
  }
  await assertBothRefuse("zeroMemoryPerGpu", { ranks: 4, zeroStage: 1 }, "params", /config in its place/);
});

test("unknown names of schedules, splits, trees and recomputations are refused with the known ones", async () => {
  for (const [routine, key, value, known] of [
    ["dataParallelTrain", "optimizer", "lion", /sgd or adam/],
    ["dataParallelTrain", "fault", "skip:1", /miss-gather:R:STEP/],
    ["pipelineSchedule", "schedule", "zb-h3", /gpipe, 1f1b, .* or dualpipe-v/],
    ["pipelineSchedule", "schedule", "", /gpipe, 1f1b, .* or dualpipe-v/],
    ["tensorParallelMatmul", "split", "diagonal", /column or row/],
    ["treeAllReduceCost", "tree", "double", /binomial/],
    ["tensorParallelBlock", "block", "conv", /mlp, attention, transformer or vocabulary/],
    ["tensorParallelBlock", "activation", "relu", /gelu or swiglu/],
    ["tensorParallelBlock", "norm", "batch", /layer or rms/],
    ["tensorParallelBlock", "forget", "all", /forward-all-reduce/],
    ["activationMemoryBytes", "recompute", "half", /none, selective or full/],
    ["footprint", "gpu", "tpu", /be one of a100-40gb, .* or custom:BYTES/],
    ["footprint", "preset", "llama", /llama3-8b/],
    ["footprint", "recipe", "adamw", /mixed-adam/],
    ["footprint", "schedule", "gpipes", /gpipe/],
    ["footprint", "offload", "disk", /optimizer/],
    ["zeroStates", "gathered", "lost", /freed or kept/],
    ["zeroStates", "recipe", "adamw", /mixed-adam/],
    ["zeroStates", "offload", "disk", /optimizer/],
    ["smallestCluster", "recompute", "half", /none, selective or full/],
    ["launchSettings", "framework", "nemo", /megatron, deepspeed, torchtitan or fsdp2/],
  ]) {
    await assertBothRefuse(routine, changed(routine, { [key]: value }), key, known, value);
    await assertBothRefuse(routine, changed(routine, { [key]: 1 }), key, /^be a text$/, 1);
  }
  await assertBothRefuse(
    "activationMemoryBytes",
    changed("activationMemoryBytes", { sequenceParallel: "yes" }),
    "sequenceParallel",
    /^be true or false$/,
    "yes",
  );
});

test("what is no list of equal rows of numbers is refused as a matrix", async () => {
  const holes = [1, 2, 3];
  delete holes[1];
  const sparse = new Array(4_000_000_000);
  const circular = [];
  circular.push(circular);
  const gone = Float64Array.of(1, 2);
  structuredClone(gone, { transfer: [gone.buffer] });
  for (const [buffers, rule] of [
    [null, /list of rows/],
    ["1,2,3", /list of rows/],
    [{ length: 1e12 }, /list of rows/],
    [new Map(), /list of rows/],
    [[], /at least one row/],
    [[1, 2, 3], /list of rows of numbers; row 0 is not one/],
    [Float64Array.of(1, 2), /list of rows/],
    [sparse, /list of rows of numbers; row 0 is not one/],
    [[[1, 2, 3], [1, 2]], /rows of one length; row 0 has 3/],
    [[[1, 2], Float64Array.of(1)], /rows of one length; row 0 has 2/],
    [[[1, 2, 3], holes], /row 1, element 1 is not/],
    [[sparse], /row 0, element 0 is not/],
    [[[1, "2"]], /row 0, element 1 is not/],
    [[[1, 2n]], /row 0, element 1 is not/],
    [[[1, null]], /row 0, element 1 is not/],
    [[[1, [2]]], /row 0, element 1 is not/],
    [circular, /row 0, element 0 is not/],
    [[BigInt64Array.of(1n)], /row 0 is not one/],
    [[new DataView(new ArrayBuffer(8))], /row 0 is not one/],
    [[{ length: 1e12 }], /row 0 is not one/],
    [[gone], /row 0 is gone/],
    [[[1, NaN], [1, 2]], /finite in every element; row 0, element 1/],
    [[[1, 2], Float64Array.of(1, -Infinity)], /finite in every element; row 1, element 1/],
    [[[1e308], [1e308]], /magnitude/],
    [{ rows: 1, columns: 2, data: [1, 2] }, /list of rows/],
  ]) {
    await assertBothRefuse("ringAllReduce", { buffers }, "buffers", rule);
  }
  await assertBothRefuse("dataParallelGradientAverage", { gradients: [[1], [1, 2]] }, "gradients", /rows of one length/);
  await assertBothRefuse("dataParallelGradientAverage", { gradients: [[NaN]] }, "gradients", /finite/);
});

test("what is no list of numbers, or has another length, is refused", async () => {
  for (const [batches, rule] of [
    [8, /^be a list of numbers$/],
    [null, /^be a list of numbers$/],
    ["8,8,8", /^be a list of numbers$/],
    [[8, "8", 8], /row 0, element 1 is not/],
    [[8, 8], /a number for each rank, which are 3/],
    [[8, 8, 0], /whole number from 1 to 1024/],
    [Float64Array.of(8, 8, NaN), /whole number from 1 to 1024/],
  ]) {
    await assertBothRefuse("dataParallelTrain", changed("dataParallelTrain", { batches }), "batches", rule);
  }
  for (const [layers, rule] of [
    [[[1, 2, 3]], /two numbers in each row/],
    [[[0.5, 1]], /whole number/],
    [[[1, -1]], /finite number from 0/],
  ]) {
    await assertBothRefuse("gradientBuckets", changed("gradientBuckets", { layers }), "layers", rule);
  }
});

test("a training that diverges is refused", async () => {
  const options = changed("dataParallelTrain", { steps: 50, learningRate: 100 });
  await assertBothRefuse("dataParallelTrain", options, "learningRate", /diverges/, 100);
});

test("matrices whose sizes do not meet are refused by name", async () => {
  await assertBothRefuse("tensorParallelMatmul", { w: [[1, 2]], x: [[1]], ranks: 1 }, "x", /./);
  for (const key of ["w2", "x", "outputGradient"]) {
    await assertBothRefuse("tensorParallelMlp", changed("tensorParallelMlp", { [key]: [[1], [2], [3]] }), key, /./);
  }
});

test("more ranks or elements than the lab takes are refused before anything is allocated", async () => {
  const row = new Float64Array(1e6);
  await assertBothRefuse("ringAllReduce", { buffers: new Array(1025).fill([1]) }, "ranks", /from 1 to 1024/);
  await assertBothRefuse("ringAllReduce", { buffers: new Array(100).fill(row) }, "buffers", /at most 67108864 elements/);
  await assertBothRefuse("randomMatrix", { rows: 2 ** 32 + 1, columns: 0 }, "rows", /from 0 to 67108864/, 2 ** 32 + 1);
  await assertBothRefuse("randomMatrix", { rows: 1e6, columns: 1e6 }, "rows", /at most 67108864 elements/, 1e6);
  await assertBothRefuse("pipelineSchedule", { stages: 4096, microBatches: 4096 }, "microBatches", /at most 16777216/, 4096);
  await assertBothRefuse("pipelineSchedule", { stages: 2 ** 31 - 1, microBatches: 1 }, "stages", /whole number from 1 to/);
});

test("half a link, and two ways to say the same, are refused", async () => {
  await assertBothRefuse(
    "allReduceCost",
    { ranks: 4, bytes: 8, bytesPerSecond: 1e9 },
    "latencySeconds",
    /given where bytesPerSecond is/,
  );
  await assertBothRefuse(
    "treeAllReduceCost",
    { ranks: 4, bytes: 8, latencySeconds: 1e-6 },
    "bytesPerSecond",
    /given where latencySeconds is/,
  );
  await assertBothRefuse(
    "treeAllReduceCost",
    changed("treeAllReduceCost", { latencyPerStep: 1 }),
    "latencyPerStep",
    /left out where latencySeconds and bytesPerSecond are given/,
    1,
  );
  const both = { ...examples.transformerParameters, params: 5, ranks: 4, zeroStage: 1 };
  await assertBothRefuse("zeroMemoryPerGpu", both, "params", /left out where config is given/, 5);
  for (const bytesPerSecond of [0, -1, NaN, Infinity]) {
    await assertBothRefuse(
      "allReduceCost",
      changed("allReduceCost", { bytesPerSecond }),
      "bytesPerSecond",
      /finite number from/,
      bytesPerSecond,
    );
  }
  for (const key of ["forward", "backward", "communication"]) {
    await assertBothRefuse("pipelineSchedule", changed("pipelineSchedule", { [key]: -1 }), key, /finite number/, -1);
  }
});

test("a configuration's own fields are named as they stand in the file", async () => {
  const { config } = examples.transformerParameters;
  for (const [change, parameter, rule] of [
    [{ model_type: "bert" }, "model_type", /be one of .*llama/],
    [{ model_type: undefined }, "model_type", /./],
    [{ hidden_size: undefined }, "hidden_size", /./],
    [{ hidden_size: "4096" }, "hidden_size", /whole number/],
    [{ hidden_size: 4096.5 }, "hidden_size", /whole number/],
    [{ num_hidden_layers: -1 }, "num_hidden_layers", /whole number/],
    [{ num_key_value_heads: 5 }, "num_key_value_heads", /divide num_attention_heads/],
    [{ tie_word_embeddings: 1 }, "tie_word_embeddings", /true or false/],
  ]) {
    await assertBothRefuse("transformerParameters", { config: { ...config, ...change } }, parameter, rule);
    await assertBothRefuse(
      "zeroMemoryPerGpu",
      { config: { ...config, ...change }, ranks: 4, zeroStage: 1 },
      parameter,
      rule,
    );
  }
  for (const wrong of [null, [], "config.json", 5]) {
    await assertBothRefuse("transformerParameters", { config: wrong }, "config", /^be an object/);
  }
  await assertBothRefuse("transformerParameters", { config: {} }, "model_type", /./);
});

test("a model is given in one way, and what does not go together is refused by name", async () => {
  const { config } = examples.transformerParameters;
  for (const routine of ["transformer", "layerActivations", "footprint", "smallestCluster", "launchSettings"]) {
    await assertBothRefuse(routine, changed(routine, { preset: undefined }), "config", /preset in its place/);
    await assertBothRefuse(routine, changed(routine, { config }), "preset", /left out where config is given/);
    const wrong = changed(routine, { preset: undefined, config: { ...config, hidden_size: 0 } });
    await assertBothRefuse(routine, wrong, "hidden_size", /whole number/);
  }
  for (const [changes, parameter, rule] of [
    [{ gpu: undefined }, "gpu", /^be a text$/],
    [{ gpu: "custom:much" }, "gpu", /a number of bytes after custom:/],
    [{ tp: 3 }, "heads", /multiple/],
    [{ ep: 2 }, "ep", /divide/],
    [{ pp: 2, layersPerPart: [40, 41] }, "layersPerPart", /add up to the layers, which are 80/],
    [{ pp: 2, layersPerPart: [40, 40.5] }, "layersPerPart", /whole number/],
    [{ shardRanks: 3 }, "shardRanks", /divide/],
    [{ schedule: "dualpipe", pp: 3, microBatches: 12 }, "pp", /be even/],
    [{ shardRanks: 16 }, "shardRanks", /at most the ranks that have the same weights/],
    [{ recompute: "none", recomputeEvery: 2 }, "recomputeEvery", /1 unless recompute is full/],
    [{ offload: "parameters", zeroStage: 1 }, "offload", /zeroStage 3/],
    [{ fragmentation: 2 }, "fragmentation", /from 0 to 1/],
    [{ mostRanks: 2 ** 25 }, "mostRanks", /whole number from 1/],
  ]) {
    await assertBothRefuse("footprint", changed("footprint", changes), parameter, rule);
  }
});

test("states are asked for of a size or of a model, and of what each of them has", async () => {
  const { config } = examples.transformerParameters;
  const size = { params: 7e9, ranks: 4, zeroStage: 1 };
  await assertBothRefuse("zeroStates", { ranks: 4, zeroStage: 1 }, "params", /config or preset in its place/);
  await assertBothRefuse("zeroStates", { ...size, config }, "params", /left out where config or preset is given/, 7e9);
  await assertBothRefuse("zeroStates", { ...size, params: undefined, config, preset: "gpt2" }, "preset", /left out/);
  for (const [changes, parameter, rule] of [
    [{ params: 0 }, "params", /whole number from 1/],
    [{ ep: 2 }, "ep", /whole number from 1 to 1/],
    [{ shardRanks: 3 }, "shardRanks", /divide/],
    [{ gathered: "kept" }, "gathered", /come with zeroStage 3, not with 1/],
    [{ offload: "parameters" }, "offload", /zeroStage 3/],
    [{ momentBytes: -1 }, "momentBytes", /from 0 to 64/],
    [{ ranks: 2 ** 25 }, "ranks", /at most/],
  ]) {
    await assertBothRefuse("zeroStates", { ...size, ...changes }, parameter, rule);
  }
  await assertBothRefuse("zeroStates", { preset: "llama3-8b", ranks: 4, zeroStage: 1, tp: 3 }, "heads", /multiple/);
});

test("a routine without options takes none", async () => {
  assert.deepEqual(lab.accelerators(), lab.accelerators({}));
  await assertBothRefuse("accelerators", { id: "h100-80gb" }, "id", /one of the options of accelerators: none/);
  await assertBothRefuse("accelerators", null, "options", /^be an object/);
});

test("text that is no table of numbers is refused with its line and column", async () => {
  for (const [text, rule] of [
    ["", /./],
    ["1,2\n3\n", /./],
    ["1,2\n3,x\n", /finite decimal number/],
    ["1,2\n\n3,4\n", /./],
    ["1,nan\n", /finite decimal number/],
    ["\u0000", /./],
    ["\uD800", /./],
  ]) {
    await assertBothRefuse("parseCsv", { text }, "text", rule);
  }
});

test("what is no options object, and an option that does not exist, are refused", async () => {
  for (const options of [undefined, null, 5, "ranks", [4, 8], () => 4]) {
    await assertBothRefuse("allReduceCost", options, "options", /^be an object: allReduceCost takes ranks, bytes/);
  }
  await assertBothRefuse("allReduceCost", { rank: 4, bytes: 8 }, "rank", /one of the options of allReduceCost: ranks,/);
  await assertBothRefuse("pipelineSchedule1f1b", { ...examples.pipelineSchedule }, "schedule", /one of the options/);
  const pipeline = { stages: 4, microBatches: 8 };
  await assertBothRefuse("pipelineSchedule", { ...pipeline, inputGradient: 1 }, "weightGradient", /other gradient/);
  await assertBothRefuse("pipelineSchedule", { ...pipeline, partTimes: [[1, 2]] }, "partTimes", /three/);
  await assertBothRefuse("pipelineSchedule", { ...pipeline, partTimes: [[1, 2, 3]] }, "partTimes", /each of the 4 model parts/);
  await assertBothRefuse("pipelineImport", { csv: "0F0\n" }, "csv", /./);
  await assertBothRefuse("pipelineExport", { ...pipeline, format: "svg" }, "format", /csv or trace/);
  await assertBothRefuse("pipelineExport", { format: "csv" }, "stages", /./);
});

test("options that throw when they are read are refused by name", async () => {
  const angry = () => {
    throw new Error("no");
  };
  const hostile = {
    get ranks() {
      return angry();
    },
    bytes: 8,
  };
  await assertBothRefuse("allReduceCost", hostile, "ranks", /plain data/);
  await assertBothRefuse("allReduceCost", new Proxy({}, { ownKeys: angry }), "options", /plain data/);
  await assertBothRefuse("ringAllReduce", { buffers: new Proxy([[1]], { get: angry }) }, "buffers", /plain data/);
  const row = Object.defineProperty([1, 2], 1, { get: angry });
  await assertBothRefuse("ringAllReduce", { buffers: [[1, 2], row] }, "buffers", /plain data/);
  const config = Object.defineProperty({}, "model_type", { get: angry, enumerable: true });
  await assertBothRefuse("transformerParameters", { config }, "config", /plain data/);
});

test("after all of this the lab still works", async () => {
  assert.equal(lab.pipelineBubbleFraction({ stages: 8, microBatches: 4 }), 7 / 11);
  assert.equal(await remoteLab.pipelineBubbleFraction({ stages: 8, microBatches: 4 }), 7 / 11);
});
