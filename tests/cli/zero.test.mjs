import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, directory, file, text } from "./support.mjs";

const keys = [
  "params",
  "parameter_bytes",
  "gradient_bytes",
  "optimizer_bytes",
  "host_bytes",
  "params_on_rank",
  "bytes_per_param",
  "sent_bytes",
  "sent",
  "total_bytes",
  "notes",
];

const llama3 = {
  architectures: ["LlamaForCausalLM"],
  attention_bias: false,
  hidden_size: 4096,
  intermediate_size: 14336,
  max_position_embeddings: 8192,
  model_type: "llama",
  num_attention_heads: 32,
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  rope_scaling: null,
  tie_word_embeddings: false,
  torch_dtype: "bfloat16",
  vocab_size: 128256,
};

const gpt2 = { model_type: "gpt2", n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024, vocab_size: 50257 };

function config(name, content) {
  return file(name, typeof content === "string" ? content : JSON.stringify(content, null, 2));
}

function sized(path) {
  return answer(["zero", "--config", path, "--ranks", "8", "--zero-stage", "3"]);
}

function assertConfigRefused(content, ...parts) {
  const path = config("refused.json", content);
  assertRefused(["zero", "--config", path, "--ranks", "8", "--zero-stage", "3"], "--config", path, ...parts);
}

test("7.5 B parameters on 64 ranks: 120, 31.40625, 16.640625 and 1.875 GB", () => {
  const gigabytes = [0, 1, 2, 3].map((stage) => {
    const memory = answer(`zero --params 7.5e9 --ranks 64 --zero-stage ${stage}`);
    assert.deepEqual(Object.keys(memory), keys);
    assert.equal(memory.params, 7500000000);
    assert.equal(memory.parameter_bytes + memory.gradient_bytes + memory.optimizer_bytes, memory.total_bytes);
    return memory.total_bytes / 1e9;
  });
  assert.deepEqual(gigabytes, [120, 31.40625, 16.640625, 1.875]);
});

test("whole numbers print as integers, and counts may be written as they like", () => {
  const printed = text("zero --params 7.5e9 --ranks 64 --zero-stage 0");
  assert.match(printed, /"total_bytes": 120000000000,\n/);
  assert.equal(text("zero --params 7500000000.0 --ranks 64.0 --zero-stage 0e0"), printed);
});

test("bytes beyond 32 bits stay exact", () => {
  const memory = answer(`zero --params ${152064 * 8192} --ranks 1 --zero-stage 0`);
  assert.equal(memory.parameter_bytes, 2491416576);
});

test("a part of parameters is rounded up to whole ones, which is said", () => {
  const third = answer("zero --params 100 --tp 3 --ranks 1 --zero-stage 0");
  assert.equal(third.params_on_rank, 34);
  assert.equal(third.total_bytes, 34 * 16);
  assert.match(third.notes[0], /^params, 100, do not divide by tp times pp, 3: /);
  assert.deepEqual(answer("zero --params 99 --tp 3 --ranks 1 --zero-stage 0").notes, []);
});

test("what is sent is listed, and stage 3 may keep what it has gathered", () => {
  const size = "zero --params 8e9 --ranks 8 --zero-stage 3";
  const kinds = ({ sent }) => sent.map(({ collective, pass, times }) => [collective, pass, times]);
  const freed = answer(`${size} --micro-batches 2`);
  assert.deepEqual(kinds(freed), [["all-gather", "forward", 2], ["all-gather", "backward", 2], ["reduce-scatter", "backward", 2]]);
  assert.equal(freed.sent.reduce((sum, { times, bytes }) => sum + times * bytes, 0), freed.sent_bytes);
  const kept = answer(`${size} --gathered kept`);
  assert.deepEqual(kinds(kept), [["all-gather", "forward", 1], ["reduce-scatter", "backward", 1]]);
  assert.equal(kept.parameter_bytes, 2 * 8e9);
  assertRefused("zero --params 8e9 --ranks 8 --zero-stage 2 --gathered kept", "--gathered", "kept");
});

test("key and value heads that several ranks hold are noted as a footprint notes them", () => {
  const layout = "--preset llama3-70b --tp 16 --dp 2 --zero-stage 1";
  const { notes } = answer(`zero ${layout}`);
  assert.match(notes[0], /^kv_heads, 8, are fewer than tp, 16: /);
  assert.deepEqual(notes, answer(`footprint ${layout} --gpu h100-80gb --sequence 4096 --flash`).notes);
});

