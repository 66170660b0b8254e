// The functions under test as a student writes them in JavaScript. Each call of a case goes out to the page with plain
// numbers and arrays in one object, by the names of the package, and its answer comes back in the same way. The
// reference answers the same calls, so that the page can put a right answer beside a wrong one.

#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <shardlab/lab.hpp>

#include "lab/module.hpp"

using emscripten::val;

namespace lab {

namespace {

// Out: arguments, and the reference's answers.

val object(std::initializer_list<std::pair<const char*, val>> members) {
    val result = val::object();
    for (const auto& [name, value] : members) result.set(name, value);
    return result;
}

/// A plain array of numbers. A view lives only as long as the memory does not grow, so it is copied at once.
val plain(const Tensor& numbers) {
    return val::global("Array").call<val>("from", val(emscripten::typed_memory_view(numbers.size(), numbers.data())));
}

val plain(const std::vector<int>& numbers) {
    return plain(Tensor(numbers.begin(), numbers.end()));
}

val plain(const Rows& rows) {
    val result = val::array();
    int count = 0;
    for (const Tensor& row : rows) result.set(count++, plain(row));
    return result;
}

/// A number or a flag.
template <typename T>
requires std::is_arithmetic_v<T> val plain(T value) {
    return val(value);
}

val plain(Split split) {
    return val(split == Split::column ? "column" : "row");
}

val plain(Recomputation recompute) {
    switch (recompute) {
        case Recomputation::none:
            return val("none");
        case Recomputation::selective:
            return val("selective");
        case Recomputation::full:
            return val("full");
    }
    throw std::logic_error("there is no such recomputation");
}

val plain(const RingAllReduce& ring) {
    return object({{"buffers", plain(ring.buffers)},
                   {"steps", plain(ring.steps)},
                   {"bytesSentPerRank", plain(ring.bytes_sent_per_rank)}});
}

val plain(const Cost& cost) {
    return object({{"steps", plain(cost.steps)},
                   {"bytesSentPerRank", plain(cost.bytes_sent_per_rank)},
                   {"seconds", plain(cost.seconds)}});
}

val plain(const PipelineSchedule& schedule) {
    val stages = val::array();
    int stage = 0;
    for (const auto& list : schedule.operations) {
        val operations = val::array();
        int position = 0;
        for (const PipelineOperation& operation : list) {
            operations.set(position++, object({{"backward", plain(operation.backward)},
                                               {"microBatch", plain(operation.micro_batch)}}));
        }
        stages.set(stage++, operations);
    }
    return object(
        {{"operations", stages}, {"steps", plain(schedule.steps)}, {"peakInFlight", plain(schedule.peak_in_flight)}});
}

val plain(const ZeroMemory& memory) {
    return object({{"parameterBytes", plain(memory.parameter_bytes)},
                   {"gradientBytes", plain(memory.gradient_bytes)},
                   {"optimizerBytes", plain(memory.optimizer_bytes)},
                   {"totalBytes", plain(memory.total_bytes)}});
}

val plain(const Mlp& mlp) {
    return object({{"output", plain(mlp.output)},
                   {"inputGradient", plain(mlp.input_gradient)},
                   {"forwardAllReduces", plain(mlp.forward_all_reduces)},
                   {"backwardAllReduces", plain(mlp.backward_all_reduces)}});
}

// In: answers, of which the page has checked that they have the shape that is read here.

Tensor tensor(const val& numbers) {
    return emscripten::convertJSArrayToNumberVector<double>(numbers);
}

std::vector<int> whole_numbers(const val& numbers) {
    return emscripten::convertJSArrayToNumberVector<int>(numbers);
}

Rows rows(const val& list) {
    Rows result(list["length"].as<std::size_t>());
    for (std::size_t r = 0; r < result.size(); ++r) result[r] = tensor(list[r]);
    return result;
}

std::vector<std::vector<PipelineOperation>> operations(const val& stages) {
    std::vector<std::vector<PipelineOperation>> result(stages["length"].as<std::size_t>());
    for (std::size_t s = 0; s < result.size(); ++s) {
        const val list = stages[s];
        result[s].resize(list["length"].as<std::size_t>());
        for (std::size_t i = 0; i < result[s].size(); ++i) {
            result[s][i] = {list[i]["backward"].as<bool>(), list[i]["microBatch"].as<int>()};
        }
    }
    return result;
}

Split split(const val& word) {
    return word.as<std::string>() == "column" ? Split::column : Split::row;
}

Recomputation recomputation(const val& word) {
    const auto text = word.as<std::string>();
    return text == "none" ? Recomputation::none : text == "full" ? Recomputation::full : Recomputation::selective;
}

/// The page's function (name, arguments) that gives {answer}, or {error} with the sentence that a reader is told.
val& student() {
    static val function = val::undefined();
    return function;
}

void answer_with(val function) {
    student() = std::move(function);
}

val ask(const char* function, const val& arguments) {
    const val outcome = student()(std::string(function), arguments);
    const val error = outcome["error"];
    if (!error.isUndefined()) throw std::runtime_error(error.as<std::string>());
    return outcome["answer"];
}

}  // namespace

RingAllReduce ring_all_reduce(const Buffers& buffers) {
    const val answer = ask("ringAllReduce", object({{"buffers", plain(buffers)}}));
    return {rows(answer["buffers"]), answer["steps"].as<int>(), tensor(answer["bytesSentPerRank"])};
}

Cost all_reduce_cost(int ranks, double bytes) {
    const val answer = ask("allReduceCost", object({{"ranks", plain(ranks)}, {"bytes", plain(bytes)}}));
    return {.steps = answer["steps"].as<int>(), .bytes_sent_per_rank = answer["bytesSentPerRank"].as<double>()};
}

Tensor data_parallel_gradient_average(const Buffers& gradients) {
    return tensor(ask("dataParallelGradientAverage", object({{"gradients", plain(gradients)}})));
}

Rows tensor_parallel_matmul(const Rows& w, const Rows& x, int ranks, Split split) {
    return rows(ask("tensorParallelMatmul",
                    object({{"w", plain(w)}, {"x", plain(x)}, {"ranks", plain(ranks)}, {"split", plain(split)}})));
}

double pipeline_bubble_fraction(int stages, int micro_batches) {
    return ask("pipelineBubbleFraction", object({{"stages", plain(stages)}, {"microBatches", plain(micro_batches)}}))
        .as<double>();
}

PipelineSchedule pipeline_schedule_1f1b(int stages, int micro_batches) {
    const val answer =
        ask("pipelineSchedule1f1b", object({{"stages", plain(stages)}, {"microBatches", plain(micro_batches)}}));
    return {operations(answer["operations"]), answer["steps"].as<int>(), whole_numbers(answer["peakInFlight"])};
}

ZeroMemory zero_memory_per_gpu(double params, int ranks, int zero_stage) {
    const val answer =
        ask("zeroMemoryPerGpu",
            object({{"params", plain(params)}, {"ranks", plain(ranks)}, {"zeroStage", plain(zero_stage)}}));
    return {answer["parameterBytes"].as<double>(), answer["gradientBytes"].as<double>(),
            answer["optimizerBytes"].as<double>(), answer["totalBytes"].as<double>()};
}

Cost tree_all_reduce_cost(int ranks, double bytes, double latency_per_step) {
    const val answer =
        ask("treeAllReduceCost",
            object({{"ranks", plain(ranks)}, {"bytes", plain(bytes)}, {"latencyPerStep", plain(latency_per_step)}}));
    return {answer["steps"].as<int>(), answer["bytesSentPerRank"].as<double>(), answer["seconds"].as<double>()};
}

Mlp tensor_parallel_mlp(const Rows& w1, const Rows& w2, const Rows& x, const Rows& output_gradient, int ranks) {
    const val answer = ask("tensorParallelMlp", object({{"w1", plain(w1)},
                                                        {"w2", plain(w2)},
                                                        {"x", plain(x)},
                                                        {"outputGradient", plain(output_gradient)},
                                                        {"ranks", plain(ranks)}}));
    return {rows(answer["output"]), rows(answer["inputGradient"]), answer["forwardAllReduces"].as<int>(),
            answer["backwardAllReduces"].as<int>()};
}

double interleaved_bubble_fraction(int stages, int micro_batches, int chunks) {
    return ask("interleavedBubbleFraction",
               object({{"stages", plain(stages)}, {"microBatches", plain(micro_batches)}, {"chunks", plain(chunks)}}))
        .as<double>();
}

double activation_memory_bytes(int sequence, int micro_batch, int hidden, int heads, int tp, bool sequence_parallel,
                               Recomputation recompute) {
    return ask("activationMemoryBytes", object({{"sequence", plain(sequence)},
                                                {"microBatch", plain(micro_batch)},
                                                {"hidden", plain(hidden)},
                                                {"heads", plain(heads)},
                                                {"tp", plain(tp)},
                                                {"sequenceParallel", plain(sequence_parallel)},
                                                {"recompute", plain(recompute)}}))
        .as<double>();
}

namespace {

/// JavaScript has none.
double erf(double value) {
    return std::erf(value);
}

/// What the reference answers to a call that a case has made.
val reference(const std::string& function, const val& in) {
    namespace right = shardlab::lab;
    const auto whole = [&](const char* name) { return in[name].as<int>(); };
    const auto number = [&](const char* name) { return in[name].as<double>(); };
    const auto matrix = [&](const char* name) { return rows(in[name]); };
    if (function == "ringAllReduce") return plain(right::ring_all_reduce(matrix("buffers")));
    if (function == "allReduceCost") return plain(right::all_reduce_cost(whole("ranks"), number("bytes")));
    if (function == "dataParallelGradientAverage") {
        return plain(right::data_parallel_gradient_average(matrix("gradients")));
    }
    if (function == "tensorParallelMatmul") {
        return plain(right::tensor_parallel_matmul(matrix("w"), matrix("x"), whole("ranks"), split(in["split"])));
    }
    if (function == "pipelineBubbleFraction") {
        return plain(right::pipeline_bubble_fraction(whole("stages"), whole("microBatches")));
    }
    if (function == "pipelineSchedule1f1b") {
        return plain(right::pipeline_schedule_1f1b(whole("stages"), whole("microBatches")));
    }
    if (function == "zeroMemoryPerGpu") {
        return plain(right::zero_memory_per_gpu(number("params"), whole("ranks"), whole("zeroStage")));
    }
    if (function == "treeAllReduceCost") {
        return plain(right::tree_all_reduce_cost(whole("ranks"), number("bytes"), number("latencyPerStep")));
    }
    if (function == "tensorParallelMlp") {
        return plain(right::tensor_parallel_mlp(matrix("w1"), matrix("w2"), matrix("x"), matrix("outputGradient"),
                                                whole("ranks")));
    }
    if (function == "interleavedBubbleFraction") {
        return plain(right::interleaved_bubble_fraction(whole("stages"), whole("microBatches"), whole("chunks")));
    }
    if (function == "activationMemoryBytes") {
        return plain(right::activation_memory_bytes(whole("sequence"), whole("microBatch"), whole("hidden"),
                                                    whole("heads"), whole("tp"), in["sequenceParallel"].as<bool>(),
                                                    recomputation(in["recompute"])));
    }
    throw std::logic_error("the lab has no function " + function);
}

}  // namespace

}  // namespace lab

EMSCRIPTEN_BINDINGS(shardlab_student) {
    emscripten::function("answerWith", &lab::answer_with);
    emscripten::function("reference", &lab::reference);
    emscripten::function("erf", &lab::erf);
}
