#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include <shardlab/verify.hpp>

#include "answer.hpp"
#include "command.hpp"
#include "numbers.hpp"

namespace shardlab::cli {
namespace {

using Record = nlohmann::ordered_json;

void declare(Options& options) {
    options.add("table", "ID", "one table; all of them when left out");
}

std::vector<VerifiedTable> tables_asked_for(const Options& options) {
    std::vector<VerifiedTable> tables;
    if (options.given("table")) {
        tables.push_back(verify(options.text("table")));
        return tables;
    }
    for (const std::string_view id : published_tables()) {
        tables.push_back(verify(id));
    }
    return tables;
}

Record json_value(const PublishedValue& value) {
    const double* const number = std::get_if<double>(&value);
    return number != nullptr ? json_number(*number) : Record(std::get<std::string>(value));
}

Record record_of(const VerifiedTable& table, const VerifiedCell& cell) {
    Record record{{"id", cell.id},
                  {"row", table.rows[cell.row]},
                  {"column", table.columns[cell.column].name},
                  {"unit", table.columns[cell.column].unit},
                  {"expected", json_value(cell.expected)},
                  {"printed", cell.printed},
                  {"got", json_value(cell.got)}};
    if (const std::optional<double> difference = cell.difference()) {
        record["difference"] = json_number(*difference);
        record["tolerance"] = json_number(cell.tolerance);
    }
    if (const std::optional<double> difference = cell.relative_difference()) {
        record["relative_difference"] = json_number(*difference);
    }
    record["verdict"] = name(cell.verdict);
    record["derivation"] = cell.derivation;
    return record;
}

Record record_of(const Derivation& derivation) {
    return {{"formula", derivation.formula},
            {"assumption", derivation.assumption},
            {"tolerance", derivation.tolerance},
            {"known_difference", derivation.known_difference}};
}

Record record_of(const VerifiedCounts& counts) {
    return {{"cells", counts.cells},
            {"agree", counts.agree},
            {"agree_under_assumption", counts.agree_under_assumption},
            {"known_differences", counts.known_differences},
            {"differ", counts.differ}};
}

Record record_of(const VerifiedTable& table) {
    Record record{
        {"id", table.id},
        {"title", table.title},
        {"source", {{"title", table.source.title}, {"address", table.source.address}, {"place", table.source.place}}}};
    record["counts"] = record_of(table.counts());
    for (const Derivation& derivation : table.derivations) {
        record["derivations"].push_back(record_of(derivation));
    }
    for (const VerifiedCell& cell : table.cells) {
        record["cells"].push_back(record_of(table, cell));
    }
    return record;
}

void run(const Options& options, std::ostream& out) {
    const std::vector<VerifiedTable> tables = tables_asked_for(options);
    VerifiedCounts counts;
    for (const VerifiedTable& table : tables) {
        counts += table.counts();
    }
    Answer answer(out);
    answer.add_json("summary", record_of(counts));
    answer.add_records("tables", tables.size(), [&](std::size_t index) { return record_of(tables[index]); });
    answer.close();
    if (counts.differ > 0) {
        throw std::runtime_error(std::to_string(counts.differ) + " cells differ that must agree");
    }
}

constexpr AnswerField answer[] = {
    {"summary",
     "the counts of each table, added up: cells, agree, agree_under_assumption (of those), "
     "known_differences, differ"},
    {"tables", "each with its title, source and counts"},
    {"tables.derivations", "how cells are computed: formula, assumption, the tolerance's reason, known_difference"},
    {"tables.cells",
     "expected as printed, in printed to the letter, and got as computed, in unit; difference, relative_difference and "
     "tolerance of numbers; verdict (agrees, known-difference, differs); derivation, counted from 0"},
};

}  // namespace

const Command verify_command = {
    .name = "verify",
    .summary = "Compute every cell of the published tables anew; exit status 1 if one differs that must agree",
    .example = "shardlab verify --table zero_table1",
    .declare = declare,
    .run = run,
    .answer = answer,
};

}  // namespace shardlab::cli
