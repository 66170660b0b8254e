#include <optional>
#include <string>
#include <variant>

#include <shardlab/verify.hpp>

#include "convert.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

val plain_value(const PublishedValue& value) {
    const double* const number = std::get_if<double>(&value);
    return number != nullptr ? val(*number) : val(std::get<std::string>(value));
}

val plain_cell(const VerifiedCell& cell) {
    val object = val::object();
    object.set("id", cell.id);
    object.set("row", static_cast<int>(cell.row));
    object.set("column", static_cast<int>(cell.column));
    object.set("expected", plain_value(cell.expected));
    object.set("printed", cell.printed);
    object.set("got", plain_value(cell.got));
    object.set("difference", or_null(cell.difference()));
    object.set("relativeDifference", or_null(cell.relative_difference()));
    object.set("tolerance", cell.tolerance);
    object.set("verdict", std::string(name(cell.verdict)));
    object.set("derivation", static_cast<int>(cell.derivation));
    return object;
}

val plain_column(const PublishedColumn& column) {
    val object = val::object();
    object.set("name", column.name);
    object.set("unit", std::string(column.unit));
    return object;
}

val plain_derivation(const Derivation& derivation) {
    val object = val::object();
    object.set("formula", std::string(derivation.formula));
    object.set("assumption", std::string(derivation.assumption));
    object.set("tolerance", std::string(derivation.tolerance));
    object.set("knownDifference", std::string(derivation.known_difference));
    return object;
}

val plain_counts(const VerifiedCounts& counts) {
    val object = val::object();
    object.set("cells", static_cast<int>(counts.cells));
    object.set("agree", static_cast<int>(counts.agree));
    object.set("agreeUnderAssumption", static_cast<int>(counts.agree_under_assumption));
    object.set("knownDifferences", static_cast<int>(counts.known_differences));
    object.set("differ", static_cast<int>(counts.differ));
    return object;
}

val plain_table(const VerifiedTable& table) {
    val source = val::object();
    source.set("title", std::string(table.source.title));
    source.set("address", std::string(table.source.address));
    source.set("place", std::string(table.source.place));
    val object = val::object();
    object.set("id", std::string(table.id));
    object.set("title", std::string(table.title));
    object.set("source", source);
    object.set("rowHeader", std::string(table.row_header));
    object.set("rows", plain_texts(table.rows));
    object.set("columns", listed(table.columns, plain_column));
    object.set("derivations", listed(table.derivations, plain_derivation));
    object.set("cells", listed(table.cells, plain_cell));
    object.set("counts", plain_counts(table.counts()));
    return object;
}

}  // namespace

val verify(const val& options) {
    const std::optional<std::string> asked = optional_text(options, "table");
    std::vector<VerifiedTable> tables;
    VerifiedCounts counts;
    for (const std::string_view id : asked ? std::vector<std::string_view>{*asked} : published_tables()) {
        tables.push_back(shardlab::verify(id));
        counts += tables.back().counts();
    }
    val result = val::object();
    result.set("tables", listed(tables, plain_table));
    result.set("counts", plain_counts(counts));
    return result;
}

}  // namespace shardlab::wasm
