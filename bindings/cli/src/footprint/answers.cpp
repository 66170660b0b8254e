#include "answers.hpp"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include <shardlab/errors.hpp>

#include "../numbers.hpp"

namespace shardlab::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A number of a stage, and its name in JSON and CSV.
struct StageNumber {
    const char* name;
    double (*value)(const StageFootprint&);
};

constexpr std::array stage_numbers = {
    StageNumber{"stage", [](const StageFootprint& stage) -> double { return stage.stage; }},
    StageNumber{"layers", [](const StageFootprint& stage) -> double { return stage.layers; }},
    StageNumber{"parameters", [](const StageFootprint& stage) { return stage.parameters; }},
    StageNumber{"micro_batches_in_flight", [](const StageFootprint& stage) { return stage.micro_batches_in_flight; }},
    StageNumber{"weight_gradients_waiting", [](const StageFootprint& stage) { return stage.weight_gradients_waiting; }},
    StageNumber{"weight_bytes", [](const StageFootprint& stage) { return stage.states.weight_bytes; }},
    StageNumber{"gradient_bytes", [](const StageFootprint& stage) { return stage.states.gradient_bytes; }},
    StageNumber{"optimizer_bytes", [](const StageFootprint& stage) { return stage.states.optimizer_bytes; }},
    StageNumber{"state_bytes", [](const StageFootprint& stage) { return stage.states.total(); }},
    StageNumber{"activation_bytes", [](const StageFootprint& stage) { return stage.activation_bytes; }},
    StageNumber{"logit_bytes", [](const StageFootprint& stage) { return stage.logit_bytes; }},
    StageNumber{"recomputed_bytes", [](const StageFootprint& stage) { return stage.recomputed_bytes; }},
    StageNumber{"gathered_bytes", [](const StageFootprint& stage) { return stage.gathered_bytes; }},
    StageNumber{"bucket_bytes", [](const StageFootprint& stage) { return stage.bucket_bytes; }},
    StageNumber{"context_bytes", [](const StageFootprint& stage) { return stage.context_bytes; }},
    StageNumber{"communication_bytes", [](const StageFootprint& stage) { return stage.communication_bytes; }},
    StageNumber{"fragmentation_bytes", [](const StageFootprint& stage) { return stage.fragmentation_bytes; }},
    StageNumber{"host_bytes", [](const StageFootprint& stage) { return stage.states.host_bytes; }},
    StageNumber{"total_bytes", [](const StageFootprint& stage) { return stage.total_bytes(); }},
};

}  // namespace

void add_stages(Answer& answer, const Footprint& sized) {
    answer.add_records("per_stage", sized.per_stage.size(), [&](std::size_t index) {
        Json record;
        for (const StageNumber& number : stage_numbers) {
            record[number.name] = json_number(number.value(sized.per_stage[index]));
        }
        return record;
    });
}

Json cost_record(const StepCost& cost) {
    return {{"ranks", json_number(cost.ranks)},
            {"sent_bytes", json_number(cost.sent_bytes())},
            {"tensor_bytes", json_number(cost.tensor_bytes)},
            {"context_bytes", json_number(cost.context_bytes)},
            {"expert_bytes", json_number(cost.expert_bytes)},
            {"pipeline_bytes", json_number(cost.pipeline_bytes)},
            {"data_bytes", json_number(cost.data_bytes)},
            {"recomputed_flops", json_number(cost.recomputed_flops)},
            {"bubble_of_total", json_number(cost.bubble_of_total)},
            {"product_flops", json_number(cost.product_flops)}};
}

Json layout_record(const FootprintRequest& request) {
    return {{"tp", request.layout.tp},
            {"pp", request.layout.pp},
            {"dp", request.layout.dp},
            {"cp", request.layout.cp},
            {"ep", request.layout.ep},
            {"micro_batch", request.micro_batch},
            {"micro_batches", request.micro_batches},
            {"zero_stage", request.zero_stage},
            {"sequence_parallel", request.sequence_parallel},
            {"recompute", name_of(request.recompute)},
            {"recompute_every", request.recompute_every}};
}

Json options_between(const FootprintRequest& asked, const FootprintRequest& changed) {
    const Json before = layout_record(asked);
    const Json after = layout_record(changed);
    Json options = Json::object();
    for (const auto& [name, value] : after.items()) {
        const bool follows_pp = name == "micro_batches" && changed.layout.pp != asked.layout.pp;
        if (value != before.at(name) || follows_pp) {
            options[name] = value;
        }
    }
    return options;
}

void add_changes(Answer& answer, const FootprintRequest& asked, const Changes& changes) {
    answer.add_records("changes", changes.offered.size(), [&](std::size_t index) {
        const Change& change = changes.offered[index];
        return Json{{"parameter", change.parameter},
                    {"value", change.value},
                    {"options", options_between(asked, change.request)},
                    {"most_loaded_rank_bytes", json_number(change.most_loaded_rank_bytes)},
                    {"request", layout_record(change.request)},
                    {"cost", cost_record(change.cost)}};
    });
    answer.add_records("not_offered", changes.not_offered.size(), [&](std::size_t index) {
        const NoChange& change = changes.not_offered[index];
        Json record = {{"parameter", change.parameter}, {"reason", change.reason}};
        if (change.least_bytes) {
            record["least_bytes"] = json_number(*change.least_bytes);
        }
        return record;
    });
}

Json launch_record(const LaunchSettings& launch) {
    Json settings = Json::array();
    for (const LaunchSetting& setting : launch.settings) {
        settings.push_back({{"name", setting.name}, {"value", setting.value}, {"meaning", setting.meaning}});
    }
    return {{"framework", launch.framework},
            {"version", launch.version},
            {"text", launch.text},
            {"settings", std::move(settings)},
            {"left_out", launch.left_out}};
}

std::string stages_csv(const Footprint& sized) {
    std::string text;
    for (const StageNumber& number : stage_numbers) {
        text += (text.empty() ? "" : ",") + std::string(number.name);
    }
    text += '\n';
    for (const StageFootprint& stage : sized.per_stage) {
        std::string row;
        for (const StageNumber& number : stage_numbers) {
            row += (row.empty() ? "" : ",") + number_text(number.value(stage));
        }
        text += row + '\n';
    }
    return text;
}

}  // namespace shardlab::cli
