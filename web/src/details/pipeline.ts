/** Where the numbers of a pipeline come from. */

import { count, exact, inText, percent } from "../format.js";
import { amountsOf, withUnit } from "../pipeline-amounts.js";
import { bubbleByFormula, idleOf, imported, scheduleName, spans, syncOf, type Executed, type PipelineState } from "../pipeline-state.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { breadthFirst, dualPipe, gpipe, megatronPipeline, zeroBubble } from "../sources.js";
import { rule, say, word } from "../words.js";

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
  const said = ([letter, value]: readonly [string, number]) => {
    const given = `${letter} = ${exact(value)}`;
    return again > 0 && "BI".includes(letter) ? say`${given} with the forward again` : given;
  };
  return [...used, ...(sync > 0 ? [["S", sync] as const] : [])].map(said).join(", ");
}

function makespan(state: PipelineState): Reason {
  const { closedForm, makespan: measured } = state.executed[0].found;
  const sync = syncOf(state.executed[0]) > 0 ? " + S" : "";
  const name = word("Makespan");
  const found = exact(measured);
  if (closedForm === null) {
    return {
      name,
      equals: [word("the end of the last operation"), found],
      note:
        imported(state.executed[0]) === undefined
          ? word("The order was searched for these times; no formula gives it.")
          : word("Simulated from the lists that were read; there is no formula for them."),
    };
  }
  const formula = typeset(closedForm.formula) + sync;
  const condition = rule(closedForm.condition);
  if (closedForm.applies) {
    const note = say`${letters(state)}. Read off the simulated schedule; the formula gives the same. It holds for ${condition}.`;
    return { name, guard: holds, equals: [formula, found], note };
  }
  const value = exact(closedForm.makespan);
  const off = exact(Math.abs(measured - closedForm.makespan));
  const note =
    measured > closedForm.makespan
      ? say`Read off the simulated schedule. The formula ${formula} would give ${value} (${letters(state)}), ${off} less: it holds for ${condition}.`
      : say`Read off the simulated schedule. The formula ${formula} would give ${value} (${letters(state)}), ${off} more: it holds for ${condition}.`;
  return { name, guard: holds, equals: [word("the end of the last operation"), found], note };
}

/** A formula of the core with the signs and spaces of a page. */
function typeset(formula: string): string {
  return formula
    .replace("communication", "c")
    .replace(/F&B/g, word("pair"))
    .replace("max", word("max"))
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
    name: word("Idle share of all time"),
    guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
    equals: [
      syncOf(one) > 0 ? word("1 − (work + S) / makespan") : word("1 − work / makespan"),
      `1 − ${exact(busyOf(one))} / ${exact(found.makespan)}`,
      inText(percent(found.bubbleOfTotal)),
    ],
    note:
      formula === undefined
        ? word("Idle time of all stages over stages times makespan, from the simulated schedule.")
        : say`Idle time of all stages over stages times makespan, from the simulated schedule. By the formula's makespan it is ${inText(percent(formula))}.`,
  };
}

function ofIdeal({ executed: [one] }: PipelineState): Reason {
  const sync = syncOf(one);
  return {
    name: word("Idle time over the time of the work"),
    guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
    equals: [
      ...(sync > 0
        ? [word("(makespan − S) / work − 1"), `${exact(one.found.makespan - sync)} / ${exact(busyOf(one) - sync)} − 1`]
        : [word("makespan / work − 1"), `${exact(one.found.makespan)} / ${exact(busyOf(one))} − 1`]),
      inText(percent(one.found.bubbleOfIdeal)),
    ],
    note: word("The same idle time, in another ratio. It may exceed 100 %. Papers use either."),
  };
}

function rate({ executed: [{ found }] }: PipelineState): Reason {
  return {
    name: word("Bubble rate"),
    guard: "Zero Bubble: 1F1B, ZB-H1 and ZB-H2 have the published bubble rates",
    equals: [word("(cost − work) / cost"), inText(percent(found.bubbleRate))],
    note: word(
      "As the Zero Bubble paper counts: cost is the longest that a stage takes from its first start to its last end. " +
        "Stages that start late and end late are not idle by this measure.",
    ),
  };
}

function bound({ executed: [{ found }] }: PipelineState): Reason {
  return {
    name: word("No order ends before"),
    guard: "no schedule is shorter than its lower bound, and some reach it",
    equals: [word("the longest way that no order shortens"), exact(found.lowerBound)],
    note: word(
      "The longer of two ways: one micro-batch through the model and back, and the shortest way to a stage, all of its work, and the " +
        "shortest way from it. Where the schedule could end at best, a dashed line stands.",
    ),
  };
}

function inFlight({ activations, executed: [{ found, chunkSize }] }: PipelineState): Reason {
  const most = found.peakInFlight[0] ?? 0;
  return {
    name: word("Most activations in flight on stage 0"),
    guard: "every schedule: 1000 random settings are complete, end, and hold what they say they hold",
    equals:
      activations === undefined
        ? [word("forwards less backwards at most"), count(most)]
        : [word("forwards less backwards at most · bytes"), `${count(most)} · ${exact(chunkSize)}`, `${exact(most * chunkSize)} B`],
    note: word(
      "Counted on the simulated schedule, in chunks: from a forward to the end of its backward, or of its input gradient.",
    ),
  };
}

function messages({ microBatches, executed: [{ found }] }: PipelineState): Reason {
  const borders = found.messages / (2 * microBatches);
  return {
    name: word("Messages between stages"),
    guard: "1F1B and GPipe: each of M micro-batches crosses each of P-1 borders twice",
    equals: [word("2 M borders"), `2 · ${exact(microBatches)} · ${exact(borders)}`, count(found.messages)],
    note: word("Activations one way, gradients the other, over each border between two parts of the model that are on two stages."),
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
        executed.length > 1 ? say`${scheduleName(schedule)}, stage ${stage}` : say`stage ${stage}`,
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
  const messages = count(executed[0].found.messages);
  const times = [word("starts at"), word("ends at"), word("idle"), word("in warm-up"), word("in between"), word("in drain")];
  const bytes = activations === undefined ? [] : [word("most held"), word("in bytes")];
  return {
    caption:
      stages > mostRows
        ? say`Stages, the first ${mostRows} of ${count(stages)}; ${messages} messages between stages`
        : say`Stages; ${messages} messages between stages`,
    head: ["", ...times, word("most in flight"), ...bytes],
    rows,
  };
}

export const details: Details<PipelineState> = {
  reasons,
  sources: [gpipe, megatronPipeline, breadthFirst, zeroBubble, dualPipe],
  table,
};
