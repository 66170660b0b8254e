import assert from "node:assert/strict";
import { test } from "node:test";
import { importBuilt, examples, powersOfTen } from "./support.mjs";

const { load } = await importBuilt();
const lab = await load();

/** A matrix as rows of ordinary arrays. */
function rowsOf(matrix) {
  return matrix.map((row) => [...row]);
}

test("a ring of 4 ranks with 10^rank reads 1111 everywhere after 6 steps", () => {
  const { result, steps, phases, elementsMoved, bytesSentPerRank } = lab.ringAllReduce({ buffers: powersOfTen(4, 8) });
  assert.deepEqual(rowsOf(result), Array.from({ length: 4 }, () => new Array(8).fill(1111)));
  assert.equal(steps, 6);
  assert.deepEqual(phases, [...new Array(3).fill("reduce-scatter"), ...new Array(3).fill("all-gather")]);
  assert.equal(elementsMoved, 48);
  assert.deepEqual([...bytesSentPerRank], new Array(4).fill((2 * 64 * 3) / 4));
});

test("a ring of 4 ranks cuts 73 elements into 19, 18, 18, 18 and moves 438", () => {
  const { result, chunkElements, elementsMoved, bytesSent } = lab.ringAllReduce({ buffers: powersOfTen(4, 73) });
  assert.ok(result.flatMap((row) => [...row]).every((element) => element === 1111));
  assert.deepEqual([...chunkElements], [19, 18, 18, 18]);
  assert.equal(elementsMoved, 438);
  assert.deepEqual([bytesSent.length, bytesSent[0].length], [6, 4]);
  assert.equal(bytesSent.flatMap((row) => [...row]).reduce((sum, bytes) => sum + bytes), 438 * 8);
});

test("a ring works with fewer elements than ranks, with none, and with one rank", () => {
  assert.deepEqual(rowsOf(lab.ringAllReduce({ buffers: powersOfTen(4, 3) }).result), new Array(4).fill([1111, 1111, 1111]));
  assert.equal(lab.ringAllReduce({ buffers: powersOfTen(4, 0) }).elementsMoved, 0);
  const alone = lab.ringAllReduce({ buffers: [[3, 4]] });
  assert.deepEqual([alone.steps, rowsOf(alone.result), [...alone.bytesSentPerRank]], [0, [[3, 4]], [0]]);
});

test("stopAfter shows the ring on its way: after 3 of 6 steps each rank has one whole chunk", () => {
  const half = lab.ringAllReduce({ buffers: powersOfTen(4, 4), stopAfter: 3 });
  assert.deepEqual(
    rowsOf(half.result).map((row) => row.filter((element) => element === 1111).length),
    [1, 1, 1, 1],
  );
  assert.equal(half.steps, 6);
  assert.equal(half.elementsMoved, 12);
  assert.deepEqual(rowsOf(half.bytesSent).slice(3), new Array(3).fill([0, 0, 0, 0]));
  assert.deepEqual(rowsOf(lab.ringAllReduce({ buffers: powersOfTen(4, 4), stopAfter: 0 }).result), powersOfTen(4, 4));
});

test("the schedule's columns say who sends what to whom", () => {
  const { schedule } = lab.ringAllReduce({ buffers: powersOfTen(4, 4) });
  assert.deepEqual([...schedule.step.slice(0, 5)], [0, 0, 0, 0, 1]);
  assert.deepEqual([...schedule.source.slice(0, 4)], [0, 1, 2, 3]);
  assert.deepEqual([...schedule.destination.slice(0, 4)], [1, 2, 3, 0]);
  assert.deepEqual([...schedule.sourceOffset.slice(4, 8)], [3, 0, 1, 2]);
  assert.deepEqual([...schedule.destinationOffset], [...schedule.sourceOffset]);
  assert.deepEqual([...schedule.reduce], [...new Array(12).fill(1), ...new Array(12).fill(0)]);
  assert.ok(schedule.count.every((count) => count === 1));
});

