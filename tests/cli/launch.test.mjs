// A footprint's request in the words of the frameworks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, assertRefused } from "./support.mjs";

const llama = "footprint --preset llama3-70b --gpu h100-80gb --sequence 4096 --flash";

/** What a JSON object has at a path with dots. */
function at(object, path) {
  return path.split(".").reduce((inner, step) => inner[step], object);
}

/** Paths of all that is no object. */
function leaves(object, path = []) {
  return Object.entries(object).flatMap(([key, value]) =>
    typeof value === "object" ? leaves(value, [...path, key]) : [[...path, key].join(".")],
  );
}

test("DeepSpeed's text is JSON that holds the settings and nothing else", () => {
  for (const options of ["--dp 8", "--dp 8 --zero-stage 3 --offload parameters --shard-ranks 4 --micro-batches 16"]) {
    const { launch } = answer(`${llama} ${options} --launch deepspeed`);
    const config = JSON.parse(launch.text);
    assert.deepEqual(
      leaves(config),
      launch.settings.map(({ name }) => name),
    );
    for (const { name, value } of launch.settings) {
      assert.deepEqual(at(config, name), JSON.parse(value), name);
    }
    assert.equal(
      config.train_batch_size,
      8 * config.train_micro_batch_size_per_gpu * config.gradient_accumulation_steps,
    );
  }
});

test("Megatron-LM's text is a command's arguments for the layout that was asked for", () => {
  const { launch } = answer(
    `${llama} --tp 8 --pp 4 --dp 2 --micro-batches 16 --schedule interleaved --chunks 5 --sequence-parallel ` +
      "--zero-stage 1 --recipe mixed-adam-fp32-gradients --launch megatron",
  );
  assert.equal(launch.framework, "megatron");
  assert.deepEqual(launch.left_out, []);
  const [run, ranks, ...lines] = launch.text.trimEnd().split("\n");
  assert.match(run, /^# .*not run here/);
  assert.match(ranks, /^# For 64 ranks/);
  assert.deepEqual(
    lines.map((line) => line.replace(/ \\$/, "")),
    launch.settings.map(({ name, value }) => (value === "" ? name : `${name} ${value}`)),
  );
  assert.ok(lines.slice(0, -1).every((line) => line.endsWith(" \\")));
  assert.ok(lines.includes("--num-layers-per-virtual-pipeline-stage 4 \\"));
  assert.ok(lines.includes("--global-batch-size 32 \\"));
});

test("torchtitan's and FSDP2's texts say that they were not run, and what is left out is said", () => {
  const titan = answer(`${llama} --tp 2 --pp 4 --micro-batches 8 --schedule dualpipe --launch torchtitan`).launch;
  assert.match(titan.text, /^# .*not run here/);
  assert.match(titan.text, /^\[parallelism\]$/m);
  assert.match(titan.text, /^tensor_parallel_degree = 2$/m);
  assert.ok(titan.left_out.some((sentence) => sentence.startsWith("schedule dualpipe: ")));
  const wrapped = answer(`${llama} --dp 8 --zero-stage 3 --launch fsdp2`).launch;
  assert.match(wrapped.text, /^# .*not run here/);
  assert.match(wrapped.text, /^fully_shard\(model\.tok_embeddings, \*\*options\)$/m);
  assert.match(wrapped.text, /^fully_shard\(model, \*\*options\)$/m);
  assert.match(wrapped.text, /\(8,\)/);
});

test("a launch is told where it is asked for, and refused by its option", () => {
  assert.equal("launch" in answer(llama), false);
  assertRefused(`${llama} --launch nemo`, "--launch is nemo", "megatron, deepspeed, torchtitan or fsdp2");
  assertRefused(`${llama} --tp 3 --launch megatron`, "multiple of tp, which is 3");
});
