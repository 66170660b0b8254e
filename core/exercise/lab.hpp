#pragma once

/// @file
/// The lab, to be written by you: eleven functions, one file.
///
/// Run `./lab exercise`. Every test is red, and says which function it waits for. Pick a function, replace its
/// `throw not_written(...)` by your code, and run again: a wrong answer is told with the rank, element, stage or
/// position where it first goes wrong. The seven routines come first, the four extensions after them.
///
/// The tests of one function alone: `./lab exercise ring_all_reduce`.
///
/// Two rules are used throughout:
/// - Rank numbers wrap around: "rank r + 1" after the last rank is rank 0, and "mod N" is never negative. In C++ the
///   remainder of a negative number is negative, so write `(r - s + N) % N`.
/// - E elements are cut into N chunks that are as equal as possible, the longer ones first: each chunk has E / N
///   elements (rounded down), and the first E mod N chunks have one more. 73 elements in 4 chunks are 19, 18, 18, 18;
///   3 elements in 4 chunks are 1, 1, 1, 0.

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <shardlab/lab_types.hpp>

namespace exercise {

using shardlab::lab::Buffers;            // a tensor for each rank: buffers[rank][element]
using shardlab::lab::Cost;               // steps, bytes_sent_per_rank, seconds
using shardlab::lab::Mlp;                // output, input_gradient, forward_all_reduces, backward_all_reduces
using shardlab::lab::PipelineOperation;  // backward (false is a forward), micro_batch
using shardlab::lab::PipelineSchedule;   // operations[stage][position], steps, peak_in_flight[stage]
using shardlab::lab::Recomputation;      // none, selective, full
using shardlab::lab::RingAllReduce;      // buffers, steps, bytes_sent_per_rank[rank]
using shardlab::lab::Rows;               // a matrix: rows[row][column]
using shardlab::lab::Split;              // column, row
using shardlab::lab::Tensor;             // numbers: tensor[element]
using shardlab::lab::ZeroMemory;         // parameter_bytes, gradient_bytes, optimizer_bytes, total_bytes

/// Says that a function waits for its author.
class not_written : public std::logic_error {
public:
    not_written(const std::string& function, const std::string& task)
        : std::logic_error(function + " is still to be written, in core/exercise/lab.hpp. " + task +
                           " The whole task and a hint stand above the function.") {}
};

/// Add up the tensors of all ranks around a ring, and give every rank the sum.
///
/// In: `buffers[r]` is the tensor of rank r. There are N ranks, at least one; all tensors have the same number of
/// elements, possibly none.
///
/// Out: `buffers` of the same shape, where every rank holds the sum over all ranks; the number of `steps`; and for each
/// rank the bytes that it sent, at 8 bytes an element.
///
/// The rule: cut every tensor into N chunks (see the top of this file).
/// - Reduce-scatter, steps s = 0 to N - 2: in step s rank r sends chunk (r - s) mod N to rank r + 1, which adds it to
///   its own. After that rank r holds the whole sum of chunk (r + 1) mod N.
/// - All-gather, steps s = 0 to N - 2: in step s rank r sends chunk (r + 1 - s) mod N to rank r + 1, which replaces its
///   own by it.
///
/// All ranks send at the same time. An empty chunk is sent like any other: it takes its step and costs no bytes. One
/// rank has nobody to talk to: no step.
///
/// Hint: in one step no rank sends the chunk that it receives, so you may visit the ranks in any order. Try it on
/// paper with 4 ranks that hold 1, 10, 100 and 1000: the digits of a number show whose contributions it has.
///
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69 (2009).
/// Tests: [ring_all_reduce]
inline RingAllReduce ring_all_reduce(const Buffers& buffers) {
    throw not_written("ring_all_reduce", "Add up the tensors of all ranks around a ring, and give every rank the sum.");
}

/// Say what a ring all-reduce costs without running it: its steps, and the bytes that each rank sends.
///
/// In: the number of ranks N, and the size of each rank's tensor in bytes, which N divides.
///
/// Out: `steps` and `bytes_sent_per_rank`. Leave `seconds` at 0: there is no link to take the time from.
///
/// Hint: there are two phases of N - 1 steps, and in each step a rank sends one chunk, that is bytes / N. Mind the
/// order of your operations: all of them on `double`, since `1 / 4` is 0 on integers. With 1 rank both are 0; with very
/// many ranks the bytes approach twice the tensor, and no more.
///
/// Source: Patarasuk and Yuan, JPDC 69 (2009), section 3.
/// Tests: [all_reduce_cost]
inline Cost all_reduce_cost(int ranks, double bytes) {
    throw not_written("all_reduce_cost",
                      "Say what a ring all-reduce costs without running it: its steps, and the bytes that each rank "
                      "sends.");
}

/// Average the gradients of all ranks, as data-parallel training does before every update.
///
/// In: `gradients[r]` is the gradient that rank r computed on its own part of the batch: N rows of equal length.
///
/// Out: one tensor of that length: the mean over the ranks.
///
/// The rule: an all-reduce, then a division by N. Every rank ends with the same mean, so one copy is the answer.
///
/// Hint: you have just written the all-reduce. Divide once, at the end.
///
/// Source: Li et al., "PyTorch Distributed", arXiv:2006.15704, section 2.
/// Tests: [data_parallel_gradient_average]
inline Tensor data_parallel_gradient_average(const Buffers& gradients) {
    throw not_written("data_parallel_gradient_average",
                      "Average the gradients of all ranks, as data-parallel training does before every update.");
}

/// Multiply W by x with W split over the ranks.
///
/// In: `w` of shape (out, in), `x` of shape (in, batch), the number of ranks, and how W is split.
///
/// Out: W·x, of shape (out, batch).
///
/// The rule: a rank works on its own part of W only.
/// - `Split::column`: cut `out` into one chunk a rank. Rank r has the rows of W in its chunk and the whole of x; it
///   computes those rows of the output. Put the pieces one below the other. Nothing has to be added.
/// - `Split::row`: cut `in` into one chunk a rank. Rank r has the columns of W in its chunk and the same rows of x; it
///   computes a partial sum of the *whole* output. Add the partial sums of all ranks: an all-reduce.
///
/// Sizes that the ranks do not divide are cut as at the top of this file; with more ranks than features some ranks have
/// an empty part. The names are Megatron's, which writes Y = X·A with W = Aᵀ: a column of A is a row of W.
///
/// Hint: write one small function that multiplies rows [first, last) of W, over inputs [from, to), by x. Both splits
/// are then a loop over ranks around it.
///
/// Source: Shoeybi et al., "Megatron-LM", arXiv:1909.08053, section 3.
/// Tests: [tensor_parallel_matmul]
inline Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split) {
    throw not_written("tensor_parallel_matmul", "Multiply W by x with W split over the ranks.");
}