test("Llama-3-8B has 8 030 261 248 parameters", () => {
  const memory = sized(config("llama3.json", llama3));
  assert.deepEqual(Object.keys(memory), keys);
  assert.equal(memory.params, 8030261248);
  assert.equal(memory.total_bytes, (16 * 8030261248) / 8);
});

test("GPT-2 has 124 439 808 parameters", () => {
  assert.equal(sized(config("gpt2.json", gpt2)).params, 124439808);
});

test("null values of a configuration and nested ones of other fields decide nothing", () => {
  const nested = { ...gpt2, n_inner: null, task_specific_params: { text: { n_layer: 99 } }, n_head_list: [1, 2] };
  assert.equal(sized(config("nested.json", nested)).params, 124439808);
});

test("a configuration that cannot be counted is refused with its field", () => {
  assertConfigRefused({ ...llama3, model_type: "bert" }, "model_type is bert", "be one of", "gpt2", "llama");
  assertConfigRefused({ ...llama3, model_type: undefined }, "model_type is missing");
  assertConfigRefused({ ...llama3, hidden_size: undefined }, "hidden_size is missing");
  assertConfigRefused({ ...llama3, hidden_size: null }, "hidden_size is missing");
  assertConfigRefused({ ...llama3, num_key_value_heads: [8] }, "num_key_value_heads is a list or an object", "a whole number");
  assertConfigRefused({ ...llama3, hidden_size: "big" }, "hidden_size", "big", "a whole number");
  assertConfigRefused({ ...llama3, num_hidden_layers: 0 }, "num_hidden_layers is 0", "a whole number from 1");
  assertConfigRefused({ ...llama3, num_hidden_layers: 1.5 }, "num_hidden_layers is 1.5");
  assertConfigRefused({ ...llama3, num_key_value_heads: 5 }, "num_key_value_heads is 5", "divide");
  assertConfigRefused({ ...llama3, vocab_size: 2e9, hidden_size: 2e9 }, "must");
});

test("a file that is no JSON object is refused with the place", () => {
  assertConfigRefused('{"hidden_size": 1,\n oops}', "a JSON object", "line 2, column 2");
  assertConfigRefused("", "a JSON object", "line 1, column 1");
  assertConfigRefused("[1, 2]", "a JSON object", "not a JSON array");
  assertConfigRefused("7", "a JSON object", "not a JSON number");
  assertConfigRefused('{"hidden_size": 1e999}', "a JSON object");
  assertConfigRefused("[".repeat(100000), "a JSON object");
  assertConfigRefused("\u0000\u001b[31m", "a JSON object");
});

test("a file that cannot be read is refused with its path", () => {
  const words = (path) => ["zero", "--config", path, "--ranks", "8", "--zero-stage", "3"];
  const missing = `${directory()}/missing.json`;
  assertRefused(words(missing), "--config is", missing, "a file that can be read", "No such file");
  assertRefused(words(directory()), "--config is", directory(), "Is a directory");
});

test("parameters come as a number or a file, not both and not neither", () => {
  assertRefused("zero --ranks 8 --zero-stage 3", "--params is missing", "--config");
  assertRefused("zero --params 1e9 --config x.json --ranks 8 --zero-stage 3", "--params is 1e9", "--config");
});

test("bad numbers are refused by the option's own rule", () => {
  for (const value of ["4", "-1", "1.5", "nan", "three"]) {
    assertRefused(`zero --params 1e9 --ranks 8 --zero-stage ${value}`, `--zero-stage is ${value};`, "from 0 to 3");
  }
  for (const value of ["0", "-1", "1.5", "nan"]) {
    assertRefused(`zero --params 1e9 --zero-stage 1 --ranks ${value}`, `--ranks is ${value};`, "from 1 to");
  }
  for (const value of ["0", "-1", "1.5", "nan", "inf", "9007199254740993", "1e16", "7.5e9GB", "7,5e9"]) {
    assertRefused(`zero --ranks 8 --zero-stage 1 --params ${value}`, `--params is ${value};`, "from 1 to 9007199254740992");
  }
  assertRefused("zero --params 1e9 --zero-stage 1", "--ranks is missing");
  assertRefused("zero --params 1e9 --ranks 8", "--zero-stage is missing");
});
