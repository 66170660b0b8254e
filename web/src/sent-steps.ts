/** What the busiest rank of a schedule sends in each step. */

import type { Phase, TransferColumns } from "shardlab";
import type { SentPicture, SentStep } from "./figures/sent.js";
import { leastShare, type Result } from "./routines/all-reduce-numbers.js";
import { word } from "./words.js";

export function sentPicture(result: Result): SentPicture {
  const { step, whole } = result;
  const sent = whole.bytesSentPerRank;
  const busiest = sent.reduce((best, one, rank) => (one > sent[best]! ? rank : best), 0);
  const alike = sent.every((one) => one === sent[0]);
  return {
    alike,
    perStep: sentSteps(whole.schedule, busiest, whole.steps, result.elements),
    done: step,
    collect: called(whole.phases, ["reduce-scatter", "reduce"], word("to be reduced")),
    handRound: called(whole.phases, ["all-gather", "broadcast"], word("handed round")),
    least: leastShare(result),
  };
}

function sentSteps({ step, source, count, reduce }: TransferColumns, rank: number, steps: number, elements: number): SentStep[] {
  const perStep = Array.from({ length: steps }, () => ({ collect: 0, handRound: 0 }));
  for (let index = 0; index < step.length; index += 1) {
    if (source[index] !== rank) continue;
    perStep[step[index]!]![reduce[index] === 1 ? "collect" : "handRound"] += count[index]! / elements;
  }
  return perStep;
}

/** A kind of phase by its name, where the schedule has one of it. */
function called(phases: readonly Phase[], kind: readonly Phase[], several: string): string {
  const found = kind.filter((one) => phases.includes(one));
  return found.length > 1 ? several : word(found[0] ?? kind[0]!);
}
