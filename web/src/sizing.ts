/** "Sizing a 70B run on eight 80 GB cards": a path of predictions, whose numbers are the lab's. */

import type { AsyncLab, FittingSettings, FootprintOptions, FootprintResult, StageFootprint, StepCost } from "shardlab";
import { binaryBytes, bytes, count, inText, percent, significant } from "./format.js";
import type { Texts } from "./parameter.js";
import type { PathStep } from "./path.js";
import type { DataTable } from "./routine.js";

/** What is asked of the lab, and shown in the widget on memory. */
type Setting = Required<
  Pick<FootprintOptions, "preset" | "gpu" | "tp" | "pp" | "dp" | "zeroStage" | "recompute" | "sequence" | "microBatches" | "flash">
>;

const eight: Setting = {
  preset: "llama3-70b",
  gpu: "h100-80gb",
  tp: 1,
  pp: 1,
  dp: 8,
  zeroStage: 0,
  recompute: "none",
  sequence: 8192,
  microBatches: 1,
  flash: true,
};

const short = 4096;
const accumulated = 16;

/** The widget's controls for a setting. */
function textsOf({ preset, flash, ...rest }: Setting): Texts {
  const texts = Object.entries(rest).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(texts), model: preset, flash: flash ? "on" : "off" };
}

const gib = (size: number): string => inText(binaryBytes(size));

/** The same, in a unit that does not change between neighbours. */
function inGib(size: number): string {
  return `${significant(size / 2 ** 30, 4)}\u00a0GiB`;
}

function statesOf({ weightBytes, gradientBytes, optimizerBytes }: StageFootprint): number {
  return weightBytes + gradientBytes + optimizerBytes;
}

function one({ perStage }: FootprintResult): StageFootprint {
  return perStage[0]!;
}

/** The steps, with the numbers of this lab. */
export async function sizingSteps(lab: AsyncLab): Promise<PathStep[]> {
  const at = (change: Partial<Setting>) => lab.footprint({ ...eight, ...change });
  const ladder = await Promise.all([0, 1, 2, 3].map((zeroStage) => at({ zeroStage })));
  const shorter = await at({ zeroStage: 3, sequence: short });
  const recomputed = await at({ zeroStage: 3, recompute: "full" });
  const both = await at({ zeroStage: 3, recompute: "full", sequence: short });
  const smallest = await lab.smallestCluster({ ...eight, zeroStage: 3, microBatches: accumulated });
  if (smallest === null) throw new Error("no cluster trains the model");
  return [
    replica(ladder[0]!),
    shards(ladder),
    activations(ladder[3]!, shorter, recomputed, both),
    recomputation(recomputed, both),
    least(ladder[0]!),
    cluster(smallest, recomputed),
  ];
}

function replica(plain: FootprintResult): PathStep {
  const { parameters } = one(plain);
  const states = statesOf(one(plain));
  return {
    id: "replica",
    ask: `Llama 3 70B has ${significant(parameters / 1e9, 4)} billion parameters, and Adam in mixed precision keeps 16 bytes for each. How many gigabytes of states has a plain replica?`,
    answer: { kind: "number", label: "Gigabytes", right: states / 1e9, within: 0.05 },
    reveal: [
      `16 · ${count(parameters)} B = ${significant(states / 1e9, 4)}\u00a0GB = ${inGib(states)}. That is what ${count(cardsFor(states, plain))} cards can have; under plain data parallelism each of the eight would hold all of it.`,
    ],
    texts: textsOf(eight),
  };
}

/** Cards that have room for so much. */
function cardsFor(size: number, { usableBytes }: FootprintResult): number {
  return Math.ceil(size / usableBytes);
}

function shards(ladder: readonly FootprintResult[]): PathStep {
  const [, first, second, third] = ladder.map((found) => inGib(statesOf(one(found))));
  return {
    id: "shards",
    ask: "Now the eight share the states. Which is the first stage of ZeRO whose states fit on a card of 80 GB?",
    answer: {
      kind: "choice",
      choices: [
        { label: "Stage 1", because: "That shards the 12 bytes of the optimizer; weights and gradients alone are more than a card has." },
        { label: "Stage 2", because: "That leaves the weights whole on every card, and they alone are more than it has." },
        { label: "Stage 3", because: "That divides everything by eight, and an eighth is still too much." },
        { label: "None", right: true, because: "Everything divided by eight is still too much." },
      ],
    },
    reveal: [
      `Stage 1 leaves ${first} of states on each card, stage 2 ${second}, stage 3 ${third}. A program can have ${gib(ladder[0]!.usableBytes)} of an H100's memory. None fits, and nothing else is on the card yet.`,
    ],
    texts: textsOf({ ...eight, zeroStage: 3 }),
  };
}

function activations(none: FootprintResult, shorter: FootprintResult, full: FootprintResult, both: FootprintResult): PathStep {
  const size = (found: FootprintResult) => inGib(one(found).activationBytes);
  const again = significant(full.cost.recomputedFlops / 1e12, 4);
  return {
    id: "activations",
    ask: `States are not all. What do the activations of one sequence of ${count(eight.sequence)} tokens add on each card, if every one is kept for the backward?`,
    answer: {
      kind: "choice",
      choices: [
        { label: "About 10 GiB", because: "That is what is left of them when every layer keeps its input alone, and computes the rest again." },
        { label: "About 40 GiB", because: "That is a quarter of it: every layer keeps the inputs of all its products, norms and activations." },
        { label: "About 170 GiB", right: true, because: "They are more than stage 3's share of the states, and ZeRO shards none of them." },
      ],
    },
    reveal: [
      `${size(none)}; for ${count(short)} tokens ${size(shorter)}. Full recomputation leaves ${size(full)} and ${size(both)}; its price is a second forward, ${again}\u00a0TFLOPs of a card for each sequence of ${count(eight.sequence)} tokens.`,
    ],
    texts: textsOf({ ...eight, zeroStage: 3 }),
  };
}