test("rows may be arrays, any typed arrays of numbers, or slices of one buffer", () => {
  const flat = Float64Array.from([1, 2, 3, 10, 20, 30]);
  const expected = [[11, 22, 33], [11, 22, 33]];
  for (const buffers of [
    [[1, 2, 3], [10, 20, 30]],
    [Float64Array.of(1, 2, 3), [10, 20, 30]],
    [Float32Array.of(1, 2, 3), Int32Array.of(10, 20, 30)],
    [Uint8ClampedArray.of(1, 2, 3), Int16Array.of(10, 20, 30)],
    [flat.subarray(0, 3), flat.subarray(3)],
    lab.parseCsv({ text: "1,2,3\n10,20,30\n" }),
  ]) {
    assert.deepEqual(rowsOf(lab.ringAllReduce({ buffers }).result), expected);
  }
  assert.deepEqual([...flat], [1, 2, 3, 10, 20, 30], "what was given is left as it was");
});

test("the ring's closed form: 2(N-1) steps, 2·bytes·(N-1)/N sent, and seconds where there is a link", () => {
  assert.deepEqual(lab.allReduceCost({ ranks: 8, bytes: 1e9 }), {
    steps: 14,
    bytesSentPerRank: 1.75e9,
    busFactor: 1.75,
    seconds: null,
    leastTotalBytes: 14e9,
    leastBusiestRankBytes: 1.75e9,
  });
  const { seconds } = lab.allReduceCost({ ranks: 8, bytes: 1e9, latencySeconds: 5e-6, bytesPerSecond: 50e9 });
  assert.ok(Math.abs(seconds - (14 * 5e-6 + 1.75e9 / 50e9)) < 1e-15);
});

test("every all-reduce gives the sum; what a fault changes is named", () => {
  const buffers = powersOfTen(4, 8);
  for (const algorithm of ["ring", "naive", "tree", "double-tree", "halving-doubling", "hierarchical"]) {
    const { result, elementsMoved, divergedRanks } = lab.allReduce({ buffers, algorithm, perNode: 2 });
    for (const row of result) assert.deepEqual([...row], new Array(8).fill(1111), algorithm);
    assert.equal(elementsMoved, 48, `${algorithm} moves 2 (N-1) tensors`);
    assert.equal(divergedRanks.length, 0);
  }
  const dropped = lab.allReduce({ buffers, fault: "drop:3", op: "average" });
  assert.deepEqual([...dropped.result[0]], new Array(8).fill(111 / 4));
  assert.deepEqual([...dropped.divergedRanks], [0, 1, 2, 3]);
  assert.equal(dropped.maxReplicaDifference, 0, "all ranks agree on what is wrong");
  const missed = lab.allReduce({ buffers, fault: "miss-hop:2:5" });
  assert.deepEqual([...missed.divergedRanks], [3]);
  assert.match(missed.consequence, /timeout/);
});

test("float32 rounds where float64 does not", () => {
  const buffers = [[2 ** 24], [1], [1], [1]];
  assert.equal(lab.allReduce({ buffers }).result[0][0], 2 ** 24 + 3);
  assert.notEqual(lab.allReduce({ buffers, dtype: "float32" }).result[0][0], 2 ** 24 + 3);
  const off = (options) => lab.allReduce({ buffers, ...options }).maxDifferenceToExactSum;
  assert.equal(off({}), 0);
  assert.ok(off({ dtype: "float32" }) > 0);
  for (const options of [{ op: "max" }, { stopAfter: 1 }, { fault: "slow:1" }]) assert.equal(off(options), null);
});

test("with a link each step takes so long, for the numbers' own bytes or those that they stand for", () => {
  const timed = { buffers: powersOfTen(4, 8), latencySeconds: 1, bytesPerSecond: 16 };
  const secondsOf = (options) => [...lab.allReduce({ ...timed, ...options }).secondsPerStep];
  assert.deepEqual(secondsOf({}), new Array(6).fill(2));
  assert.deepEqual(secondsOf({ tensorBytes: 640 }), new Array(6).fill(11));
  assert.deepEqual(secondsOf({ fault: "slow:2:3" }), new Array(6).fill(6));
  assert.equal(lab.allReduce({ buffers: timed.buffers }).secondsPerStep, null);
  assert.throws(() => secondsOf({ tensorBytes: 0.5 }), { parameter: "tensorBytes" });
});

