/** How long each step of a schedule lasts. */

import type { TransferColumns } from "shardlab";
import type { Link } from "./routines/alpha-beta.js";

/** A rank whose links take so many times as long. */
export interface Slow {
  rank: number;
  factor: number;
}

/**
 * A step lasts as long as its busiest port, where what a rank sends passes one and what it receives another: a latency
 * and the bytes. A slow rank's own ports may be what it waits for.
 * @param elementBytes of the tensor that an element stands for, a fraction too
 */
export function stepSeconds(
  { step, source, destination, count }: TransferColumns,
  { steps, ranks, elementBytes, link, slow }: { steps: number; ranks: number; elementBytes: number; link: Link; slow?: Slow | undefined },
): Float64Array {
  const seconds = new Float64Array(steps);
  const message = (elements: number) => link.latencySeconds + (elements * elementBytes) / link.bytesPerSecond;
  const longest = (rank: number, elements: number) => message(elements) * (rank === slow?.rank ? slow.factor : 1);
  const ports = new Float64Array(2 * ranks);
  for (let index = 0, at = -1; index < step.length; index += 1) {
    if (step[index] !== at) ports.fill(0);
    at = step[index]!;
    const [from, to] = [source[index]!, destination[index]!];
    const sent = (ports[from] = ports[from]! + count[index]!);
    const received = (ports[ranks + to] = ports[ranks + to]! + count[index]!);
    seconds[at] = Math.max(seconds[at]!, longest(from, sent), longest(to, received));
  }
  return seconds;
}
