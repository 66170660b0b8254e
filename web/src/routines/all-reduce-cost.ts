import type { AllReduceCostResult, AsyncLab } from "shardlab";
import { bars } from "../figures/frame.js";
import { bytes, exact, inText, plural, seconds, significant } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Reason, Readout, Routine, View } from "../routine.js";
import { busBandwidth, linkModel, ringPaper } from "../sources.js";

/** Worlds to compare the user's with. */
const worlds = [2, 4, 8, 64, 1024];

interface Result {
  ranks: number;
  bytes: number;
  latencySeconds: number | undefined;
  bytesPerSecond: number | undefined;
  cost: AllReduceCostResult;
  /** the part of the time that is there for an empty tensor too */
  latencyOnly: number;
  compared: readonly { ranks: number; busFactor: number }[];
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const ranks = inputs.number("ranks");
  const size = inputs.number("bytes");
  const latencySeconds = inputs.optional("latencySeconds");
  const bytesPerSecond = inputs.optional("bytesPerSecond");
  const link = {
    ...(latencySeconds !== undefined && { latencySeconds }),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
  };
  const cost = await lab.allReduceCost({ ranks, bytes: size, ...link });
  const empty = await lab.allReduceCost({ ranks, bytes: 0, ...link });
  const compared = [...new Set([...worlds, ranks])].sort((a, b) => a - b);
  const factors = await Promise.all(compared.map((world) => lab.allReduceCost({ ranks: world, bytes: size })));
  return {
    ranks,
    bytes: size,
    latencySeconds,
    bytesPerSecond,
    cost,
    latencyOnly: empty.seconds ?? 0,
    compared: compared.map((world, index) => ({ ranks: world, busFactor: factors[index]!.busFactor })),
  };
}

function readouts({ cost, latencyOnly }: Result): Readout[] {
  const base: Readout[] = [
    { id: "steps", label: "Steps", value: exact(cost.steps) },
    { id: "bytes", label: "Sent per rank", ...bytes(cost.bytesSentPerRank, 4) },
    { id: "factor", label: "Of its tensor", value: `${significant(cost.busFactor, 6)}×` },
  ];
  if (cost.seconds === null) return [...base, { id: "seconds", label: "Time", value: "–", unit: "needs a link" }];
  const share = cost.seconds === 0 ? 0 : latencyOnly / cost.seconds;
  return [
    ...base,
    { id: "seconds", label: "Time", ...seconds(cost.seconds) },
    { id: "latency-share", label: "Of it latency", value: significant(share * 100), unit: "%" },
  ];
}

function reasons({ ranks, bytes: size, latencySeconds, bytesPerSecond, cost }: Result): Reason[] {
  const found: Reason[] = [
    {
      name: "Steps",
      guard: "ring cost: 2(N-1) steps and 2 S (N-1)/N bytes",
      equals: ["2 (N − 1)", `2 (${exact(ranks)} − 1)`, exact(cost.steps)],
    },
    {
      name: "Bytes sent by each rank",
      guard: "ring cost: 2(N-1) steps and 2 S (N-1)/N bytes",
      equals: [
        "2 · S · (N − 1) / N",
        `2 · ${exact(size)} · (${exact(ranks)} − 1) / ${exact(ranks)}`,
        `${exact(cost.bytesSentPerRank)} B`,
      ],
      note: "Bus bandwidth is the algorithm's bandwidth times the same 2 (N − 1) / N.",
    },
  ];
  if (cost.seconds !== null) {
    found.push({
      name: "Time",
      guard: "ring cost: with a link, latency and bandwidth terms add up",
      equals: [
        "2 (N − 1) · α + 2 · S · (N − 1) / N / β",
        `${exact(cost.steps)} · ${inText(seconds(latencySeconds ?? 0))} + ` +
          `${inText(bytes(cost.bytesSentPerRank))} / (${inText(bytes(bytesPerSecond ?? 0))}/s)`,
        inText(seconds(cost.seconds)),
      ],
      note:
        "α is the latency of one message and β the rate of a link in one direction; " +
        "every rank has a link of its own.",
    });
  }
  return found;
}

function view(result: Result, width: number): View {
  const { ranks, cost, compared } = result;
  const size = inText(bytes(result.bytes));
  const said =
    `With ${plural(ranks, "rank")} and a tensor of ${size}, each rank sends ` +
    `${inText(bytes(cost.bytesSentPerRank, 4))} in ${exact(cost.steps)} steps. More ranks come close to 2×, and never reach it.`;
  return {
    figure: bars(
      {
        rows: compared.map((one) => ({
          label: plural(one.ranks, "rank"),
          value: `${significant(one.busFactor, 6)}×`,
          parts: [{ length: one.busFactor, kind: "sum" }],
          current: one.ranks === ranks,
        })),
        most: 2,
        marks: [{ at: 2, label: "2× the tensor" }],
        summary: `Bytes sent per rank as a multiple of the tensor. ${compared
          .map((one) => `${plural(one.ranks, "rank")}: ${significant(one.busFactor, 4)}`)
          .join("; ")}.`,
      },
      width,
    ),
    caption: said,
    readouts: readouts(result),
    reasons: reasons(result),
    sources: [ringPaper, busBandwidth, linkModel],
    table: {
      caption: "Sent per rank, by number of ranks",
      head: ["ranks", "multiple of the tensor"],
      rows: compared.map((one) => [exact(one.ranks), exact(one.busFactor)]),
    },
  };
}

export const allReduceCost: Routine<Result> = {
  id: "all-reduce-cost",
  title: "All-reduce cost",
  claim: "Bytes hardly grow with the number of ranks; the latency of the 2(N−1) steps does.",
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
      initial: "1GB",
      description: "With or without a unit: 64MB, 1GiB, 1e9.",
      range: { least: 1e3, most: 1e12, scale: "decades" },
    },
    {
      name: "latencySeconds",
      label: "Latency of a message",
      kind: "real",
      quantity: "seconds",
      initial: "5us",
      optional: true,
      range: { least: 1e-7, most: 1e-2, scale: "decades" },
    },
    {
      name: "bytesPerSecond",
      label: "Link, one direction",
      kind: "real",
      quantity: "rate",
      initial: "50GB/s",
      optional: true,
      range: { least: 1e8, most: 1e12, scale: "decades" },
      description: "Leave latency and link empty for bytes and steps alone.",
    },
  ],
  run,
  view,
};
