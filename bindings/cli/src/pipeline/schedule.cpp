#include "schedule.hpp"

#include <string>

#include "import.hpp"

namespace shardlab::cli {
namespace {

void require_no_import_beside(const Options& options) {
    for (const char* const parameter : {"schedule", "stages", "micro_batches", "chunks", "group_size", "memory_limit",
                                        "weight_grad_share", "rules"}) {
        if (options.given(parameter)) {
            throw invalid_argument(parameter, options.text(parameter),
                                   "be left out: the file of --import has the schedule");
        }
    }
}

/// What only makes sense with certain schedules.
void require_uses(const Options& options, const std::string& name) {
    if (options.given("notation")) {
        throw invalid_argument("notation", options.text("notation"), "be left out where there is no --import");
    }
    if (options.given("relaxed_wrap") && name != "interleaved") {
        throw invalid_argument("relaxed_wrap", "given with " + name,
                               "be left out: only interleaved and imported schedules take it");
    }
}

PipelineRequest request_asked_for(const Options& options, const std::string& name, const OperationTimes& times) {
    PipelineRequest request;
    request.schedule = name;
    request.stages = options.whole("stages", 1, most_stages);
    request.micro_batches = options.whole("micro_batches", 1);
    if (options.given("chunks")) {
        request.chunks = options.whole("chunks", 1, most_stages);
    }
    if (options.given("group_size")) {
        request.group_size = options.whole("group_size", 1);
    }
    if (options.given("memory_limit")) {
        request.memory_limit = options.number("memory_limit");
    }
    if (options.given("weight_grad_share")) {
        request.weight_gradient_share = options.number("weight_grad_share");
    }
    request.times = times;
    request.communication = options.number("communication");
    request.rules = framework_rules_from_name(options.text("rules"));
    return request;
}

}  // namespace

void declare_schedule(Options& options) {
    options.add_with_default("schedule", "NAME", "1f1b",
                             "gpipe, 1f1b, interleaved, looped-bfs, zb-h1, zb-h2, zb-1p, zb-2p, zb-v, dualpipe or "
                             "dualpipe-v");
    options.add("stages", "P", "devices of the pipeline");
    options.add("micro_batches", "M", "micro-batches in one optimizer step");
    options.add("chunks", "V", "model parts a device, of interleaved and looped-bfs; 2 by default");
    options.add("group_size", "N", "micro-batches that interleaved takes through a chunk at a time; P by default");
    options.add("memory_limit", "MICRO-BATCHES", "activations that zb-1p and zb-2p may hold; P and 2P by default");
    options.add("weight_grad_share", "SHARE",
                "of activations, until the weight gradient, for zb-1p and zb-2p; 16/37 by default");
    options.add_with_default("rules", "NAME", "none", "whose conditions to keep as well: none, megatron or pytorch");
    options.add("import", "FILE", "a schedule of your own: a CSV as torch.distributed.pipelining writes it, or JSON");
    options.add("notation", "NAME", "what B means in that file: zero-bubble (an input gradient) or pytorch (all)");
}

AskedSchedule schedule_asked_for(const Options& options, const std::string& name, const OperationTimes& times) {
    AskedSchedule asked;
    if (options.given("import")) {
        require_no_import_beside(options);
        asked.imported = imported_schedule(options);
    } else {
        require_uses(options, name);
        asked.request = request_asked_for(options, name, times);
    }
    return asked;
}

}  // namespace shardlab::cli
