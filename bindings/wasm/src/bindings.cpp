#include <utility>

#include <emscripten/bind.h>

#include <shardlab/activations.hpp>
#include <shardlab/bubble.hpp>
#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>
#include <shardlab/csv.hpp>
#include <shardlab/data_parallel.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/tensor_parallel.hpp>
#include <shardlab/transformer.hpp>
#include <shardlab/zero.hpp>

#include "convert.hpp"

// One function a routine of types.ts, in its order. Each reads all of its options first, then computes.

namespace shardlab::wasm {
namespace {

/// Transfers, a column for each field.
struct TransferColumns {
    std::vector<std::int32_t> step;
    std::vector<std::int32_t> source;
    std::vector<std::int32_t> destination;
    std::vector<double> source_offset;
    std::vector<double> destination_offset;
    std::vector<double> count;
    std::vector<std::uint8_t> reduce;

    void add(int index, const Transfer& transfer) {
        step.push_back(index);
        source.push_back(transfer.source);
        destination.push_back(transfer.destination);
        source_offset.push_back(static_cast<double>(transfer.source_offset));
        destination_offset.push_back(static_cast<double>(transfer.destination_offset));
        count.push_back(static_cast<double>(transfer.count));
        reduce.push_back(transfer.reduce ? 1 : 0);
    }
};

val columns(const TransferColumns& transfers) {
    val object = val::object();
    object.set("step", copied(transfers.step));
    object.set("source", copied(transfers.source));
    object.set("destination", copied(transfers.destination));
    object.set("sourceOffset", copied(transfers.source_offset));
    object.set("destinationOffset", copied(transfers.destination_offset));
    object.set("count", copied(transfers.count));
    object.set("reduce", copied(transfers.reduce));
    return object;
}

/// Sets the phase of each step and the transfers of all; a long schedule's steps are made once for both.
void set_schedule(val& result, const CollectiveSchedule& schedule) {
    val phases = val::array();
    TransferColumns transfers;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        phases.call<void>("push", val(name(phase_of(step))));
        for (const Transfer& transfer : step.transfers) {
            transfers.add(index, transfer);
        }
    }
    result.set("phases", phases);
    result.set("schedule", columns(transfers));
}

/// Bytes that each rank sent in each step, shape (steps, ranks); the steps that did not run are 0.
val bytes_sent(const CollectiveSchedule& schedule, int stop_after) {
    const auto ranks = static_cast<std::size_t>(schedule.ranks());
    Matrix bytes = zeros("buffers", schedule.steps(), schedule.ranks());
    Step step;
    for (int index = 0; index < stop_after; ++index) {
        schedule.generate(index, step);
        double* const sent = bytes.data() + static_cast<std::size_t>(index) * ranks;
        for (const Transfer& transfer : step.transfers) {
            sent[transfer.source] += static_cast<double>(transfer.count) * sizeof(double);
        }
    }
    return plain(bytes);
}

val chunk_elements(const CollectiveSchedule& schedule) {
    std::vector<double> counts;
    for (int index = 0; index < schedule.ranks(); ++index) {
        counts.push_back(static_cast<double>(chunk(schedule.elements(), schedule.ranks(), index).count));
    }
    return copied(counts);
}

val ring_all_reduce(const val& options) {
    Matrix buffers = matrix(options, "buffers");
    const int ranks = require_int("ranks", static_cast<double>(buffers.shape(0)), 1, most_ranks);
    const int steps = 2 * (ranks - 1);
    const int stop_after = optional_number(options, "stopAfter") ? integer(options, "stopAfter", 0, steps) : steps;
    const AllReduce all_reduce = shardlab::ring_all_reduce(std::move(buffers), stop_after);

    val result = val::object();
    result.set("result", plain(all_reduce.buffers));
    result.set("steps", all_reduce.schedule.steps());
    result.set("chunkElements", chunk_elements(all_reduce.schedule));
    result.set("elementsMoved", all_reduce.ledger.elements_moved());
    result.set("bytesSentPerRank", copied(all_reduce.ledger.bytes_sent_per_rank()));
    result.set("bytesSent", bytes_sent(all_reduce.schedule, stop_after));
    set_schedule(result, all_reduce.schedule);
    return result;
}

/// Both fields of a link, or neither.
std::optional<Link> optional_link(const val& options) {
    const std::optional<double> latency = optional_number(options, "latencySeconds");
    const std::optional<double> rate = optional_number(options, "bytesPerSecond");
    if (!latency && !rate) {
        return std::nullopt;
    }
    if (!latency) {
        throw invalid_argument("latency_seconds", "left out", "be given where bytes_per_second is");
    }
    if (!rate) {
        throw invalid_argument("bytes_per_second", "left out", "be given where latency_seconds is");
    }
    return Link{.latency_seconds = *latency, .bytes_per_second = *rate};
}

val cost_result(const AllReduceCost& cost) {
    val result = val::object();
    result.set("steps", cost.steps);
    result.set("bytesSentPerRank", cost.bytes_sent_per_rank);
    result.set("busFactor", cost.bus_factor);
    result.set("seconds", cost.seconds ? val(*cost.seconds) : val::null());
    return result;
}

val all_reduce_cost(const val& options) {
    const int ranks = integer(options, "ranks", 1, most_priced_ranks);
    const double bytes = number(options, "bytes");
    const std::optional<Link> link = optional_link(options);
    return cost_result(link ? shardlab::all_reduce_cost(ranks, bytes, *link) : shardlab::all_reduce_cost(ranks, bytes));
}

val tree_all_reduce_cost(const val& options) {
    const int ranks = integer(options, "ranks", 1, most_priced_ranks);
    const double bytes = number(options, "bytes");
    const Tree tree = tree_from_name(text(options, "tree"));
    const std::optional<double> latency_per_step = optional_number(options, "latencyPerStep");
    const std::optional<Link> link = optional_link(options);
    if (latency_per_step && link) {
        throw invalid_argument("latency_per_step", number_text(*latency_per_step),
                               "be left out where latency_seconds and bytes_per_second are given");
    }
    if (latency_per_step) {
        return cost_result(shardlab::tree_all_reduce_cost(ranks, bytes, *latency_per_step));
    }
    AllReduceCost cost = shardlab::tree_all_reduce_cost(ranks, bytes, link.value_or(Link{}), tree);
    if (!link) {
        cost.seconds.reset();
    }
    return cost_result(cost);
}

val data_parallel_gradient_average(const val& options) {
    const GradientAverage mean = shardlab::data_parallel_gradient_average(matrix(options, "gradients"));
    val result = val::object();
    result.set("average", copied(elements(mean.average)));
    result.set("serialMean", copied(elements(mean.serial_mean)));
    result.set("maxAbsDifference", mean.max_abs_difference);
    result.set("bytesSentPerRank", copied(mean.ledger.bytes_sent_per_rank()));
    return result;
}

val tensor_parallel_matmul(const val& options) {
    const Matrix w = matrix(options, "w");
    const Matrix x = matrix(options, "x");
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const Split split = split_from_name(text(options, "split"));
    const TensorParallelMatmul product = shardlab::tensor_parallel_matmul(w, x, ranks, split);

    val result = val::object();
    result.set("result", plain(product.result));
    result.set("weightShards", plain(product.weight_shards));
    result.set("partialOutputs", plain(product.partial_outputs));
    result.set("communicationBytesPerRank", product.communication_bytes_per_rank);
    result.set("maxAbsError", product.max_abs_error);
    result.set("maxRelError", product.max_rel_error);
    return result;
}

val tensor_parallel_mlp(const val& options) {
    const Matrix w1 = matrix(options, "w1");
    const Matrix w2 = matrix(options, "w2");
    const Matrix x = matrix(options, "x");
    const Matrix output_gradient = matrix(options, "outputGradient");
    const int ranks = integer(options, "ranks", 1, most_ranks);
    const TensorParallelMlp mlp = shardlab::tensor_parallel_mlp(w1, w2, x, output_gradient, ranks);

    val result = val::object();
    result.set("output", plain(mlp.output));
    result.set("inputGradient", plain(mlp.input_gradient));
    result.set("forwardAllReduces", mlp.forward_all_reduces);
    result.set("backwardAllReduces", mlp.backward_all_reduces);
    result.set("communicationBytesPerRank", mlp.communication_bytes_per_rank);
    result.set("outputMaxRelError", mlp.output_max_rel_error);
    result.set("inputGradientMaxRelError", mlp.input_gradient_max_rel_error);
    return result;
}

val pipeline_bubble_fraction(const val& options) {
    const int stages = integer(options, "stages", 1);
    const int micro_batches = integer(options, "microBatches", 1);
    return val(shardlab::pipeline_bubble_fraction(stages, micro_batches));
}

val interleaved_bubble_fraction(const val& options) {
    const int stages = integer(options, "stages", 1);
    const int micro_batches = integer(options, "microBatches", 1);
    const int chunks = integer(options, "chunks", 1);
    return val(shardlab::interleaved_bubble_fraction(stages, micro_batches, chunks));
}

/// A field of every operation, device after device: one column at a time stands in memory.
template <typename Element, typename Field>
val operation_column(const PipelineSchedule& schedule, Field field) {
    std::vector<Element> column;
    column.reserve(2 * schedule.placement.size() * static_cast<std::size_t>(schedule.micro_batches));
    for (std::size_t stage = 0; stage < schedule.operations.size(); ++stage) {
        for (std::size_t index = 0; index < schedule.operations[stage].size(); ++index) {
            column.push_back(static_cast<Element>(field(stage, index)));
        }
    }
    return copied(column);
}

val columns(const PipelineSchedule& schedule, const PipelineTimeline& timeline) {
    const auto& operations = schedule.operations;
    const auto& spans = timeline.spans;
    val object = val::object();
    object.set("stage", operation_column<std::int32_t>(schedule, [](auto stage, auto) { return stage; }));
    object.set("kind", operation_column<std::uint8_t>(
                           schedule, [&](auto stage, auto index) { return operations[stage][index].kind; }));
    object.set("microBatch", operation_column<std::int32_t>(schedule, [&](auto stage, auto index) {
                   return operations[stage][index].micro_batch;
               }));
    object.set("start",
               operation_column<double>(schedule, [&](auto stage, auto index) { return spans[stage][index].start; }));
    object.set("end",
               operation_column<double>(schedule, [&](auto stage, auto index) { return spans[stage][index].end; }));
    return object;
}

val simulated(const val& options, const std::string& schedule_name) {
    const int stages = integer(options, "stages", 1, most_stages);
    const int micro_batches = integer(options, "microBatches", 1);
    const OperationTimes times{.forward = number(options, "forward"),
                               .backward = number(options, "backward"),
                               .communication = number(options, "communication")};
    const PipelineSchedule schedule = shardlab::pipeline_schedule(schedule_name, stages, micro_batches);
    const PipelineTimeline timeline = simulate(schedule, times);

    val result = val::object();
    result.set("steps", unit_steps(schedule));
    result.set("makespan", timeline.makespan);
    result.set("bubbleOfTotal", timeline.bubble_of_total);
    result.set("bubbleOfIdeal", timeline.bubble_of_ideal);
    result.set("peakInFlight", copied(timeline.peak_in_flight));
    result.set("messages", timeline.messages);
    result.set("operations", columns(schedule, timeline));
    return result;
}

val pipeline_schedule(const val& options) {
    return simulated(options, text(options, "schedule"));
}

val pipeline_schedule_1f1b(const val& options) {
    return simulated(options, "1f1b");
}

/// The parameters to size: given as a number, or counted from a configuration.
double params_of(const val& options) {
    const std::optional<double> params = optional_number(options, "params");
    const std::optional<ModelConfig> config = optional_config(options, "config");
    if (params && config) {
        throw invalid_argument("params", number_text(*params), "be left out where config is given");
    }
    if (config) {
        return count_parameters(shape_from_config(*config)).total;
    }
    if (!params) {
        throw invalid_argument("params", "left out", "be given, or config in its place");
    }
    return *params;
}

val zero_memory_per_gpu(const val& options) {
    const double params = params_of(options);
    const int ranks = integer(options, "ranks", 1);
    const int zero_stage = integer(options, "zeroStage", 0, 3);
    const ZeroMemory memory = shardlab::zero_memory_per_gpu(params, ranks, zero_stage);

    val result = val::object();
    result.set("params", params);
    result.set("parameterBytes", memory.parameter_bytes);
    result.set("gradientBytes", memory.gradient_bytes);
    result.set("optimizerBytes", memory.optimizer_bytes);
    result.set("totalBytes", memory.total_bytes);
    return result;
}

val transformer_parameters(const val& options) {
    const ModelConfig config = optional_config(options, "config").value_or(ModelConfig{});
    const ParameterCounts counts = count_parameters(shape_from_config(config));

    val result = val::object();
    result.set("tokenEmbedding", counts.token_embedding);
    result.set("positionEmbedding", counts.position_embedding);
    result.set("attention", counts.attention);
    result.set("mlp", counts.mlp);
    result.set("norms", counts.norms);
    result.set("outputHead", counts.output_head);
    result.set("total", counts.total);
    return result;
}

val activation_memory_bytes(const val& options) {
    const ActivationShape shape{.sequence = integer(options, "sequence", 1),
                                .micro_batch = integer(options, "microBatch", 1),
                                .hidden = integer(options, "hidden", 1),
                                .heads = integer(options, "heads", 1),
                                .tp = integer(options, "tp", 1),
                                .sequence_parallel = flag(options, "sequenceParallel"),
                                .recompute = recomputation_from_name(text(options, "recompute"))};
    const int layers = integer(options, "layers", 1);
    const int in_flight = integer(options, "inFlight", 1);
    return val(shardlab::activation_memory_bytes(shape, layers, in_flight));
}

val parse_csv(const val& options) {
    return plain(matrix_from_csv(text(options, "text"), "text"));
}

val random_matrix(const val& options) {
    return plain(shardlab::random_matrix(number(options, "rows"), number(options, "columns"), number(options, "seed")));
}

template <val (*routine)(const val& options)>
val exported(val options) {
    return guarded(routine, options);
}

}  // namespace
}  // namespace shardlab::wasm

EMSCRIPTEN_BINDINGS(shardlab) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("ringAllReduce", &exported<ring_all_reduce>);
    function("allReduceCost", &exported<all_reduce_cost>);
    function("treeAllReduceCost", &exported<tree_all_reduce_cost>);
    function("dataParallelGradientAverage", &exported<data_parallel_gradient_average>);
    function("tensorParallelMatmul", &exported<tensor_parallel_matmul>);
    function("tensorParallelMlp", &exported<tensor_parallel_mlp>);
    function("pipelineBubbleFraction", &exported<pipeline_bubble_fraction>);
    function("interleavedBubbleFraction", &exported<interleaved_bubble_fraction>);
    function("pipelineSchedule", &exported<pipeline_schedule>);
    function("pipelineSchedule1f1b", &exported<pipeline_schedule_1f1b>);
    function("zeroMemoryPerGpu", &exported<zero_memory_per_gpu>);
    function("transformerParameters", &exported<transformer_parameters>);
    function("activationMemoryBytes", &exported<activation_memory_bytes>);
    function("parseCsv", &exported<parse_csv>);
    function("randomMatrix", &exported<random_matrix>);
}
