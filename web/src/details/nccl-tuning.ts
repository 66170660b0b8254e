/** Where NCCL's own prices come from. */

import type { NcclTime } from "shardlab";
import { bytes, exact, inText, seconds } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { latency, nameOf, type Result } from "../routines/nccl-tuning.js";
import { sentences } from "../said.js";
import { ncclTuner } from "../sources.js";
import { say, word } from "../words.js";

const guard = "NCCL's tuning model: a time is a latency and a rate, each with its factor, and the choice is the shortest";

function rate(value: number): string {
  return `${inText(bytes(value, 4))}/s`;
}

function price(time: NcclTime, size: number): Reason {
  const { latencySeconds, latencyFactor, bytesPerSecond, bandwidthFactor } = time;
  const factor = (value: number) => (value === 1 ? "" : ` · ${exact(value)}`);
  return {
    name: time.enabled ? nameOf(time) : say`${nameOf(time)}, which NCCL does not use by itself here`,
    guard,
    equals: [
      "latency + S / rate",
      `${inText(seconds(latencySeconds))}${factor(latencyFactor)} + ${inText(bytes(size))} / (${rate(bytesPerSecond)}${factor(bandwidthFactor)})`,
      inText(seconds(time.seconds)),
    ],
  };
}

function reasons({ options, tuning: { times } }: Result): Reason[] {
  return [
    ...times.map((time) => price(time, options.bytes)),
    {
      name: word("What the tables are held against: Ring Simple on 4 A100s, 24 channels of 10 GB/s, NCCL 2.18"),
      guard: "NCCL's tuning model prints the table of a 4 x A100 node to its last digit",
      equals: ["latency + S / rate", "28.8 µs + S / (160 GB/s)"],
      note: sentences(
        word("What NCCL_DEBUG=INFO printed on such a node, to its last digit."),
        word("NVLS and CollNet, which add in the switch, are not modelled."),
      ),
    },
  ];
}

function table({ bySize }: Result): DataTable {
  return {
    caption: word("NCCL's choice by size of the tensor"),
    head: [word("bytes"), word("choice"), word("time"), word("of it latency"), word("algorithm bandwidth")],
    rows: bySize.map(({ bytes: size, choice }) => [
      exact(size),
      nameOf(choice),
      inText(seconds(choice.seconds)),
      inText(seconds(latency(choice))),
      rate(size / choice.seconds),
    ]),
  };
}

export const details: Details<Result> = { reasons, sources: [ncclTuner], table };