/// Say which share of all stages' time a pipeline is idle: its bubble.
///
/// In: P stages and M micro-batches, at least 1 each. All stages take equally long.
///
/// Out: idle time over total time, from 0 to 1. For 8 stages and 4 micro-batches it is 7/11.
///
/// Hint: a stage works for M slots. The last stage has to wait P - 1 slots for the first micro-batch, so that
/// everything takes M + P - 1. (Some papers divide the idle time by M, the time of work, instead: that number can
/// exceed 1.)
///
/// Source: Huang et al., "GPipe", arXiv:1811.06965, section 2.3.
/// Tests: [pipeline_bubble_fraction]
inline double pipeline_bubble_fraction(int stages, int micro_batches) {
    throw not_written("pipeline_bubble_fraction",
                      "Say which share of all stages' time a pipeline is idle: its bubble.");
}

/// Order the forwards and backwards of each pipeline stage, one forward one backward.
///
/// In: P stages and M micro-batches, at least 1 each.
///
/// Out: for each stage the list of its 2·M operations in order; `steps`, the time that all of them take if every
/// operation takes one step; and for each stage `peak_in_flight`, the largest number of micro-batches whose forward is
/// done and whose backward is still to come.
///
/// The rule, for stage s (0 is the first):
/// - warm-up: P - 1 - s forwards (at most M);
/// - steady: one forward, one backward, and again, until all M forwards are done;
/// - drain: the backwards that are left.
///
/// Forwards go through the micro-batches 0, 1, 2, ..., and so do backwards.
///
/// Hint: the last stage has no warm-up: F0 B0 F1 B1 ... For the steps count along the first stage: GPipe's order takes
/// 2·(M + P - 1), and so does this one. What it saves is memory: stage s never holds more than P - s micro-batches.
///
/// Source: Narayanan et al., arXiv:2104.04473, section 2.2.1, figure 4 (top).
/// Tests: [pipeline_schedule_1f1b]
inline PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    throw not_written("pipeline_schedule_1f1b",
                      "Order the forwards and backwards of each pipeline stage, one forward one backward.");
}

/// Say how many bytes of weights, gradients and optimizer states one GPU holds under ZeRO.
///
/// In: the parameters of the model, the number of data-parallel ranks R, and the stage, 0 to 3.
///
/// Out: the bytes of the three parts on one rank, and their total.
///
/// The rule: training in 16 bits with Adam keeps, for each parameter, 2 bytes of weight, 2 bytes of gradient and 12
/// bytes of optimizer state (a 32-bit weight, momentum and variance). Stage 0 keeps everything on every rank. Stage 1
/// shards the optimizer states over the R ranks, stage 2 the gradients too, stage 3 the weights too. A sharded part is
/// divided by R.
///
/// Hint: 7.5e9 parameters on 64 ranks are 120, 31.4, 16.6 and 1.88 GB at stages 0 to 3.
///
/// Source: Rajbhandari et al., "ZeRO", arXiv:1910.02054, section 5 and table 1.
/// Tests: [zero_memory_per_gpu]
inline ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage) {
    throw not_written("zero_memory_per_gpu",
                      "Say how many bytes of weights, gradients and optimizer states one GPU holds under ZeRO.");
}

