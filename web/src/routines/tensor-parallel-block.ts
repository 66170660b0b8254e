/** A block of a transformer over the ranks. */

import type { AsyncLab, CollectiveCall, Mistake, TensorParallelBlockOptions, TensorParallelBlockResult } from "shardlab";
import { blockFigure, mostBlockRanks, type BlockRow, type Crossing, type Gate } from "../figures/block.js";
import { bytes, count, inText, percent, plural, significant } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { View } from "../routine.js";
import { say, word, type Told } from "../words.js";

type BlockName = "mlp" | "attention" | "transformer";

export interface BlockResult {
  kind: "block";
  block: BlockName;
  ranks: number;
  hidden: number;
  heads: number;
  kvHeads: number;
  ffn: number;
  activation: "gelu" | "swiglu";
  tokens: number;
  sequence: number;
  sequenceParallel: "off" | "again" | "kept";
  /** what is left out, where the block has it */
  forget: Mistake | undefined;
  found: TensorParallelBlockResult;
}

const mistakes: Readonly<Record<BlockName, readonly Mistake[]>> = {
  mlp: ["forward-all-reduce", "backward-all-reduce", "column-first"],
  attention: ["forward-all-reduce", "backward-all-reduce", "whole-heads"],
  transformer: ["forward-all-reduce", "backward-all-reduce", "column-first", "whole-heads"],
};

export async function runBlock(lab: AsyncLab, inputs: Inputs): Promise<BlockResult> {
  const block = inputs.text("split") as BlockName;
  const ranks = inputs.number("ranks");
  const forget = ranks > 1 ? mistakes[block].find((mistake) => mistake === inputs.text("forget")) : undefined;
  const sequenceParallel = inputs.text("sequenceParallel") as BlockResult["sequenceParallel"];
  const heads = block === "mlp" ? 1 : inputs.number("heads");
  const kvHeads = block === "mlp" ? 1 : (inputs.optional("kvHeads") ?? heads);
  const ffn = block === "attention" ? ranks : inputs.number("ffn");
  const activation = block === "attention" ? "gelu" : (inputs.text("activation") as BlockResult["activation"]);
  const shape = { hidden: inputs.number("hiddenSize"), heads, kvHeads, ffn, sequence: inputs.number("sequence") };
  const options: TensorParallelBlockOptions = {
    block,
    ...shape,
    ranks,
    batch: inputs.number("batch"),
    seed: inputs.number("seed"),
    activation,
    sequenceParallel: sequenceParallel !== "off",
    keepGathered: sequenceParallel === "kept",
    ...(forget && { forget }),
  };
  const found = await lab.tensorParallelBlock(options);
  const tokens = shape.sequence * options.batch!;
  return { kind: "block", block, ...shape, activation, tokens, ranks, sequenceParallel, forget, found };
}

export function callsIn({ found }: BlockResult, wanted: CollectiveCall["phase"]): CollectiveCall[] {
  return found.collectives.filter(({ phase }) => phase === wanted);
}

/** Bytes that a rank sends for a micro-batch, in both directions. */
export function sentBothWays({ found }: BlockResult): number {
  return found.collectives.reduce((sum, call) => sum + (call.phase === "step" ? 0 : call.bytesSentPerRank), 0);
}

export function largestGradientError({ found }: BlockResult): number {
  return Math.max(...found.gradients.map(({ maxRelError }) => maxRelError));
}

export function weightsOf({ found }: BlockResult): number {
  return Math.max(...found.weightElementsPerRank);
}

/** An error: of what is only rounding, the size. */
export function errorText(error: number): string {
  return significant(error, error < 1e-6 ? 1 : 3);
}

/** "0–3", as the parts of a length on the ranks. */
function ranges(length: number, ranks: number): string[] {
  const part = length / ranks;
  return Array.from({ length: ranks }, (_, rank) => {
    const first = Math.floor(rank * part);
    const last = Math.max(first, Math.ceil((rank + 1) * part) - 1);
    return first === last ? String(first) : `${first}–${last}`;
  });
}

function same(text: string, ranks: number): string[] {
  return new Array<string>(ranks).fill(text);
}

/** Draws the rows of one sublayer between its f and its g. */
class Rows {
  constructor(private readonly result: BlockResult) {}

