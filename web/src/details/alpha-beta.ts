/** The time of a ring all-reduce over links with a latency α and a rate β. */

import type { AllReduceCostResult } from "shardlab";
import { exact, inText, seconds, type Quantity } from "../format.js";
import type { Reason } from "../routine.js";
import { rate, type Link } from "../routines/alpha-beta.js";
import { word } from "../words.js";

/** @param amount writes a number of bytes */
export function timeReason(cost: AllReduceCostResult, link: Link, amount: (bytes: number) => Quantity): Reason {
  return {
    name: word("Time to the end"),
    guard: "ring cost: with a link, latency and bandwidth terms add up",
    equals: [
      "2 (N − 1) · α + 2 (N − 1) · S / (N · β)",
      `${exact(cost.steps)} · ${inText(seconds(link.latencySeconds))} + ` +
        `${inText(amount(cost.bytesSentPerRank))} / (${rate(link)})`,
      inText(seconds(cost.seconds ?? 0)),
    ],
    note: word("α is the latency of one message and β the rate of a link in one direction; every rank has a link of its own."),
  };
}