test("a linear layer's gradients, and the collective that may be forgotten", () => {
  const { inputGradient, weightGradient, gradients, collectives } = lab.tensorParallelLinear(examples.tensorParallelLinear);
  assert.deepEqual(inputGradient.map((row) => [...row]), [[22], [28]]);
  assert.deepEqual(weightGradient.map((row) => [...row]), [[1, 10], [2, 20], [3, 30]]);
  assert.deepEqual(gradients.map(({ name, maxAbsError }) => [name, maxAbsError]), [["input", 0], ["weight", 0]]);
  assert.deepEqual(collectives.map(({ kind, phase, bytes }) => [kind, phase, bytes]), [["all-reduce", "forward", 24]]);
  const forgotten = lab.tensorParallelLinear({ ...examples.tensorParallelLinear, forget: "forward-all-reduce" });
  assert.ok(forgotten.maxAbsError > 0);
  assert.deepEqual(forgotten.collectives, []);
});

test("a transformer's block over ranks is the whole one, and its collectives are listed", () => {
  const run = lab.tensorParallelBlock(examples.tensorParallelBlock);
  assert.ok(run.maxRelError < 1e-12);
  assert.deepEqual(run.gradients.map(({ name }) => name).sort(), [
    "attention_norm", "down", "gate", "input", "key", "mlp_norm", "output", "query", "up", "value",
  ]);
  for (const { name, maxRelError } of run.gradients) assert.ok(maxRelError < 1e-12, name);
  const called = (phase, kind) => run.collectives.filter((call) => call.phase === phase && call.kind === kind).length;
  assert.deepEqual([called("forward", "all-gather"), called("backward", "all-gather")], [2, 4]);
  assert.equal(run.weightElementsPerRank.length, 4);
  assert.ok(lab.tensorParallelBlock({ block: "mlp", ranks: 2, forget: "column-first" }).maxRelError > 0.01);
});

test("Llama-3-70B on 8 ranks: four all-reduces of 134 217 728 bytes a layer", () => {
  const { collectives, layers, layerBytesPerToken } = lab.tensorParallelCost(examples.tensorParallelCost);
  const layer = collectives.filter(({ count }) => count === layers);
  assert.deepEqual(layer.map(({ bytes }) => bytes), new Array(4).fill(134217728));
  assert.equal(layerBytesPerToken, 4 * 1.75 * 8192 * 2);
});

test("other collectives: what each leaves", () => {
  const buffers = powersOfTen(4, 4);
  const rows = (kind) => lab.collective({ kind, buffers }).result.map((row) => [...row]);
  assert.deepEqual(rows("all-gather"), new Array(4).fill([1, 10, 100, 1000]));
  assert.deepEqual(rows("broadcast"), new Array(4).fill([1, 1, 1, 1]));
  assert.deepEqual(rows("reduce")[0], [1111, 1111, 1111, 1111]);
  assert.deepEqual(rows("reduce-scatter").map((row, rank) => row[rank]), [1111, 1111, 1111, 1111]);
  assert.deepEqual(rows("all-to-all"), new Array(4).fill([1, 10, 100, 1000]));
});

test("ring and tree take the same time at one size, and at that size", () => {
  const world = { ranks: 64, latencySeconds: 1e-6, bytesPerSecond: 100e9 };
  const { crossings, ranges } = lab.crossover({ first: "ring", second: "tree", ...world });
  assert.equal(crossings.length, 1);
  assert.ok(Math.abs(crossings[0] - 1136448.6) < 0.1);
  assert.deepEqual(ranges.map(({ faster }) => faster), ["second", "first"]);
  const [ring] = lab.allReduceTimes({ algorithm: "ring", bytes: [[crossings[0]]], ...world });
  const [tree] = lab.allReduceTimes({ algorithm: "tree", bytes: [[crossings[0]]], ...world });
  assert.ok(Math.abs(ring - tree) < 1e-12 * ring);
});

test("NCCL's printed table of 4 x A100", () => {
  const { times, choice } = lab.ncclTuning({
    version: "v2.18.3-1",
    arch: "ampere",
    ranks: 4,
    channels: 24,
    channelBytesPerSecond: 10e9,
    bytes: 1e6,
  });
  const simple = times.find(({ algorithm, protocol }) => algorithm === "Ring" && protocol === "Simple");
  assert.equal((simple.latencySeconds * 1e6).toFixed(1), "28.8");
  assert.equal((simple.bytesPerSecond / 1e9).toFixed(0), "160");
  assert.equal(choice.seconds, Math.min(...times.filter(({ enabled }) => enabled).map(({ seconds }) => seconds)));
});

