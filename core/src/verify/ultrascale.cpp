#include <cmath>
#include <map>
#include <string>

#include <shardlab/footprint.hpp>
#include <shardlab/pipeline.hpp>
#include <shardlab/transformer.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "shapes.hpp"
#include "table_builder.hpp"

// The plots of the Ultra-Scale Playbook: each is this library's footprint under the assumptions that the playbook
// makes, which are spelled out here one by one.

namespace shardlab::verifying {
namespace {

constexpr double gibibyte = 1073741824;

PublishedSource playbook(std::string_view place) {
    return {"Hugging Face, The Ultra-Scale Playbook: the data of its plots, at 924e4d0b",
            "https://huggingface.co/spaces/nanotron/ultrascale-playbook", place};
}

/// A cell of the plots.
struct PlotCell {
    explicit PlotCell(const CsvRow& row)
        : table(row.text("table")),
          model(row.text("model")),
          item(row.text("item")),
          recompute(row.text("recompute")),
          sequence(row.whole("sequence")),
          zero_stage(row.whole("zero_stage")),
          layout{.tp = row.whole("tp"), .pp = row.whole("pp"), .cp = row.whole("cp")} {}

    std::string row() const {
        std::string words = joined({table, ": ", model, ", ", std::to_string(sequence), " tokens"});
        const auto add = [&](std::string_view name, int number, int usual) {
            words += number == usual ? "" : joined({", ", name, std::to_string(number)});
        };
        add("ZeRO-", zero_stage, 0);
        add("tp ", layout.tp, 1);
        add("cp ", layout.cp, 1);
        add("pp ", layout.pp, 1);
        return words + (recompute.empty() ? "" : joined({", recomputation ", recompute}));
    }

    bool whole_precision() const { return table == "memusage_activations" || table == "memory_recomputation"; }
    bool rounded() const {
        return table == "zero3_memoryusage" || table == "tp_memoryusage" || table == "tp_sp_memoryusage";
    }

