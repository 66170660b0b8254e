import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file } from "./support.mjs";

const layer = "activations --hidden 8192 --heads 64 --sequence 4096 --tp 8";

test("a GELU layer on 8 ranks, with and without sequence parallelism", () => {
  assert.equal(answer(layer).bytes_per_layer, 1107296256);
  assert.equal(answer(`${layer} --sequence-parallel`).bytes_per_layer, 813694976);
});

test("the terms add up to the layer, each with its formula", () => {
  const { bytes_per_layer: bytes, terms } = answer(`${layer} --kv-heads 8 --gated --ffn 28672 --no-dropout`);
  assert.equal(
    terms.reduce((sum, term) => sum + term.bytes, 0),
    bytes,
  );
  assert.ok(terms.every((term) => term.formula.includes("s·b")));
  assert.ok(terms.every((term) => !term.term.includes("dropout")));
  assert.equal(terms.find((term) => term.term === "mlp_gate").bytes, (2 * 4096 * 28672) / 8);
});

test("Korthikanti's layer on one rank: 34sbh + 5as²b, 34sbh and 2sbh", () => {
  const sbh = 2048 * 4 * 6144;
  const small = "activations --hidden 6144 --heads 64 --sequence 2048 --micro-batch 4";
  assert.equal(answer(small).bytes_per_layer, 34 * sbh + 5 * 64 * 2048 * 2048 * 4);
  assert.equal(answer(`${small} --recompute selective`).bytes_per_layer, 34 * sbh);
  assert.equal(answer(`${small} --recompute full`).bytes_per_layer, 2 * sbh);
  assert.equal(answer(`${small} --layers 48 --recompute full`).bytes, 48 * 2 * sbh);
  assert.equal(answer(`${small} --flash`).bytes_per_layer, 34 * sbh + 4 * 64 * 2048 * 4);
});

test("a model's own layers, of both kinds where it has experts", () => {
  const mixture = answer("activations --preset deepseek-v3 --sequence 4096 --flash");
  assert.equal(mixture.bytes, 3 * mixture.bytes_per_layer + 58 * mixture.bytes_per_expert_layer);
  assert.ok(mixture.expert_terms.some((term) => term.term === "expert_inputs"));
});

test("key and value heads fewer than the ranks are said to be held twice", () => {
  const { notes } = answer("activations --hidden 4096 --heads 32 --kv-heads 4 --sequence 64 --tp 8");
  assert.match(notes[0], /kv_heads, 4, are fewer than tp, 8/);
});

test("each place of dropout that a configuration turns off keeps no mask", () => {
  const gpt2 = { model_type: "gpt2", n_embd: 64, n_layer: 4, n_head: 4, n_positions: 16, vocab_size: 50 };
  const terms = (fields, words = "") => {
    const path = file("gpt2.json", JSON.stringify({ ...gpt2, ...fields }));
    const all = answer(`activations --config ${path} --sequence 16 ${words}`).terms;
    return all.map(({ term }) => term).filter((term) => term.includes("dropout"));
  };
  const scores = ["attention_scores_dropout_mask", "attention_scores_after_dropout"];
  const outputs = ["attention_dropout_mask", "mlp_dropout_mask"];
  assert.deepEqual(terms({}), [...scores, ...outputs]);
  assert.deepEqual(terms({ attn_pdrop: 0 }), outputs);
  assert.deepEqual(terms({ resid_pdrop: 0 }), scores);
  assert.deepEqual(terms({}, "--no-dropout"), []);
});

test("a sequence beyond the model's positions is refused or noted, and a layer of one's own has no such end", () => {
  assertRefused("activations --preset gpt2 --sequence 1025", "--sequence is 1025", "learned, which are 1024");
  assert.match(answer("activations --preset llama3-8b --sequence 16384").notes[0], /^sequence, 16384, is longer/);
  assert.deepEqual(answer(layer).notes, []);
});

test("what does not divide is refused with the rule", () => {
  assertRefused("activations --hidden 3584 --heads 28 --sequence 64 --tp 8", "--heads is 28", "multiple of tp, which is 8");
  assertRefused("activations --hidden 100 --heads 3 --sequence 64", "--heads is 3", "divide hidden");
  assertRefused("activations --hidden 64 --heads 4", "--sequence is missing");
  assertRefused("activations --heads 4 --sequence 8", "--hidden is missing");
  assertRefused("activations --hidden 64 --heads 4 --sequence 8 --recompute some", "--recompute is some");
  assertRefused("activations --preset llama3-8b --hidden 64 --sequence 8", "--hidden is 64");
  assertRefused("activations --hidden 64 --heads 1e9 --sequence 8", "--heads is 1e9");
});
