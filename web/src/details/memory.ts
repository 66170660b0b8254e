/** Where the bytes of a card come from. */

import type { FootprintOptions, StageFootprint } from "shardlab";
import { binaryBytes, bothBytes, bytes, count, exact, inText, plural } from "../format.js";
import { allowanceSources } from "../memory-allowances.js";
import type { MemoryState, Sized } from "../memory-state.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { launchFlags } from "./memory-launch.js";
import { layerTerms } from "./memory-terms.js";
import { activationPaper, ddp, zeroBubble, zeroPaper } from "../sources.js";

function mostLoaded({ found }: Sized): StageFootprint {
  return found.perStage[found.mostLoadedStage]!;
}

const written = (value: number): string => `${exact(value)} B`;

// States

/** Ranks that share what ZeRO shards, as factors. */
function shares({ dp = 1, cp = 1, ep = 1, shardRanks }: FootprintOptions, expert: boolean): string {
  if (shardRanks !== undefined) return count(expert ? Math.min(shardRanks, (dp * cp) / ep) : shardRanks);
  const all = [dp, cp].filter((size) => size > 1).map(count);
  const factors = all.length === 0 ? "1" : all.join(" · ");
  return expert && ep > 1 ? `(${factors} / ${count(ep)})` : all.length > 1 ? `(${factors})` : factors;
}

/** Bytes of a kind of state: of all that is not routed experts, and of these. */
function state(name: string, perParameter: number, from: number, total: number, sized: MemoryState, note: string): Reason {
  const { parameters, denseParameters } = mostLoaded(sized);
  const { zeroStage = 0 } = sized.options;
  const sharded = zeroStage >= from;
  if (total === 0) return { name, equals: ["none on the card", written(0)] };
  const of = (letter: string, by: string) => `${perParameter} · ${letter}${sharded ? ` / ${by}` : ""}`;
  const experts = parameters - denseParameters;
  const letters = experts === 0 ? of("N", "R") : `${of("N", "R")} + ${of("E", "Q")}`;
  const dense = of(count(denseParameters), shares(sized.options, false));
  const values = experts === 0 ? dense : `${dense} + ${of(count(experts), shares(sized.options, true))}`;
  return {
    name,
    guard: "mixed Adam's states are those of the ZeRO paper's formulas",
    equals: [letters, values, written(total)],
    note,
  };
}

function states(sized: MemoryState): Reason[] {
  const stage = mostLoaded(sized);
  const { zeroStage = 0 } = sized.options;
  const { weightBytes, gradientBytes, masterBytes, momentBytes, source } = sized.recipe;
  const shared = zeroStage > 0 ? " R is the ranks that share what ZeRO shards; a share is rounded up to whole elements." : "";
  const experts = stage.parameters > stage.denseParameters;
  const what = experts ? "all but routed experts, E of these, which Q ranks share" : "all";
  const note = `N is the parameters of a rank of this stage: ${what}.${shared}`;
  return [
    state("Weights", weightBytes, 3, stage.weightBytes, sized, note),
    state("Gradients", gradientBytes, 2, stage.gradientBytes, sized, `Bytes of a parameter: ${source}.`),
    optimizer(sized) ?? state("Optimizer", masterBytes + momentBytes, 1, stage.optimizerBytes, sized, "Master weights and moments."),
    ...offloaded(stage),
  ];
}

function offloaded({ hostBytes }: StageFootprint): Reason[] {
  const guard = "offloaded states are in host memory and not on the card";
  const note =
    "From stage 2 on a rank's gradients go to the host as they are made (Ren et al., arXiv:2101.06840); before, they stay " +
    "on the card whole.";
  return hostBytes === 0 ? [] : [{ name: "In the host's memory", guard, equals: ["offloaded states", written(hostBytes)], note }];
}

/** Where its bytes are not the same for every parameter. */
function optimizer(sized: MemoryState): Reason | undefined {
  const { masterBytes, momentBytes, matrixMomentBytes } = sized.recipe;
  if (momentBytes === matrixMomentBytes) return undefined;
  return {
    name: "Optimizer",
    guard: "Muon keeps one moment for the matrices inside layers and two for the rest",
    equals: ["bytes by kind of parameter", written(mostLoaded(sized).optimizerBytes)],
    note:
      `Moments of a matrix inside a layer take ${matrixMomentBytes} B an element, those of the rest ${momentBytes} B; ` +
      `master weights ${masterBytes} B.`,
  };
}

// Activations and what comes on top

function activations(sized: Sized): Reason {
  const { layers, microBatchesInFlight, weightGradientsWaiting, activationBytes } = mostLoaded(sized);
  const batches = `${count(microBatchesInFlight)} micro-batch${microBatchesInFlight === 1 ? "" : "es"}`;
  return {
    name: "Activations",
    guard: "activations in flight are those of the simulated schedule",
    equals: ["all that is in flight", written(activationBytes)],
    note:
      `${batches} in flight at the worst moment of the simulated schedule, ` +
      (weightGradientsWaiting === 0 ? "" : `${count(weightGradientsWaiting)} that wait for their weight gradients, `) +
      `and ${plural(layers, "layer")} on the stage. ` +
      "Below, what one micro-batch keeps of each kind of layer.",
  };
}

const workingSet = "working sets: what is recomputed, what stage 3 gathers";
const comesOnTop = "what comes on top is counted where it is needed, and fragmentation of what the allocator has";

