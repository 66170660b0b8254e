/** The rules of the core and of the page, in another language. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { importBuilt } from "../package/support.mjs";
import { open } from "./browser.mjs";
import { host, started } from "./host.mjs";
import { source } from "./sources.mjs";
import { repeated } from "./tier.mjs";

const { routines } = await source("routines/index.ts");
const { rule, speaking } = await source("words.ts");
const { default: chinese } = await source("words/zh-hans.ts");

/** What is typed into every control of a kind. */
const typed = {
  whole: repeated(["2.5", "1e15"], ["abc", "-1", "", "0", "1e400"]),
  real: repeated(["abc", "1e300"], ["-1", "", "0", "nan"]),
  text: repeated(["1,x\n"], ["", "1,2\n3\n", "{}", "0F0,0F0\n", "[1]", '{"model_type": "llama"}', '{"model_type": "none"}']),
};

/** What each control takes, and the core does not take together; or what is refused in more words than a number's. */
const together = {
  "all-reduce": [
    { source: "csv", csv: "" },
    { source: "csv", csv: "1,2\n3\n" },
    { algorithm: "hierarchical", ranks: "6", perNode: "4" },
    { follow: "one", chunk: "9" },
    { fault: "drop", faultRank: "9" },
    { fault: "miss-hop", faultRank: "0", faultStep: "99" },
    { fault: "stale", faultRank: "0", faultStep: "1" },
    { fault: "drop", ranks: "1" },
    { ranks: "1024", elements: "1000000000" },
  ],
  crossover: [
    { measured: "own", text: "a,b\n1,2\n" },
    { measured: "own", text: "size_B,oop_time_us\n1,1\n2,2\n" },
    { measured: "own", text: "size_B,oop_time_us\n1,x\n" },
    { measured: "own", text: "size_B,oop_time_us\n1.5,1\n" },
    { measured: "own", text: "" },
    { first: "hierarchical", nodes: "two", ranks: "6", perNode: "4" },
  ],
  "nccl-tuning": [{ ranks: "6", nodes: "4" }, { version: "2.19", arch: "blackwell" }],
  "data-parallel": [
    { show: "training", batches: "1, 2" },
    { show: "training", learningRate: "1000" },
    { show: "training", trainingFault: "drop", faultRank: "99" },
    { show: "training", trainingFault: "miss-gather", faultRank: "0", faultStep: "9999" },
    { show: "training", ranks: "1024", steps: "10000" },
  ],
  "tensor-parallel": [
    { split: "column", ranks: "3" },
    { split: "attention", ranks: "3" },
    { split: "attention", kvHeads: "3" },
    { split: "transformer", hiddenSize: "7" },
    { split: "mlp", ffn: "3" },
    { split: "mlp", ranks: "1", forget: "forward-all-reduce" },
    { split: "mlp", sequenceParallel: "on", sequence: "3", batch: "1" },
    { split: "column", inFeatures: "100000", outFeatures: "100000" },
    { split: "transformer", hiddenSize: "65536", ffn: "65536" },
  ],
  "tensor-parallel-cost": [{ source: "preset", ranks: "7" }, { source: "config", config: '{"model_type": "mixtral"}' }],
  pipeline: [
    { schedule: "interleaved", rules: "megatron", microBatches: "2" },
    { schedule: "interleaved", rules: "megatron", microBatches: "9", groupSize: "4" },
    { schedule: "interleaved", rules: "pytorch", microBatches: "9" },
    { schedule: "1f1b", rules: "pytorch", microBatches: "1" },
    { schedule: "zb-h1", rules: "megatron" },
    { schedule: "zb-h1", rules: "pytorch" },
    { schedule: "dualpipe", stages: "3" },
    { schedule: "dualpipe", microBatches: "9" },
    { schedule: "dualpipe-v", microBatches: "2" },
    { schedule: "zb-1p", stages: "64", microBatches: "100000" },
    { schedule: "1f1b", stages: "1000", microBatches: "1000000" },
    { stageFactors: "1, 2" },
    { weightGradient: "9" },
    ...["", "0F0", "0F0,0B0,0B0", "0F0\n0B0", "0X0", "F0", "0F", "0F0,0I0,0BW0", "0B0,0F0", "2F0,2B0", "(0F0;0F1)OVERLAP_F_B", "0F99999999", "0F0,0B0\n\n"].map((csv) => ({ schedule: "own", csv })),
  ],
  zero: [
    { source: "config", config: "{" },
    { source: "config", config: "[]" },
    { source: "config", config: '{"model_type": "unknown"}' },
    { source: "config", config: '{"model_type": "llama", "hidden_size": "many"}' },
    { source: "preset", sequence: "100000000" },
    { zeroStage: "3", reshard: "kept", ranks: "0" },
  ],
  memory: [
    { tp: "3" },
    { tp: "128" },
    { pp: "200" },
    { cp: "3" },
    { model: "mixtral-8x7b", ep: "3" },
    { model: "mixtral-8x7b", ep: "16", dp: "16" },
    { model: "gpt2", sequence: "4096", tp: "1" },
    { layersPerPart: "19, 20" },
    { layersPerPart: "20, 20, 20, 21" },
    { layersPerPart: "many" },
    { shardRanks: "3" },
    { shardRanks: "64" },
    { offload: "parameters" },
    { schedule: "dualpipe", microBatches: "3" },
    { schedule: "interleaved", chunks: "50" },
    { recompute: "full", recomputeEvery: "0" },
    { gpu: "custom", capacity: "lots" },
    { dp: "1000000000" },
  ],
};

