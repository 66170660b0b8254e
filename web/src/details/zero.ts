/** Where the bytes of the ladder come from. */

import { contextMeasured, fsdp } from "../allowance-sources.js";
import { bothBytes, bytes, count, exact, inText, sentences, significant } from "../format.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { activationPaper, zeroPaper, zeroTraffic } from "../sources.js";
import { rule, say, word } from "../words.js";
import {
  activationBytes,
  alikeSent,
  contextBytes,
  floorBytes,
  floorKnown,
  stages,
  timesSent,
  type ZeroState,
} from "../zero-state.js";

/** Bytes of a parameter that are whole on every rank, and that the ranks share. */
function split({ each, zeroStage, kept }: ZeroState): { whole: number; shared: number } {
  const optimizer = each.masterBytes + each.momentBytes;
  const parts: [number, boolean][] = [
    [each.weightBytes, zeroStage >= 3 && !kept],
    [each.gradientBytes, zeroStage >= 2],
    [optimizer, zeroStage >= 1],
  ];
  const sum = (wanted: boolean) => parts.filter(([, shared]) => shared === wanted).reduce((all, [size]) => all + size, 0);
  return { whole: sum(false), shared: sum(true) };
}

function total(state: ZeroState): Reason {
  const { params, ranks, zeroStage, ladder } = state;
  const { whole, shared } = split(state);
  const n = count(params);
  const written = (r: string, by: string): string => {
    if (shared === 0) return `${whole} · ${by}`;
    return whole === 0 ? `${shared} · ${by} / ${r}` : `(${whole} + ${shared} / ${r}) · ${by}`;
  };
  const isRounded = zeroStage > 0 && params % ranks !== 0;
  return {
    name: say`Total at stage ${zeroStage}`,
    guard: "ZeRO: the 18 cells of the paper's table 1, to one unit of the last printed digit",
    equals: [written("R", "N"), written(String(ranks), n), `${exact(ladder[zeroStage]!.totalBytes)} B`],
    note: sentences(
      word("States only: activations, buffers and the layers that stage 3 has gathered come on top."),
      isRounded ? word("A share is rounded up to whole elements.") : "",
    ),
  };
}

function part(name: string, perParameter: number, sharded: boolean, held: number, { params, ranks }: ZeroState, note?: string): Reason {
  const [letters, values] = [`${perParameter} · N`, `${perParameter} · ${count(params)}`];
  return {
    name,
    guard: "ZeRO: each stage shards one more part",
    equals: [sharded ? `${letters} / R` : letters, sharded ? `${values} / ${ranks}` : values, `${exact(held)} B`],
    ...(note !== undefined && { note }),
  };
}

function held(state: ZeroState): Reason[] {
  const { each, zeroStage, kept, ladder, recipe } = state;
  const own = ladder[zeroStage]!;
  const { weightBytes, gradientBytes, masterBytes, momentBytes } = each;
  const parts = say`Master weights ${masterBytes} B, moments ${momentBytes} B a parameter. Recipe: ${rule(recipe.source)}.`;
  return [
    part(word("Weights"), weightBytes, zeroStage >= 3 && !kept, own.parameterBytes, state),
    part(word("Gradients"), gradientBytes, zeroStage >= 2, own.gradientBytes, state),
    part(word("Optimizer: master weights and moments"), masterBytes + momentBytes, zeroStage >= 1, own.optimizerBytes, state, parts),
  ];
}

function notes(state: ZeroState): string {
  const { zeroStage, microBatches } = state;
  const isRepeated = microBatches > 1 && zeroStage >= 2;
  const again = isRepeated ? word("And that for each micro-batch, since nothing whole is kept to add to.") : "";
  return sentences(traffic(state), again);
}

function traffic({ zeroStage, kept, layers }: ZeroState): string {
  if (zeroStage === 0) {
    return word("A reduce-scatter of gradients and an all-gather of their sums: the bytes of an all-reduce, 2Ψ in the paper, where Ψ is the number of parameters.");
  }
  if (zeroStage < 3) {
    return word("A reduce-scatter of gradients and an all-gather of the new weights: the bytes of an all-reduce, 2Ψ in the paper, where Ψ is the number of parameters.");
  }
  if (kept) return word("Weights are gathered once, and stay until their backward.");
  return say`Weights are gathered for the forward, and once more for the backward, since they are not kept; gradients are reduced to their owner. The paper counts 3Ψ against the 2Ψ of plain data parallelism, where Ψ is the number of parameters: 1.5×. For ${count(layers)} layers these are ${count(2 * layers)} all-gathers; one less where the last layer's weights stay for its backward, which follows at once.`;
}