/** A size for which there are words in place of a formula. */
function worded(name: string, guard: string, words: string, size: number, note: string): Reason {
  return { name, guard, equals: [words, written(size)], note };
}

function workingSets(sized: Sized): Reason[] {
  const { recomputedBytes, gatheredBytes, logitBytes } = mostLoaded(sized);
  const all: [number, Reason][] = [
    [
      logitBytes,
      worded(
        "Logits",
        comesOnTop,
        "logits and their gradient",
        logitBytes,
        "In 32 bits, those of all micro-batches in flight; and the gradient of one micro-batch's, unless it is left out.",
      ),
    ],
    [
      recomputedBytes,
      worded(
        "Working set of recomputation",
        workingSet,
        "what one backward makes again",
        recomputedBytes,
        "Of the layers between two kept inputs, what is not kept.",
      ),
    ],
    [
      gatheredBytes,
      worded(
        "Working set of stage 3",
        workingSet,
        "weights and gradients gathered",
        gatheredBytes,
        "Weights of the layer at work, or of the embedding or head where that is more, and of the layers gathered ahead; and the gradients of the larger of the two. What no other rank shares, and no host memory has, is whole among the states.",
      ),
    ],
  ];
  return all.filter(([size]) => size > 0).map(([, reason]) => reason);
}

function onTop(sized: Sized): Reason[] {
  const { contextBytes, communicationBytes, bucketBytes, fragmentationBytes } = mostLoaded(sized);
  const all: [string, string, number, string][] = [
    ["CUDA context", "as set", contextBytes, "0.92 GiB as measured on an A100 with PyTorch 2.1.1, unless you set another."],
    ["Communication library", "as set", communicationBytes, "Where there is more than one rank. A choice: with the context it takes 1 to 3 GiB."],
    ["Buckets", "as set", bucketBytes, "Gradients on their way to other ranks or the host: two of PyTorch's buckets of 25 MiB, below stage 3."],
    ["Fragmentation", "a part of what is allocated", fragmentationBytes, "A choice: little with expandable segments, up to a third without."],
  ];
  return all.map(([name, words, size, note]) => worded(name, comesOnTop, words, size, note));
}

function total(sized: Sized): Reason {
  const { stage, totalBytes } = mostLoaded(sized);
  return {
    name: `Most loaded: a rank of stage ${stage}`,
    guard: "uneven stages: the answer is the heaviest stage, never the average",
    equals: ["the sum of what follows", `${exact(totalBytes)} B`],
    note: `${bothBytes(totalBytes, 4).map(inText).join(" = ")}.`,
  };
}

/** What a program can have of a card that is known by name. */
function usable({ accelerator }: Sized): Reason[] {
  if (accelerator === undefined) return [];
  const { usableBytes, capacityBytes, source } = accelerator;
  const note = `${inText(binaryBytes(usableBytes))} of ${inText(binaryBytes(capacityBytes))} built in. From ${source}.`;
  return [{ name: "Usable", equals: ["what a program can have of the card", written(usableBytes)], note }];
}

function reasons(sized: MemoryState): Reason[] {
  return [total(sized), ...usable(sized), ...states(sized), activations(sized), ...layerTerms(sized), ...workingSets(sized), ...onTop(sized)];
}

const columns: readonly [string, (stage: StageFootprint) => string][] = [
  ["layers", ({ layers }) => count(layers)],
  ["parameters", ({ parameters }) => count(parameters)],
  ["in flight", ({ microBatchesInFlight }) => count(microBatchesInFlight)],
  ["waiting", ({ weightGradientsWaiting }) => count(weightGradientsWaiting)],
  ["weights", ({ weightBytes }) => inText(bytes(weightBytes, 4))],
  ["gradients", ({ gradientBytes }) => inText(bytes(gradientBytes, 4))],
  ["optimizer", ({ optimizerBytes }) => inText(bytes(optimizerBytes, 4))],
  ["activations", ({ activationBytes }) => inText(bytes(activationBytes, 4))],
  ["logits", ({ logitBytes }) => inText(bytes(logitBytes, 4))],
  ["recomputed", ({ recomputedBytes }) => inText(bytes(recomputedBytes, 4))],
  ["gathered", ({ gatheredBytes }) => inText(bytes(gatheredBytes, 4))],
  ["context", ({ contextBytes }) => inText(bytes(contextBytes, 4))],
  ["library", ({ communicationBytes }) => inText(bytes(communicationBytes, 4))],
  ["buckets", ({ bucketBytes }) => inText(bytes(bucketBytes, 4))],
  ["fragmentation", ({ fragmentationBytes }) => inText(bytes(fragmentationBytes, 4))],
  ["in host memory", ({ hostBytes }) => inText(bytes(hostBytes, 4))],
  ["total", ({ totalBytes }) => inText(bytes(totalBytes, 4))],
  ["the same", ({ totalBytes }) => inText(bothBytes(totalBytes, 4)[1])],
];

function table({ found }: MemoryState): DataTable {
  return {
    caption: "One rank of each pipeline stage",
    head: ["stage", ...columns.map(([name]) => name)],
    rows: found.perStage.map((stage) => [count(stage.stage), ...columns.map(([, text]) => text(stage))]),
  };
}

export const details: Details<MemoryState> = {
  reasons,
  sources: [zeroPaper, activationPaper, zeroBubble, ddp, ...allowanceSources],
  table,
  more: launchFlags,
};
