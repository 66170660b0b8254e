/** Where the bytes of a card come from. */

import type { FootprintOptions, StageFootprint } from "shardlab";
import { binaryBytes, bothBytes, bytes, count, exact, inText, plural, sentences } from "../format.js";
import { allowanceSources } from "../memory-allowances.js";
import type { MemoryState, Sized } from "../memory-state.js";
import type { DataTable, Details, Reason } from "../routine.js";
import { launchFlags } from "./memory-launch.js";
import { layerTerms } from "./memory-terms.js";
import { activationPaper, ddp, zeroBubble, zeroPaper } from "../sources.js";
import { counted, rule, say, word } from "../words.js";

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
  if (total === 0) return { name, equals: [word("none on the card"), written(0)] };
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
  const { weightBytes, gradientBytes, masterBytes, momentBytes, source } = sized.recipe;
  return [
    state(word("Weights"), weightBytes, 3, stage.weightBytes, sized, statesNote(sized)),
    state(word("Gradients"), gradientBytes, 2, stage.gradientBytes, sized, say`Bytes of a parameter: ${rule(source)}.`),
    optimizer(sized) ??
      state(word("Optimizer"), masterBytes + momentBytes, 1, stage.optimizerBytes, sized, word("Master weights and moments.")),
    ...offloaded(stage),
  ];
}

/** What the letters of a state's formula are. */
function statesNote(sized: MemoryState): string {
  const { parameters, denseParameters } = mostLoaded(sized);
  const { zeroStage = 0 } = sized.options;
  return sentences(
    parameters > denseParameters
      ? word("N is the parameters of a rank of this stage: all but routed experts, E of these, which Q ranks share.")
      : word("N is the parameters of a rank of this stage: all."),
    zeroStage > 0 ? word("R is the ranks that share what ZeRO shards; a share is rounded up to whole elements.") : "",
  );
}

function offloaded({ hostBytes }: StageFootprint): Reason[] {
  const guard = "offloaded states are in host memory and not on the card";
  const note = word("From stage 2 on a rank's gradients go to the host as they are made (Ren et al., arXiv:2101.06840); before, they stay on the card whole.");
  return hostBytes === 0 ? [] : [worded(word("In the host's memory"), guard, word("offloaded states"), hostBytes, note)];
}

/** Where its bytes are not the same for every parameter. */
function optimizer(sized: MemoryState): Reason | undefined {
  const { masterBytes, momentBytes, matrixMomentBytes } = sized.recipe;
  if (momentBytes === matrixMomentBytes) return undefined;
  return {
    name: word("Optimizer"),
    guard: "Muon keeps one moment for the matrices inside layers and two for the rest",
    equals: [word("bytes by kind of parameter"), written(mostLoaded(sized).optimizerBytes)],
    note: say`Moments of a matrix inside a layer take ${matrixMomentBytes} B an element, those of the rest ${momentBytes} B; master weights ${masterBytes} B.`,
  };
}

// Activations and what comes on top

function activations(sized: Sized): Reason {
  return {
    name: word("Activations"),
    guard: "activations in flight are those of the simulated schedule",
    equals: [word("all that is in flight"), written(mostLoaded(sized).activationBytes)],
    note: sentences(inFlight(mostLoaded(sized)), word("Below, what one micro-batch keeps of each kind of layer.")),
  };
}

function inFlight({ layers, microBatchesInFlight, weightGradientsWaiting }: StageFootprint): string {
  const batches = counted(count(microBatchesInFlight), "micro-batch", microBatchesInFlight === 1 ? "micro-batch" : "micro-batches");
  const on = plural(layers, "layer");
  return weightGradientsWaiting === 0
    ? say`${batches} in flight at the worst moment of the simulated schedule, and ${on} on the stage.`
    : say`${batches} in flight at the worst moment of the simulated schedule, ${count(weightGradientsWaiting)} that wait for their weight gradients, and ${on} on the stage.`;
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
        word("Logits"),
        comesOnTop,
        word("logits and their gradient"),
        logitBytes,
        word("In 32 bits, those of all micro-batches in flight; and the gradient of one micro-batch's, unless it is left out."),
      ),
    ],
    [
      recomputedBytes,
      worded(
        word("Working set of recomputation"),
        workingSet,
        word("what one backward makes again"),
        recomputedBytes,
        word("Of the layers between two kept inputs, what is not kept."),
      ),
    ],
    [
      gatheredBytes,
      worded(
        word("Working set of stage 3"),
        workingSet,
        word("weights and gradients gathered"),
        gatheredBytes,
        word("Weights of the layer at work, or of the embedding or head where that is more, and of the layers gathered ahead; and the gradients of the larger of the two. What no other rank shares, and no host memory has, is whole among the states."),
      ),
    ],
  ];
  return all.filter(([size]) => size > 0).map(([, reason]) => reason);
}