function sent(state: ZeroState): Reason {
  const { params, ranks, zeroStage, each, ladder } = state;
  const guard = "gradients and weights are sent as the ZeRO paper counts: twice, twice, twice, three times the parameters";
  // Each collective sends its bytes of a parameter.
  const perParameter = alikeSent(state)
    ? `${timesSent(state, zeroStage)} · ${significant(each.weightBytes)}`
    : `(${ladder[zeroStage]!.sent.map(({ times, bytesPerParam }) => `${times} · ${significant(bytesPerParam)}`).join(" + ")})`;
  return {
    name: say`Sent by each rank in a step at stage ${zeroStage}`,
    guard,
    equals: [
      `${perParameter} · N · (R − 1) / R`,
      `${perParameter} · ${count(params)} · (${ranks} − 1) / ${ranks}`,
      `${exact(ladder[zeroStage]!.sentBytes)} B`,
    ],
    note: notes(state),
  };
}

function worded(name: string, guard: string, words: string, size: number, note: string): Reason {
  return { name, guard, equals: [words, `${exact(size)} B`], note };
}

const workingSet = "working sets: what is recomputed, what stage 3 gathers";
const comesOnTop = "what comes on top is counted where it is needed, and fragmentation of what the allocator has";

function onTop(state: ZeroState): Reason[] {
  const { shaped, zeroStage } = state;
  if (shaped === undefined) return [];
  const own = shaped.stages[zeroStage]!;
  const floor = floorKnown(state);
  const activations = worded(
    word("Activations of a micro-batch"),
    "activations in flight are those of the simulated schedule",
    word("kept, computed again, and logits"),
    activationBytes(own),
    word("Every rank has its own tokens' activations: there is nothing twice that could be sharded. The widget on memory below has them tensor by tensor."),
  );
  const all = worded(
    word("With all that comes on top"),
    comesOnTop,
    word("the total of the widget on memory"),
    own.totalBytes,
    word("With context, communication library, buckets, gathered layers and what is lost between blocks: by the defaults of the widget on memory, each of which has its source there."),
  );
  if (floor === undefined) return [activations, all];
  const three = floor.stages[3]!;
  const gathered = worded(
    word("Gathered at stage 3"),
    workingSet,
    word("weights and gradients gathered"),
    three.gatheredBytes,
    word("Weights of the largest layer, or of the embedding where that is more, and of the layer gathered ahead; and the gradients of the larger of the two."),
  );
  const left: Reason = {
    name: word("Floor of stage 3"),
    guard: comesOnTop,
    equals: [
      word("activations + gathered + context"),
      `${count(activationBytes(three))} + ${count(three.gatheredBytes)} + ${count(contextBytes(three))}`,
      `${exact(floorBytes(floor))} B`,
    ],
    note: word("What no number of ranks makes less: the states' share goes to nothing, this stays. Context with the communication library."),
  };
  return [activations, gathered, left, all];
}

function reasons(state: ZeroState): Reason[] {
  const counting: Reason = {
    name: word("Parameters"),
    guard: "parameters of public models are exact",
    equals: ["N", count(state.params)],
    note: word("Counted exactly from the configuration."),
  };
  return [...(state.counted ? [counting] : []), ...held(state), total(state), sent(state), ...onTop(state)];
}

function stateColumns(): string[] {
  return [word("stage", "ZeRO"), word("weights"), word("gradients"), word("optimizer"), word("total"), word("the same"), word("sent")];
}

function table(state: ZeroState): DataTable {
  const { shaped } = state;
  const all = (stage: number) => (shaped === undefined ? [] : [inText(bytes(shaped.stages[stage]!.totalBytes, 6))]);
  return {
    caption: word("One rank: its states, and what it sends in a step"),
    head: [...stateColumns(), ...(shaped === undefined ? [] : [word("with all on top")])],
    rows: stages.map((stage) => {
      const memory = state.ladder[stage]!;
      return [
        String(stage),
        inText(bytes(memory.parameterBytes, 6)),
        inText(bytes(memory.gradientBytes, 6)),
        inText(bytes(memory.optimizerBytes, 6)),
        inText(bytes(memory.totalBytes, 6)),
        inText(bothBytes(memory.totalBytes)[1]),
        inText(bytes(memory.sentBytes, 6)),
        ...all(stage),
      ];
    }),
  };
}

export const details: Details<ZeroState> = {
  reasons,
  sources: [zeroPaper, zeroTraffic, activationPaper, contextMeasured, fsdp],
  table,
};
