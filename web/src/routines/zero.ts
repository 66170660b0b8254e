import type { StageFootprint, StateCollective, ZeroStatesResult } from "shardlab";
import { ladderFigure, type LadderPicture, type Rung } from "../figures/ladder.js";
import type { Column, LayersPicture } from "../figures/layers.js";
import { alike, bothBytes, bytes, count, inText, items, phrases, plural, sentences, significant, type Quantity } from "../format.js";
import { presets } from "../presets/zero.js";
import type { Readout, Routine, View } from "../routine.js";
import { say, word } from "../words.js";
import { zeroParameters } from "../zero-parameters.js";
import {
  activationBytes,
  alikeSent,
  contextBytes,
  floorBytes,
  floorKnown,
  run,
  stages,
  timesSent,
  type ZeroState,
} from "../zero-state.js";
import operationsStyle from "../figure/operations.css";

function fits({ capacity }: ZeroState, size: number): boolean {
  return capacity === undefined || size <= capacity;
}

/** Decimal, and the same in the binary units that tools print. */
function both(value: number): Quantity {
  const [{ value: shown, unit }, other] = bothBytes(value, 4);
  return { value: shown, unit: `${unit} =\u00a0${inText(other)}` };
}

// In words

function caption(state: ZeroState): string {
  return sentences(statesCaption(state), onTop(state));
}

function statesCaption(state: ZeroState): string {
  const { zeroStage, capacity, ladder, shaped } = state;
  const own = ladder[zeroStage]!.totalBytes;
  const size = statesSize(state);
  if (capacity === undefined) return shaped === undefined ? say`${size}, before activations and buffers.` : say`${size}.`;
  const line = inText(bytes(capacity));
  if (fits(state, own)) {
    return shaped === undefined ? say`${size}. That is within ${line}, before activations and buffers.` : say`${size}. That is within ${line}.`;
  }
  const smallest = stages.find((stage) => fits(state, ladder[stage]!.totalBytes));
  return smallest === undefined
    ? say`${size}. That does not fit ${line}; no stage does on so few ranks.`
    : say`${size}. That does not fit ${line}; stage ${smallest} is the first that does.`;
}

function statesSize({ ranks, zeroStage, ladder, kept }: ZeroState): string {
  const [on, size] = [plural(ranks, "rank"), inText(bytes(ladder[zeroStage]!.totalBytes, 4))];
  return kept
    ? say`ZeRO stage ${zeroStage} on ${on}: ${size} of states on each at most, since it keeps the weights that it has gathered`
    : say`ZeRO stage ${zeroStage} on ${on}: ${size} of states on each`;
}

/** What is known of a model's activations, in sentences. */
function onTop(state: ZeroState): string {
  const { shaped, zeroStage, capacity } = state;
  if (shaped === undefined) return "";
  const own = shaped.stages[zeroStage]!;
  const [more, all] = [inText(bytes(activationBytes(own), 4)), inText(bytes(own.totalBytes, 4))];
  const name = word(shaped.name);
  const added =
    capacity === undefined
      ? say`${name}'s activations add ${more} at every stage: with all that comes on top it is ${all}.`
      : fits(state, own.totalBytes)
        ? say`${name}'s activations add ${more} at every stage: with all that comes on top it is ${all}, which fits.`
        : say`${name}'s activations add ${more} at every stage: with all that comes on top it is ${all}, which does not fit.`;
  const floor = floorKnown(state);
  return floor === undefined
    ? added
    : sentences(added, say`Of stage 3, ${inText(bytes(floorBytes(floor), 4))} are left on any number of ranks.`);
}

function claim(state: ZeroState): string {
  const { weightBytes, gradientBytes, masterBytes, momentBytes } = state.each;
  const optimizer = masterBytes + momentBytes;
  const all = significant(weightBytes + gradientBytes + optimizer, 4);
  return say`${all} bytes per parameter. Stage 1 shards the ${significant(optimizer)} of the optimizer, stage 2 also the gradient's ${significant(gradientBytes)}, stage 3 also the weight's ${significant(weightBytes)}; ${cost(state)}.`;
}

