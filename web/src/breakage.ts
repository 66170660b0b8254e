/** What is made to go wrong in a collective: which rank and which step, where the reader leaves that open too. */

import type { RunResult, TransferColumns } from "shardlab";
import { list } from "./format.js";
import { InputError, type Inputs } from "./parameter.js";
import { say } from "./words.js";

export type BreakageKind = "drop" | "double" | "miss-hop" | "stale" | "slow";

export interface Breakage {
  kind: BreakageKind;
  rank: number;
  /** in the order of the schedule, from 0; for `miss-hop` and `stale` */
  step: number;
  /** as the core reads it */
  text: string;
}

/** How many times as long the links of a slow rank take. */
export const slowFactor = 2;

/** @param sound the run without a fault, which is made only where its schedule is needed */
export async function breakageOf(
  inputs: Inputs,
  ranks: number,
  sound: () => Promise<RunResult>,
): Promise<Breakage> {
  const kind = inputs.text("fault") as BreakageKind;
  const named = rankOf(inputs, ranks);
  if (kind === "miss-hop" || kind === "stale") return atHop(kind, named, inputs, (await sound()).schedule);
  const rank = named ?? ranks - 1;
  return { kind, rank, step: 0, text: kind === "slow" ? `${kind}:${rank}:${slowFactor}` : `${kind}:${rank}` };
}

function rankOf(inputs: Inputs, ranks: number): number | undefined {
  const rank = inputs.optional("faultRank");
  if (rank === undefined || (Number.isInteger(rank) && rank >= 0 && rank < ranks)) return rank;
  throw new InputError("faultRank", inputs.text("faultRank"), `be a rank from 0 to ${ranks - 1}, or left empty`);
}

function atHop(kind: "miss-hop" | "stale", named: number | undefined, inputs: Inputs, schedule: TransferColumns): Breakage {
  const open = lastPassedOn(schedule);
  const rank = named ?? open?.rank;
  if (rank === undefined || open === undefined) throw new InputError("fault", kind, "be none on one rank, which sends nothing");
  // Before the first step nothing older stood anywhere.
  const steps = stepsOf(schedule, rank).filter((step) => kind !== "stale" || step > 0);
  if (steps.length === 0) throw new InputError("faultRank", String(rank), "be a rank that sends after the first step");
  const latest = named === undefined ? open.step : steps[steps.length - 1]!;
  const step = (inputs.optional("faultStep") ?? latest + 1) - 1;
  if (!steps.includes(step)) {
    const rule = () => hopRule(rank, steps);
    throw new InputError("faultStep", inputs.text("faultStep"), rule(), rule);
  }
  return { kind, rank, step, text: `${kind}:${rank}:${step}` };
}

/** Steps are counted from 1 on the page. */
function hopRule(rank: number, steps: readonly number[]): string {
  return say`be a step in which rank ${rank} sends what can go wrong: ${list(steps.map((step) => String(step + 1)))}`;
}

function stepsOf({ step, source, count }: TransferColumns, rank: number): number[] {
  return [...new Set(step.filter((_, index) => source[index] === rank && count[index]! > 0))];
}

/** The last rank that sends on what it got in the step before: what goes wrong there is seen at its end. */
function lastPassedOn({ step, source, destination, count }: TransferColumns): { rank: number; step: number } | undefined {
  const receivedIn = new Set<string>();
  let found: { rank: number; step: number } | undefined;
  step.forEach((at, index) => {
    if (count[index] === 0) return;
    receivedIn.add(`${destination[index]} ${at}`);
    const passedOn = receivedIn.has(`${source[index]} ${at - 1}`);
    if (passedOn && (found === undefined || at > found.step)) found = { rank: source[index]!, step: at };
  });
  return found;
}