  /** What the ranks hold outside of the blocks. */
  outside(name: string): BlockRow {
    const { ranks, sequence, sequenceParallel } = this.result;
    const inParts = sequenceParallel !== "off" && ranks > 1;
    return inParts
      ? { kind: "held", name: say`${name}: tokens of each sequence`, parts: ranges(sequence, ranks), own: true }
      : { kind: "held", name: ranks > 1 ? say`${name}: the same on every rank` : name, parts: same(word("all"), ranks), own: false };
  }

  /** What they hold after a block, where nothing need have been added up. */
  after(name: string): BlockRow {
    const { ranks, forget } = this.result;
    return forget === "forward-all-reduce" && ranks > 1
      ? { kind: "held", name: say`${name}: another one on every rank`, parts: same(word("partial"), ranks), own: true }
      : this.outside(name);
  }

  mlp(): BlockRow[] {
    const { ranks, ffn, hidden, activation, forget } = this.result;
    const act = activation === "gelu" ? "GELU" : "SwiGLU";
    const up = activation === "gelu" ? word("up") : word("up and gate");
    return forget === "column-first"
      ? [
          { kind: "held", name: say`${up}, cut by rows: inputs; ${act} of partial sums`, parts: ranges(hidden, ranks), own: true },
          { kind: "held", name: word("down, whole: of what is no activation of any sum"), parts: same(word("all"), ranks), own: false },
        ]
      : [
          { kind: "held", name: say`${up} by columns, ${act}: whole features`, parts: ranges(ffn, ranks), own: true },
          { kind: "held", name: word("down by rows: partial sums, from features"), parts: ranges(ffn, ranks), own: true },
        ];
  }

  attention(): BlockRow[] {
    const { ranks, heads, kvHeads, hidden, forget, found } = this.result;
    if (forget === "whole-heads") {
      const rows = hidden + (2 * hidden * kvHeads) / heads;
      return [
        { kind: "held", name: word("query, key, value cut as one matrix: rows"), parts: ranges(rows, ranks), own: true },
        { kind: "held", name: word("output by rows: partial sums, from what was taken for heads"), parts: ranges(heads, ranks), own: true },
      ];
    }
    const keys =
      found.kvHeadCopies > 1
        ? say`key and value heads: each on ${plural(found.kvHeadCopies, "rank")}`
        : word("key and value heads");
    return [
      { kind: "held", name: word("query by columns, softmax: whole heads"), parts: ranges(heads, ranks), own: true },
      { kind: "held", name: keys, parts: ranges(kvHeads, ranks), own: true },
      { kind: "held", name: word("output by rows: partial sums, from heads"), parts: ranges(heads, ranks), own: true },
    ];
  }

  /** f or g of a sublayer, with what the run called there. */
  gate(sign: "f" | "g", sublayer: string): Gate {
    const at = (phase: CollectiveCall["phase"], tensors: readonly string[]): Crossing => {
      const calls = callsIn(this.result, phase).filter(({ tensor }) => tensors.some((name) => tensor === `${sublayer} ${name}`));
      if (calls.length > 0) {
        const sent = calls.reduce((sum, call) => sum + call.bytesSentPerRank, 0);
        const kinds = calls.map(({ kind }) => word(kind)).join(" + ");
        const amount = inText(bytes(sent));
        return { text: kinds, amount: calls.length > 1 ? amount : say`${amount} a rank`, kind: "collective" };
      }
      const mistake: Mistake = phase === "forward" ? "forward-all-reduce" : "backward-all-reduce";
      const sums = (sign === "g") === (phase === "forward");
      return this.result.ranks > 1 && sums && this.result.forget === mistake
        ? { text: word("forgotten"), kind: "forgotten" }
        : { text: word("passed on"), kind: "nothing" };
    };
    return sign === "f"
      ? { kind: "gate", sign, forward: at("forward", ["input"]), backward: at("backward", ["input", "input gradient"]) }
      : { kind: "gate", sign, forward: at("forward", ["output"]), backward: at("backward", ["output gradient"]) };
  }

  sublayer(name: "attention" | "mlp"): BlockRow[] {
    return [this.gate("f", name), ...this[name](), this.gate("g", name)];
  }

