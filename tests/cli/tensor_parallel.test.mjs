import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused, file, text } from "./support.mjs";

const keys = [
  "max_abs_error",
  "max_rel_error",
  "gradients",
  "collectives",
  "forward_bytes_per_rank",
  "backward_bytes_per_rank",
  "communication_bytes_per_rank",
  "result",
];

test("by columns the product is exact and nothing is sent", () => {
  const product = answer("tensor-parallel");
  assert.deepEqual(Object.keys(product), keys);
  assert.equal(product.max_abs_error, 0);
  assert.equal(product.max_rel_error, 0);
  assert.equal(product.communication_bytes_per_rank, 0);
  assert.equal(product.result.length, 8);
  assert.ok(product.result.every((row) => row.length === 2));
});

test("by rows the partial sums are all-reduced: 2 S (N-1)/N bytes", () => {
  const words = "--ranks 4 --in-features 12 --out-features 8 --batch 4 --seed 7";
  const whole = answer(`tensor-parallel --split column ${words}`);
  const product = answer(`tensor-parallel --split row ${words}`);
  assert.equal(product.communication_bytes_per_rank, (2 * 8 * 4 * 8 * 3) / 4);
  assert.ok(product.max_rel_error < 1e-14);
  for (const [index, row] of product.result.entries()) {
    for (const [column, value] of row.entries()) {
      assert.ok(Math.abs(value - whole.result[index][column]) <= product.max_abs_error);
    }
  }
});

test("the defaults are column, 2 ranks, 8 x 8, a batch of 2 and seed 0", () => {
  const spelled =
    "tensor-parallel --split column --ranks 2 --in-features 8 --out-features 8 --batch 2 --seed 0";
  assert.equal(text("tensor-parallel"), text(spelled));
  assert.notEqual(text("tensor-parallel"), text("tensor-parallel --seed 1"));
});

test("sizes that ranks do not divide work, and more ranks than features too", () => {
  assert.equal(answer("tensor-parallel --ranks 3 --out-features 7").max_abs_error, 0);
  assert.ok(answer("tensor-parallel --split row --ranks 9 --in-features 4").max_rel_error < 1e-14);
});

test("bad input is refused by the option's own rule", () => {
  assertRefused("tensor-parallel --split diagonal", "--split is diagonal", "column or row");
  for (const option of ["--ranks", "--in-features", "--out-features", "--batch"]) {
    for (const value of ["0", "-1", "2.5", "nan", "many"]) {
      assertRefused(`tensor-parallel ${option} ${value}`, `${option} is ${value};`, "a whole number from 1 to");
    }
  }
  for (const value of ["-1", "0.5", "1e16"]) {
    assertRefused(`tensor-parallel --seed ${value}`, `--seed is ${value};`, "a whole number from 0 to");
  }
});

test("matrices that are too large are refused before they are made", () => {
  assertRefused("tensor-parallel --in-features 1e5 --out-features 1e5", "--out-features is 1e5", "at most 67108864");
  assertRefused("tensor-parallel --in-features 1e5 --batch 1e5", "--batch is 1e5", "at most 67108864");
  assertRefused(
    "tensor-parallel --in-features 8192 --out-features 8192 --batch 8192",
    "--out-features is 8192",
    "multiplications",
  );
});

/** The kinds of collectives in a phase, in their order. */
const kinds = ({ collectives }, phase) =>
  collectives.filter((call) => call.phase === phase).map(({ kind }) => kind);

test("a linear layer's backward needs the all-reduce that its forward does not", () => {
  const column = answer("tensor-parallel --split column --ranks 4");
  assert.deepEqual([kinds(column, "forward"), kinds(column, "backward")], [[], ["all-reduce"]]);
  assert.deepEqual([column.forward_bytes_per_rank, column.backward_bytes_per_rank], [0, 192]);
  const row = answer("tensor-parallel --split row --ranks 4");
  assert.deepEqual([kinds(row, "forward"), kinds(row, "backward")], [["all-reduce"], []]);
  for (const error of Object.values({ ...column.gradients, ...row.gradients })) assert.ok(error < 1e-14);
  assert.ok(answer("tensor-parallel --split row --forget forward-all-reduce").max_rel_error > 0.1);
  assert.ok(answer("tensor-parallel --split column --forget backward-all-reduce").gradients.input > 0.1);
});

test("every block gives the whole one's output and gradients", () => {
  const weights = {
    mlp: ["down", "up"],
    attention: ["key", "output", "query", "value"],
    transformer: ["attention_norm", "down", "gate", "key", "mlp_norm", "output", "query", "up", "value"],
    vocabulary: ["embedding", "head"],
  };
  for (const [block, names] of Object.entries(weights)) {
    const more = block === "transformer" ? "--activation swiglu --norm rms --dropout 0.1 --kv-heads 2" : "";
    const run = answer(`tensor-parallel --block ${block} --ranks 4 --seed 3 ${more}`);
    assert.ok(run.max_rel_error < 1e-12, block);
    assert.deepEqual(Object.keys(run.gradients), ["input", ...names]);
    for (const [name, error] of Object.entries(run.gradients)) assert.ok(error < 1e-12, `${block} ${name}`);
    assert.equal(run.weight_elements_per_rank.length, 4);
  }
});

