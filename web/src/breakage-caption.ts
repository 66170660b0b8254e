/** What is made to go wrong, what comes of it, and what a real library would do. */

import type { RunResult } from "shardlab";
import { slowFactor, type Breakage } from "./breakage.js";
import { exact } from "./format.js";
import type { Result } from "./routines/all-reduce-numbers.js";
import { capital, named } from "./said.js";

function supposed({ kind, rank, step }: Breakage): string {
  switch (kind) {
    case "drop":
      return `rank ${rank} is left out`;
    case "double":
      return `rank ${rank} counts twice`;
    case "miss-hop":
      return `what rank ${rank} sends in step ${step + 1} never arrives`;
    case "stale":
      return `what rank ${rank} sends in step ${step + 1} is what it held before step ${step}`;
    case "slow":
      return `the links of rank ${rank} take ${slowFactor}× as long`;
  }
}

function outcome({ fault, step, whole, ranks }: Result, { divergedRanks, maxAbsDifference, maxReplicaDifference }: RunResult): string {
  if (divergedRanks.length === 0) return fault!.kind === "slow" ? "No number changes." : "So far no rank differs from a sound run.";
  const who = named([...divergedRanks], ranks);
  const differ = `${capital(who)} ${divergedRanks.length === 1 ? "differs" : "differ"} from a sound run by up to ${exact(maxAbsDifference)}`;
  if (step < whole.steps) return `${differ}.`;
  return maxReplicaDifference === 0
    ? `${differ}, and all ranks agree on it: nothing looks wrong.`
    : `${differ}, and replicas diverge, by up to ${exact(maxReplicaDifference)}.`;
}

/** What a real library does is said at the start, and again where the fault shows. */
export function breakageCaption(result: Result): string {
  const { fault, now, step, whole } = result;
  if (fault === undefined) return "";
  const shows = step === 0 || step === whole.steps || now.divergedRanks.length > 0;
  return ` Suppose ${supposed(fault)}. ${outcome(result, now)}${shows ? ` In reality: ${now.consequence}` : ""}`;
}