function cost({ microBatches, kept, ladder }: ZeroState): string {
  if (microBatches > 1) return word("stages 2 and 3 send anew for every micro-batch");
  if (kept) return word("a stage 3 that keeps what it gathers has the memory and the traffic of stage 2");
  return ladder[3]!.sentBytes > ladder[0]!.sentBytes
    ? word("only stage 3 sends more: it gathers each layer's weights, twice")
    : word("stage 3 gathers each layer's weights, twice");
}

function tryNext({ zeroStage, shaped, microBatches, kept, ranks }: ZeroState): string {
  if (zeroStage < 3) return word("Raise the ZeRO stage to 3, and see what each rank sends.");
  if (kept) return word("Compare with stage 2: which of the two holds more, and which sends more?");
  if (shaped === undefined) return word("Take a published model in place of a number: what is left of stage 3 on 1024 ranks?");
  if (ranks < 1024) return word("Take 1024 ranks: which parts go to nothing, and which stay?");
  if (microBatches === 1) return word("Accumulate 4 micro-batches: which stages send more, and which do not?");
  return word("Keep the weights after the forward: what does it save, and what does it cost?");
}

// The ladder

function nth(stage: number): string {
  return `${word("stage", "ZeRO")} ${stage}`;
}

function rung(memory: ZeroStatesResult, stage: number, value: string, { zeroStage }: ZeroState): Rung {
  return {
    label: nth(stage),
    value,
    beyond: word("does not fit"),
    parts: [
      { length: memory.parameterBytes, kind: "parameters" },
      { length: memory.gradientBytes, kind: "gradients" },
      { length: memory.optimizerBytes, kind: "optimizer" },
    ],
    chosen: stage === zeroStage,
  };
}

/** What ZeRO does not shard; and what stage 3 cannot go below. */
function aside(state: ZeroState): Rung[] {
  const { shaped } = state;
  if (shaped === undefined) return [];
  const three = shaped.stages[3]!;
  const activations = { length: activationBytes(three), kind: "part activations" };
  const rungOf = (label: string, parts: Rung["parts"]): Rung => {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    return { label, value: inText(bytes(size, 4)), beyond: word("too much"), parts, chosen: false };
  };
  const rungs = [rungOf(word("activations"), [activations])];
  if (floorKnown(state) === undefined) return rungs;
  const rest = [
    { length: three.gatheredBytes, kind: "part worksets" },
    { length: contextBytes(three), kind: "part on-top" },
  ];
  return [...rungs, rungOf(word("floor of 3"), [activations, ...rest])];
}

function legend(state: ZeroState): LadderPicture["legend"] {
  const { weightBytes, gradientBytes, masterBytes, momentBytes } = state.each;
  const states = [
    { kind: "parameters", label: say`weights, ${significant(weightBytes)} B` },
    { kind: "gradients", label: say`gradients, ${significant(gradientBytes)} B` },
    { kind: "optimizer", label: say`optimizer, ${significant(masterBytes)} + ${significant(momentBytes)} B` },
  ];
  if (state.shaped === undefined) return states;
  const activations = { kind: "part activations striped", label: word("activations, not sharded") };
  if (floorKnown(state) === undefined) return [...states, activations];
  return [
    ...states,
    activations,
    { kind: "part worksets", label: word("gathered layers") },
    { kind: "part on-top", label: word("context, library") },
  ];
}

function drawn(state: ZeroState, width: number): Omit<LadderPicture, "summary"> {
  const { capacity, ladder, shaped } = state;
  const sizes = alike(ladder.map(({ totalBytes }) => totalBytes));
  return {
    rungs: ladder.map((memory, stage) => rung(memory, stage, sizes[stage]!, state)),
    aside: aside(state),
    ...(capacity !== undefined && {
      limit: { at: capacity, label: limitLabel(capacity) },
    }),
    legend: legend(state),
    ...(shaped === undefined && { unmeasured: word("activations: not in this model") }),
    sentTitle: [
      [word("Sent by each rank in a step"), word("AG: all-gather"), word("RS: reduce-scatter of gradients")],
      [psi(state)],
    ],
    sent: sentRows(state),
    layers: layersPicture(state, width),
  };
}

