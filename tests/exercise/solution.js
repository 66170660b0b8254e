// Functions of the lab of Shardlab. The page opens this file again by the lines with ====.

// ==== ring-all-reduce ====

const chunk = (elements, chunks, index) => {
  const count = Math.floor(elements / chunks);
  const longer = elements % chunks;
  return { first: index * count + Math.min(index, longer), count: count + (index < longer ? 1 : 0) };
};

function ringAllReduce({ buffers }) {
  const ranks = buffers.length;
  const sums = buffers.map((tensor) => [...tensor]);
  const bytesSentPerRank = sums.map(() => 0);
  const mod = (index) => ((index % ranks) + ranks) % ranks;
  const send = (rank, index, add) => {
    const { first, count } = chunk(sums[rank].length, ranks, mod(index));
    const to = sums[mod(rank + 1)];
    for (let e = first; e < first + count; e += 1) to[e] = add ? to[e] + sums[rank][e] : sums[rank][e];
    bytesSentPerRank[rank] += 8 * count;
  };
  for (let s = 0; s < ranks - 1; s += 1) for (let r = 0; r < ranks; r += 1) send(r, r - s, true);
  for (let s = 0; s < ranks - 1; s += 1) for (let r = 0; r < ranks; r += 1) send(r, r + 1 - s, false);
  return { buffers: sums, steps: 2 * (ranks - 1), bytesSentPerRank };
}

// ==== all-reduce-cost ====

function allReduceCost({ ranks, bytes }) {
  return { steps: 2 * (ranks - 1), bytesSentPerRank: (2 * (ranks - 1) * bytes) / ranks };
}

// ==== data-parallel-gradient-average ====

function dataParallelGradientAverage({ gradients }) {
  const { buffers } = ringAllReduce({ buffers: gradients });
  return buffers[0].map((sum) => sum / gradients.length);
}

// ==== tensor-parallel-matmul ====

const chunk = (elements, chunks, index) => {
  const count = Math.floor(elements / chunks);
  const longer = elements % chunks;
  const first = index * count + Math.min(index, longer);
  return [first, first + count + (index < longer ? 1 : 0)];
};

function tensorParallelMatmul({ w, x, ranks, split }) {
  const part = ([first, last], [from, to]) =>
    w.slice(first, last).map((row) =>
      x[0].map((_, column) => {
        let sum = 0;
        for (let k = from; k < to; k += 1) sum += row[k] * x[k][column];
        return sum;
      }),
    );
  const parts = Array.from({ length: ranks }, (_, rank) =>
    split === "column"
      ? part(chunk(w.length, ranks, rank), [0, x.length])
      : part([0, w.length], chunk(x.length, ranks, rank)),
  );
  if (split === "column") return parts.flat();
  return parts.reduce((sum, one) => sum.map((row, r) => row.map((value, c) => value + one[r][c])));
}

// ==== pipeline-bubble-fraction ====

function pipelineBubbleFraction({ stages, microBatches }) {
  return (stages - 1) / (microBatches + stages - 1);
}

// ==== pipeline-schedule-1f1b ====

function pipelineSchedule1f1b({ stages, microBatches }) {
  const stage = (s) => {
    const list = [];
    let [forward, backward] = [0, 0];
    while (forward < Math.min(stages - 1 - s, microBatches)) list.push({ backward: false, microBatch: forward++ });
    while (forward < microBatches) {
      list.push({ backward: false, microBatch: forward++ });
      list.push({ backward: true, microBatch: backward++ });
    }
    while (backward < microBatches) list.push({ backward: true, microBatch: backward++ });
    return list;
  };
  const all = Array.from({ length: stages }, (_, s) => s);
  return {
    operations: all.map(stage),
    steps: 2 * (microBatches + stages - 1),
    peakInFlight: all.map((s) => Math.min(stages - s, microBatches)),
  };
}

// ==== zero-memory-per-gpu ====

function zeroMemoryPerGpu({ params, ranks, zeroStage }) {
  const part = (bytes, from) => (bytes * params) / (zeroStage >= from ? ranks : 1);
  const [parameterBytes, gradientBytes, optimizerBytes] = [part(2, 3), part(2, 2), part(12, 1)];
  return { parameterBytes, gradientBytes, optimizerBytes, totalBytes: parameterBytes + gradientBytes + optimizerBytes };
}

// ==== tree-all-reduce-cost ====

function treeAllReduceCost({ ranks, bytes, latencyPerStep }) {
  let levels = 0;
  while (2 ** levels < ranks) levels += 1;
  return { steps: 2 * levels, bytesSentPerRank: levels * bytes, seconds: 2 * levels * latencyPerStep };
}

// ==== tensor-parallel-mlp ====

const product = (a, b) => a.map((row) => b[0].map((_, c) => row.reduce((sum, value, k) => sum + value * b[k][c], 0)));
const transposed = (a) => a[0].map((_, c) => a.map((row) => row[c]));
const gelu = (v) => (v / 2) * (1 + erf(v / Math.SQRT2));
const slope = (v) => (1 + erf(v / Math.SQRT2)) / 2 + (v * Math.exp((-v * v) / 2)) / Math.sqrt(2 * Math.PI);
const added = (parts) => parts.reduce((sum, part) => sum.map((row, r) => row.map((value, c) => value + part[r][c])));

function tensorParallelMlp({ w1, w2, x, outputGradient, ranks }) {
  const first = (rank) => rank * Math.floor(w1.length / ranks) + Math.min(rank, w1.length % ranks);
  const parts = Array.from({ length: ranks }, (_, rank) => [first(rank), first(rank + 1)]).filter(([from, to]) => to > from);
  const hidden = parts.map(([from, to]) => product(w1.slice(from, to), x));
  const outputs = parts.map(([from, to], rank) =>
    product(w2.map((row) => row.slice(from, to)), hidden[rank].map((row) => row.map(gelu))),
  );
  const gradients = parts.map(([from, to], rank) => {
    const behind = product(transposed(w2.map((row) => row.slice(from, to))), outputGradient);
    const through = behind.map((row, r) => row.map((value, c) => value * slope(hidden[rank][r][c])));
    return product(transposed(w1.slice(from, to)), through);
  });
  return { output: added(outputs), inputGradient: added(gradients), forwardAllReduces: 1, backwardAllReduces: 1 };
}

// ==== interleaved-bubble-fraction ====

function interleavedBubbleFraction({ stages, microBatches, chunks }) {
  return (stages - 1) / (chunks * microBatches + stages - 1);
}

// ==== activation-memory-bytes ====

function activationMemoryBytes({ sequence, microBatch, hidden, heads, tp, sequenceParallel, recompute }) {
  const sbh = sequence * microBatch * hidden;
  if (recompute === "full") return 2 * sbh;
  const scores = recompute === "none" ? (5 * heads * sequence) / hidden : 0;
  return sequenceParallel ? (sbh / tp) * (34 + scores) : sbh * (10 + 24 / tp + scores / tp);
}