test("a line through measurements that lie on it", () => {
  const sizes = [1e3, 1e4, 1e5, 1e6, 1e7];
  const text = ["size_B,oop_time_us", ...sizes.map((size) => `${size},${10 + size / 1e5}`)].join("\n");
  const { regimes, relativeError, linesUsed, linesIgnored } = lab.fitAllReduce({ text, regimes: 1 });
  assert.equal(regimes.length, 1);
  assert.ok(Math.abs(regimes[0].latencySeconds - 10e-6) < 1e-12);
  assert.ok(Math.abs(regimes[0].bytesPerSecond - 1e11) < 1);
  assert.ok(relativeError.median < 1e-9);
  assert.deepEqual([linesUsed, linesIgnored], [5, 1]);
  assert.throws(() => lab.fitAllReduce({ text: "nothing" }), { name: "ShardlabError", parameter: "text" });
});

test("the binomial tree's closed form, with a link, with a latency alone, and with neither", () => {
  const link = { latencySeconds: 1e-6, bytesPerSecond: 100e9 };
  const tree = lab.treeAllReduceCost({ ranks: 64, bytes: 1e6, tree: "binomial", ...link });
  assert.equal(tree.steps, 12);
  assert.equal(tree.bytesSentPerRank, 6e6);
  assert.ok(Math.abs(tree.seconds - 12 * (1e-6 + 1e6 / 100e9)) < 1e-15);
  assert.equal(lab.treeAllReduceCost({ ranks: 8, bytes: 1, latencyPerStep: 0.5 }).seconds, 3);
  assert.equal(lab.treeAllReduceCost({ ranks: 8, bytes: 1 }).seconds, null);
});

test("gradients 4, 8, 12, 16 average to 10, as the serial mean says", () => {
  const { average, serialMean, maxAbsDifference } = lab.dataParallelGradientAverage({
    gradients: examples.dataParallelGradientAverage.gradients,
  });
  assert.deepEqual([...average], [10, 100]);
  assert.deepEqual([...serialMean], [10, 100]);
  assert.equal(maxAbsDifference, 0);
});

test("a training on ranks is the serial one at every stage of ZeRO, which decides what is held and sent", () => {
  for (const zeroStage of [0, 1, 2, 3]) {
    const run = lab.dataParallelTrain({ ranks: 4, steps: 50, optimizer: "adam", zeroStage });
    assert.equal(run.lossesSerial.length, 50);
    for (const [step, loss] of run.lossesSerial.entries()) {
      assert.ok(Math.abs(run.lossesParallel[step] / loss - 1) <= 1e-12);
    }
    assert.ok(run.maxRelativeWeightDifference <= 1e-12);
    assert.equal(run.maxReplicaDifference, 0);
    assert.deepEqual([...run.bytesSentPerRankPerStep], new Array(4).fill((zeroStage === 3 ? 3 : 2) * 3 * 240 * 8));
    assert.deepEqual([...run.held.parameterElements], new Array(4).fill(zeroStage < 3 ? 960 : 240));
    assert.deepEqual([...run.held.gradientElements], new Array(4).fill(zeroStage < 2 ? 960 : 240));
    assert.deepEqual([...run.held.optimizerElements], new Array(4).fill(zeroStage < 1 ? 1920 : 480));
    assert.equal(run.consequence, null);
  }
});

test("a training shows unequal batches and faults", () => {
  const batches = Int32Array.of(8, 8, 8, 2);
  assert.ok(lab.dataParallelTrain({ steps: 20, batches }).maxRelativeWeightDifference > 1e-3);
  assert.ok(lab.dataParallelTrain({ steps: 20, batches, weighted: true }).maxRelativeWeightDifference <= 1e-12);
  const { maxReplicaDifferences, maxReplicaDifference, consequence } = lab.dataParallelTrain({
    steps: 20,
    fault: "miss-gather:1:7",
  });
  assert.equal(maxReplicaDifferences.findIndex((difference) => difference > 0), 7);
  assert.equal(maxReplicaDifference, Math.max(...maxReplicaDifferences));
  assert.match(consequence, /^NCCL/);
});

