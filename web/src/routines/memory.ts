import { presets } from "../presets/memory.js";
import type { FittingSettings, FootprintChange, FootprintResult, StageFootprint, StepCost } from "shardlab";
import { stacksFigure, type Stack, type StackGroup, type StackPart, type StacksPicture } from "../figures/stacks.js";
import { binaryBytes, bytes, count, inText, items, percent, phrases, plural, sentences, significant } from "../format.js";
import { launchFiles } from "../memory-launch.js";
import { inWords, memoryParameters } from "../memory-parameters.js";
import { pinning, run, textsOf, type MemoryState, type Sized } from "../memory-state.js";
import type { Offers } from "../offers.js";
import { named, type Texts } from "../parameter.js";
import type { Readout, Routine, View } from "../routine.js";
import { rule, say, word } from "../words.js";

/** What a bar is made of. */
const kinds: readonly { kind: string; sign: string; label: string; size(stage: StageFootprint): number }[] = [
  { kind: "weights", sign: "W", label: "weights", size: ({ weightBytes }) => weightBytes },
  { kind: "gradients", sign: "G", label: "gradients", size: ({ gradientBytes }) => gradientBytes },
  { kind: "optimizer", sign: "O", label: "optimizer", size: ({ optimizerBytes }) => optimizerBytes },
  { kind: "activations", sign: "A", label: "activations", size: ({ activationBytes }) => activationBytes },
  { kind: "logits", sign: "L", label: "logits", size: ({ logitBytes }) => logitBytes },
  {
    kind: "worksets",
    sign: "S",
    label: "working sets",
    size: ({ recomputedBytes, gatheredBytes }) => recomputedBytes + gatheredBytes,
  },
  {
    kind: "on-top",
    sign: "C",
    label: "context, buffers, loss",
    size: ({ contextBytes, communicationBytes, bucketBytes, fragmentationBytes }) =>
      contextBytes + communicationBytes + bucketBytes + fragmentationBytes,
  },
];

/** Most stages that each have a bar of their own. */
const mostBars = 16;

function parts(stage: StageFootprint): StackPart[] {
  return kinds.map(({ kind, sign, size }) => ({ kind: `part ${kind}`, sign, length: size(stage) })).filter(({ length }) => length > 0);
}

/** Of many stages the first, the last, the most loaded and some between. */
function shownStages({ perStage, mostLoadedStage }: FootprintResult, most: number): StageFootprint[] {
  if (perStage.length <= most) return perStage;
  const last = perStage.length - 1;
  const chosen = new Set([0, 1, mostLoadedStage, Math.floor(last / 2), last - 1, last]);
  return perStage.filter(({ stage }) => chosen.has(stage));
}

function stackOf(stage: StageFootprint, chosen: boolean): Stack {
  return {
    label: say`stage ${stage.stage}`,
    detail: plural(stage.layers, "layer"),
    value: inText(binaryBytes(stage.totalBytes)),
    beyond: word("does not fit"),
    title: say`Stage ${stage.stage}: ${inText(bytes(stage.totalBytes, 4))}`,
    parts: parts(stage),
    chosen,
  };
}

function linesOf({ usableBytes, capacityBytes }: FootprintResult, labelled: boolean): StackGroup["lines"] {
  const line = (at: number, label: string) => ({ at, ...(labelled && { label }) });
  const usable = line(usableBytes, say`${inText(binaryBytes(usableBytes))} usable`);
  if (capacityBytes === usableBytes) return [usable];
  return [usable, line(capacityBytes, say`${inText(binaryBytes(capacityBytes))} built in`)];
}

function groupOf({ found }: Sized, most: number, labelled: boolean): Pick<StackGroup, "lines" | "stacks"> {
  return {
    lines: linesOf(found, labelled),
    stacks: shownStages(found, most).map((stage) => stackOf(stage, stage.stage === found.mostLoadedStage)),
  };
}

function other({ pinned }: MemoryState): Sized | undefined {
  return pinned !== undefined && "found" in pinned ? pinned : undefined;
}

function cluster({ model, card, options, found }: Sized): string {
  const { tp = 1, pp = 1, dp = 1, cp = 1, zeroStage = 0 } = options;
  const axes = [["tp", tp], ["pp", pp], ["dp", dp], ["cp", cp]] as const;
  const cut = axes.filter(([, size]) => size > 1).map(([name, size]) => `${name} ${size}`);
  const how = phrases(...cut, say`ZeRO stage ${zeroStage}`);
  return say`${word(model)} on ${count(found.cost.ranks)} × ${word(card)} (${how})`;
}

