/** How many lines are fitted to measured times. */

import type { Inputs, Parameter } from "./parameter.js";

/** The control, where there is something measured. */
export function linesOfFit(when: NonNullable<Parameter["when"]>): Parameter {
  return {
    name: "regimes",
    label: "Lines of the fit",
    kind: "choice",
    initial: "auto",
    choices: [{ value: "auto", label: "as few as serve" }, ...["1", "2", "3"].map((value) => ({ value, label: value }))],
    description: "NCCL's protocols LL, LL128 and Simple hand over from one size on: each has a line of its own.",
    when,
  };
}

/** What is asked for, as the lab's options have it. */
export function regimesOf(inputs: Inputs): { regimes?: number } {
  const text = inputs.text("regimes");
  return text === "auto" ? {} : { regimes: Number(text) };
}
