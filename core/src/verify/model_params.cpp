#include <string>

#include <shardlab/transformer.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "table_builder.hpp"

namespace shardlab::verifying {

VerifiedTable model_params(std::string_view csv) {
    TableBuilder table("Parameters of public models",
                       {"The files of weights of the models, as published", "https://huggingface.co/models",
                        "the number of parameters that each model's page names"},
                       "Model");
    table.add_column("parameters");
    table.add_column("active parameters");
    table.derive({.formula = "count_parameters of the shape that the model's config.json describes",
                  .tolerance = "a count is exact"});
    for (const CsvRow& row : csv_rows(csv)) {
        const ParameterCounts counts = count_parameters(shape_from_config(config_from_fields(row.text("config"))));
        table.add(row.text("model"), "parameters", row.printed("params"), counts.total);
        if (!row.text("active_params").empty()) {
            table.add(row.text("model"), "active parameters", row.printed("active_params"), counts.active);
        }
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