test("three layers in three buckets, by hand", () => {
  const { buckets, backward, ...seconds } = lab.gradientBuckets(examples.gradientBuckets);
  assert.deepEqual([...buckets.bytes], [2, 6, 4]);
  assert.deepEqual([...buckets.firstLayer], [2, 1, 0]);
  assert.deepEqual([...buckets.lastLayer], [2, 1, 0]);
  assert.deepEqual([...buckets.readySeconds], [1, 4, 6]);
  assert.deepEqual([...buckets.startSeconds], [1, 4, 11]);
  assert.deepEqual([...buckets.endSeconds], [4, 11, 16]);
  assert.deepEqual([...backward.startSeconds], [4, 1, 0]);
  assert.deepEqual([...backward.endSeconds], [6, 4, 1]);
  assert.deepEqual(seconds, {
    backwardSeconds: 6,
    communicationSeconds: 15,
    exposedSeconds: 10,
    stepSeconds: 16,
    sequentialSeconds: 21,
  });
});

test("the padding of a partition stands on the last ranks", () => {
  const { paddedElements, elementsPerRank, padding } = lab.zeroPartition(examples.zeroPartition);
  assert.deepEqual([paddedElements, elementsPerRank], [267264, 348]);
  assert.deepEqual([...padding], [...new Array(765).fill(0), 328, 348, 348]);
});

test("a product split by columns is exact and sends nothing", () => {
  const w = lab.randomMatrix({ rows: 37, columns: 23, seed: 1 });
  const x = lab.randomMatrix({ rows: 23, columns: 5, seed: 2 });
  const split = lab.tensorParallelMatmul({ w, x, ranks: 4, split: "column" });
  assert.equal(split.maxAbsError, 0);
  assert.equal(split.communicationBytesPerRank, 0);
  assert.deepEqual(split.weightShards.map((shard) => [shard.length, shard[0].length]), [[10, 23], [9, 23], [9, 23], [9, 23]]);
  assert.deepEqual(split, lab.tensorParallelMatmul({ w, x, ranks: 4 }), "column is the default");
});

test("a product split by rows equals the whole one to rounding, after an all-reduce", () => {
  const { result, partialOutputs, maxRelError, communicationBytesPerRank } = lab.tensorParallelMatmul({
    ...examples.tensorParallelMatmul,
    split: "row",
  });
  assert.deepEqual(rowsOf(result), [[21], [43], [65]]);
  assert.deepEqual(partialOutputs.map(rowsOf), [[[1], [3], [5]], [[20], [40], [60]]]);
  assert.equal(maxRelError, 0);
  assert.equal(communicationBytesPerRank, 3 * 8);
});

test("a tensor-parallel MLP takes one all-reduce each way", () => {
  const mlp = lab.tensorParallelMlp(examples.tensorParallelMlp);
  assert.deepEqual([mlp.forwardAllReduces, mlp.backwardAllReduces], [1, 1]);
  assert.deepEqual([mlp.output.length, mlp.output[0].length, mlp.inputGradient.length], [2, 1, 2]);
  assert.ok(mlp.outputMaxRelError < 1e-14 && mlp.inputGradientMaxRelError < 1e-14);
});

test("bubbles: (8, 4) is 7/11, with two chunks 7/15, of one stage 0", () => {
  assert.equal(lab.pipelineBubbleFraction({ stages: 8, microBatches: 4 }), 7 / 11);
  assert.equal(lab.interleavedBubbleFraction({ stages: 8, microBatches: 4, chunks: 2 }), 7 / 15);
  assert.equal(lab.pipelineBubbleFraction({ stages: 1, microBatches: 4 }), 0);
});

