import assert from "node:assert/strict";
import { test } from "node:test";
import { examples, importBuilt } from "./support.mjs";

const { load } = await importBuilt();
const lab = await load();

const gibibyte = 2 ** 30;
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** Llama 3 70B on 64 cards. */
const llama70b = {
  preset: "llama3-70b",
  gpu: "h100-80gb",
  tp: 8,
  pp: 4,
  dp: 2,
  zeroStage: 1,
  microBatches: 16,
  sequenceParallel: true,
  flash: true,
};

test("models by name and by configuration: parameters by part, FLOPs a token, and fields that nobody knows", () => {
  const { config } = examples.transformerParameters;
  const byName = lab.transformer({ preset: "llama3-8b", sequence: 4096 });
  const byConfig = lab.transformer({ config: { ...config, hiden_size: 4096 }, sequence: 4096 });
  assert.equal(byName.parameters, 8030261248);
  assert.equal(sum(Object.values(byName.byPart)), byName.parameters);
  assert.deepEqual([byName.unknownFields, byConfig.unknownFields], [[], ["hiden_size"]]);
  assert.deepEqual(byConfig.byPart, byName.byPart);
  // 6 a parameter that multiplies, and 12·L·h·s for scores and values.
  const multiplied = byName.parameters - byName.byPart.tokenEmbedding - byName.byPart.norms;
  assert.equal(byName.flopsPerToken, 6 * multiplied + 12 * 32 * 4096 * 4096);
  assert.equal(byName.hardwareFlopsPerToken, byName.flopsPerToken);
  assert.equal(lab.transformer({ preset: "llama3-405b" }).sequence, 8192);
  const { experts, expertsPerToken, expertLayers, kvRank } = lab.transformer({ preset: "deepseek-v3" }).shape;
  assert.deepEqual([experts, expertsPerToken, expertLayers, kvRank], [256, 8, 58, 512]);
});

test("models, cards and recipes are listed with their sources, and each is taken by its id", () => {
  const [presets, cards, recipes] = [lab.transformerPresets(), lab.accelerators(), lab.precisionRecipes()];
  for (const { source } of [...presets, ...cards, ...recipes]) assert.notEqual(source, "");
  for (const { id } of presets) assert.ok(lab.transformer({ preset: id }).parameters > 0, id);
  for (const { id, capacityBytes, usableBytes } of cards) {
    const { usableBytes: taken } = lab.footprint({ preset: "gpt2", gpu: id });
    assert.equal(taken, usableBytes);
    assert.ok(usableBytes < capacityBytes, id);
  }
  assert.equal(recipes[0].name, "mixed-adam");
  assert.equal(lab.footprint({ preset: "gpt2", gpu: "custom:24e9" }).usableBytes, 24e9);
});

test("a layer's tensors add up, and which layer it is decides whether it has experts", () => {
  const { bytesPerLayer, terms, notes } = lab.layerActivations(examples.layerActivations);
  assert.equal(sum(terms.map(({ bytes }) => bytes)), bytesPerLayer);
  assert.match(notes[0], /each is held by 2 ranks/);
  // A GPT of Korthikanti et al.: sbh(34 + 5as/h), which is sb(34h + 5as).
  const gpt = { preset: "megatron-22b", sequence: 2048 };
  assert.equal(lab.layerActivations(gpt).bytesPerLayer, 2048 * (34 * 6144 + 5 * 64 * 2048));
  const names = (layer) => lab.layerActivations({ preset: "deepseek-v3", layer }).terms.map(({ name }) => name);
  assert.ok(names(0).includes("mlp_gate"));
  assert.ok(names(60).includes("expert_inputs"));
});

test("Llama 3 70B on 64 cards fits: every stage's parts add up, and the heaviest is the answer", () => {
  const found = lab.footprint(llama70b);
  for (const stage of found.perStage) {
    const parts = Object.entries(stage).filter(([name]) => name.endsWith("Bytes") && !["hostBytes", "totalBytes"].includes(name));
    assert.ok(Math.abs(sum(parts.map(([, bytes]) => bytes)) - stage.totalBytes) < 1);
  }
  const totals = found.perStage.map(({ totalBytes }) => totalBytes);
  assert.equal(found.mostLoadedRankBytes, Math.max(...totals));
  assert.equal(totals.indexOf(Math.max(...totals)), found.mostLoadedStage);
  assert.deepEqual([...found.layersPerPart], [20, 20, 20, 20]);
  assert.equal(found.cost.ranks, 64);
  assert.equal(found.cost.bubbleOfTotal, 3 / 19);
  assert.equal(found.fits, true);
  assert.equal(found.spareBytes, found.usableBytes - found.mostLoadedRankBytes);
  assert.deepEqual(found.changes, { offered: [], notOffered: [] });
});

test("schedules that put weight gradients off say how many are to come", () => {
  const waiting = (schedule) => lab.footprint({ ...llama70b, schedule }).perStage.map((one) => one.weightGradientsWaiting);
  assert.deepEqual(waiting("1f1b"), [0, 0, 0, 0]);
  assert.ok(Math.max(...waiting("zb-h1")) > 0);
});