/// Extension: say what an all-reduce along a binomial tree costs for a small message.
///
/// In: the number of ranks N, the size of each rank's tensor in bytes, and the seconds that one step takes.
///
/// Out: `steps`, the bytes that the busiest rank sends, and `seconds`.
///
/// The rule: whole tensors are sent, never chunks. First they are added up towards rank 0: in step k every rank that is
/// an odd multiple of 2^k sends to the rank 2^k below it. Then the sum goes back along the same branches. That is
/// ceil(log2 N) steps down and as many up. Rank 0 is the busiest: on the way back it sends the tensor in every step.
/// The message is so small that only latency counts: seconds are steps times latency.
///
/// Hint: count how often you can double 1 before you reach N; `std::log2` may be off by a hair just where it matters.
/// Compare with the ring's 2(N - 1) steps at 1024 ranks.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19
/// (2005), section 4.2.
/// Tests: [tree_all_reduce_cost]
inline Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    throw not_written("tree_all_reduce_cost",
                      "Say what an all-reduce along a binomial tree costs for a small message.");
}

/// Extension: run a two-layer MLP over several ranks, forward and backward, with one all-reduce each way.
///
/// In: `w1` of shape (ffn, in), `w2` of shape (out, ffn), `x` of shape (in, batch), the gradient of the loss with
/// respect to the output, of shape (out, batch), and the number of ranks.
///
/// Out: the output w2·GELU(w1·x), of shape (out, batch); the gradient with respect to x, of shape (in, batch); and how
/// many all-reduces the forward and the backward took (at one rank they count too).
///
/// The rule: w1 is split by columns and w2 by rows (Megatron's words, see tensor_parallel_matmul), so `ffn` is cut into
/// one chunk a rank. Rank r computes its features of h = w1·x, applies GELU to them, and multiplies by its columns of
/// w2: a partial sum of the output. Adding these is the all-reduce of the forward. Backward, with g the output's
/// gradient: rank r computes w2ᵀ·g for its features, times GELU'(h) element by element, and multiplies by its part of
/// w1ᵀ: a partial sum of the input's gradient. Adding these is the all-reduce of the backward.
///
/// GELU(v) = v/2 · (1 + erf(v/√2)), and GELU'(v) = (1 + erf(v/√2))/2 + v · exp(-v²/2) / √(2π).
///
/// Hint: GELU works on each feature for itself, and a rank has whole features: that is why nothing is sent between the
/// layers. Were w1 split by rows, each rank would have a partial sum, and GELU of a sum is not the sum of GELUs.
///
/// Source: Shoeybi et al., "Megatron-LM", arXiv:1909.08053, section 3; GELU: arXiv:1606.08415, section 2.
/// Tests: [tensor_parallel_mlp]
inline Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks) {
    throw not_written("tensor_parallel_mlp",
                      "Run a two-layer MLP over several ranks, forward and backward, with one all-reduce each way.");
}

/// Extension: say how large the bubble is when each device has several smaller chunks of the model.
///
/// In: P stages (devices), M micro-batches (a multiple of P), and V chunks of the model on each device.
///
/// Out: idle time over total time, from 0 to 1.
///
/// Hint: a chunk is a V-th of a device's layers and takes a V-th of the time, so filling and draining the pipeline
/// costs P - 1 small slots, while a device works for V·M of them. With V = 1 it is pipeline_bubble_fraction.
///
/// Source: Narayanan et al., arXiv:2104.04473, section 2.2.2.
/// Tests: [interleaved_bubble_fraction]
inline double interleaved_bubble_fraction(int stages, int micro_batches, int chunks) {
    throw not_written("interleaved_bubble_fraction",
                      "Say how large the bubble is when each device has several smaller chunks of the model.");
}

/// Extension: say how many bytes of activations one transformer layer keeps for its backward pass.
///
/// In: s tokens in a sequence, b sequences in a micro-batch, h hidden features, a attention heads, t tensor-parallel
/// ranks, whether sequence parallelism is on, and which activations are thrown away and computed again.
///
/// Out: bytes on one rank, for one layer and one micro-batch, in 16-bit training with GELU and dropout.
///
/// The rule:
///
///     recomputation   without sequence parallelism     with it
///     none            sbh (10 + 24/t + 5as/(ht))       sbh/t (34 + 5as/h)
///     selective       sbh (10 + 24/t)                  sbh/t · 34
///     full            2sbh                             2sbh
///
/// Hint: work in `double` from the first factor on: s·b·h of a large model does not fit an `int`. The 10 is what tensor
/// parallelism alone leaves whole on every rank (around LayerNorm and dropout); sequence parallelism shards that too.
///
/// Source: Korthikanti et al., "Reducing activation recomputation in large transformer models", arXiv:2205.05198,
/// equations 2 to 6 and table 2.
/// Tests: [activation_memory_bytes]
inline double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp,
                                      bool sequence_parallel, Recomputation recompute) {
    throw not_written("activation_memory_bytes",
                      "Say how many bytes of activations one transformer layer keeps for its backward pass.");
}

}  // namespace exercise
