#include <array>
#include <optional>

#include <nlohmann/json.hpp>

#include <shardlab/accelerators.hpp>
#include <shardlab/footprint.hpp>
#include <shardlab/launch.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"
#include "footprint/answers.hpp"
#include "footprint/request.hpp"
#include "model_option.hpp"

namespace shardlab::cli {
namespace {

void declare(Options& options) {
    declare_model(options);
    options.add("gpu", "NAME", "the card: h100-80gb and others, or custom:BYTES");
    declare_request(options);
    options.add_with_default("per_node", "N", "8", "cards of a node, which changes of tp stay in");
    options.add_with_default("most_ranks", "N", "65536", "cards that changes go up to");
    options.add_flag(
        "smallest_cluster",
        "find the fewest cards that hold the model as well, by every tp in a node, pp and dp, ZeRO stage and "
        "recomputation; cp and ep are 1, and --layers-per-part and --shard-ranks are left out");
    options.add("launch", "NAME", "tell the settings of a framework: megatron, deepspeed, torchtitan, fsdp2");
    options.add("csv", "FILE", "write the table of stages to a file, over what it held");
}

std::optional<LaunchSettings> launch_asked_for(const Options& options, const FootprintRequest& request) {
    if (!options.given("launch")) {
        return std::nullopt;
    }
    return blaming("launch", [&] { return launch_settings(request, options.text("launch")); });
}

void run(const Options& options, std::ostream& out) {
    const AskedModel model = model_asked_for(options);
    const Accelerator card = accelerator_from_name(options.text("gpu"));
    const FootprintRequest request = request_asked_for(options, model.shape);
    const ChangeBounds bounds{.usable_bytes = card.usable_bytes,
                              .per_node = options.whole("per_node", 1),
                              .most_ranks = options.count("most_ranks")};
    InFlightCache cache;
    const Footprint sized = footprint(request, cache);
    const Changes changes = changes_that_fit(request, bounds, cache);
    const std::optional<LaunchSettings> launch = launch_asked_for(options, request);
    if (options.given("csv")) {
        write_file("csv", options.text("csv"), stages_csv(sized));
    }

    Answer answer(out);
    answer.add("most_loaded_rank_bytes", sized.most_loaded_rank_bytes());
    answer.add("most_loaded_stage", sized.most_loaded_stage);
    answer.add("capacity_bytes", card.capacity_bytes);
    answer.add("usable_bytes", card.usable_bytes);
    answer.add_json("fits", changes.fits);
    answer.add("ranks", request.layout.ranks());
    add_stages(answer, sized);
    answer.add_json("cost", cost_record(changes.cost));
    add_changes(answer, request, changes);
    if (options.given("smallest_cluster")) {
        const std::optional<FootprintRequest> smallest = smallest_cluster(request, bounds, cache);
        answer.add_json("smallest_cluster", smallest ? layout_record(*smallest) : nlohmann::ordered_json(false));
    }
    if (launch) {
        answer.add_json("launch", launch_record(*launch));
    }
    answer.add_json("notes", sized.notes);
    answer.add_json("unknown_fields", model.unknown_fields);
    answer.close();
}

constexpr std::array answer_fields = {
    AnswerField{"most_loaded_rank_bytes", "bytes on the card that holds most, at its peak in a step"},
    AnswerField{"most_loaded_stage", "the pipeline stage of that card, from 0"},
    AnswerField{"capacity_bytes", "bytes of the card's memory, as its driver's tool prints them"},
    AnswerField{"usable_bytes", "bytes of it that a program sees: what has to fit in"},
    AnswerField{"fits", "whether the most loaded card's bytes do"},
    AnswerField{"ranks", "cards in all: tp times pp times dp times cp"},
    AnswerField{"per_stage", "what each card of a pipeline stage holds:"},
    AnswerField{"per_stage.stage", "the stage, from 0"},
    AnswerField{"per_stage.layers", "layers of the stage"},
    AnswerField{"per_stage.parameters", "parameters of the card before ZeRO"},
    AnswerField{"per_stage.micro_batches_in_flight", "micro-batches whose activations are kept at the peak"},
    AnswerField{"per_stage.weight_gradients_waiting", "micro-batches of which only weight gradients are to come then"},
    AnswerField{"per_stage.weight_bytes", "bytes of weights"},
    AnswerField{"per_stage.gradient_bytes", "bytes of gradients"},
    AnswerField{"per_stage.optimizer_bytes", "bytes of master weights and moments"},
    AnswerField{"per_stage.state_bytes", "bytes of these three together"},
    AnswerField{"per_stage.activation_bytes", "bytes of activations kept for the backward, without logits"},
    AnswerField{"per_stage.logit_bytes", "bytes of logits, and of a gradient as large"},
    AnswerField{"per_stage.recomputed_bytes", "bytes of what is computed again for the backward under way"},
    AnswerField{"per_stage.gathered_bytes", "bytes of weights and gradients that stage 3 has whole for a time"},
    AnswerField{"per_stage.bucket_bytes", "bytes of gradients on their way"},
    AnswerField{"per_stage.context_bytes", "bytes of the CUDA context and kernels"},
    AnswerField{"per_stage.communication_bytes", "bytes of the communication library's buffers"},
    AnswerField{"per_stage.fragmentation_bytes", "bytes that the allocator loses"},
    AnswerField{"per_stage.host_bytes", "bytes of states in host memory, which are in no sum"},
    AnswerField{"per_stage.total_bytes", "bytes on the card"},
    AnswerField{"cost", "what a step costs:"},
    AnswerField{"cost.ranks", "cards"},
    AnswerField{"cost.sent_bytes",
                "bytes that a rank of the stage with most layers sends in a step, the sum of the "
                "next five"},
    AnswerField{"cost.tensor_bytes", "of them for tensor parallelism"},
    AnswerField{"cost.context_bytes", "for context parallelism"},
    AnswerField{"cost.expert_bytes", "for expert parallelism"},
    AnswerField{"cost.pipeline_bytes", "between pipeline stages"},
    AnswerField{"cost.data_bytes", "for data parallelism and ZeRO"},
    AnswerField{"cost.recomputed_flops", "FLOPs of that rank in a step for what is computed again"},
    AnswerField{"cost.bubble_of_total", "part of the step, from 0 to 1, that stages wait"},
    AnswerField{"cost.product_flops",
                "FLOPs of one matrix product of an MLP on a rank: small ones use a card less "
                "well"},
    AnswerField{"changes", "single changes that make it fit, the smallest of each kind; none where it fits:"},
    AnswerField{"changes.parameter", "what is changed"},
    AnswerField{"changes.value", "to what"},
    AnswerField{"changes.most_loaded_rank_bytes", "bytes on the card that holds most then"},
    AnswerField{"changes.options", "the options of this command that are to be set for it, and no others"},
    AnswerField{"changes.request", "all options then, each as this command's own"},
    AnswerField{"changes.cost", "what a step costs then, as in cost"},
    AnswerField{"not_offered", "kinds of changes that no value of makes it fit:"},
    AnswerField{"not_offered.parameter", "what could be changed"},
    AnswerField{"not_offered.reason", "why it does not help, in a sentence"},
    AnswerField{"not_offered.least_bytes", "the least that a value of it leaves on the card that holds most"},
    AnswerField{"smallest_cluster", "with --smallest-cluster: the options of the fewest cards, or false"},
    AnswerField{"launch", "with --launch: the settings of a framework, which were not run:"},
    AnswerField{"launch.framework", "its name"},
    AnswerField{"launch.version", "where the names of its options were read"},
    AnswerField{"launch.text", "the settings as a text to be copied"},
    AnswerField{"launch.settings",
                "the same one by one: launch.settings.name, launch.settings.value, "
                "launch.settings.meaning"},
    AnswerField{"launch.left_out", "what of the request is not among them and why, in sentences"},
    AnswerField{"notes", "what the setting does that may not be expected, in sentences"},
    AnswerField{"unknown_fields", "fields of the configuration that were not understood, and not counted"},
};

}  // namespace

const Command footprint_command = {
    .name = "footprint",
    .summary = "Size what each card holds in training, and find the smallest change that makes it fit",
    .example =
        "shardlab footprint --preset llama3-70b --gpu h100-80gb --tp 8 --dp 8 --zero-stage 1 --sequence 8192 "
        "--recompute full",
    .declare = declare,
    .run = run,
    .answer = answer_fields,
};

}  // namespace shardlab::cli