test("a transformer layer reduces twice each way; in parts of the sequence it gathers and scatters", () => {
  const whole = answer("tensor-parallel --block transformer --ranks 4");
  assert.deepEqual(kinds(whole, "forward"), ["all-reduce", "all-reduce"]);
  assert.deepEqual(kinds(whole, "backward"), ["all-reduce", "all-reduce"]);
  const pair = ["all-gather", "reduce-scatter"];
  const parts = answer("tensor-parallel --block transformer --ranks 4 --sequence-parallel --keep-gathered");
  assert.deepEqual(kinds(parts, "forward"), [...pair, ...pair]);
  assert.deepEqual(kinds(parts, "backward"), [...pair, ...pair]);
  assert.equal(parts.gathered_bytes_kept_per_rank, 2 * 16 * 16 * 0.75 * 8);
  const again = answer("tensor-parallel --block transformer --ranks 4 --sequence-parallel");
  assert.equal(kinds(again, "backward").filter((kind) => kind === "all-gather").length, 4);
  assert.equal(again.gathered_bytes_kept_per_rank, 0);
});

test("what is forgotten shows, and what a block cannot forget is refused", () => {
  for (const [block, mistake] of [
    ["mlp", "forward-all-reduce"],
    ["mlp", "column-first"],
    ["attention", "whole-heads"],
    ["transformer", "backward-all-reduce"],
  ]) {
    const { max_rel_error, gradients } = answer(`tensor-parallel --block ${block} --forget ${mistake}`);
    assert.ok(Math.max(max_rel_error, gradients.input) > 0.05, `${block} ${mistake}`);
  }
  assertRefused("tensor-parallel --block mlp --forget whole-heads", "--forget is whole-heads", "block mlp");
  assertRefused("tensor-parallel --forget all", "--forget is all", "forward-all-reduce");
});

test("heads that do not divide are refused; key and value heads that are fewer are copied", () => {
  assertRefused("tensor-parallel --block attention --hidden 56 --heads 28 --ranks 8", "--heads is 28", "multiple of ranks");
  const copied = answer("tensor-parallel --block attention --hidden 32 --heads 8 --kv-heads 4 --ranks 8");
  assert.ok(copied.max_rel_error < 1e-12);
  assert.equal(copied.kv_head_copies, 2);
  assert.deepEqual(copied.collectives.filter(({ phase }) => phase === "step").map(({ tensor, ranks }) => [tensor, ranks]), [
    ["key and value gradients", 2],
  ]);
  assertRefused("tensor-parallel --block attention --heads 6 --hidden 18 --kv-heads 2 --ranks 3", "--kv-heads is 2");
  assertRefused("tensor-parallel --block conv", "--block is conv");
  assertRefused("tensor-parallel --sequence-parallel", "--sequence-parallel is given");
  assertRefused("tensor-parallel --block mlp --sequence 1000000 --hidden 4096", "--sequence is 1000000");
  assertRefused("tensor-parallel --block mlp --ranks 1 --forget forward-all-reduce", "--forget is", "more than one rank");
});

const llama = file(
  "llama-3-70b.json",
  JSON.stringify({
    model_type: "llama",
    hidden_size: 8192,
    num_hidden_layers: 80,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    intermediate_size: 28672,
    vocab_size: 128256,
    max_position_embeddings: 8192,
    tie_word_embeddings: false,
  }),
);

test("Llama-3-70B: each all-reduce of a layer moves 134 217 728 bytes", () => {
  const words = ["tensor-parallel-cost", "--config", llama, "--ranks", "8", "--micro-batch", "1", "--sequence", "8192"];
  const cost = answer(words);
  const layer = cost.collectives.filter(({ count }) => count === 80);
  assert.deepEqual(layer.map(({ kind, phase, bytes }) => [kind, phase, bytes]), [
    ["all-reduce", "forward", 134217728],
    ["all-reduce", "forward", 134217728],
    ["all-reduce", "backward", 134217728],
    ["all-reduce", "backward", 134217728],
  ]);
  assert.equal(cost.communication_bytes_per_token_and_layer, 4 * 1.75 * 16384);
  const parts = answer([...words, "--sequence-parallel", "--keep-gathered"]);
  assert.equal(parts.communication_bytes_per_token_and_layer, cost.communication_bytes_per_token_and_layer);
  assertRefused([...words.slice(0, 4), "3", ...words.slice(5)], "--config", "heads is 64", "multiple of ranks");
});

test("a mixture of experts is refused a cost, since its layers are sharded otherwise", () => {
  const model = { model_type: "mixtral", hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 8 };
  const experts = { intermediate_size: 128, vocab_size: 100, num_local_experts: 4, num_experts_per_tok: 2 };
  const path = file("mixtral.json", JSON.stringify({ ...model, ...experts }));
  const words = ["tensor-parallel-cost", "--config", path, "--ranks", "2", "--micro-batch", "1", "--sequence", "16"];
  assertRefused(words, `--config ${path}: experts.count is 4`, "be 0");
});

test("a cost is refused beyond the positions that a model has learned", () => {
  const path = file(
    "gpt2.json",
    JSON.stringify({ model_type: "gpt2", n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024, vocab_size: 50257 }),
  );
  const words = ["tensor-parallel-cost", "--config", path, "--ranks", "2", "--sequence"];
  assert.equal(answer([...words, "1024"]).layers, 12);
  assertRefused([...words, "2048"], "--sequence is 2048", "learned, which are 1024");
});
