#include <string>

#include <shardlab/transformer.hpp>

#include "csv_rows.hpp"
#include "recomputations.hpp"
#include "table_builder.hpp"

namespace shardlab::verifying {

VerifiedTable model_params(std::string_view csv) {
    VerifiedTable about;
    about.title = "Parameters of public models";
    about.source = {"The files of weights of the models, as published", "https://huggingface.co/models",
                    "the number of parameters that each model's page names"};
    about.row_header = "Model";
    about.columns = {{"parameters", ""}, {"active parameters", ""}};
    TableBuilder table(std::move(about));
    table.derive({.formula = "count_parameters of the shape that the model's config.json describes",
                  .tolerance = "none: a count is exact"});
    for (const CsvRow& row : csv_rows(csv)) {
        const ParameterCounts counts = count_parameters(shape_from_config(config_from_fields(row.text("config"))));
        table.add(row.text("model"), "parameters", row.number("params"), counts.total);
        if (!row.text("active_params").empty()) {
            table.add(row.text("model"), "active parameters", row.number("active_params"), counts.active);
        }
    }
    return std::move(table).finish();
}

}  // namespace shardlab::verifying
