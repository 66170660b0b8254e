/** Where the numbers of a pipeline come from. */

import { count, exact, inText, percent } from "../format.js";
import { amountsOf, withUnit } from "../pipeline-amounts.js";
import { bubbleByFormula, idleOf, imported, scheduleName, spans, syncOf, type Executed, type PipelineState } from "../pipeline-state.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { breadthFirst, dualPipe, gpipe, megatronPipeline, zeroBubble } from "../sources.js";

/** Most stages of a schedule whose rows are in the table. */
const mostRows = 64;

const holds = "closed forms: wherever one applies the simulation gives the same";

function reasons(state: PipelineState): Reason[] {
  return [makespan(state), ofTotal(state), ofIdeal(state), rate(state), bound(state), inFlight(state), messages(state)];
}

/** A formula's letters, with the values of this schedule. */
function letters({ stages, microBatches, executed: [one] }: PipelineState): string {
  const { times, found, options } = one;
  const sync = syncOf(one);
  const again = options.recompute === true ? times.forward : 0;
  const chunks = found.placement.length / found.replicas / stages;
  const all = {
    P: stages,
    M: microBatches,
    V: chunks,
    F: times.forward,
    B: times.backward + again,
    I: times.inputGradient + again,
    W: times.weightGradient,
  };
  const used = Object.entries(all).filter(([letter]) => found.closedForm?.formula.includes(letter));
  const said = ([letter, value]: readonly [string, number]) =>
    `${letter} = ${exact(value)}${again > 0 && "BI".includes(letter) ? " with the forward again" : ""}`;
  return [...used, ...(sync > 0 ? [["S", sync] as const] : [])].map(said).join(", ");
}

function makespan(state: PipelineState): Reason {
  const { closedForm, makespan: measured } = state.executed[0].found;
  const sync = syncOf(state.executed[0]) > 0 ? " + S" : "";
  const name = "Makespan";
  const found = exact(measured);
  if (closedForm === null) {
    return {
      name,
      equals: ["the end of the last operation", found],
      note:
        imported(state.executed[0]) === undefined
          ? "The order was searched for these times; no formula gives it."
          : "Simulated from the lists that were read; there is no formula for them.",
    };
  }
  const { applies, formula, condition } = closedForm;
  const value = exact(closedForm.makespan);
  if (applies) {
    const note = `${letters(state)}. Read off the simulated schedule; the formula gives the same. It holds for ${condition}.`;
    return { name, guard: holds, equals: [typeset(formula) + sync, found], note };
  }
  return {
    name,
    guard: holds,
    equals: ["the end of the last operation", found],
    note:
      `Read off the simulated schedule. The formula ${typeset(formula)}${sync} would give ${value} (${letters(state)}), ` +
      `${exact(Math.abs(measured - closedForm.makespan))} ${measured > closedForm.makespan ? "less" : "more"}: ` +
      `it holds for ${condition}.`,
  };
}

