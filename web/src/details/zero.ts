/** Where the bytes of the ladder come from. */

import { binaryBytes, bytes, count, exact, inText } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { collectives, sentAtOnce, type Result } from "../routines/zero.js";
import { zeroPaper, zeroTraffic } from "../sources.js";

function total({ ranks, zeroStage, ladder }: Result): Reason {
  const { params, totalBytes } = ladder[zeroStage]!;
  const n = count(params);
  const formulas: [string, string][] = [
    ["16 · N", `16 · ${n}`],
    ["(4 + 12 / R) · N", `(4 + 12 / ${ranks}) · ${n}`],
    ["(2 + 14 / R) · N", `(2 + 14 / ${ranks}) · ${n}`],
    ["16 · N / R", `16 · ${n} / ${ranks}`],
  ];
  const guard = "ZeRO: the 18 cells of the paper's table 1, to one unit of the last printed digit";
  return { name: `Total at stage ${zeroStage}`, guard, equals: [...formulas[zeroStage]!, `${exact(totalBytes)} B`] };
}

function part(name: string, perParameter: number, sharded: boolean, { ranks, zeroStage, ladder }: Result): Reason {
  const { params } = ladder[zeroStage]!;
  const whole = perParameter * params;
  return {
    name,
    guard: "ZeRO: each stage shards one more part",
    equals: sharded
      ? [`${perParameter} · N / R`, `${perParameter} · ${count(params)} / ${ranks}`, `${exact(whole / ranks)} B`]
      : [`${perParameter} · N`, `${perParameter} · ${count(params)}`, `${exact(whole)} B`],
  };
}

function sent(result: Result): Reason {
  const { ranks, zeroStage, ladder } = result;
  const times = collectives(zeroStage);
  return {
    name: `Sent by each rank in a step at stage ${zeroStage}`,
    guard: "ring: the reduce-scatter sends half of the all-reduce's bytes, and so does the all-gather",
    equals: [
      `${times} · 2 · N · (R − 1) / R`,
      `${times} · 2 · ${count(ladder[0]!.params)} · (${ranks} − 1) / ${ranks}`,
      `${exact(times * sentAtOnce(result))} B`,
    ],
    note:
      zeroStage === 3
        ? "Weights are gathered for the forward, and once more for the backward, since they are not kept; gradients are reduced to their owner. The paper counts 3Ψ against the 2Ψ of plain data parallelism, where Ψ is the number of parameters: 1.5×."
        : `A reduce-scatter of gradients and an all-gather of ${zeroStage === 0 ? "their sums" : "the new weights"}: the bytes of an all-reduce, 2Ψ in the paper, where Ψ is the number of parameters.`,
  };
}

function reasons(result: Result): Reason[] {
  const { zeroStage, counted, ladder } = result;
  const counting: Reason = {
    name: "Parameters",
    guard: "parameters of public models are exact",
    equals: ["N", count(ladder[0]!.params)],
    note: "Counted exactly from the configuration.",
  };
  return [
    ...(counted ? [counting] : []),
    part("Weights, 16 bit", 2, zeroStage >= 3, result),
    part("Gradients, 16 bit", 2, zeroStage >= 2, result),
    part("Optimizer: fp32 weights, momentum, variance", 12, zeroStage >= 1, result),
    {
      ...total(result),
      note: "States only: activations, buffers and the layer that stage 3 has gathered come on top.",
    },
    sent(result),
  ];
}

function table(result: Result): DataTable {
  return {
    caption: "One rank: its states, and what it sends in a step",
    head: ["stage", "weights", "gradients", "optimizer", "total", "in GiB", "sent"],
    rows: result.ladder.map((memory, stage) => [
      String(stage),
      inText(bytes(memory.parameterBytes, 6)),
      inText(bytes(memory.gradientBytes, 6)),
      inText(bytes(memory.optimizerBytes, 6)),
      inText(bytes(memory.totalBytes, 6)),
      inText(binaryBytes(memory.totalBytes)),
      inText(bytes(collectives(stage) * sentAtOnce(result), 6)),
    ]),
  };
}

export const details: Details<Result> = { reasons, sources: [zeroPaper, zeroTraffic], table };
