#include <optional>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/zero_states.hpp>

#include "convert.hpp"
#include "model.hpp"
#include "recipe.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

FootprintRequest request_of(const val& options) {
    FootprintRequest request;
    request.layout = {.tp = integer(options, "tp", 1),
                      .pp = integer(options, "pp", 1),
                      .dp = integer(options, "ranks", 1),
                      .cp = integer(options, "cp", 1),
                      .ep = integer(options, "ep", 1)};
    request.zero_stage = integer(options, "zeroStage", 0, 3);
    request.micro_batches = integer(options, "microBatches", 1);
    request.shard_ranks = optional_integer(options, "shardRanks").value_or(0);
    request.offload = offload_from_name(text(options, "offload"));
    request.recipe = recipe_asked_for(options);
    return request;
}

ZeroStates states_asked_for(const val& options) {
    FootprintRequest request = request_of(options);
    const Gathered gathered = gathered_from_name(text(options, "gathered"));
    const std::optional<double> params = optional_number(options, "params");
    const bool is_model = !options["config"].isNull() || !options["preset"].isNull();
    if (params && is_model) {
        throw invalid_argument("params", number_text(*params), "be left out where config or preset is given");
    }
    if (!params && !is_model) {
        throw invalid_argument("params", "left out", "be given, or config or preset in its place");
    }
    if (params) {
        return shardlab::zero_states(*params, request, gathered);
    }
    request.shape = model_asked_for(options).shape;
    return shardlab::zero_states(request, gathered);
}

val plain_collective(const StateCollective& one) {
    val object = val::object();
    object.set("collective", std::string(one.collective));
    object.set("pass", std::string(one.pass));
    object.set("times", one.times);
    object.set("bytesPerParam", one.bytes_per_param);
    object.set("bytes", one.bytes);
    return object;
}

}  // namespace

val zero_states(const val& options) {
    const ZeroStates found = states_asked_for(options);
    val result = val::object();
    result.set("params", found.params);
    result.set("parameterBytes", found.states.weight_bytes);
    result.set("gradientBytes", found.states.gradient_bytes);
    result.set("optimizerBytes", found.states.optimizer_bytes);
    result.set("hostBytes", found.states.host_bytes);
    result.set("paramsOnRank", found.params_on_rank);
    result.set("bytesPerParam", found.bytes_per_param);
    result.set("sentBytes", found.sent_bytes());
    result.set("totalBytes", found.states.total());
    result.set("sent", listed(found.sent, plain_collective));
    result.set("notes", plain_texts(found.notes));
    return result;
}

}  // namespace shardlab::wasm
