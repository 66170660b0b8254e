/** The functions of the exercise as tasks for JavaScript. `core/exercise/lab.hpp` has the same for C++. */

import { marked } from "../words.js";
import type { Shape } from "./answers.js";

export interface Task {
  /** in addresses and files: `ring-all-reduce` */
  id: string;
  /** the function's, as the package has it: `ringAllReduce` */
  name: string;
  /** of its cases: `ring_all_reduce` */
  tag: string;
  /** beyond the seven routines */
  extension?: true;
  /** In a sentence. Between backquotes stands code, here and below. */
  does: string;
  /** what comes in, by the names of the options object */
  takes: Readonly<Record<string, string>>;
  gives: string;
  answer: Shape;
  /** in paragraphs */
  rule: readonly string[];
  hint: string;
  source: string;
}

/** What all tasks use: ranks in a circle, and tensors in chunks. */
export const conventions = [
  marked("Rank numbers wrap around: “rank r + 1” after the last rank is rank 0, and “mod N” is never negative. In JavaScript the remainder of a negative number is negative, so write `(r - s + N) % N`."),
  marked("E elements are cut into N chunks that are as equal as possible, the longer ones first: each chunk has E / N elements (rounded down), and the first E mod N chunks have one more. 73 elements in 4 chunks are 19, 18, 18, 18; 3 elements in 4 chunks are 1, 1, 1, 0."),
  marked("Leave the lists that come in as they are: change a copy. The cases look whether they are as before."),
];