    std::string table;
    std::string model;
    std::string item;
    std::string recompute;
    int sequence;
    int zero_stage;
    Layout layout;
};

/// The Llama of a size, `70B`.
const TransformerShape& llama(const std::string& model) {
    static const std::map<std::string, TransformerShape> shapes = {
        {"1B", public_model("Llama 3.2 1B")}, {"8B", public_model("Llama 3 8B")}, {"70B", public_model("Llama 3 70B")}};
    return shapes.at(model);
}

/// A GPT as wide and deep as the model, with dropout.
TransformerShape gpt_like(const PlotCell& plot) {
    const TransformerShape& model = llama(plot.model);
    return gpt(model.hidden, model.layers, model.heads, model.vocabulary, plot.sequence);
}

FootprintRequest request_for(const TransformerShape& shape, const PlotCell& plot) {
    FootprintRequest request;
    request.shape = shape;
    request.sequence = plot.sequence;
    request.layout = plot.layout;
    request.zero_stage = plot.zero_stage;
    request.micro_batches = plot.layout.pp;
    request.sequence_parallel = plot.table == "tp_sp_memoryusage" && plot.layout.tp > 1;
    if (plot.whole_precision()) {
        request.recipe = precision_recipe("fp32-adam");
        request.recompute = recomputation_from_name(plot.recompute.empty() ? "none" : plot.recompute);
    } else {
        request.recipe = precision_recipe("mixed-adam");
        request.recipe.master_bytes = 0;
        request.recompute = Recomputation::selective;
    }
    return request;
}

StageFootprint first_stage(const FootprintRequest& request) {
    InFlightCache cache;
    return footprint(request, cache).per_stage.front();
}

double bytes_per_parameter(const std::string& item) {
    return item == "optimizer" ? 8 : 2;
}

double norms_on_first_stage(const FootprintRequest& request, const StageFootprint& first) {
    return (2.0 * first.layers + (request.layout.pp == 1 ? 1 : 0)) * request.shape.hidden;
}

double states_without_norms(const PlotCell& plot) {
    const FootprintRequest request = request_for(llama(plot.model), plot);
    const StageFootprint first = first_stage(request);
    return bytes_per_parameter(plot.item) * (first.parameters - norms_on_first_stage(request, first));
}

/// Up to the next half of a GiB, but for a tenth of one.
double rounded_to_halves_of_gibibytes(double bytes) {
    return std::ceil(bytes / gibibyte * 2 - 0.2) / 2 * gibibyte;
}

double states_cut_after_rounding(const PlotCell& plot) {
    PlotCell whole = plot;
    whole.layout = {};
    whole.zero_stage = 0;
    whole.item = "weights";
    const double rounded = rounded_to_halves_of_gibibytes(states_without_norms(whole));
    const int sharded_from = plot.item == "optimizer" ? 1 : plot.item == "gradients" ? 2 : 3;
    const bool zero = plot.table == "zero3_memoryusage";
    const int ranks = zero ? (plot.zero_stage >= sharded_from ? 8 : 1) : plot.layout.tp;
    return bytes_per_parameter(plot.item) / 2 * rounded / ranks;
}

/// Of the layers alone: neither what embedding nor what head keeps.
double layers_activations(const PlotCell& plot) {
    const FootprintRequest request = request_for(gpt_like(plot), plot);
    const ActivationSetting setting = activation_setting(request);
    const double embedding = total_bytes(embedding_activations(request.shape, setting));
    const std::vector<ActivationTerm> head = head_activations(request.shape, setting);
    const bool is_last = plot.layout.pp == 1;
    const double ends = is_last ? embedding + total_bytes(head) - head.back().bytes : plot.layout.pp * embedding;
    return first_stage(request).activation_bytes - ends;
}

double states_in_whole_precision(const PlotCell& plot) {
    const StateBytes states = first_stage(request_for(gpt_like(plot), plot)).states;
    return plot.item == "weights"     ? states.weight_bytes
           : plot.item == "gradients" ? states.gradient_bytes
                                      : states.optimizer_bytes;
}

/// The playbook ends at the last layer, where neither the last norm nor the head keeps anything.
double activations_in_whole_precision(const PlotCell& plot) {
    const FootprintRequest request = request_for(gpt_like(plot), plot);
    return first_stage(request).activation_bytes - 2 * 2.0 * plot.sequence * request.shape.hidden;
}

/// How a cell is computed.
struct Way {
    const char* formula;
    const char* assumption;
    double (*bytes)(const PlotCell& plot);
};

constexpr Way whole_states = {"states of footprint", "a GPT of the same width and depth, all in 32 bits, with Adam",
                              states_in_whole_precision};
constexpr Way whole_activations = {
    "activations of footprint, less those of the last norm and the output head",
    "a GPT of the same width and depth, with dropout; nothing is kept behind the last layer",
    activations_in_whole_precision};
constexpr Way mixed_activations = {
    "activations of footprint with selective recomputation, less those of the embedding, the last norm and the head",
    "a GPT's layers of the same width, with dropout, whose scores are not kept: 34sbh a layer", layers_activations};
constexpr Way mixed_states = {"2 or 8 bytes for each parameter of footprint's first stage but the norms'",
                              "no 32-bit copy of the weights, and no norms", states_without_norms};
constexpr Way rounded_states = {
    "2 or 8 bytes for each parameter but the norms', over the ranks that share them",
    "no 32-bit copy of the weights, no norms, and the 16-bit weights rounded up to half a GiB before they are cut",
    states_cut_after_rounding};

const Way& way_of(const PlotCell& plot) {
    if (plot.item == "activations") {
        return plot.whole_precision() ? whole_activations : mixed_activations;
    }
    return plot.whole_precision() ? whole_states : plot.rounded() ? rounded_states : mixed_states;
}

double simulated_bubble_of_ideal(int stages, int micro_batches, int chunks) {
    PipelineRequest request;
    request.schedule = chunks == 1 ? "1f1b" : "interleaved";
    request.stages = stages;
    request.micro_batches = micro_batches;
    if (chunks > 1) {
        request.chunks = chunks;
    }
    return simulate(pipeline_schedule(request), uniform_costs(1, 2)).bubble_of_ideal;
}

}  // namespace

VerifiedTable ultrascale_memory(std::string_view csv) {
    TableBuilder table("Memory of one GPU, plot by plot", playbook("assets/data/benchmarks"), "Plot and setting");
    table.add_column("weights", "GiB");
    table.add_column("gradients", "GiB");
    table.add_column("optimizer", "GiB");
    table.add_column("activations", "GiB");
    for (const CsvRow& row : csv_rows(csv)) {
        const PlotCell plot(row);
        const Way& way = way_of(plot);
        table.derive(
            {.formula = way.formula, .assumption = way.assumption, .tolerance = "the plots' data have all digits"});
        table.add(plot.row(), plot.item, row.printed("paper_GiB"), way.bytes(plot) / gibibyte);
    }
    return std::move(table).finish();
}

VerifiedTable ultrascale_bubble(std::string_view csv) {
    TableBuilder table("Bubble of interleaved 1F1B on 8 stages, over ideal time",
                       playbook("assets/data/benchmarks/pp_bubblesize.html"), "Micro-batches and chunks");
    table.add_column("bubble");
    const Derivation simulated{.formula = "bubble_of_ideal of the simulated schedule with F = 1 and B = 2",
                               .tolerance = "1e-12 for the sums of times"};
    Derivation beyond_formula = simulated;
    beyond_formula.known_difference =
        "The plot draws (P-1)/(V M) everywhere. The formula holds where the micro-batches are a multiple of the "
        "stages; "
        "with fewer a device waits for its own earlier chunk.";
    for (const CsvRow& row : csv_rows(csv)) {
        const int stages = row.whole("stages");
        const int micro_batches = row.whole("micro_batches");
        const int chunks = row.whole("chunks");
        table.derive(chunks > 1 && micro_batches % stages != 0 ? beyond_formula : simulated);
        table.add(joined({"M = ", row.text("micro_batches"), ", V = ", row.text("chunks")}), "bubble",
                  row.printed("bubble"), simulated_bubble_of_ideal(stages, micro_batches, chunks), 1e-12);
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