test("terms are given for what the most loaded stage has", () => {
  const last = lab.footprint({ ...llama70b, layersPerPart: [10, 10, 10, 50] });
  assert.equal(last.mostLoadedStage, 3);
  assert.deepEqual(last.activations.embedding, []);
  assert.ok(last.activations.head.some(({ name }) => name === "logits"));
  assert.deepEqual(last.activations.expertLayer, []);
  const { perStage, mostLoadedStage, activations } = lab.footprint(llama70b);
  const { layers, microBatchesInFlight, activationBytes } = perStage[mostLoadedStage];
  assert.equal(activationBytes, layers * microBatchesInFlight * sum(activations.layer.map(({ bytes }) => bytes)));
});

test("70 billion parameters on 8 cards: what is offered fits when it is applied, and the rest says why not", () => {
  const request = examples.footprint;
  const { fits, spareBytes, changes } = lab.footprint(request);
  assert.equal(fits, false);
  assert.ok(spareBytes < 0);
  assert.ok(changes.offered.some(({ parameter }) => parameter === "dp"));
  for (const { parameter, value, settings, mostLoadedRankBytes, cost } of changes.offered) {
    const applied = lab.footprint({ ...request, ...settings });
    assert.equal(String(settings[parameter]), value);
    assert.equal(applied.fits, true, parameter);
    assert.equal(applied.mostLoadedRankBytes, mostLoadedRankBytes);
    assert.deepEqual(applied.cost, cost);
  }
  const reasons = Object.fromEntries(changes.notOffered.map(({ parameter, reason }) => [parameter, reason]));
  assert.equal(reasons.zeroStage, "All states are sharded already.");
  assert.equal(reasons.microBatch, "A micro-batch is one sequence already.");
});

test("a number of parameters under any recipe: the paper's bytes under its own, in proportion under others", () => {
  const size = { params: 7.5e9, ranks: 64 };
  for (const zeroStage of [0, 1, 2, 3]) {
    const { params, parameterBytes, gradientBytes, optimizerBytes, totalBytes } = lab.zeroStates({ ...size, zeroStage });
    const found = { params, parameterBytes, gradientBytes, optimizerBytes, totalBytes };
    assert.deepEqual(found, lab.zeroMemoryPerGpu({ ...size, zeroStage }));
  }
  const own = lab.zeroStates({ ...size, zeroStage: 1, recipe: "adam-8bit", gradientBytes: 4, tp: 2, pp: 3 });
  assert.equal(own.bytesPerParam, 2 + 4 + 4 + 2);
  assert.equal(own.paramsOnRank, 7.5e9 / 6);
  assert.equal(own.gradientBytes, (4 * 7.5e9) / 6);
  assert.equal(own.optimizerBytes, 6 * Math.ceil(7.5e9 / 6 / 64));
  assert.equal(lab.zeroStates({ params: 10, ranks: 4, zeroStage: 3 }).parameterBytes, 6, "whole elements");
  assert.deepEqual(own.notes, []);
  assert.match(lab.zeroStates({ params: 7, ranks: 1, tp: 2, zeroStage: 0 }).notes.join(), /rounded up to whole parameters/);
});

test("a model's states are those of its footprint, on the rank that has most", () => {
  for (const zeroStage of [0, 1, 2, 3]) {
    const layout = { preset: "deepseek-v3", tp: 8, pp: 4, ep: 8, recipe: "muon", zeroStage, microBatches: 4 };
    const found = lab.zeroStates({ ...layout, ranks: 16 });
    const states = ({ weightBytes, gradientBytes, optimizerBytes }) => weightBytes + gradientBytes + optimizerBytes;
    const { perStage } = lab.footprint({ ...layout, dp: 16, gpu: "h100-80gb" });
    assert.equal(found.totalBytes, Math.max(...perStage.map(states)));
    assert.equal(found.params, lab.transformer({ preset: "deepseek-v3" }).parameters);
  }
  const dense = { preset: "llama3-70b", zeroStage: 2, microBatches: 3, shardRanks: 2 };
  const { cost } = lab.footprint({ ...dense, dp: 8, gpu: "h100-80gb" });
  assert.equal(lab.zeroStates({ ...dense, ranks: 8 }).sentBytes, cost.dataBytes);
});