export const tasks: readonly Task[] = [
  {
    id: "ring-all-reduce",
    name: "ringAllReduce",
    tag: "ring_all_reduce",
    does: marked("Add up the tensors of all ranks around a ring, and give every rank the sum."),
    takes: { buffers: marked("`buffers[r]` is the tensor of rank r, a list of numbers: of N ranks, at least one, all with as many elements, possibly none") },
    gives: marked("`buffers` of the same shape, where every rank holds the sum over all ranks; the number of `steps`; and `bytesSentPerRank`, a number for each rank, at 8 bytes an element"),
    answer: { buffers: "rows", steps: "whole", bytesSentPerRank: "numbers" },
    rule: [
      marked("Cut every tensor into N chunks. Leave the lists that came in as they are: work on a copy."),
      marked("Reduce-scatter, steps s = 0 to N − 2: in step s rank r sends chunk (r − s) mod N to rank r + 1, which adds it to its own. After that rank r holds the whole sum of chunk (r + 1) mod N."),
      marked("All-gather, steps s = 0 to N − 2: in step s rank r sends chunk (r + 1 − s) mod N to rank r + 1, which replaces its own by it."),
      marked("All ranks send at the same time. An empty chunk is sent like any other: it takes its step and costs no bytes. One rank has nobody to talk to: no step."),
    ],
    hint: marked("In one step no rank sends the chunk that it receives, so you may visit the ranks in any order. Try it on paper with 4 ranks that hold 1, 10, 100 and 1000: the digits of a number show whose contributions it has."),
    source: "Patarasuk and Yuan, “Bandwidth optimal all-reduce algorithms for clusters of workstations”, JPDC 69 (2009)",
  },
  {
    id: "all-reduce-cost",
    name: "allReduceCost",
    tag: "all_reduce_cost",
    does: marked("Say what a ring all-reduce costs without running it: its steps, and the bytes that each rank sends."),
    takes: { ranks: marked("how many there are, N"), bytes: marked("the size of each rank's tensor, which N divides") },
    gives: marked("`steps` and `bytesSentPerRank`"),
    answer: { steps: "whole", bytesSentPerRank: "number" },
    rule: [marked("What ringAllReduce takes and sends, as a formula.")],
    hint: marked("There are two phases of N − 1 steps, and in each step a rank sends one chunk, that is bytes / N. With 1 rank both are 0; with very many ranks the bytes approach twice the tensor, and no more."),
    source: "Patarasuk and Yuan, JPDC 69 (2009), section 3",
  },
  {
    id: "data-parallel-gradient-average",
    name: "dataParallelGradientAverage",
    tag: "data_parallel_gradient_average",
    does: marked("Average the gradients of all ranks, as data-parallel training does before every update."),
    takes: { gradients: marked("`gradients[r]` is the gradient that rank r computed on its own part of the batch: N lists of equal length") },
    gives: marked("one list of that length: the mean over the ranks"),
    answer: "numbers",
    rule: [marked("An all-reduce, then a division by N. Every rank ends with the same mean, so one copy is the answer.")],
    hint: marked("You have written the all-reduce: `ringAllReduce` may be called here. Divide once, at the end."),
    source: "Li et al., “PyTorch Distributed”, arXiv:2006.15704, section 2",
  },
  {
    id: "tensor-parallel-matmul",
    name: "tensorParallelMatmul",
    tag: "tensor_parallel_matmul",
    does: marked("Multiply W by x with W split over the ranks."),
    takes: {
      w: marked("a list of rows, of shape (out, in)"),
      x: marked("a list of rows, of shape (in, batch)"),
      ranks: marked("how many there are"),
      split: marked('`"column"` or `"row"`'),
    },
    gives: marked("W·x, a list of rows of shape (out, batch)"),
    answer: "rows",
    rule: [
      marked("A rank works on its own part of W only."),
      marked('With `"column"`, cut `out` into one chunk a rank. Rank r has the rows of W in its chunk and the whole of x; it computes those rows of the output. Put the pieces one below the other. Nothing has to be added.'),
      marked('With `"row"`, cut `in` into one chunk a rank. Rank r has the columns of W in its chunk and the same rows of x; it computes a partial sum of the whole output. Add the partial sums of all ranks: an all-reduce.'),
      marked("Sizes that the ranks do not divide are cut as above; with more ranks than features some ranks have an empty part. The names are Megatron's, which writes Y = X·A with W = Aᵀ: a column of A is a row of W."),
    ],
    hint: marked("Write one small function that multiplies rows [first, last) of W, over inputs [from, to), by x. Both splits are then a loop over ranks around it."),
    source: "Shoeybi et al., “Megatron-LM”, arXiv:1909.08053, section 3",
  },
  {
    id: "pipeline-bubble-fraction",
    name: "pipelineBubbleFraction",
    tag: "pipeline_bubble_fraction",
    does: marked("Say which share of all stages' time a pipeline is idle: its bubble."),
    takes: { stages: marked("P, at least 1"), microBatches: marked("M, at least 1") },
    gives: marked("idle time over total time, a number from 0 to 1; for 8 stages and 4 micro-batches it is 7/11"),
    answer: "number",
    rule: [marked("All stages take equally long.")],
    hint: marked("A stage works for M slots. The last stage has to wait P − 1 slots for the first micro-batch, so that everything takes M + P − 1. (Some papers divide the idle time by M, the time of work, instead: that number can exceed 1.)"),
    source: "Huang et al., “GPipe”, arXiv:1811.06965, section 2.3",
  },
  {
    id: "pipeline-schedule-1f1b",
    name: "pipelineSchedule1f1b",
    tag: "pipeline_schedule_1f1b",
    does: marked("Order the forwards and backwards of each pipeline stage, one forward one backward."),
    takes: { stages: marked("P, at least 1"), microBatches: marked("M, at least 1") },
    gives: marked("`operations`, for each stage the list of its 2·M operations `{ backward, microBatch }` in order, where `backward` is true or false; `steps`, the time that all of them take if every operation takes one step; and for each stage `peakInFlight`, the largest number of micro-batches whose forward is done and whose backward is still to come"),
    answer: { operations: "operations", steps: "whole", peakInFlight: "wholes" },
    rule: [
      marked("For stage s (0 is the first) there are three parts."),
      marked("Warm-up: P − 1 − s forwards (at most M)."),
      marked("Steady: one forward, one backward, and again, until all M forwards are done."),
      marked("Drain: the backwards that are left."),
      marked("Forwards go through the micro-batches 0, 1, 2, …, and so do backwards."),
    ],
    hint: marked("The last stage has no warm-up: F0 B0 F1 B1 … For the steps count along the first stage: GPipe's order takes 2·(M + P − 1), and so does this one. What it saves is memory: stage s never holds more than P − s micro-batches."),
    source: "Narayanan et al., arXiv:2104.04473, section 2.2.1, figure 4 (top)",
  },
  {
    id: "zero-memory-per-gpu",
    name: "zeroMemoryPerGpu",
    tag: "zero_memory_per_gpu",
    does: marked("Say how many bytes of weights, gradients and optimizer states one GPU holds under ZeRO."),
    takes: { params: marked("the parameters of the model"), ranks: marked("the data-parallel ranks, R"), zeroStage: marked("0 to 3") },
    gives: marked("the bytes on one rank: `parameterBytes`, `gradientBytes`, `optimizerBytes` and their sum, `totalBytes`"),
    answer: { parameterBytes: "number", gradientBytes: "number", optimizerBytes: "number", totalBytes: "number" },
    rule: [
      marked("Training in 16 bits with Adam keeps, for each parameter, 2 bytes of weight, 2 bytes of gradient and 12 bytes of optimizer state (a 32-bit weight, momentum and variance)."),
      marked("Stage 0 keeps everything on every rank. Stage 1 shards the optimizer states over the R ranks, stage 2 the gradients too, stage 3 the weights too. A sharded part is divided by R."),
    ],
    hint: marked("7.5e9 parameters on 64 ranks are 120, 31.4, 16.6 and 1.88 GB at stages 0 to 3."),
    source: "Rajbhandari et al., “ZeRO”, arXiv:1910.02054, section 5 and table 1",
  },
  {
    id: "tree-all-reduce-cost",
    name: "treeAllReduceCost",
    tag: "tree_all_reduce_cost",
    extension: true,
    does: marked("Say what an all-reduce along a binomial tree costs for a small message."),
    takes: {
      ranks: marked("how many there are, N"),
      bytes: marked("the size of each rank's tensor"),
      latencyPerStep: marked("the seconds that one step takes"),
    },
    gives: marked("`steps`, the `bytesSentPerRank` of the busiest rank, and `seconds`"),
    answer: { steps: "whole", bytesSentPerRank: "number", seconds: "number" },
    rule: [
      marked("Whole tensors are sent, never chunks. First they are added up towards rank 0: in step k every rank that is an odd multiple of 2^k sends to the rank 2^k below it. Then the sum goes back along the same branches. That is ceil(log2 N) steps down and as many up."),
      marked("Rank 0 is the busiest: on the way back it sends the tensor in every step. The message is so small that only latency counts: seconds are steps times latency."),
    ],
    hint: marked("Count how often you can double 1 before you reach N; `Math.log2` may be off by a hair just where it matters. Compare with the ring's 2(N − 1) steps at 1024 ranks."),
    source: "Thakur, Rabenseifner and Gropp, “Optimization of collective communication operations in MPICH”, IJHPCA 19 (2005), section 4.2",
  },
  {
    id: "tensor-parallel-mlp",
    name: "tensorParallelMlp",
    tag: "tensor_parallel_mlp",
    extension: true,
    does: marked("Run a two-layer MLP over several ranks, forward and backward, with one all-reduce each way."),
    takes: {
      w1: marked("a list of rows, of shape (ffn, in)"),
      w2: marked("a list of rows, of shape (out, ffn)"),
      x: marked("a list of rows, of shape (in, batch)"),
      outputGradient: marked("the gradient of the loss with respect to the output, of shape (out, batch)"),
      ranks: marked("how many there are"),
    },
    gives: marked("`output`, w2·GELU(w1·x), of shape (out, batch); `inputGradient`, the gradient with respect to x, of shape (in, batch); and how many all-reduces each way took, `forwardAllReduces` and `backwardAllReduces` (at one rank they count too)"),
    answer: { output: "rows", inputGradient: "rows", forwardAllReduces: "whole", backwardAllReduces: "whole" },
    rule: [
      marked("w1 is split by columns and w2 by rows (Megatron's words, see tensorParallelMatmul), so `ffn` is cut into one chunk a rank."),
      marked("Forward: rank r computes its features of h = w1·x, applies GELU to them, and multiplies by its columns of w2: a partial sum of the output. Adding these is the all-reduce of the forward."),
      marked("Backward, with g the output's gradient: rank r computes w2ᵀ·g for its features, times GELU'(h) element by element, and multiplies by its part of w1ᵀ: a partial sum of the input's gradient. Adding these is the all-reduce of the backward."),
      marked("GELU(v) = v/2 · (1 + erf(v/√2)), and GELU'(v) = (1 + erf(v/√2))/2 + v · exp(−v²/2) / √(2π). JavaScript has no erf: the lab gives you `erf(v)`."),
    ],
    hint: marked("GELU works on each feature for itself, and a rank has whole features: that is why nothing is sent between the layers. Were w1 split by rows, each rank would have a partial sum, and GELU of a sum is not the sum of GELUs."),
    source: "Shoeybi et al., “Megatron-LM”, arXiv:1909.08053, section 3; GELU: arXiv:1606.08415, section 2",
  },
  {
    id: "interleaved-bubble-fraction",
    name: "interleavedBubbleFraction",
    tag: "interleaved_bubble_fraction",
    extension: true,
    does: marked("Say how large the bubble is when each device has several smaller chunks of the model."),
    takes: { stages: marked("P, the devices"), microBatches: marked("M, a multiple of P"), chunks: marked("V, the chunks of the model on each device") },
    gives: marked("idle time over total time, a number from 0 to 1"),
    answer: "number",
    rule: [marked("All chunks take equally long.")],
    hint: marked("A chunk is a V-th of a device's layers and takes a V-th of the time, so filling and draining the pipeline costs P − 1 small slots, while a device works for V·M of them. With V = 1 it is pipelineBubbleFraction."),
    source: "Narayanan et al., arXiv:2104.04473, section 2.2.2",
  },
  {
    id: "activation-memory-bytes",
    name: "activationMemoryBytes",
    tag: "activation_memory_bytes",
    extension: true,
    does: marked("Say how many bytes of activations one transformer layer keeps for its backward pass."),
    takes: {
      sequence: marked("s, the tokens in a sequence"),
      microBatch: marked("b, the sequences in a micro-batch"),
      hidden: marked("h, the hidden features"),
      heads: marked("a, the attention heads"),
      tp: marked("t, the tensor-parallel ranks"),
      sequenceParallel: marked("true where sequence parallelism is on"),
      recompute: marked('`"none"`, `"selective"` or `"full"`: which activations are thrown away and computed again'),
    },
    gives: marked("bytes on one rank, for one layer and one micro-batch, in 16-bit training with GELU and dropout"),
    answer: "number",
    rule: [
      marked("Without sequence parallelism: none sbh (10 + 24/t + 5as/(ht)), selective sbh (10 + 24/t), full 2sbh."),
      marked("With it: none sbh/t (34 + 5as/h), selective sbh/t · 34, full 2sbh."),
    ],
    hint: marked("The 10 is what tensor parallelism alone leaves whole on every rank (around LayerNorm and dropout); sequence parallelism shards that too."),
    source: "Korthikanti et al., “Reducing activation recomputation in large transformer models”, arXiv:2205.05198, equations 2 to 6 and table 2",
  },
];

export function taskOf(id: string): Task | undefined {
  return tasks.find((task) => task.id === id);
}