function limitLabel(capacity: number): string {
  const [size, other] = bothBytes(capacity).map(inText) as [string, string];
  return say`${size} of a GPU = ${other}`;
}

// What is sent

function psi(state: ZeroState): string {
  const { weightBytes } = state.each;
  return alikeSent(state)
    ? say`Ψ: all weights once, ${significant(weightBytes)} bytes each`
    : word("Ψ: all weights or all gradients once");
}

/** Stages that send the same, together. */
function alikeStages(state: ZeroState): number[][] {
  const key = (stage: number) => JSON.stringify(state.ladder[stage]!.sent);
  const groups: number[][] = [];
  for (const stage of stages) {
    const last = groups[groups.length - 1];
    if (last !== undefined && key(last[0]!) === key(stage)) last.push(stage);
    else groups.push([stage]);
  }
  return groups;
}

function stagesLabel(group: readonly number[]): string {
  const [first, last] = [group[0]!, group[group.length - 1]!];
  return first === last ? nth(first) : `${word("stages", "ZeRO")} ${first}–${last}`;
}

function collectiveName({ collective, pass }: StateCollective): string {
  const name = collective === "all-gather" ? "AG" : "RS";
  return { forward: say`${name} fwd`, backward: say`${name} bwd`, step: name }[pass];
}

function sentRows(state: ZeroState): LadderPicture["sent"] {
  return alikeStages(state).map((group) => {
    const stage = group[0]!;
    const isAllReduce = stage === 0 && state.ranks > 1;
    return {
      label: stagesLabel(group),
      value: sentValue(state, stage),
      blocks: state.ladder[stage]!.sent.map((one) => ({
        name: one.times === 1 ? collectiveName(one) : `${count(one.times)}× ${collectiveName(one)}`,
        size: inText(bytes(one.bytes, 4)),
        kind: one.pass === "step" ? "neutral" : one.pass,
      })),
      ...(isAllReduce && { sum: [word("= an"), word("all-reduce")] as const }),
      chosen: group.includes(state.zeroStage),
    };
  });
}

function sentValue(state: ZeroState, stage: number): string {
  if (state.ranks === 1) return word("0 B on one rank");
  const [own, plain] = [stage, 0].map((one) => state.ladder[one]!.sentBytes) as [number, number];
  const ratio = own === plain || plain === 0 ? "" : `, ${significant(own / plain, 2)}×`;
  return `${inText(bytes(own, 4))} (${count(timesSent(state, stage))}Ψ)${ratio}`;
}

/** The layers that a figure of a width has room for; nothing stands for those that are left out. */
function shownLayers(layers: number, width: number): (string | undefined)[] {
  const first = width < 560 ? ["1"] : ["1", "2"];
  if (layers > first.length + 2) return [...first, undefined, String(layers)];
  return Array.from({ length: layers }, (_, index) => String(index + 1));
}

function layersPicture(state: ZeroState, width: number): LayersPicture {
  const { layers, zeroStage, microBatches, ladder } = state;
  const shown = shownLayers(layers, width);
  const has = (pass: string, collective: string) =>
    ladder[zeroStage]!.sent.some((one) => one.pass === pass && one.collective === collective);
  const column = (kind: "forward" | "backward", layer: string | undefined): Column => ({
    label: layer === undefined ? "…" : `${kind === "forward" ? "F" : "B"}${layer}`,
    kind: layer === undefined ? "left-out" : kind,
    gathers: has(kind, "all-gather"),
    scatters: has(kind, "reduce-scatter"),
  });
  const step: Column = { label: word("step", "optimizer"), kind: "step", gathers: has("step", "all-gather"), scatters: false };
  return {
    title: [[say`Stage ${zeroStage}, layer by layer`, ...whichBatches(zeroStage, microBatches)], counted(state)],
    columns: [
      ...shown.map((layer) => column("forward", layer)),
      ...[...shown].reverse().map((layer) => column("backward", layer)),
      step,
    ],
  };
}

