/** What is made to go wrong, what comes of it, and what a real library would do. */

import type { RunResult } from "shardlab";
import { slowFactor, type Breakage } from "./breakage.js";
import { exact } from "./format.js";
import type { Result } from "./routines/all-reduce-numbers.js";
import { capital, named, sentences } from "./said.js";
import { say, word } from "./words.js";

function supposed({ kind, rank, step }: Breakage): string {
  switch (kind) {
    case "drop":
      return say`Suppose rank ${rank} is left out.`;
    case "double":
      return say`Suppose rank ${rank} counts twice.`;
    case "miss-hop":
      return say`Suppose what rank ${rank} sends in step ${step + 1} never arrives.`;
    case "stale":
      return say`Suppose what rank ${rank} sends in step ${step + 1} is what it held before step ${step}.`;
    case "slow":
      return say`Suppose the links of rank ${rank} take ${slowFactor}× as long.`;
  }
}

function outcome({ fault, step, whole, ranks }: Result, { divergedRanks, maxAbsDifference, maxReplicaDifference }: RunResult): string {
  if (divergedRanks.length === 0) return fault!.kind === "slow" ? word("No number changes.") : word("So far no rank differs from a sound run.");
  const [who, most] = [capital(named([...divergedRanks], ranks)), exact(maxAbsDifference)];
  const isOne = divergedRanks.length === 1;
  if (step < whole.steps) return isOne ? say`${who} differs from a sound run by up to ${most}.` : say`${who} differ from a sound run by up to ${most}.`;
  if (maxReplicaDifference === 0) return say`${who} differ from a sound run by up to ${most}, and all ranks agree on it: nothing looks wrong.`;
  const apart = exact(maxReplicaDifference);
  return isOne
    ? say`${who} differs from a sound run by up to ${most}, and replicas diverge, by up to ${apart}.`
    : say`${who} differ from a sound run by up to ${most}, and replicas diverge, by up to ${apart}.`;
}

/** What a real library does is said at the start, and again where the fault shows. */
export function breakageCaption(result: Result): string {
  const { fault, now, step, whole } = result;
  const shows = step === 0 || step === whole.steps || now.divergedRanks.length > 0;
  return sentences(supposed(fault!), outcome(result, now), shows ? say`In reality: ${word(now.consequence!)}` : "");
}