test("what is sent is listed collective by collective, and what is gathered may be kept", () => {
  const size = { params: 8e9, ranks: 8, microBatches: 4, recipe: "mixed-adam-both-gradients" };
  const listed = (options) => {
    const { sent, sentBytes } = lab.zeroStates({ ...size, ...options });
    assert.equal(sum(sent.map(({ times, bytes }) => times * bytes)), sentBytes);
    return sent.map(({ collective, pass, times, bytesPerParam, bytes }) => [collective, pass, times, bytesPerParam, bytes / 7e9]);
  };
  assert.deepEqual(listed({ zeroStage: 0 }), [["reduce-scatter", "backward", 1, 4, 4], ["all-gather", "step", 1, 4, 4]]);
  assert.deepEqual(listed({ zeroStage: 1 }), [["reduce-scatter", "backward", 1, 4, 4], ["all-gather", "step", 1, 2, 2]]);
  assert.deepEqual(listed({ zeroStage: 2 }), [["reduce-scatter", "backward", 4, 4, 4], ["all-gather", "step", 1, 2, 2]]);
  const [forward, backward, reduced] = listed({ zeroStage: 3 });
  assert.deepEqual(forward, ["all-gather", "forward", 4, 2, 2]);
  assert.deepEqual(backward, ["all-gather", "backward", 4, 2, 2]);
  assert.deepEqual(reduced, ["reduce-scatter", "backward", 4, 4, 4]);
  assert.deepEqual(listed({ zeroStage: 3, gathered: "kept" }), [forward, reduced]);
  const kept = lab.zeroStates({ ...size, zeroStage: 3, gathered: "kept" });
  assert.deepEqual([kept.parameterBytes, kept.gradientBytes], [2 * 8e9, 6 * 1e9]);
  const between = listed({ zeroStage: 3, shardRanks: 2 })[3];
  assert.deepEqual(between, ["all-reduce", "step", 1, 4, (2 * 4 * 0.75 * 4e9) / 7e9]);
});

test("the smallest cluster fits, and one card fewer has none", () => {
  const request = examples.smallestCluster;
  const { settings, mostLoadedRankBytes, cost } = lab.smallestCluster(request);
  const applied = lab.footprint({ ...request, ...settings });
  assert.equal(applied.fits, true);
  assert.deepEqual([applied.mostLoadedRankBytes, applied.cost], [mostLoadedRankBytes, cost]);
  assert.equal(lab.smallestCluster({ ...request, mostRanks: cost.ranks - 1 }), null);
});

test("a card's memory beside states and activations: options change what comes on top", () => {
  const bare = { contextBytes: 0, communicationBytes: 0, bucketBytes: 0, fragmentation: 0, logitGradients: false };
  const request = { preset: "llama3-70b", gpu: "h100-80gb", sequence: 4096, dp: 8, zeroStage: 3 };
  const [only] = lab.footprint({ ...request, ...bare }).perStage;
  assert.equal(((only.weightBytes + only.gradientBytes + only.optimizerBytes) / gibibyte).toFixed(2), "131.42");
  assert.deepEqual([only.contextBytes, only.communicationBytes, only.fragmentationBytes], [0, 0, 0]);
  const [usual] = lab.footprint(request).perStage;
  assert.deepEqual([usual.contextBytes, usual.communicationBytes], [987842478, gibibyte]);
  assert.equal(usual.logitBytes, 2 * only.logitBytes);
  const fourBytes = lab.footprint({ ...request, recipe: "fp32-adam", weightBytes: 2, momentBytes: 4 }).perStage[0];
  assert.deepEqual([fourBytes.weightBytes, fourBytes.optimizerBytes], [usual.weightBytes, fourBytes.gradientBytes]);
  const [offloaded] = lab.footprint({ ...request, offload: "optimizer" }).perStage;
  assert.deepEqual(
    [offloaded.optimizerBytes, offloaded.gradientBytes, offloaded.hostBytes],
    [0, 0, usual.optimizerBytes + usual.gradientBytes],
  );
});

test("launch settings: the text of each framework is made of them, and what it has none for is said", () => {
  const launch = (framework, changes) => lab.launchSettings({ ...llama70b, ...changes, framework });
  const value = ({ settings }, name) => settings.find((one) => one.name === name)?.value;
  const megatron = launch("megatron");
  assert.equal(value(megatron, "--tensor-model-parallel-size"), "8");
  assert.equal(value(megatron, "--global-batch-size"), "32");
  for (const { name, value: written, meaning } of megatron.settings) {
    assert.ok(megatron.text.includes(`${name} ${written}`.trim()), name);
    assert.notEqual(meaning, "");
  }
  const deepspeed = launch("deepspeed", { tp: 1, pp: 1, zeroStage: 3, sequenceParallel: false });
  assert.equal(JSON.parse(deepspeed.text).zero_optimization.stage, 3);
  assert.equal(value(deepspeed, "zero_optimization.stage"), "3");
  const titan = launch("torchtitan", { schedule: "dualpipe" });
  assert.match(titan.text, /^tensor_parallel_degree = 8$/m);
  assert.ok(titan.leftOut.some((sentence) => sentence.startsWith("schedule dualpipe: ")), titan.leftOut.join("; "));
  const wrapped = launch("fsdp2", { tp: 1, pp: 1, zeroStage: 3, sequenceParallel: false });
  assert.match(wrapped.text, /^fully_shard\(model, \*\*options\)$/m);
  for (const { framework, version } of [megatron, deepspeed, titan, wrapped]) assert.notEqual(version, "", framework);
});