/** The texts with which a parameter's control is there. */
function texts(parameters, { when }) {
  if (when === undefined) return {};
  const deciding = parameters.find(({ name }) => name === when.parameter);
  return { ...(deciding === undefined ? {} : texts(parameters, deciding)), [when.parameter]: [when.is].flat()[0] };
}

function wrong({ id, parameters }) {
  const each = parameters.flatMap((parameter) =>
    (typed[parameter.kind] ?? []).map((text) => ({ ...texts(parameters, parameter), [parameter.name]: text })),
  );
  return [...each, ...(together[id] ?? [])];
}

/** What a widget says of each state that it cannot show. */
async function complaints(element, states) {
  const good = element.state;
  const found = [];
  for (const state of states) {
    element.state = state;
    await element.updateComplete;
    const said = [...element.shadowRoot.querySelectorAll(".error")].map((one) => one.textContent.trim()).filter((text) => text !== "");
    found.push(...said.map((text) => ({ state: JSON.stringify(state), text })));
  }
  element.state = good;
  await element.updateComplete;
  return found;
}

/** Words that every English rule has one of; names of parameters and choices may stand in one of another language. */
const english = /\b(a|all|an|and|are|at|be|by|each|every|for|from|has|have|in|is|it|most|must|of|on|one|than|that|the|there|to|which|with)\b/i;

/** Without its control's name, and without what a browser says of JSON, in a language of its own. */
const afterLabel = (text) => text.slice(text.indexOf("必须")).replace(/JSON（.*）/, "");

describe("a text from elsewhere", () => {
  const catalogue = {
    "be gelu or swiglu": "gelu, swiglu!",
    "be at most {0}": "{0} max!",
    "be at most {0} when padded": "padded {0} max!",
    "be a multiple of {0}, which is {1}": "{1} = {0} × n!",
    "{0} is {1}; it must {2}": "{0} = {1}: {2}",
    "{0} in line {1}": "{1}: {0}",
    "{0} {1}": "{0}{1}",
  };
  const said = (text) => speaking(catalogue, () => rule(text));

  test("is the entry that it is, or that has most of its words, with what it has in the blanks", () => {
    assert.equal(said("be gelu or swiglu"), "gelu, swiglu!");
    assert.equal(said("be at most 1e+15"), "1e+15 max!");
    assert.equal(said("be at most 8 when padded"), "padded 8 max!");
    assert.equal(said("be a multiple of kvHeads, which is 8"), "8 = kvHeads × n!");
  });

  test("may hold another", () => {
    assert.equal(said("heads is 64; it must be a multiple of tp, which is 3"), "heads = 64: 3 = tp × n!");
  });

  test("may begin with one word, or with what is quoted", () => {
    assert.equal(said("3 in line 7"), "7: 3");
    assert.equal(said('"a b" in line 7'), '7: "a b"');
    assert.equal(said("a b in line 7"), "a b in line 7");
  });

  test("stays as it is where there is none, and in English", () => {
    assert.equal(said("be something else"), "be something else");
    assert.equal(rule("be at most 8"), "be at most 8");
  });
});

