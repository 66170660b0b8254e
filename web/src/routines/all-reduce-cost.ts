import { presets } from "../presets/all-reduce-cost.js";
import type { AllReduceCostResult, AsyncLab } from "shardlab";
import { bars } from "../figures/frame.js";
import { bytes, exact, inText, inUnitOf, percent, plural, seconds, type Quantity } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Readout, Routine, View } from "../routine.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";
import { linkOf, linkParameters, type Link } from "./alpha-beta.js";

/** Worlds to compare the user's with. */
const worlds = [2, 8, 64, 256, 1024];

/** A number of ranks with its price. */
interface Priced {
  ranks: number;
  cost: AllReduceCostResult;
  /** the part of its seconds that an empty tensor takes too */
  latency: number;
}

export interface Result {
  bytes: number;
  /** whether the tensor's size is said in GiB, as it was typed, and not in GB */
  binary: boolean;
  link: Link;
  asked: Priced;
  compared: readonly Priced[];
}

async function priced(lab: AsyncLab, ranks: number, size: number, link: Link): Promise<Priced> {
  const cost = await lab.allReduceCost({ ranks, bytes: size, ...link });
  const empty = await lab.allReduceCost({ ranks, bytes: 0, ...link });
  return { ranks, cost, latency: empty.seconds ?? 0 };
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const ranks = inputs.number("ranks");
  const size = inputs.number("bytes");
  const link = linkOf(inputs);
  const asked = await priced(lab, ranks, size, link);
  const all = [...new Set([...worlds, ranks])].sort((a, b) => a - b);
  const compared = await Promise.all(all.map((world) => priced(lab, world, size, link)));
  return { bytes: size, binary: /iB\s*$/.test(inputs.text("bytes")), link, asked, compared };
}

export function time({ cost }: Priced): number {
  return cost.seconds ?? 0;
}

export function share(one: Priced): Quantity {
  return percent(time(one) === 0 ? 0 : one.latency / time(one));
}

/** The tensor for which latency and bytes take equally long. */
export function even({ asked, link }: Result): number {
  return asked.ranks * link.latencySeconds * link.bytesPerSecond;
}

function readouts({ asked, bytes: size, binary }: Result): Readout[] {
  return [
    { id: "steps", label: word("Steps"), value: exact(asked.cost.steps) },
    { id: "bytes", label: word("Sent per rank"), ...inUnitOf(size, binary)(asked.cost.bytesSentPerRank) },
    { id: "seconds", label: word("Time"), ...seconds(time(asked)) },
    { id: "latency-share", label: word("Share of latency"), ...share(asked) },
  ];
}

function view(result: Result, width: number): View {
  const { asked, compared } = result;
  const told = compared.map((one) => ({ ...one, text: say`${inText(seconds(time(one)))}, ${inText(share(one))}` }));
  const each = told.map((one) => say`${plural(one.ranks, "rank")}: ${one.text}`).join(word("; "));
  return {
    figure: bars(
      {
        rows: told.map((one) => ({
          label: plural(one.ranks, "rank"),
          value: one.text,
          parts: [
            { length: time(one) - one.latency, kind: "work" },
            { length: one.latency, kind: "idle" },
          ],
          current: one.ranks === asked.ranks,
        })),
        most: Math.max(...compared.map(time)) || 1,
        legend: [
          { kind: "work", label: word("bytes") },
          { kind: "idle", label: word("latency and its share") },
        ],
        summary: say`Time of an all-reduce, and the share of latency in it. ${each}.`,
      },
      width,
    ),
    caption: sentences(
      say`With ${plural(asked.ranks, "rank")} and ${inText(inUnitOf(result.bytes, result.binary)(result.bytes))}, latency is ${inText(share(asked))} of the time.`,
      say`It is half at ${inText(bytes(even(result)))}, and more for any smaller tensor.`,
    ),
    readouts: readouts(result),
  };
}

export const allReduceCost: Routine<Result> = {
  id: "all-reduce-cost",
  title: "All-reduce cost",
  claim: "Bytes hardly grow with the number of ranks; steps do, and for a small tensor their latency is nearly all of the time.",
  tryNext: "Take a tensor of 64 KB: nearly all of the time is latency.",
  parameters: [
    {
      name: "ranks",
      label: "Ranks",
      kind: "whole",
      initial: "8",
      range: { least: 1, most: 1024, scale: "powers" },
    },
    {
      name: "bytes",
      label: "Tensor",
      kind: "whole",
      quantity: "bytes",
      initial: "64MB",
      description: "With or without a unit: 64MB, 1GiB, 1e9.",
      range: { least: 1e3, most: 1e12, scale: "decades" },
    },
    ...linkParameters,
  ],
  presets,
  run,
  view,
  details: async () => (await import("../details/all-reduce-cost.js")).details,
};
