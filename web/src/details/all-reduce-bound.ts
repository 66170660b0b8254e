/** What any all-reduce sends at least, beside what this one does. */

import { exact, inText, significant } from "../format.js";
import type { Reason } from "../routine.js";
import { amounts, leastShare, shares, tensorBytes, type Result } from "../routines/all-reduce-numbers.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

/** What no algorithm can beat, and what this one sends. */
export function bound(result: Result): Reason[] {
  const { ranks, whole } = result;
  if (ranks === 1) return [];
  const write = amounts(result);
  const total = whole.bytesSentPerRank.reduce((sum, sent) => sum + sent, 0) / tensorBytes(result);
  const [, most] = shares(result, whole);
  return [
    {
      name: word("Sent by all ranks together, at least"),
      guard: "no all-reduce beats the lower bound, and the ring attains it",
      equals: ["2 · S · (N − 1)", `2 · ${inText(write(1))} · (${ranks} − 1)`, inText(write(2 * (ranks - 1)))],
      note: sentences(
        word(
          "Of one element, N − 1 messages must bring the ranks' parts together, since each brings together only what its two ends " +
            "hold, and N − 1 more must tell the ranks that do not have the result yet.",
        ),
        say`This schedule sends ${inText(write(total))} in all.`,
      ),
    },
    {
      name: word("Sent by the busiest rank, at least"),
      guard: "no all-reduce beats the lower bound, and the ring attains it",
      equals: ["2 · S · (N − 1) / N", `2 · ${inText(write(1))} · (${ranks} − 1) / ${ranks}`, inText(write(leastShare(result)))],
      note: sentences(
        word("Some rank sends at least the average."),
        say`Here the busiest sends ${inText(write(most))}, ${significant(most / leastShare(result))}× the least.`,
        word("A switch that adds is under no such bound."),
      ),
    },
  ];
}

/** Where most passes in one direction. */
export function busiestLink(result: Result): Reason[] {
  const { source, destination, bytes } = result.whole.busiestLink;
  if (bytes === 0) return [];
  const share = bytes / tensorBytes(result);
  const write = amounts(result);
  return [
    {
      name: word("The busiest link carries"),
      guard: "a ledger's ranks, steps and links add up to one total, over 500 random shapes",
      equals: ["S · carried / held", `${inText(write(1))} · ${exact(bytes)} / ${exact(tensorBytes(result))}`, inText(write(share))],
      note: say`From rank ${source} to rank ${destination}, to the end and in that direction. No link carries more.`,
    },
  ];
}