function drawn(state: MemoryState, summary: string): StacksPicture {
  const pinned = other(state);
  const legend = kinds.map(({ kind, sign, label }) => ({ kind: `part ${kind}`, sign, label: word(label) }));
  if (pinned === undefined) return { summary, groups: [{ aside: false, ...groupOf(state, mostBars, true) }], legend };
  const most = mostBars / 2;
  const heading = (label: string, { card, found }: Sized) => ({ label, detail: `${count(found.cost.ranks)} × ${word(card)}` });
  return {
    summary,
    groups: [
      { heading: heading(say`Now: ${word(state.model)}`, state), aside: false, ...groupOf(state, most, true) },
      {
        heading: heading(say`Pinned: ${word(pinned.model)}`, pinned),
        aside: true,
        ...groupOf(pinned, most, pinned.found.usableBytes !== state.found.usableBytes),
      },
    ],
    legend,
  };
}

function answer({ found }: Sized): string {
  const room = inText(binaryBytes(Math.abs(found.spareBytes)));
  return found.fits ? say`it fits, with ${room} to spare` : say`it does not fit, by ${room}`;
}

function caption(state: MemoryState): string {
  const { found, pinned } = state;
  const notes = found.notes.map((note) => say`Note: ${inWords(rule(note))}.`);
  return sentences(heldCaption(state), ...notes, pinnedCaption(pinned));
}

function heldCaption(state: MemoryState): string {
  const { found } = state;
  const [held, usable] = [inText(binaryBytes(found.mostLoadedRankBytes)), inText(binaryBytes(found.usableBytes))];
  return found.perStage.length > 1
    ? say`${cluster(state)}: a rank of stage ${found.mostLoadedStage} holds most, ${held} of ${usable} usable; ${answer(state)}.`
    : say`${cluster(state)}: each rank holds ${held} of ${usable} usable; ${answer(state)}.`;
}

function pinnedCaption(pinned: MemoryState["pinned"]): string {
  if (pinned === undefined) return "";
  if ("trouble" in pinned) return say`What was pinned cannot be shown: ${rule(pinned.trouble)}.`;
  return say`Pinned, ${cluster(pinned)}: ${inText(binaryBytes(pinned.found.mostLoadedRankBytes))}; ${answer(pinned)}.`;
}

function readouts({ found, described }: MemoryState): Readout[] {
  const { value, unit } = binaryBytes(found.mostLoadedRankBytes);
  const spare = binaryBytes(Math.abs(found.spareBytes));
  return [
    { id: "most", label: word("Most loaded rank"), value, unit: say`${unit} of\u00a0${inText(binaryBytes(found.usableBytes))}` },
    { id: "fits", label: found.fits ? word("Fits, to spare") : word("Does not fit, by"), ...spare },
    { id: "cards", label: word("Cards"), value: count(found.cost.ranks) },
    { id: "bubble", label: word("Pipeline bubble"), ...percent(found.cost.bubbleOfTotal) },
    { id: "sent", label: word("Sent by a rank in a step"), ...bytes(found.cost.sentBytes) },
    { id: "parameters", label: word("Parameters"), value: significant(described.parameters / 1e9, 4), unit: word("billion") },
  ];
}

function labelOf(parameter: string): string {
  const label = named(memoryParameters, parameter)?.label;
  return label === undefined ? parameter : word(label);
}

function valueOf({ parameter, value }: Pick<FootprintChange, "parameter" | "value">): string {
  const text = value === "true" ? "on" : value;
  const chosen = named(memoryParameters, parameter)?.choices?.find((one) => one.value === text);
  return chosen === undefined ? text : word(chosen.label).toLowerCase();
}

