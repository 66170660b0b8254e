/** Where the numbers of a sharded block come from. */

import { bytes, count, exact, inText, plural, significant } from "../format.js";
import type { DataTable, Reason } from "../routine.js";
import { callsIn, largestGradientError, sentBothWays, weightsOf, type BlockResult } from "../routines/tensor-parallel-block.js";
import { say, word } from "../words.js";

const asItRan = "what a block costs without executing it is what the executed one called and held";

export function blockReasons(result: BlockResult): Reason[] {
  return [proof(result), gradients(result), ...calls(result), tokens(result), ...copies(result), weights(result), operations(result), ...kept(result)];
}

function proof({ found }: BlockResult): Reason {
  return {
    name: word("Error of the output"),
    guard: "a sharded block gives the output and every gradient of the whole one, over 300 random shapes each",
    equals: [word("max |sharded − whole| over max |whole|"), significant(found.maxRelError)],
    note: say`The lab runs the block once more on one rank. The largest difference is ${significant(found.maxAbsError)}: what is left is the order of the sums.`,
  };
}

function gradients(result: BlockResult): Reason {
  return {
    name: word("Error of the worst gradient"),
    guard: "gradients of the blocks are the slopes of the loss",
    equals: [word("max over x and the weights"), significant(largestGradientError(result))],
    note: say`${result.found.gradients.map(({ name, maxRelError }) => `${word(name)} ${significant(maxRelError)}`).join(word(", "))}.`,
  };
}

function calls(result: BlockResult): Reason[] {
  const { ranks, sequenceParallel, tokens, hidden } = result;
  const first = result.found.collectives.find(({ phase }) => phase !== "step");
  if (first === undefined) return [];
  const size = tokens * hidden * 8;
  const times = first.kind === "all-reduce" ? "2 · " : "";
  const guard =
    sequenceParallel === "off"
      ? "a transformer layer has two all-reduces forward and two backward"
      : "sequence parallelism gathers and scatters twice each way, and twice more if nothing was kept";
  return [
    {
      name: say`Sent by a rank in one ${word(first.kind)}`,
      guard,
      equals: [`${times}S · (N − 1) / N`, `${times}${exact(size)} · (${ranks} − 1) / ${ranks}`, `${exact(first.bytesSentPerRank)} B`],
      note:
        sequenceParallel === "off"
          ? say`S is ${plural(tokens, "token")} of ${hidden} features of 8 bytes. f and g are each other's mirror: one passes on where the other reduces.`
          : say`S is ${plural(tokens, "token")} of ${hidden} features of 8 bytes. A reduce-scatter and an all-gather send together what an all-reduce sends.`,
    },
  ];
}

function tokens(result: BlockResult): Reason {
  const called = (phase: "forward" | "backward") => callsIn(result, phase).length;
  return {
    name: word("Sent per rank and token"),
    guard: asItRan,
    equals: [
      word("sent in all calls / tokens"),
      `${exact(sentBothWays(result))} B / ${result.tokens}`,
      inText(bytes(sentBothWays(result) / result.tokens)),
    ],
    note: say`${called("forward")} forward and ${called("backward")} backward, for each micro-batch. It depends on hidden, not on the number of weights.`,
  };
}

function copies(result: BlockResult): Reason[] {
  return callsIn(result, "step").map((call) => ({
    name: say`Once a step: ${word(call.tensor)}`,
    guard: "fewer key and value heads than ranks are copied, and the gradients of the copies are summed once a step",
    equals: ["2 · S · (n − 1) / n", `2 · ${exact(call.bytes)} · (${call.ranks} − 1) / ${call.ranks}`, `${exact(call.bytesSentPerRank)} B`],
    note: word("What several ranks hold alike, or compute from a part of the tokens, has to be added up before the optimizer's step."),
  }));
}

function weights(result: BlockResult): Reason {
  return {
    name: word("Weights per rank"),
    guard: asItRan,
    equals: [word("elements · 8 B"), `${count(weightsOf(result))} · 8 B`, inText(bytes(weightsOf(result) * 8))],
    note: word(
      "The matrices in equal parts; LayerNorms, and key and value heads that are fewer than ranks, whole on each rank that needs them.",
    ),
  };
}

function operations({ found }: BlockResult): Reason {
  return {
    name: word("Floating-point operations of a rank, forward"),
    guard: asItRan,
    equals: [word("2 · multiplications"), `2 · ${count(found.multiplicationsPerRank)}`, count(2 * found.multiplicationsPerRank)],
    note: word("Of its matrix products; scores of all pairs of tokens are in it. The backward takes twice as many."),
  };
}

function kept(result: BlockResult): Reason[] {
  const { sequenceParallel, ranks, tokens, hidden, found, block } = result;
  if (sequenceParallel === "off" || ranks === 1) return [];
  const blocks = block === "transformer" ? 2 : 1;
  return [
    {
      name: word("Kept for the backward because it was gathered"),
      guard: "sequence parallelism gathers and scatters twice each way, and twice more if nothing was kept",
      equals:
        sequenceParallel === "kept"
          ? [word("blocks · S · (N − 1) / N"), `${blocks} · ${exact(tokens * hidden * 8)} · (${ranks} − 1) / ${ranks}`, inText(bytes(found.gatheredElementsKept * 8))]
          : [inText(bytes(found.gatheredElementsKept * 8))],
      note:
        sequenceParallel === "kept"
          ? word("Beyond the rank's own part. Not keeping it costs an all-gather more for each block in the backward.")
          : word("It is gathered again: an all-gather more for each block in the backward."),
    },
  ];
}

export function blockTable({ found }: BlockResult): DataTable {
  return {
    caption: word("Collectives, in the order of their calls"),
    head: [
      word("phase"),
      word("collective"),
      word("tensor"),
      word("ranks"),
      word("bytes of the tensor"),
      word("bytes sent per rank"),
    ],
    rows: found.collectives.map((call) => [
      word(call.phase),
      word(call.kind),
      word(call.tensor),
      exact(call.ranks),
      exact(call.bytes),
      exact(call.bytesSentPerRank),
    ]),
  };
}
