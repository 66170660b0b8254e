/** Where the numbers of a pipeline come from. */

import { count, exact, inText, percent } from "../format.js";
import { closedFormHolds, scheduleNames, spans, type PipelineState } from "../pipeline-state.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { gpipe, megatronPipeline } from "../sources.js";

/** Most stages of a schedule whose rows are in the table. */
const mostRows = 64;

const closedForms = "1F1B and GPipe: makespan and bubble equal the closed forms for any operation times";

function reasons(state: PipelineState): Reason[] {
  return [makespan(state), measured(state), formula(state), ofIdeal(state), inFlight(state), messages(state), steps(state)];
}

function makespan(state: PipelineState): Reason {
  const { stages, microBatches, forward, backward, executed } = state;
  const [p, m, f, b] = [stages, microBatches, forward, backward].map(exact);
  const found = exact(executed[0].found.makespan);
  if (!closedFormHolds(state)) {
    const without = exact((microBatches + stages - 1) * (forward + backward));
    return {
      name: "Makespan",
      equals: ["the end of the last operation", found],
      note: `Read off the executed schedule. (M + P − 1) (F + B) counts no communication: it would give ${without}.`,
    };
  }
  return {
    name: "Makespan",
    guard: closedForms,
    equals: ["(M + P − 1) (F + B)", `(${m} + ${p} − 1) (${f} + ${b})`, found],
    note: "Read off the executed schedule; the formula gives the same.",
  };
}

function measured({ microBatches, forward, backward, executed: [{ found }] }: PipelineState): Reason {
  return {
    name: "Idle share of all time, measured",
    guard: closedForms,
    equals: [
      "1 − M (F + B) / makespan",
      `1 − ${exact(microBatches * (forward + backward))} / ${exact(found.makespan)}`,
      inText(percent(found.bubbleOfTotal)),
    ],
    note: "Idle time of all stages over stages times makespan, from the executed schedule.",
  };
}

function formula(state: PipelineState): Reason {
  const [p, m] = [exact(state.stages), exact(state.microBatches)];
  return {
    name: "Idle share of all time, by formula",
    guard: "bubble fraction: (P-1)/(M+P-1)",
    equals: ["(P − 1) / (M + P − 1)", `(${p} − 1) / (${m} + ${p} − 1)`, inText(percent(state.formula))],
    note: closedFormHolds(state)
      ? "P − 1 slots fill and drain the pipeline. How long F and B take does not matter, as long as all stages are equal."
      : "It does not apply here: it counts no time from stage to stage. What was measured is larger.",
  };
}

function ofIdeal({ microBatches, forward, backward, executed: [{ found }] }: PipelineState): Reason {
  return {
    name: "Idle time over the time of the work",
    guard: "the two definitions of the bubble: 4 stages, 8 micro-batches",
    equals: [
      "makespan / (M (F + B)) − 1",
      `${exact(found.makespan)} / ${exact(microBatches * (forward + backward))} − 1`,
      inText(percent(found.bubbleOfIdeal)),
    ],
    note: "The same idle time, in another ratio: (P − 1) / M without communication. It may exceed 100 %. Papers use either.",
  };
}

function inFlight({ stages, microBatches, executed: [{ schedule, found }] }: PipelineState): Reason {
  const guard = "1F1B has GPipe's bubble and less memory: 8 stages, 32 micro-batches, F=B=1";
  const name = "Most activations in flight on stage 0";
  const peak = count(found.peakInFlight[0] ?? 0);
  return schedule === "1f1b"
    ? {
        name,
        guard,
        equals: ["min(P, M)", `min(${exact(stages)}, ${exact(microBatches)})`, peak],
        note: "Stage s starts its backwards after P − s forwards, and holds no more.",
      }
    : { name, guard, equals: ["M", peak], note: "GPipe runs all forwards first, and keeps them all." };
}

function messages({ stages, microBatches, executed: [{ found }] }: PipelineState): Reason {
  return {
    name: "Messages between stages",
    guard: "1F1B and GPipe: each of M micro-batches crosses each of P-1 borders twice",
    equals: ["2 M (P − 1)", `2 · ${exact(microBatches)} · (${exact(stages)} − 1)`, count(found.messages)],
    note: "Activations one way, gradients the other.",
  };
}

function steps({ stages, microBatches, executed: [{ found }] }: PipelineState): Reason {
  return {
    name: "Steps, if each operation took one",
    guard: "1F1B: unit steps are 2(M+P-1) and stage s holds min(P-s, M) activations",
    equals: ["2 (M + P − 1)", `2 (${exact(microBatches)} + ${exact(stages)} − 1)`, count(found.steps)],
  };
}

function table({ stages, executed }: PipelineState): DataTable {
  const rows = executed.flatMap(({ schedule, found }) =>
    spans(stages, found)
      .slice(0, mostRows)
      .map(({ first, last }, stage) => [
        `${executed.length > 1 ? `${scheduleNames[schedule]}, ` : ""}stage ${stage}`,
        exact(first),
        exact(last),
        exact(found.bubbleOfTotal * found.makespan),
        count(found.peakInFlight[stage]!),
      ]),
  );
  const messages = `${count(executed[0].found.messages)} messages between stages`;
  const part = stages > mostRows ? `, the first ${mostRows} of ${count(stages)}` : "";
  return {
    caption: `Stages${part}; ${messages}`,
    head: ["", "starts at", "ends at", "idle", "most in flight"],
    rows,
  };
}

export const details: Details<PipelineState> = { reasons, sources: [gpipe, megatronPipeline], table };
