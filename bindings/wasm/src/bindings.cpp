#include <utility>

#include <emscripten/bind.h>

#include <shardlab/activations.hpp>
#include <shardlab/bubble.hpp>
#include <shardlab/collective/schedule.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/transformer.hpp>
#include <shardlab/zero.hpp>

#include "convert.hpp"
#include "exported.hpp"
#include "routines.hpp"

// One function a routine of types.ts, in its order. Each reads all of its options first, then computes.

namespace shardlab::wasm {
namespace {

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

val zero_partition(const val& options) {
    const ZeroPartition partition = shardlab::zero_partition(number(options, "elements"), integer(options, "ranks", 1),
                                                             number(options, "alignment"));

    val result = val::object();
    result.set("paddedElements", partition.padded_elements);
    result.set("elementsPerRank", partition.elements_per_rank);
    result.set("padding", copied(partition.padding));
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
    result.set("router", counts.router);
    result.set("experts", counts.experts);
    result.set("sharedExperts", counts.shared_experts);
    result.set("norms", counts.norms);
    result.set("outputHead", counts.output_head);
    result.set("total", counts.total);
    result.set("active", counts.active);
    result.set("predictionHeads", counts.prediction_heads);
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

}  // namespace
}  // namespace shardlab::wasm

EMSCRIPTEN_BINDINGS(shardlab) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("ringAllReduce", &exported<ring_all_reduce>);
    function("allReduce", &exported<all_reduce>);
    function("collective", &exported<collective>);
    function("evenElements", &exported<even_elements>);
    function("allReduceCost", &exported<all_reduce_cost>);
    function("treeAllReduceCost", &exported<tree_all_reduce_cost>);
    function("allReduceTimes", &exported<all_reduce_times>);
    function("crossover", &exported<crossover>);
    function("ncclTuning", &exported<nccl_tuning>);
    function("fitAllReduce", &exported<fit_all_reduce>);
    function("dataParallelGradientAverage", &exported<data_parallel_gradient_average>);
    function("pipelineBubbleFraction", &exported<pipeline_bubble_fraction>);
    function("interleavedBubbleFraction", &exported<interleaved_bubble_fraction>);
    function("zeroMemoryPerGpu", &exported<zero_memory_per_gpu>);
    function("zeroPartition", &exported<zero_partition>);
    function("transformerParameters", &exported<transformer_parameters>);
    function("activationMemoryBytes", &exported<activation_memory_bytes>);
    function("parseCsv", &exported<parse_csv>);
    function("randomMatrix", &exported<random_matrix>);
}