function onTop(sized: Sized): Reason[] {
  const { contextBytes, communicationBytes, bucketBytes, fragmentationBytes } = mostLoaded(sized);
  const all: [string, string, number, string][] = [
    [word("CUDA context"), word("as set"), contextBytes, word("0.92 GiB as measured on an A100 with PyTorch 2.1.1, unless you set another.")],
    [word("Communication library"), word("as set"), communicationBytes, word("Where there is more than one rank. A choice: with the context it takes 1 to 3 GiB.")],
    [word("Buckets"), word("as set"), bucketBytes, word("Gradients on their way to other ranks or the host: two of PyTorch's buckets of 25 MiB, below stage 3.")],
    [word("Fragmentation"), word("a part of what is allocated"), fragmentationBytes, word("A choice: little with expandable segments, up to a third without.")],
  ];
  return all.map(([name, words, size, note]) => worded(name, comesOnTop, words, size, note));
}

function total(sized: Sized): Reason {
  const { stage, totalBytes } = mostLoaded(sized);
  return {
    name: say`Most loaded: a rank of stage ${stage}`,
    guard: "uneven stages: the answer is the heaviest stage, never the average",
    equals: [word("the sum of what follows"), `${exact(totalBytes)} B`],
    note: say`${bothBytes(totalBytes, 4).map(inText).join(" = ")}.`,
  };
}

/** What a program can have of a card that is known by name. */
function usable({ accelerator }: Sized): Reason[] {
  if (accelerator === undefined) return [];
  const { usableBytes, capacityBytes, source } = accelerator;
  const note = say`${inText(binaryBytes(usableBytes))} of ${inText(binaryBytes(capacityBytes))} built in. From ${rule(source)}.`;
  return [{ name: word("Usable"), equals: [word("what a program can have of the card"), written(usableBytes)], note }];
}

function reasons(sized: MemoryState): Reason[] {
  return [total(sized), ...usable(sized), ...states(sized), activations(sized), ...layerTerms(sized), ...workingSets(sized), ...onTop(sized)];
}

function columns(): [string, (stage: StageFootprint) => string][] {
  return [
    [word("layers"), ({ layers }) => count(layers)],
    [word("parameters"), ({ parameters }) => count(parameters)],
    [word("in flight"), ({ microBatchesInFlight }) => count(microBatchesInFlight)],
    [word("waiting"), ({ weightGradientsWaiting }) => count(weightGradientsWaiting)],
    [word("weights"), ({ weightBytes }) => inText(bytes(weightBytes, 4))],
    [word("gradients"), ({ gradientBytes }) => inText(bytes(gradientBytes, 4))],
    [word("optimizer"), ({ optimizerBytes }) => inText(bytes(optimizerBytes, 4))],
    [word("activations"), ({ activationBytes }) => inText(bytes(activationBytes, 4))],
    [word("logits"), ({ logitBytes }) => inText(bytes(logitBytes, 4))],
    [word("recomputed"), ({ recomputedBytes }) => inText(bytes(recomputedBytes, 4))],
    [word("gathered"), ({ gatheredBytes }) => inText(bytes(gatheredBytes, 4))],
    [word("context"), ({ contextBytes }) => inText(bytes(contextBytes, 4))],
    [word("library"), ({ communicationBytes }) => inText(bytes(communicationBytes, 4))],
    [word("buckets"), ({ bucketBytes }) => inText(bytes(bucketBytes, 4))],
    [word("fragmentation"), ({ fragmentationBytes }) => inText(bytes(fragmentationBytes, 4))],
    [word("in host memory"), ({ hostBytes }) => inText(bytes(hostBytes, 4))],
    [word("total"), ({ totalBytes }) => inText(bytes(totalBytes, 4))],
    [word("the same"), ({ totalBytes }) => inText(bothBytes(totalBytes, 4)[1])],
  ];
}

function table({ found }: MemoryState): DataTable {
  const all = columns();
  return {
    caption: word("One rank of each pipeline stage"),
    head: [word("stage"), ...all.map(([name]) => name)],
    rows: found.perStage.map((stage) => [count(stage.stage), ...all.map(([, text]) => text(stage))]),
  };
}

export const details: Details<MemoryState> = {
  reasons,
  sources: [zeroPaper, activationPaper, zeroBubble, ddp, ...allowanceSources],
  table,
  more: launchFlags,
};
