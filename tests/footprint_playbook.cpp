// The tables of the Ultra-Scale Playbook that do not size a whole model: each is this library's footprint under the
// assumptions that the playbook makes, which are spelled out here one by one.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <shardlab/footprint.hpp>
#include <shardlab/transformer/count.hpp>

#include "catch.hpp"
#include "data.hpp"
#include "shapes.hpp"
#include "table.hpp"

using namespace shardlab;

namespace {

constexpr double gibibyte = 1073741824;

struct Row {
    std::string table;
    std::string model;
    int sequence;
    int zero_stage;
    Layout layout;
    std::string item;
    double bytes;
};

std::vector<Row> published() {
    std::vector<Row> rows;
    for (const std::vector<std::string>& cells : table_rows(data::ultrascale_memory, 10)) {
        rows.push_back({.table = cells[0],
                        .model = cells[1],
                        .sequence = std::stoi(cells[2]),
                        .zero_stage = std::stoi(cells[3]),
                        .layout = {.tp = std::stoi(cells[4]), .pp = std::stoi(cells[6]), .cp = std::stoi(cells[5])},
                        .item = cells[8],
                        .bytes = std::stod(cells[9]) * gibibyte});
    }
    return rows;
}

TransformerShape llama(const std::string& model) {
    if (model == "70B") {
        return llama_3_70b();
    }
    TransformerShape shape =
        model == "8B" ? llama_shape(4096, 32, 32, 8, 14336, 128256) : llama_shape(2048, 16, 32, 8, 8192, 128256);
    shape.tied_embeddings = model == "1B";
    return shape;
}

/// Its activations are a GPT's layers of the same width, with dropout, whose scores are not kept: 34sbh.
TransformerShape gpt(const std::string& model, int sequence) {
    const TransformerShape shape = llama(model);
    return gpt_shape(shape.hidden, shape.layers, shape.heads, shape.vocabulary, sequence);
}

FootprintRequest request_for(const TransformerShape& shape, const Row& row) {
    FootprintRequest request;
    request.shape = shape;
    request.sequence = row.sequence;
    request.layout = row.layout;
    request.zero_stage = row.zero_stage;
    request.micro_batches = row.layout.pp;
    request.recompute = Recomputation::selective;
    request.sequence_parallel = row.table == "tp_sp_memoryusage" && row.layout.tp > 1;
    // No 32-bit copy of the weights: the two moments are all that its optimizer has.
    request.recipe = precision_recipe("mixed-adam");
    request.recipe.master_bytes = 0;
    return request;
}

StageFootprint first_stage(const FootprintRequest& request) {
    InFlightCache cache;
    return footprint(request, cache).per_stage.front();
}

double per_parameter(const std::string& item) {
    return item == "optimizer" ? 8 : 2;
}

/// Its parameters leave the norms out.
double parameters_without_norms(const TransformerShape& shape) {
    const ParameterCounts counts = count_parameters(shape);
    return counts.total - counts.norms;
}

double rounded_to_halves_of_gibibytes(double bytes) {
    return std::ceil(bytes / gibibyte * 2 - 0.2) / 2 * gibibyte;
}

/// Of the layers alone: it counts neither what embedding and head keep.
double layers_activations(const Row& row) {
    const FootprintRequest request = request_for(gpt(row.model, row.sequence), row);
    const StageFootprint first = first_stage(request);
    const ActivationSetting setting{.sequence = row.sequence,
                                    .tp = row.layout.tp,
                                    .cp = row.layout.cp,
                                    .sequence_parallel = request.sequence_parallel};
    const double embedding = total_bytes(embedding_activations(request.shape, setting));
    const std::vector<ActivationTerm> head = head_activations(request.shape, setting);
    const double ends =
        row.layout.pp > 1 ? row.layout.pp * embedding : embedding + total_bytes(head) - head.back().bytes;
    return first.activation_bytes - ends;
}

}  // namespace

TEST_CASE("the playbook's activations are a GPT's layers with dropout whose scores are not kept", "[footprint]") {
    int cells = 0;
    for (const Row& row : published()) {
        if (row.item != "activations" || row.table == "memusage_activations" || row.table == "memory_recomputation") {
            continue;
        }
        CAPTURE(row.table, row.model, row.sequence, row.layout.tp, row.layout.cp, row.layout.pp);
        CHECK(layers_activations(row) == row.bytes);
        ++cells;
    }
    CHECK(cells == 25);
}

TEST_CASE("the playbook's states of whole models leave norms and master weights out", "[footprint]") {
    int cells = 0;
    for (const Row& row : published()) {
        if (row.table != "dp_ourjourney_memoryusage" || row.item == "activations") {
            continue;
        }
        CAPTURE(row.model, row.sequence, row.item);
        const double ours = first_stage(request_for(llama(row.model), row)).states.total();
        const double norms = count_parameters(llama(row.model)).norms;
        CHECK(row.bytes == per_parameter(row.item) * parameters_without_norms(llama(row.model)));
        CHECK(ours == 12 * (parameters_without_norms(llama(row.model)) + norms));
        ++cells;
    }
    CHECK(cells == 30);
}

TEST_CASE("the playbook's states under context, pipeline and tensor parallelism leave the norms out", "[footprint]") {
    int cells = 0;
    for (const Row& row : published()) {
        if ((row.table != "cp_8B" && row.table != "pp_memoryusage") || row.item == "activations") {
            continue;
        }
        CAPTURE(row.table, row.layout.tp, row.layout.pp, row.item);
        const TransformerShape shape = llama(row.model);
        const StageFootprint first = first_stage(request_for(shape, row));
        // A layer has two norms, whole on every rank; the last stage one more.
        const double norms = (2.0 * first.layers + (row.layout.pp == 1 ? 1 : 0)) * shape.hidden;
        CHECK(row.bytes == per_parameter(row.item) * (first.parameters - norms));
        ++cells;
    }
    CHECK(cells == 15);
}

TEST_CASE("the playbook's states under ZeRO and tensor parallelism are rounded to halves of a GiB before they are cut",
          "[footprint]") {
    int cells = 0;
    for (const Row& row : published()) {
        const bool zero = row.table == "zero3_memoryusage";
        if ((!zero && row.table != "tp_memoryusage" && row.table != "tp_sp_memoryusage") || row.item == "activations") {
            continue;
        }
        CAPTURE(row.table, row.layout.tp, row.zero_stage, row.item);
        const double rounded = rounded_to_halves_of_gibibytes(2 * parameters_without_norms(llama(row.model)));
        const std::map<std::string, int> sharded_from = {{"optimizer", 1}, {"gradients", 2}, {"weights", 3}};
        const double ranks = zero ? (row.zero_stage >= sharded_from.at(row.item) ? 8 : 1) : row.layout.tp;
        CHECK(row.bytes == per_parameter(row.item) / 2 * rounded / ranks);
        ++cells;
    }
    CHECK(cells == 30);
}
