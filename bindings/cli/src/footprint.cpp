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

}  // namespace

const Command footprint_command = {
    .name = "footprint",
    .summary = "Size what each card holds in training, and find the smallest change that makes it fit",
    .example =
        "shardlab footprint --preset llama3-70b --gpu h100-80gb --tp 8 --dp 8 --zero-stage 1 --sequence 8192 "
        "--recompute full",
    .declare = declare,
    .run = run,
};

}  // namespace shardlab::cli
