/** The lines that are fitted to measured times. */

import type { Regime } from "shardlab";
import { bytes, inText, seconds } from "../format.js";
import type { Reason } from "../routine.js";
import { say } from "../words.js";

/** @param note what is said of a line */
export function fittedLines(regimes: readonly Regime[], note: (regime: Regime) => string): Reason[] {
  return regimes.map((regime) => ({
    name: say`Fit from ${inText(bytes(regime.fromBytes, 4))} to ${inText(bytes(regime.toBytes, 4))}`,
    guard: "A fit of every published run of at least 11 sizes has a median error of 5.5 percent and a 90th percentile of 13 percent at most",
    equals: lineOf(regime),
    note: note(regime),
  }));
}

/** Where times do not grow with the size, they have a latency alone. */
function lineOf({ latencySeconds, bytesPerSecond }: Regime): Reason["equals"] {
  const latency = inText(seconds(latencySeconds));
  if (bytesPerSecond === null) return ["latency", latency];
  return ["latency + S / bandwidth", `${latency} + S / (${inText(bytes(bytesPerSecond, 4))}/s)`];
}