/** What a step costs after a change, beside what it costs now: what is the same is left out. */
function price(now: StepCost, then: StepCost): string {
  const flops = (value: number) => (value === 0 ? word("nothing") : `${significant(value / 1e12)}\u00a0TFLOPs`);
  const all: [string, string, string][] = [
    [word("cards"), count(now.ranks), count(then.ranks)],
    [word("sent in a step"), inText(bytes(now.sentBytes)), inText(bytes(then.sentBytes))],
    [word("computed again"), flops(now.recomputedFlops), flops(then.recomputedFlops)],
    [word("bubble"), inText(percent(now.bubbleOfTotal)), inText(percent(then.bubbleOfTotal))],
    [word("size of a matrix product"), flops(now.productFlops), flops(then.productFlops)],
  ];
  const changed = all.filter(([, before, after]) => before !== after);
  if (changed.length === 0) return word("and costs nothing else");
  return items(...changed.map(([name, before, after]) => say`${name} ${before} → ${after}`));
}

const seventyOnEight: Texts = {
  model: "llama3-70b",
  gpu: "h100-80gb",
  tp: "1",
  pp: "1",
  dp: "8",
  cp: "1",
  zeroStage: "3",
  recompute: "full",
  microBatches: "1",
};

function offers(state: MemoryState): Offers {
  const { texts, found } = state;
  const { offered, notOffered } = found.changes;
  const pin = { label: word("Pin this to compare"), texts: { pinned: pinning(texts) } };
  const unpin = { label: word("Remove what is pinned"), texts: { pinned: "" } };
  return {
    ...(!found.fits && {
      title:
        offered.length === 0
          ? word("No change of one setting makes it fit.")
          : word("What makes it fit, each by itself, and what a step then costs a card:"),
    }),
    items: [
      ...offered.map((change) => ({
        name: say`${labelOf(change.parameter)}: ${valueOf(change)}`,
        text: effect(state, change),
        texts: textsOf(change.settings, texts),
      })),
      ...fewest(state),
    ],
    rest: {
      title: word("What does not, and why"),
      items: notOffered.map(({ parameter, reason, leastBytes }) => ({
        name: say`${labelOf(parameter)}:`,
        text: sentences(inWords(rule(reason)), leastBytes === null ? "" : say`The best leaves ${inText(binaryBytes(leastBytes))}.`),
      })),
    },
    actions: [texts.pinned === "" ? pin : unpin, { label: word("Does 70B fit on 8 cards?"), texts: seventyOnEight }],
  };
}

function effect({ found }: MemoryState, { mostLoadedRankBytes, cost }: FittingSettings): string {
  return say`${inText(binaryBytes(mostLoadedRankBytes))}; ${price(found.cost, cost)}.`;
}

/** The fewest cards of all, whatever has to change for them. */
function fewest(state: MemoryState): Offers["items"] {
  const { smallest, texts } = state;
  if (smallest === undefined || smallest === null) return [];
  const { tp, pp, dp, zeroStage, recompute } = smallest.settings;
  const again = valueOf({ parameter: "recompute", value: recompute });
  const how = say`tp ${tp}, pp ${pp}, dp ${dp}, ZeRO stage ${zeroStage}, recomputation ${again}`;
  return [
    {
      name: say`Fewest cards: ${count(smallest.cost.ranks)}`,
      text: say`with ${how}: ${effect(state, smallest)}`,
      texts: { ...textsOf(smallest.settings, texts), ...leftToTheSearch(texts) },
    },
  ];
}

/** The search cuts layers and shares states for itself: what was set of that goes. */
function leftToTheSearch(texts: Texts): Texts {
  const set = ["layersPerPart", "shardRanks"].filter((name) => texts[name] !== "");
  return Object.fromEntries(set.map((name) => [name, ""]));
}

function view(state: MemoryState, width: number): View {
  const said = caption(state);
  const stages = shownStages(state.found, mostBars).map(({ stage, totalBytes }) => say`stage ${stage}: ${inText(binaryBytes(totalBytes))}`);
  return {
    figure: stacksFigure(drawn(state, say`What a rank of each pipeline stage holds. ${items(...stages)}. ${said}`), width),
    caption: said,
    readouts: readouts(state),
    offers: offers(state),
  };
}

export const memory: Routine<MemoryState> = {
  id: "memory",
  modules: ["memory"],
  title: "What one card holds",
  claim:
    "Weights, gradients, optimizer and activations, stage by stage, against what a program can have of the card's memory: the most loaded stage decides.",
  question: async () => (await import("../questions/memory.js")).question,
  tryNext: "Ask whether 70B fits on 8 cards, and apply one of the changes.",
  parameters: memoryParameters,
  presets,
  run,
  view,
  files: launchFiles,
  more: "Launch flags",
  details: async () => (await import("../details/memory.js")).details,
};