test("fewer micro-batches than stages: P=4 M=2 takes 15, bubbles 0.6 and 1.5, in flight 2, 2, 2, 1", () => {
  const timeline = lab.pipelineSchedule1f1b({ stages: 4, microBatches: 2, forward: 1, backward: 2 });
  assert.equal(timeline.makespan, 15);
  assert.equal(timeline.bubbleOfTotal, 0.6);
  assert.equal(timeline.bubbleOfIdeal, 1.5);
  assert.deepEqual([...timeline.peakInFlight], [2, 2, 2, 1]);
  assert.equal(timeline.steps, 10);
  assert.equal(timeline.messages, 12);
  assert.deepEqual(timeline, lab.pipelineSchedule({ stages: 4, microBatches: 2 }), "and these are the defaults");
});

test("every schedule is simulated, and said to be as long as its closed form where that applies", () => {
  const names = ["gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1", "zb-h2", "zb-v", "dualpipe", "dualpipe-v"];
  for (const schedule of names) {
    const found = lab.pipelineSchedule({ schedule, stages: 4, microBatches: 8 });
    assert.equal(found.closedForm.applies, true, schedule);
    assert.equal(found.makespan, found.closedForm.makespan, schedule);
    assert.ok(found.lowerBound <= found.makespan, schedule);
    const { start, end, kind, stage } = found.operations;
    assert.equal(start[found.criticalPath[0]], 0);
    assert.equal(end[found.criticalPath.at(-1)], found.makespan);
    assert.equal(new Set(stage).size, 4);
    assert.ok(kind.every((one) => one <= 3));
  }
  const searched = lab.pipelineSchedule({ schedule: "zb-2p", stages: 4, microBatches: 12, inputGradient: 1, weightGradient: 0.5 });
  assert.equal(searched.closedForm, null);
  const uneven = lab.pipelineSchedule({ stages: 2, microBatches: 4, partTimes: [[1, 1, 1], [2, 2, 2]] });
  assert.equal(uneven.makespan, 27);
  assert.equal(uneven.closedForm.applies, false);
});

test("a schedule in PyTorch's cells is the same as the one that was built", () => {
  const csv = "0F0,0F1,,0B0,0B1\n,1F0,1B0,1F1,1B1\n";
  const read = lab.pipelineImport({ csv, backward: 2 });
  const built = lab.pipelineSchedule({ schedule: "1f1b", stages: 2, microBatches: 2 });
  assert.deepEqual([read.stages, read.microBatches, read.notation], [2, 2, "pytorch"]);
  assert.deepEqual(read.operations.start, built.operations.start);
  assert.equal(lab.pipelineImport({ csv: "0F0,0B0,0W0\n" }).notation, "zero-bubble");
});

test("a schedule is written for PyTorch, read again, and traced for Perfetto", () => {
  const built = { schedule: "zb-v", stages: 3, microBatches: 5, inputGradient: 1, weightGradient: 0.5 };
  const csv = lab.pipelineExport({ ...built, format: "csv" });
  const { schedule, stages, microBatches, ...costs } = built;
  assert.deepEqual(lab.pipelineImport({ ...costs, csv }).operations, lab.pipelineSchedule(built).operations);
  assert.equal(lab.pipelineExport({ ...costs, csv, format: "csv" }), csv);
  const { traceEvents } = JSON.parse(lab.pipelineExport({ ...built, format: "trace" }));
  assert.equal(traceEvents.filter(({ ph }) => ph === "X").length, 3 * 2 * 3 * 5);
});

test("1F1B has GPipe's bubble and less in flight: P=8 M=32", () => {
  const sizes = { stages: 8, microBatches: 32, forward: 1, backward: 1 };
  const [gpipe, oneForwardOneBackward] = ["gpipe", "1f1b"].map((schedule) => lab.pipelineSchedule({ schedule, ...sizes }));
  assert.deepEqual([gpipe.makespan, oneForwardOneBackward.makespan, gpipe.steps], [78, 78, 78]);
  assert.equal(gpipe.bubbleOfTotal.toFixed(6), "0.179487");
  assert.deepEqual([gpipe.peakInFlight[0], oneForwardOneBackward.peakInFlight[0]], [32, 8]);
});

test("the operations' columns are each stage's order and times", () => {
  const { stage, kind, microBatch, start, end } = lab.pipelineSchedule1f1b({
    stages: 2,
    microBatches: 2,
    communication: 0.5,
  }).operations;
  assert.deepEqual([...stage], [0, 0, 0, 0, 1, 1, 1, 1]);
  assert.deepEqual([...kind], [0, 0, 1, 1, 0, 1, 0, 1]);
  assert.deepEqual([...microBatch], [0, 1, 0, 1, 0, 0, 1, 1]);
  assert.deepEqual([start[4], end[4], start[5], end[5], start[2]], [1.5, 2.5, 2.5, 4.5, 5]);
});