  all(): BlockRow[] {
    const { block } = this.result;
    if (block !== "transformer") return [this.outside("x"), ...this.sublayer(block), this.after("y")];
    return [
      this.outside(word("x, LayerNorm")),
      ...this.sublayer("attention"),
      this.after(word("+ x, LayerNorm")),
      ...this.sublayer("mlp"),
      this.after("+, y"),
    ];
  }
}

const about: Readonly<Record<BlockName, Told>> = {
  mlp: () => word("By columns, then by rows: the activation meets whole features, and nothing is sent between the two matrices."),
  attention: () => word("Heads do not need each other until the output's matrix adds them up: its rows follow the heads."),
  transformer: () => word("Two blocks, each opened by f and closed by g."),
};

const wrong: Readonly<Record<Mistake, Told>> = {
  "forward-all-reduce": () => word("The all-reduce forward is forgotten: each rank goes on with its own partial sums."),
  "backward-all-reduce": () =>
    word(
      "The all-reduce backward is forgotten: the block's own weights get the right gradients, but what lies below it learns from one " +
        "rank's part of x's gradient.",
    ),
  "column-first": () =>
    word("Rows come first: each rank activates its own partial sums, and a sum of activations is no activation of the sum."),
  "whole-heads": () =>
    word("Query, key and value are cut as one matrix: a rank takes rows of other heads, or keys, for its queries."),
};

/** Numbers that are written out. */
const numbers: readonly Told[] = [
  () => word("no"),
  () => word("one"),
  () => word("two"),
  () => word("three"),
  () => word("four"),
  () => word("five"),
  () => word("six"),
];

function called(result: BlockResult): string {
  const [forward, backward] = (["forward", "backward"] as const).map((phase) => {
    const number = callsIn(result, phase).length;
    return numbers[number]?.() ?? number;
  }) as [string | number, string | number];
  return result.sequenceParallel === "off"
    ? say`All-reduces: ${forward} forward, ${backward} backward.`
    : say`All-gathers and reduce-scatters: ${forward} forward, ${backward} backward.`;
}

function caption(result: BlockResult): string {
  const { block, ranks, forget, found } = result;
  if (ranks === 1) return word("On one rank nothing is sharded, and nothing is sent.");
  if (forget === undefined) {
    return say`${about[block]()} ${called(result)} Output and gradients are those of the whole block.`;
  }
  const off = Math.max(found.maxRelError, largestGradientError(result));
  return say`${wrong[forget]()} Nothing fails, and numbers are off by up to ${inText(percent(off))} of the largest. ${called(result)}`;
}

function claimOf({ block, sequenceParallel }: BlockResult): string {
  if (sequenceParallel !== "off") {
    return word("In parts of the sequence a block gathers where it opens and scatters where it closes: forward as many bytes as the all-reduce.");
  }
  return {
    mlp: word("Column then row: one all-reduce forward, one backward."),
    attention: word("Whole heads by columns, the output by rows: one all-reduce forward, one backward."),
    transformer: word("A layer waits for two all-reduces forward and for two backward."),
  }[block];
}

export function viewBlock(result: BlockResult, width: number): View {
  const { ranks, found } = result;
  const drawn = ranks <= mostBlockRanks;
  const said = caption(result);
  return {
    ...(drawn && { figure: blockFigure(new Rows(result).all(), ranks, say`A block over ${plural(ranks, "rank")}. ${said}`, width) }),
    claim: claimOf(result),
    tryNext: word("Forget the all-reduce forward: nothing fails, and the numbers are wrong."),
    caption: drawn ? said : say`${said} Drawn up to ${mostBlockRanks} ranks.`,
    readouts: [
      { id: "collectives", label: word("Collectives, forward and backward"), value: `${callsIn(result, "forward").length} + ${callsIn(result, "backward").length}` },
      { id: "bytes", label: word("Sent per rank and token"), ...bytes(sentBothWays(result) / result.tokens) },
      { id: "weights", label: word("Weights per rank"), ...bytes(weightsOf(result) * 8) },
      { id: "flops", label: word("FLOPs per rank, forward"), value: count(2 * found.multiplicationsPerRank) },
      { id: "error", label: word("Error of the output"), value: errorText(found.maxRelError) },
      { id: "gradient-error", label: word("Error of the worst gradient"), value: errorText(largestGradientError(result)) },
    ],
  };
}
