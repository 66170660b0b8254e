import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { answer, assertRefused, directory, file, text } from "./support.mjs";

const gibibyte = 2 ** 30;
const llama = "footprint --preset llama3-70b --gpu h100-80gb --sequence 4096 --flash";

const alone = "--context-bytes 0 --communication-bytes 0 --bucket-bytes 0 --fragmentation 0 --no-logit-gradients";

test("Llama 3 70B under stage 3 on 8 cards holds 131.42 GiB of states, does not fit, and is told what does", () => {
  const sized = answer(`${llama} --dp 8 --zero-stage 3 --recompute full`);
  assert.equal(sized.fits, false);
  assert.equal((sized.per_stage[0].state_bytes / gibibyte).toFixed(2), "131.42");
  assert.equal(sized.capacity_bytes, 85520809984);
  assert.ok(sized.usable_bytes < sized.capacity_bytes);
  assert.ok(sized.changes.length > 0);
  for (const change of sized.changes) {
    assert.ok(change.most_loaded_rank_bytes <= sized.usable_bytes);
    const { tp, pp, dp, cp, micro_batch, micro_batches, zero_stage, recompute } = change.request;
    const applied = answer(
      `${llama} --tp ${tp} --pp ${pp} --dp ${dp} --cp ${cp} --micro-batch ${micro_batch} ` +
        `--micro-batches ${micro_batches} --zero-stage ${zero_stage} --recompute ${recompute}` +
        (change.request.sequence_parallel ? " --sequence-parallel" : ""),
    );
    assert.equal(applied.fits, true, change.parameter);
    assert.equal(applied.most_loaded_rank_bytes, change.most_loaded_rank_bytes);
    assert.deepEqual(applied.cost, change.cost);
  }
  assert.ok(sized.not_offered.every((change) => change.reason.endsWith(".")));
});

test("the heaviest of uneven stages is the answer: 9952 parameters, 89 568 bytes of states", () => {
  const config = file(
    "uneven.json",
    JSON.stringify({
      model_type: "transformer",
      hidden: 16,
      layers: 8,
      heads: 4,
      ffn: 64,
      vocabulary: 32,
      sequence: 8,
      norm_bias: true,
    }),
  );
  const sized = answer(
    `footprint --config ${config} --gpu custom:1e9 --pp 4 --dp 4 --layers-per-part 1,2,2,3 --zero-stage 1 ` +
      `--recipe mixed-adam-fp32-gradients --sequence 8 ${alone}`,
  );
  const states = sized.per_stage.map((stage) => stage.state_bytes);
  assert.equal(sized.per_stage[3].parameters, 9952);
  assert.equal(Math.max(...states), 89568);
  assert.deepEqual(
    sized.per_stage.map((stage) => stage.layers),
    [1, 2, 2, 3],
  );
});

