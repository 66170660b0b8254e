#include "shapes.hpp"

#include <algorithm>
#include <vector>

#include <shardlab/transformer/config.hpp>

#include "csv_rows.hpp"
#include "published_tables.hpp"

namespace shardlab::verifying {
namespace {

CsvRow row_of(std::string_view csv, std::string_view model) {
    const std::vector<CsvRow> rows = csv_rows(csv);
    return *std::find_if(rows.begin(), rows.end(), [&](const CsvRow& row) { return row.text("model") == model; });
}

}  // namespace

TransformerShape gpt(int hidden, int layers, int heads, int vocabulary, int sequence) {
    return shape_from_config({{"model_type", "gpt2"},
                              {"n_embd", hidden * 1.0},
                              {"n_layer", layers * 1.0},
                              {"n_head", heads * 1.0},
                              {"n_positions", sequence * 1.0},
                              {"vocab_size", vocabulary * 1.0}});
}

TransformerShape public_model(std::string_view name) {
    return shape_from_config(config_from_fields(row_of(published::model_params, name).text("config")));
}

TransformerShape korthikanti_model(std::string_view size) {
    constexpr int vocabulary = 51200;
    constexpr int sequence = 2048;
    const CsvRow row = row_of(published::korthikanti_table3_5, size);
    return gpt(row.whole("hidden"), row.whole("layers"), row.whole("heads"), vocabulary, sequence);
}

}  // namespace shardlab::verifying