/** Of which micro-batches a picture is, where there are several. */
function whichBatches(zeroStage: number, microBatches: number): string[] {
  if (microBatches === 1) return [];
  const all = count(microBatches);
  return [zeroStage < 2 ? say`the last of ${all} micro-batches` : say`each of ${all} micro-batches`];
}

/** The collectives of all layers, in a step. */
function counted({ layers, zeroStage, microBatches, kept }: ZeroState): string[] {
  if (zeroStage < 3) {
    const scatters = plural(layers * (zeroStage < 2 ? 1 : microBatches), "reduce-scatter");
    return [say`In a step ${scatters}`, zeroStage === 0 ? word("sums gathered once") : word("new weights gathered once")];
  }
  const gathers = layers * microBatches * (kept ? 1 : 2);
  return [say`In a step ${plural(gathers, "all-gather")}`, plural(layers * microBatches, "reduce-scatter")];
}

// The widget

function readouts(state: ZeroState): Readout[] {
  const { ladder, zeroStage, each, shaped } = state;
  const own = ladder[zeroStage]!;
  const { weightBytes, gradientBytes, masterBytes, momentBytes } = each;
  const all = [weightBytes, gradientBytes, masterBytes, momentBytes];
  const sum = significant(all.reduce((total, one) => total + one), 4);
  return [
    { id: "total", label: word("States per rank"), ...both(own.totalBytes) },
    { id: "parameters", label: word("Weights"), ...both(own.parameterBytes) },
    { id: "gradients", label: word("Gradients"), ...both(own.gradientBytes) },
    { id: "optimizer", label: word("Optimizer"), ...both(own.optimizerBytes) },
    { id: "sent", label: word("Sent in a step"), ...bytes(own.sentBytes, 4) },
    { id: "each", label: word("Of a parameter"), value: sum, unit: `B =\u00a0${all.map((one) => significant(one)).join("\u00a0+\u00a0")}` },
    ...(shaped === undefined ? [] : onTopReadouts(shaped.stages[zeroStage]!, state)),
  ];
}

function onTopReadouts(own: StageFootprint, state: ZeroState): Readout[] {
  const floor = floorKnown(state);
  return [
    { id: "activations", label: word("Activations"), ...both(activationBytes(own)) },
    { id: "all", label: word("With all on top"), ...both(own.totalBytes) },
    ...(floor === undefined ? [] : [{ id: "floor", label: word("Floor of stage 3"), ...both(floorBytes(floor)) }]),
  ];
}

function view(state: ZeroState, width: number): View {
  const said = caption(state);
  const picture = drawn(state, width);
  const sizes = [...picture.rungs, ...picture.aside].map(({ label, value }) => say`${label}: ${value}`);
  const [layers, collectives] = picture.layers.title.map((line) => phrases(...line)) as [string, string];
  return {
    figure: ladderFigure(
      {
        ...picture,
        summary: say`Bytes of states on each rank, by ZeRO stage. ${items(...sizes)}. ${layers}. ${collectives}. ${said}`,
      },
      width,
    ),
    caption: said,
    claim: claim(state),
    tryNext: tryNext(state),
    readouts: readouts(state),
  };
}

export const zero: Routine<ZeroState> = {
  id: "zero",
  modules: ["memory"],
  title: "ZeRO memory",
  claim:
    "16 bytes per parameter. Stage 1 shards the 12 of the optimizer, stage 2 also the gradient's 2, stage 3 also the weight's 2; only stage 3 sends more: it gathers each layer's weights, twice.",
  question: async () => (await import("../questions/zero.js")).question,
  tryNext: "Raise the ZeRO stage to 3, and see what each rank sends.",
  parameters: zeroParameters,
  presets,
  styles: [operationsStyle],
  run,
  view,
  details: async () => (await import("../details/zero.js")).details,
};