test("each stage's parts add up to its total, and the table is written as CSV", () => {
  const path = join(directory(), "stages.csv");
  const sized = answer(`${llama} --tp 8 --pp 4 --dp 2 --zero-stage 1 --micro-batches 16 --csv ${path}`);
  const [header, ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  assert.equal(rows.length, 4);
  const names = header.split(",");
  for (const [index, stage] of sized.per_stage.entries()) {
    const parts = names.filter((name) => name.endsWith("_bytes") && !/^(total|state|host)_/.test(name));
    assert.equal(
      parts.reduce((sum, name) => sum + stage[name], 0),
      stage.total_bytes,
    );
    assert.deepEqual(rows[index].split(",").map(Number), names.map((name) => stage[name]));
    assert.equal(stage.micro_batches_in_flight, 4 - index);
  }
});

test("the smallest cluster is found, or said not to be there", () => {
  const { smallest_cluster: found } = answer(`${llama} --micro-batches 8 --smallest-cluster`);
  assert.ok(found.tp * found.pp * found.dp <= 16);
  assert.equal(answer(`${llama} --smallest-cluster --most-ranks 8`).smallest_cluster, false);
});

test("the smallest clusters are of any number of cards, stages and replicas", () => {
  const cards = (options) => {
    const { tp, pp, dp } = answer(`footprint ${options} --gpu h100-80gb --smallest-cluster`).smallest_cluster;
    return tp * pp * dp;
  };
  assert.equal(cards("--preset llama2-13b --sequence 4096 --flash"), 3);
  assert.equal(cards("--preset gpt-neox-20b --sequence 2048 --micro-batches 64"), 5);
  const { changes } = answer("footprint --preset llama3-8b --gpu h100-80gb --sequence 8192 --most-ranks 7");
  assert.equal(changes.find(({ parameter }) => parameter === "pp").value, "5");
});

test("the options of an offer are all that it takes: the command with them gives the same bytes and cost", () => {
  const requests = [
    `${llama} --dp 8 --zero-stage 3 --recompute full`,
    `${llama} --dp 16 --zero-stage 1 --micro-batches 4`,
    `${llama} --dp 6 --pp 2 --zero-stage 2 --micro-batch 6`,
    "footprint --preset gpt-neox-20b --gpu a100-40gb --sequence 2048 --dp 4",
    "footprint --preset llama3-8b --gpu h100-80gb --sequence 4096 --flash --dp 8",
    "footprint --preset llama3-8b --gpu h100-80gb --sequence 8192 --flash --micro-batch 8 --tp 2 --dp 3 --zero-stage 1",
  ];
  const applied = new Set();
  for (const request of requests) {
    const words = request.split(" ");
    for (const { parameter, value, options, most_loaded_rank_bytes, cost } of answer(request).changes) {
      assert.equal(String(options[parameter]), value);
      const isSet = (word) => word?.startsWith("--") && word.slice(2).replaceAll("-", "_") in options;
      const rest = words.filter((word, at) => !isSet(word) && !isSet(words[at - 1]));
      const set = Object.entries(options).flatMap(([name, one]) => [`--${name.replaceAll("_", "-")}`, ...(one === true ? [] : [String(one)])]);
      const again = answer([...rest, ...set]);
      assert.equal(again.most_loaded_rank_bytes, most_loaded_rank_bytes, `${request}: ${parameter}`);
      assert.deepEqual(again.cost, cost);
      applied.add(parameter);
    }
  }
  for (const parameter of ["tp", "pp", "dp", "micro_batch", "zero_stage"]) assert.ok(applied.has(parameter), parameter);
});

test("cards go by id, or by bytes of one's own", () => {
  assert.equal(answer("footprint --preset gpt2 --gpu custom:24e9 --sequence 1024").usable_bytes, 24e9);
  assertRefused("footprint --preset gpt2 --gpu h100 --sequence 8", "--gpu is h100", "h100-80gb");
  assertRefused("footprint --preset gpt2 --gpu custom:-1 --sequence 8", "--gpu is");
  assertRefused("footprint --preset gpt2 --gpu custom:80GB --sequence 8", "--gpu is custom:80GB", "bytes", "custom:80e9");
  assert.equal(answer("footprint --preset gpt2 --gpu custom:85899345920 --sequence 8").usable_bytes, 80 * gibibyte);
});

test("a sequence beyond the model's positions is refused or noted", () => {
  assertRefused("footprint --preset gpt2 --gpu h100-80gb --sequence 1025", "--sequence is 1025", "learned, which are 1024");
  const beyond = "footprint --preset llama3-8b --gpu h100-80gb --sequence 16384 --flash --launch megatron";
  const { notes, launch } = answer(beyond);
  assert.match(notes[0], /^sequence, 16384, is longer than the 8192 tokens/);
  assert.ok(launch.left_out.some((sentence) => sentence.startsWith("sequence beyond 8192: ")));
});

test("a footprint refuses by the option", () => {
  assertRefused("footprint --gpu h100-80gb --sequence 8", "--config is missing", "--preset");
  assertRefused("footprint --preset gpt2 --sequence 8", "--gpu is missing");
  assertRefused(`${llama} --tp 3`, "multiple of tp, which is 3");
  assertRefused(`${llama} --ep 2 --dp 2`, "--ep is 2", "experts");
  assertRefused(`${llama} --pp 2 --layers-per-part 40,41`, "--layers-per-part is 40,41");
  assertRefused(`${llama} --zero-stage 4`, "--zero-stage is 4");
  assertRefused(`${llama} --schedule fifo`, "--schedule is fifo");
  assertRefused(`${llama} --micro-batch 0`, "--micro-batch is 0");
  assertRefused(`${llama} --dp 2 --zero-stage 1 --shard-ranks 4`, "--shard-ranks is 4", "at most the ranks");
  assertRefused(`${llama} --dp 6 --zero-stage 1 --shard-ranks 4`, "--shard-ranks is 4", "divide the ranks", "are 6");
  assertRefused(`${llama} --schedule dualpipe --pp 3 --micro-batches 12`, "--pp is 3", "be even");
  assertRefused(`${llama} --recompute-every 2`, "--recompute-every is 2", "unless recompute is full");
  assertRefused(`${llama} --recipe adam`, "--recipe is adam", "mixed-adam");
});

test("tensor and pipeline parallelism divide the states first, ZeRO by the rest alone", () => {
  const split = answer(
    "zero --params 70.59e9 --tp 8 --pp 8 --dp 1 --zero-stage 1 --recipe mixed-adam-fp32-gradients",
  );
  assert.equal((split.gradient_bytes / gibibyte).toFixed(3), "4.109");
  const sharded = answer("zero --params 70.59e9 --tp 8 --dp 8 --zero-stage 3");
  assert.equal((sharded.parameter_bytes / gibibyte).toFixed(2), "2.05");
  const model = answer("zero --preset llama3-70b --dp 8 --zero-stage 3");
  assert.equal((model.total_bytes / gibibyte).toFixed(2), "131.42");
  assertRefused("zero --params 1e9 --ep 2 --dp 2 --zero-stage 1", "--ep is 2");
  assertRefused("zero --params 1e9 --ranks 2 --dp 2 --zero-stage 1", "--ranks is 2");
  assertRefused("zero --params 1e9 --dp 2 --zero-stage 1 --shard-ranks 4", "--shard-ranks is 4", "at most the ranks");
  assertRefused("zero --params 1e9 --ranks 6 --zero-stage 1 --shard-ranks 4", "--shard-ranks is 4", "divide the ranks");
});

test("answers are the same text for other spellings of the same numbers", () => {
  assert.equal(text(`${llama} --dp 8.0 --zero-stage 3e0`), text(`${llama} --dp 8 --zero-stage 3`));
});
