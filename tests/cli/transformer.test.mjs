import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file } from "./support.mjs";

const keys = [
  "parameters",
  "active_parameters",
  "by_part",
  "prediction_heads",
  "sequence",
  "flops_per_token",
  "hardware_flops_per_token",
  "notes",
  "unknown_fields",
];

const mixtral = {
  model_type: "mixtral",
  hidden_size: 4096,
  intermediate_size: 14336,
  max_position_embeddings: 32768,
  num_attention_heads: 32,
  num_experts_per_tok: 2,
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  num_local_experts: 8,
  rope_theta: 1000000.0,
  sliding_window: null,
  torch_dtype: "bfloat16",
  vocab_size: 32000,
};

function counted(config, words = []) {
  return answer(["transformer", "--config", file("model.json", JSON.stringify(config)), ...words]);
}

function assertConfigRefused(config, ...parts) {
  const path = file("refused.json", JSON.stringify(config));
  assertRefused(["transformer", "--config", path], `--config ${path}`, ...parts);
}

test("Mixtral 8x7B has 46 702 792 704 parameters, of which a token meets 12 879 925 248", () => {
  const model = counted(mixtral);
  assert.deepEqual(Object.keys(model), keys);
  assert.equal(model.parameters, 46702792704);
  assert.equal(model.active_parameters, 12879925248);
  assert.equal(Object.values(model.by_part).reduce((sum, part) => sum + part), model.parameters);
  assert.equal(model.by_part.experts, 32 * 8 * 3 * 4096 * 14336);
  assert.deepEqual(model.unknown_fields, []);
  assert.deepEqual(answer("transformer --preset mixtral-8x7b"), model);
});

test("FLOPs are for a sequence of the model's own length and at most 8192, or for the one that is asked for", () => {
  const { sequence, ...usual } = counted(mixtral);
  assert.equal(sequence, 8192);
  assert.equal(counted(mixtral, ["--sequence", "8192"]).flops_per_token, usual.flops_per_token);
  assert.equal(answer("transformer --preset gpt2").sequence, 1024);
  const flops = (length) => counted(mixtral, ["--sequence", `${length}`]).flops_per_token;
  assert.equal(flops(2) - flops(1), 3 * 4 * 32 * 4096);
});

test("recomputation adds to what is done and not to what the model needs", () => {
  const [none, selective, full] = ["none", "selective", "full"].map((recompute) =>
    answer(`transformer --preset megatron-22b --recompute ${recompute}`),
  );
  assert.equal(none.hardware_flops_per_token, none.flops_per_token);
  assert.equal(selective.flops_per_token, none.flops_per_token);
  assert.equal(selective.hardware_flops_per_token - none.flops_per_token, 48 * 4 * 2048 * 6144);
  assert.equal(full.hardware_flops_per_token * 3, full.flops_per_token * 4 - 3 * 2 * 51200 * 6144);
});

test("prediction heads are counted beside the model", () => {
  assert.equal(answer("transformer --preset deepseek-v3").prediction_heads, 11610068224);
  assert.equal(answer("transformer --preset deepseek-v2").prediction_heads, 0);
});

test("every preset is listed with its source, and can be asked for", () => {
  const { presets } = answer("transformer --list-presets");
  assert.equal(presets.length, 30);
  for (const { id, name, parameters, active_parameters, source } of presets) {
    assert.ok(name.length > 0 && source.length > 0);
    const model = answer(["transformer", "--preset", id]);
    assert.equal(model.parameters, parameters);
    assert.equal(model.active_parameters, active_parameters);
  }
});

test("what is not understood of a configuration is said", () => {
  const config = { ...mixtral, num_key_value_head: 4, vision_config: { layers: [1] }, rope_scaling: { factor: 8 } };
  assert.deepEqual(counted(config).unknown_fields, ["num_key_value_head", "vision_config"]);
});

test("lists and nested objects of a configuration are read", () => {
  const qwen = {
    ...mixtral,
    model_type: "qwen3_moe",
    num_experts: 4,
    moe_intermediate_size: 8,
    mlp_only_layers: [31, 0],
  };
  assert.equal(counted(qwen).by_part.mlp, 2 * 3 * 4096 * 14336);
  const text_config = { hidden_size: 2560, intermediate_size: 10240, num_hidden_layers: 34 };
  assert.equal(counted({ model_type: "gemma3", text_config }).parameters, 3880263168);
  assertConfigRefused({ ...qwen, mlp_only_layers: [32] }, "mlp_only_layers is 32", "from 0 to 31");
  assertConfigRefused({ ...qwen, mlp_only_layers: ["0"] }, "mlp_only_layers is a list or an object", "a list of layers");
  const headless = { ...text_config, num_attention_heads: 0 };
  assertConfigRefused({ model_type: "gemma3", text_config: headless }, "text_config.num_attention_heads is 0");
});

test("a model that cannot be counted is refused with its field", () => {
  assertConfigRefused({ ...mixtral, num_experts_per_tok: 9 }, "num_experts_per_tok is 9", "from 1 to 8");
  assertConfigRefused({ ...mixtral, num_local_experts: undefined }, "num_local_experts is missing");
  assertConfigRefused({ ...mixtral, model_type: "mamba" }, "model_type is mamba", "deepseek_v3", "qwen3_moe");
  assertConfigRefused({ ...mixtral, vocab_size: 2 ** 60 }, "vocab_size is 1.152921504606847e+18");
});

test("a sequence is within learned positions, and beyond rotary ones it is noted", () => {
  assertRefused("transformer --preset gpt2 --sequence 2048", "--sequence is 2048", "learned, which are 1024");
  assert.deepEqual(answer("transformer --preset llama3-8b --sequence 8192").notes, []);
  assert.match(answer("transformer --preset llama3-8b --sequence 8193").notes[0], /^sequence, 8193, is longer than the 8192 /);
});

test("probabilities of dropout are checked, and null is the family's default", () => {
  const gpt2 = { model_type: "gpt2", n_embd: 64, n_layer: 4, n_head: 4, n_positions: 16, vocab_size: 50 };
  for (const field of ["attn_pdrop", "resid_pdrop", "embd_pdrop"]) {
    for (const value of [-0.1, 2, "x", true, [0.1]]) {
      assertConfigRefused({ ...gpt2, [field]: value }, `${field} is `, "from 0 to 1");
    }
    assert.equal(counted({ ...gpt2, [field]: null }).parameters, counted(gpt2).parameters);
  }
  assertConfigRefused({ ...mixtral, attention_dropout: 1.5 }, "attention_dropout is 1.5");
});

test("the model, the sequence and the recomputation are checked", () => {
  assertRefused("transformer", "--config is missing", "--preset");
  assertRefused("transformer --preset gpt-5", "--preset is gpt-5", "gpt2, gpt2-xl", "deepseek-v3");
  assertRefused("transformer --preset gpt2 --config x.json", "--preset is gpt2", "without --config");
  assertRefused("transformer --preset gpt2 --sequence 0", "--sequence is 0");
  assertRefused("transformer --preset gpt2 --sequence 1.5", "--sequence is 1.5");
  assertRefused("transformer --preset gpt2 --recompute some", "--recompute is some", "none, selective or full");
});
