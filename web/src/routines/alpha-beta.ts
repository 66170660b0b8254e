/** A link with a latency α and a rate β: its controls, and the time of a ring all-reduce over it. */

import type { AllReduceCostResult } from "shardlab";
import { exact, inText, bytes as decimal, seconds, type Quantity } from "../format.js";
import type { Inputs, Parameter } from "../parameter.js";
import type { Reason } from "../routine.js";

export interface Link {
  latencySeconds: number;
  bytesPerSecond: number;
}

export const linkParameters: readonly Parameter[] = [
  {
    name: "latencySeconds",
    label: "Latency",
    kind: "real",
    quantity: "seconds",
    initial: "5us",
    range: { least: 1e-7, most: 1e-2, scale: "decades" },
  },
  {
    name: "bytesPerSecond",
    label: "Link, one way",
    kind: "real",
    quantity: "rate",
    initial: "50GB/s",
    range: { least: 1e8, most: 1e12, scale: "decades" },
  },
];

export function linkOf(inputs: Inputs): Link {
  return { latencySeconds: inputs.number("latencySeconds"), bytesPerSecond: inputs.number("bytesPerSecond") };
}

export function rate({ bytesPerSecond }: Link): string {
  return `${inText(decimal(bytesPerSecond))}/s`;
}

/** @param amount writes a number of bytes */
export function timeReason(cost: AllReduceCostResult, link: Link, amount: (bytes: number) => Quantity): Reason {
  return {
    name: "Time to the end",
    guard: "ring cost: with a link, latency and bandwidth terms add up",
    equals: [
      "2 (N − 1) · α + 2 (N − 1) · S / (N · β)",
      `${exact(cost.steps)} · ${inText(seconds(link.latencySeconds))} + ` +
        `${inText(amount(cost.bytesSentPerRank))} / (${rate(link)})`,
      inText(seconds(cost.seconds ?? 0)),
    ],
    note:
      "α is the latency of one message and β the rate of a link in one direction; every rank has a link of its own.",
  };
}