test("the ZeRO ladder: 7.5e9 parameters on 64 ranks", () => {
  const totals = [0, 1, 2, 3].map((zeroStage) => lab.zeroMemoryPerGpu({ params: 7.5e9, ranks: 64, zeroStage }).totalBytes);
  assert.deepEqual(totals, [120e9, 31.40625e9, 16.640625e9, 1.875e9]);
  assert.deepEqual(lab.zeroMemoryPerGpu({ params: 100, ranks: 4, zeroStage: 1 }), {
    params: 100,
    parameterBytes: 200,
    gradientBytes: 200,
    optimizerBytes: 300,
    totalBytes: 700,
  });
});

test("Llama 3 8B has 8 030 261 248 parameters, GPT-2 124 439 808; what is nested in a config is passed over", () => {
  const { config } = examples.transformerParameters;
  const llama = lab.transformerParameters({ config: { ...config, rope_scaling: { factor: 8 }, pad_token_id: null } });
  assert.equal(llama.total, 8030261248);
  const { total, active, predictionHeads, ...parts } = llama;
  assert.equal(Object.values(parts).reduce((sum, part) => sum + part), total);
  assert.equal(active, total);
  assert.equal(predictionHeads, 0);
  assert.equal(lab.zeroMemoryPerGpu({ config, ranks: 1, zeroStage: 0 }).params, 8030261248);

  const gpt2 = { model_type: "gpt2", n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024, vocab_size: 50257 };
  assert.equal(lab.transformerParameters({ config: gpt2 }).total, 124439808);
});

test("a configuration's lists of numbers and its objects are read", () => {
  const text_config = { hidden_size: 2560, intermediate_size: 10240, num_hidden_layers: 34 };
  const gemma = { model_type: "gemma3", text_config, vision_config: { hidden_size: 1152, sizes: [[1]] } };
  assert.equal(lab.transformerParameters({ config: gemma }).total, 3880263168);

  const own = { model_type: "transformer", hidden: 8, layers: 3, heads: 2, ffn: 16, vocabulary: 10, sequence: 4 };
  const experts = { count: 4, per_token: 1, ffn: 5, dense_layers: [0, 2] };
  const mixture = lab.transformerParameters({ config: { ...own, experts } });
  assert.equal(mixture.mlp, 2 * 2 * 8 * 16);
  assert.equal(mixture.experts, 4 * 2 * 8 * 5);
  assert.equal(mixture.total - mixture.active, 3 * 2 * 8 * 5);
});

test("activations: sequence parallelism lowers them; layers and micro-batches in flight multiply them", () => {
  const layer = { ...examples.activationMemoryBytes };
  assert.equal(lab.activationMemoryBytes(layer), 1107296256);
  assert.equal(lab.activationMemoryBytes({ ...layer, sequenceParallel: true }), 813694976);
  assert.equal(lab.activationMemoryBytes({ ...layer, recompute: "full" }), 2 * 4096 * 8192);
  assert.equal(lab.activationMemoryBytes({ ...layer, layers: 4, inFlight: 8 }), 32 * 1107296256);
});

test("text and seeds become matrices", () => {
  const rows = [Float64Array.of(1, 2), Float64Array.of(3, -400)];
  assert.deepEqual(lab.parseCsv({ text: "\uFEFF1, 2\r\n3,-4e2\r\n" }), rows);
  const matrix = lab.randomMatrix({ rows: 2, columns: 3, seed: 7 });
  assert.deepEqual([matrix.length, matrix[0].length, matrix[1].length], [2, 3, 3]);
  assert.ok(matrix.flatMap((row) => [...row]).every((element) => element >= -1 && element < 1));
  assert.deepEqual(matrix, lab.randomMatrix({ rows: 2, columns: 3, seed: 7 }));
  assert.notDeepEqual(matrix, lab.randomMatrix({ rows: 2, columns: 3 }));
});