/** Layouts and formats that the frameworks have settings for, or have none. */
const trained = [
  { tp: 2, pp: 2, dp: 4, schedule: "interleaved", chunks: 2, sequenceParallel: true },
  { dp: 8, zeroStage: 2, offload: "optimizer", recompute: "selective", flash: false, shardRanks: 4 },
  { tp: 4, cp: 2, dp: 4, zeroStage: 3, offload: "parameters", recompute: "full", recomputeEvery: 2 },
  ...repeated(
    [],
    [
      {},
      { pp: 2, dp: 2, schedule: "zb-h1" },
      { pp: 4, microBatches: 8, schedule: "dualpipe-v", recipe: "mixed-adam-both-gradients" },
      { dp: 8, zeroStage: 1, recipe: "muon" },
      { dp: 8, zeroStage: 3, recipe: "bf16-adam" },
      { dp: 2, recipe: "fp32-adam", flash: false },
      { dp: 4, cp: 2, zeroStage: 1, recipe: "adam-8bit", sequence: 65536 },
      { dp: 4, ep: 4, cp: 2, zeroStage: 3, shardRanks: 4, recipe: "sgd-momentum", offload: "optimizer" },
      { tp: 2, pp: 2, cp: 2, schedule: "gpipe", recompute: "selective" },
    ],
  ),
];
const models = repeated(["llama3-70b", "deepseek-v2-lite"], ["gpt2", "gpt-neox-20b", "qwen3-30b-a3b", "gemma2-9b", "gpt-oss-20b", "qwen2.5-7b"]);

/** What the core says of a model on cards; nothing where it refuses it. */
function sentencesOf(lab, options) {
  try {
    const { notes, changes, activations } = lab.footprint(options);
    const terms = Object.values(activations).flat().map(({ name }) => name.replace(/_/g, " "));
    const launches = ["megatron", "deepspeed", "torchtitan", "fsdp2"].map((framework) => lab.launchSettings({ ...options, framework }));
    const settings = launches.flatMap(({ settings, leftOut }) => [
      ...settings.map(({ meaning }) => meaning),
      ...leftOut.map((sentence) => sentence.slice(sentence.indexOf(":") + 2)),
    ]);
    return [...notes, ...changes.notOffered.map(({ reason }) => reason), ...terms, ...settings].filter((text) => text !== "");
  } catch (error) {
    return [error.message];
  }
}

test("what the core says of a model on cards has its Chinese", async () => {
  const lab = await (await importBuilt()).load();
  const sources = [...lab.precisionRecipes(), ...lab.accelerators()].map(({ source }) => source);
  const all = models.flatMap((preset) => trained.flatMap((one) => sentencesOf(lab, { preset, gpu: "h100-80gb", microBatches: 4, ...one })));
  const english = [...new Set([...sources, ...all])].filter((text) => !/\p{Script=Han}/u.test(speaking(chinese, () => rule(text))));
  // Of a name that is the same in Chinese.
  assert.deepEqual(english.filter((text) => !/^(logits|mlp gate|mlp up)$/.test(text)), []);
});

let site;
before(async () => {
  site = await open();
});
after(() => site?.close());

describe("a widget in Chinese", () => {
  // What has nothing to be typed into refuses nothing.
  for (const routine of routines.filter((one) => wrong(one).length > 0)) {
    test(`${routine.id}: says in Chinese what an input must be, and what it is`, async () => {
      const body = `<shardlab-${routine.id} lang="zh"></shardlab-${routine.id}><script type="module" src="widgets/${routine.id}.js"></script>`;
      const page = await host(site, body);
      const widget = page.locator(`shardlab-${routine.id}`);
      await started(widget);
      const states = wrong(routine);
      const said = await widget.evaluate(complaints, states);
      assert.ok(said.length > states.length / 2, `${said.length} of ${states.length} inputs are refused`);
      for (const { state, text } of said) {
        assert.match(text, /必须/, state);
        assert.doesNotMatch(afterLabel(text), english, state);
      }
      assert.deepEqual(page.trouble, []);
      await page.close();
    });
  }
});
