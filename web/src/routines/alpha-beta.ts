/** A link with a latency α and a rate β: its controls. */

import { inText, bytes as decimal } from "../format.js";
import type { Inputs, Parameter } from "../parameter.js";

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