function recomputation(full: FootprintResult, both: FootprintResult): PathStep {
  const held = (found: FootprintResult) => inGib(found.mostLoadedRankBytes);
  return {
    id: "recomputation",
    ask: "Everything at once, then: stage 3, and full recomputation. Does it fit on the eight cards?",
    answer: {
      kind: "choice",
      choices: [
        { label: "Yes", because: "That takes activations for the whole trouble: without any, the states alone are too much." },
        { label: `Only at ${count(short)} tokens`, because: "Half of the sequence takes half of the activations, and leaves the states as they are." },
        { label: "No", right: true, because: "Recomputation takes nothing off the states." },
      ],
    },
    reveal: [
      `A card would hold ${held(both)} at ${count(short)} tokens, and ${held(full)} at ${count(eight.sequence)}, which is too much by ${inGib(-full.spareBytes)}. Of that ${inGib(statesOf(one(full)))} are states, whatever the sequence; the rest is activations and logits, gathered layers, and what a card needs to run at all.`,
    ],
    texts: textsOf({ ...eight, zeroStage: 3, recompute: "full" }),
  };
}

function least(plain: FootprintResult): PathStep {
  const states = statesOf(one(plain));
  const { usableBytes } = plain;
  return {
    id: "least",
    ask: "Suppose there were nothing but states, shared evenly, to the last byte. How many such cards would that take at least?",
    answer: { kind: "number", label: "Cards", right: cardsFor(states, plain), within: 0 },
    reveal: [
      `${inGib(states)} / ${inGib(usableBytes)} = ${significant(states / usableBytes, 4)}, so ${count(cardsFor(states, plain))}. The eight have ${inGib(eight.dp * usableBytes)} together. No stage of ZeRO and no recomputation changes that sum: with 16 bytes a parameter, 70B does not train on eight cards of 80 GB. Fewer bytes a parameter, states in the host's memory, or more cards do.`,
    ],
    texts: textsOf({ ...eight, zeroStage: 3, recompute: "full", sequence: short }),
  };
}

const again = (flops: number): string => (flops === 0 ? "nothing" : `${significant(flops / 1e12, 4)}\u00a0TFLOPs`);

function cluster(smallest: FittingSettings, onEight: FootprintResult): PathStep {
  const { settings, cost, mostLoadedRankBytes } = smallest;
  const { tp, pp, dp, zeroStage, recompute, microBatches } = settings;
  return {
    id: "cluster",
    ask: `And with all that is on a card, in steps of ${count(accumulated)} micro-batches: how many cards has the smallest cluster that trains it?`,
    answer: {
      kind: "choice",
      choices: [14, 16, 24, 32].map((cards) => ({
        label: count(cards),
        right: cards === cost.ranks,
        because: cards < cost.ranks ? "That leaves no room for anything but states." : "That fits, and so does a smaller one.",
      })),
    },
    reveal: [
      `${count(cost.ranks)}: tensor parallelism ${tp}, pipeline stages ${pp}, data parallelism ${dp}, ZeRO stage ${zeroStage}, ${recompute === "none" ? "no" : recompute} recomputation. Its fullest card holds ${inGib(mostLoadedRankBytes)}. The price of a step: each card computes ${again(cost.recomputedFlops)} again, waits ${inText(percent(cost.bubbleOfTotal))} of the time in the pipeline's bubble, and sends ${inText(bytes(cost.sentBytes))}.`,
      "Tried are data parallelism of any size, tensor parallelism within a node of 8, pipelines of up to as many stages as there are layers, and every stage of ZeRO and recomputation. Below, beside it, what makes the eight cards' setting fit by one change; each of these clusters is larger, and pays in another coin. Their steps differ in size: compare what is sent and computed by the sequence.",
    ],
    table: prices(smallest, onEight),
    texts: textsOf({ ...eight, tp, pp, dp, zeroStage, recompute, microBatches }),
  };
}

function prices(smallest: FittingSettings, { changes }: FootprintResult): DataTable {
  const clusters = [smallest, ...changes.offered.filter(({ parameter }) => ["tp", "pp", "dp"].includes(parameter))];
  return {
    caption: "Clusters that train it, and what a step costs a card",
    head: ["cards", "cut", "held", "computed again", "bubble", "sent", "sequences in a step"],
    rows: clusters.map(({ settings, mostLoadedRankBytes, cost }) => row(settings, mostLoadedRankBytes, cost)),
  };
}

function row(settings: FittingSettings["settings"], held: number, cost: StepCost): string[] {
  const { tp, pp, dp, zeroStage, microBatch, microBatches } = settings;
  return [
    count(cost.ranks),
    `tp ${tp}, pp ${pp}, dp ${dp}, ZeRO ${zeroStage}`,
    inGib(held),
    again(cost.recomputedFlops),
    inText(percent(cost.bubbleOfTotal)),
    inText(bytes(cost.sentBytes)),
    count(dp * microBatch * microBatches),
  ];
}
