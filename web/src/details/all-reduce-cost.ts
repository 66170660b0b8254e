/** Where the price of an all-reduce comes from. */

import { bytes, exact, inText, inUnitOf, seconds } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { rate } from "../routines/alpha-beta.js";
import { even, share, time, type Result } from "../routines/all-reduce-cost.js";
import { busBandwidth, linkModel, ringPaper } from "../sources.js";
import { word } from "../words.js";
import { timeReason } from "./alpha-beta.js";

function reasons(result: Result): Reason[] {
  const { asked, link } = result;
  return [
    timeReason(asked.cost, link, inUnitOf(result.bytes, result.binary)),
    {
      name: word("Share of latency"),
      guard: "ring cost: with a link, latency and bandwidth terms add up",
      equals: [
        "2 (N − 1) · α / T",
        `${inText(seconds(asked.latency))} / (${inText(seconds(time(asked)))})`,
        inText(share(asked)),
      ],
      note: word("The steps grow with the ranks; the bytes come close to 2 S, and stay below."),
    },
    {
      name: word("Tensor for which latency is half of the time"),
      guard: "ring cost: latency is half of the time for a tensor of N latencies times the bandwidth",
      equals: [
        "N · α · β",
        `${exact(asked.ranks)} · ${inText(seconds(link.latencySeconds))} · ${rate(link)}`,
        inText(bytes(even(result))),
      ],
      note: word("There 2 (N − 1) · α is as long as 2 (N − 1) · S / (N · β)."),
    },
  ];
}

function table({ compared }: Result): DataTable {
  return {
    caption: word("Time by number of ranks"),
    head: [word("ranks"), word("steps"), word("bytes sent per rank"), word("bus factor"), word("seconds"), word("of them latency")],
    rows: compared.map(({ ranks, cost, latency }) => [
      ...[ranks, cost.steps, cost.bytesSentPerRank, cost.busFactor, cost.seconds ?? 0, latency].map(exact),
    ]),
  };
}

export const details: Details<Result> = { reasons, sources: [ringPaper, busBandwidth, linkModel], table };
