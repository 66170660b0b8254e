/** Two all-reduce algorithms over the size of the tensor, beside what was measured. */

import type { AsyncLab, CrossoverResult, FitAllReduceResult, PricedAlgorithm } from "shardlab";
import { algorithmNames as allReduceNames } from "./algorithms.js";
import { regimesOf } from "./fitted-lines.js";
import { InputError, type Inputs } from "./parameter.js";
import { linkOf, type Link } from "./routines/alpha-beta.js";

export const algorithmNames: Readonly<Record<PricedAlgorithm, string>> = {
  ...allReduceNames,
  "pipelined-tree-bound": "Pipelined tree, its bound",
};

/** An algorithm with its seconds at each of the sizes that are drawn, and at the one that is looked at. */
export interface Priced {
  algorithm: PricedAlgorithm;
  seconds: Float64Array;
  atProbe: number;
}

export interface CrossoverState {
  ranks: number;
  slices: number;
  link: Link;
  /** between nodes, and how many ranks each has; nothing where all links are alike */
  inter: (Link & { perNode: number }) | undefined;
  /** sizes that are drawn, rising */
  sizes: readonly number[];
  probe: number;
  first: Priced;
  second: Priced;
  found: CrossoverResult;
  /** a measured run and its fit; nothing where none is asked for */
  fitted: FitAllReduceResult | undefined;
  /** bus bandwidth over algorithm bandwidth, of the model's ranks and of the run's */
  busFactor: number;
  fittedBusFactor: number;
}

/** Sizes that are drawn, per power of ten. */
const perDecade = 8;
const [leastDrawn, mostDrawn] = [1e3, 1e10];
/** Beyond these nothing is drawn: 1 B and 1 PB. */
const [leastSize, mostSize] = [1, 1e15];

export async function execute(lab: AsyncLab, inputs: Inputs): Promise<CrossoverState> {
  const ranks = inputs.number("ranks");
  const slices = inputs.number("slices");
  const link = linkOf(inputs);
  const inter = inputs.text("nodes") === "several" ? interOf(inputs) : undefined;
  const world = { ranks, slices, ...link, ...optionsOf(inter) };
  const [first, second] = [inputs.text("first"), inputs.text("second")] as [PricedAlgorithm, PricedAlgorithm];
  const found = await lab.crossover({ first, second, ...world });
  const fitted = await fittedRun(lab, inputs);
  const probe = probeOf(inputs);
  const sizes = drawnSizes([probe, ...found.crossings, ...(fitted?.points.bytes ?? [])]);
  const priced = async (algorithm: PricedAlgorithm): Promise<Priced> => {
    const seconds = await lab.allReduceTimes({ algorithm, ...world, bytes: [[...sizes, probe]] });
    return { algorithm, seconds: seconds.subarray(0, sizes.length), atProbe: seconds[sizes.length]! };
  };
  const busFactor = async (size: number) => (await lab.allReduceCost({ ranks: size, bytes: 0 })).busFactor;
  return {
    ranks,
    slices,
    link,
    inter,
    sizes,
    probe,
    first: await priced(first),
    second: await priced(second),
    found,
    fitted,
    busFactor: await busFactor(ranks),
    fittedBusFactor: await busFactor(fitted?.ranks ?? ranks),
  };
}

function interOf(inputs: Inputs): Link & { perNode: number } {
  return {
    perNode: inputs.number("perNode"),
    latencySeconds: inputs.number("interLatencySeconds"),
    bytesPerSecond: inputs.number("interBytesPerSecond"),
  };
}

function optionsOf(inter: CrossoverState["inter"]) {
  if (inter === undefined) return {};
  const { perNode, latencySeconds, bytesPerSecond } = inter;
  return { perNode, interLatencySeconds: latencySeconds, interBytesPerSecond: bytesPerSecond };
}

function probeOf(inputs: Inputs): number {
  const probe = inputs.number("bytes");
  if (typeof probe === "number" && probe >= leastSize && probe <= mostSize) return probe;
  throw new InputError("bytes", inputs.text("bytes"), "be a number of bytes from 1 to 10¹⁵");
}

async function fittedRun(lab: AsyncLab, inputs: Inputs): Promise<FitAllReduceResult | undefined> {
  const measured = inputs.text("measured");
  if (measured === "none") return undefined;
  const asked = regimesOf(inputs);
  if (measured === "own") return lab.fitAllReduce({ text: inputs.text("text"), ...asked });
  const { publishedRuns } = await import("./published-runs.js");
  return lab.fitAllReduce({ text: publishedRuns, run: measured, ...asked });
}

/** From a kilobyte to ten gigabytes, and as far beyond as there is something to be seen. */
function drawnSizes(seen: readonly number[]): number[] {
  const inside = seen.filter((size) => size >= leastSize && size <= mostSize);
  const first = Math.floor(Math.log10(Math.min(leastDrawn, ...inside)) + 1e-9);
  const last = Math.ceil(Math.log10(Math.max(mostDrawn, ...inside)) - 1e-9);
  return Array.from({ length: (last - first) * perDecade + 1 }, (_, index) => 10 ** (first + index / perDecade));
}