/** A formula of the core with the signs and spaces of a page. */
function typeset(formula: string): string {
  return formula
    .replace("communication", "c")
    .replace(/F&B/g, "pair")
    .replace(/-/g, "−")
    .replace(/ ?([+−]) ?/g, " $1 ")
    .replace(/\)\(/g, ") (")
    .replace(/([\dA-Z])\(/g, "$1 (");
}

/** What a stage works on average, its gradient sync with it. */
function busyOf({ found }: Executed): number {
  return found.makespan * (1 - found.bubbleOfTotal);
}

function ofTotal(state: PipelineState): Reason {
  const [one] = state.executed;
  const { found } = one;
  const formula = bubbleByFormula(found);
  return {
    name: "Idle share of all time",
    guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
    equals: [
      syncOf(one) > 0 ? "1 − (work + S) / makespan" : "1 − work / makespan",
      `1 − ${exact(busyOf(one))} / ${exact(found.makespan)}`,
      inText(percent(found.bubbleOfTotal)),
    ],
    note:
      "Idle time of all stages over stages times makespan, from the simulated schedule." +
      (formula === undefined ? "" : ` By the formula's makespan it is ${inText(percent(formula))}.`),
  };
}

function ofIdeal({ executed: [one] }: PipelineState): Reason {
  const sync = syncOf(one);
  return {
    name: "Idle time over the time of the work",
    guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
    equals: [
      ...(sync > 0
        ? ["(makespan − S) / work − 1", `${exact(one.found.makespan - sync)} / ${exact(busyOf(one) - sync)} − 1`]
        : ["makespan / work − 1", `${exact(one.found.makespan)} / ${exact(busyOf(one))} − 1`]),
      inText(percent(one.found.bubbleOfIdeal)),
    ],
    note: "The same idle time, in another ratio. It may exceed 100 %. Papers use either.",
  };
}

function rate({ executed: [{ found }] }: PipelineState): Reason {
  return {
    name: "Bubble rate",
    guard: "Zero Bubble: 1F1B, ZB-H1 and ZB-H2 have the published bubble rates",
    equals: ["(cost − work) / cost", inText(percent(found.bubbleRate))],
    note:
      "As the Zero Bubble paper counts: cost is the longest that a stage takes from its first start to its last end. " +
      "Stages that start late and end late are not idle by this measure.",
  };
}

function bound({ executed: [{ found }] }: PipelineState): Reason {
  return {
    name: "No order ends before",
    guard: "no schedule is shorter than its lower bound, and some reach it",
    equals: ["the longest way that no order shortens", exact(found.lowerBound)],
    note: "The longer of two ways: one micro-batch through the model and back, and the shortest way to a stage, all of its work, and the shortest way from it. Where the schedule could end at best, a dashed line stands.",
  };
}

function inFlight({ activations, executed: [{ found, chunkSize }] }: PipelineState): Reason {
  const most = found.peakInFlight[0] ?? 0;
  const bytes = activations === undefined ? [] : [`${count(most)} · ${exact(chunkSize)}`, `${exact(most * chunkSize)} B`];
  return {
    name: "Most activations in flight on stage 0",
    guard: "every schedule: 1000 random settings are complete, end, and hold what they say they hold",
    equals: [`forwards less backwards at most${bytes.length > 0 ? " · bytes" : ""}`, ...(bytes.length > 0 ? bytes : [count(most)])],
    note: "Counted on the simulated schedule, in chunks: from a forward to the end of its backward, or of its input gradient.",
  };
}

function messages({ microBatches, executed: [{ found }] }: PipelineState): Reason {
  const borders = found.messages / (2 * microBatches);
  return {
    name: "Messages between stages",
    guard: "1F1B and GPipe: each of M micro-batches crosses each of P-1 borders twice",
    equals: ["2 M borders", `2 · ${exact(microBatches)} · ${exact(borders)}`, count(found.messages)],
    note: "Activations one way, gradients the other, over each border between two parts of the model that are on two stages.",
  };
}

function table(state: PipelineState): DataTable {
  const { stages, executed, activations } = state;
  const amounts = amountsOf(state);
  const inBytes = (held: number) => (activations === undefined ? [] : [withUnit(amounts, held), exact(held)]);
  const rows = executed.flatMap(({ schedule, found, chunkSize }) =>
    spans(stages, found)
      .slice(0, mostRows)
      .map(({ first, last }, stage) => [
        `${executed.length > 1 ? `${scheduleName(schedule)}, ` : ""}stage ${stage}`,
        exact(first),
        exact(last),
        exact(idleOf(found, stage)),
        exact(found.idle.warmUp[stage]!),
        exact(found.idle.steady[stage]!),
        exact(found.idle.drain[stage]!),
        count(found.peakInFlight[stage]!),
        ...inBytes(chunkSize * found.peakInFlight[stage]!),
      ]),
  );
  const sent = `${count(executed[0].found.messages)} messages between stages`;
  const part = stages > mostRows ? `, the first ${mostRows} of ${count(stages)}` : "";
  return {
    caption: `Stages${part}; ${sent}`,
    head: ["", "starts at", "ends at", "idle", "in warm-up", "in between", "in drain", "most in flight", ...(activations === undefined ? [] : ["most held", "in bytes"])],
    rows,
  };
}

export const details: Details<PipelineState> = {
  reasons,
  sources: [gpipe, megatronPipeline, breadthFirst, zeroBubble, dualPipe],
  table,
};
