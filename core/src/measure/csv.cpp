#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <shardlab/collective_cost.hpp>

#include "../text.hpp"
#include "collector.hpp"

namespace shardlab::measure {
namespace {

constexpr std::size_t missing = std::numeric_limits<std::size_t>::max();

/// Where the columns stand.
struct Columns {
    explicit Columns(const std::vector<std::string>& header)
        : size(index_of(header, "size_B")),
          time(index_of(header, "oop_time_us")),
          run(index_of(header, "run_id")),
          ranks(index_of(header, "nranks")),
          count(header.size()) {}

    static std::size_t index_of(const std::vector<std::string>& header, std::string_view name) {
        const auto found = std::find(header.begin(), header.end(), name);
        return found == header.end() ? missing : static_cast<std::size_t>(found - header.begin());
    }

    std::size_t size;
    std::size_t time;
    std::size_t run;
    std::size_t ranks;
    std::size_t count;
};

class CsvReader {
public:
    CsvReader(const Columns& columns, Collector& collector) : columns_(columns), collector_(collector) {}

    void read(std::string_view line) {
        const std::vector<std::string> cells = reading::csv_cells(line);
        if (cells.size() != columns_.count) {
            collector_.ignore("a row with another number of cells than the header");
            return;
        }
        const std::optional<double> bytes = reading::number(cells[columns_.size]);
        const std::optional<double> microseconds = reading::number(cells[columns_.time]);
        if (!bytes || !microseconds) {
            collector_.ignore("a row whose size or time is no number");
            return;
        }
        const std::size_t run = run_of(columns_.run == missing ? "1" : cells[columns_.run]);
        collector_.use(run, *bytes, *microseconds);
        if (columns_.ranks != missing) {
            note_ranks(run, cells[columns_.ranks]);
        }
    }

private:
    std::size_t run_of(const std::string& id) {
        const auto known = runs_.find(id);
        if (known != runs_.end()) {
            return known->second;
        }
        return runs_[id] = collector_.add_run(id);
    }

    /// Rows that tell two numbers of ranks leave a run without any.
    void note_ranks(std::size_t run, std::string_view cell) {
        const double ranks = reading::number(cell).value_or(0);
        const bool is_rank_count = ranks >= 1 && ranks <= most_priced_ranks && ranks == std::floor(ranks);
        const int told = is_rank_count ? static_cast<int>(ranks) : 0;
        const int before = told_ranks_.try_emplace(run, told).first->second;
        const bool known = told > 0 && told == before;
        told_ranks_[run] = known ? told : 0;
        collector_.run(run).ranks = known ? std::optional<int>(told) : std::nullopt;
    }

    Columns columns_;
    Collector& collector_;
    std::map<std::string, std::size_t> runs_;
    std::map<std::size_t, int> told_ranks_;
};

}  // namespace

bool is_csv_header(std::string_view line) {
    const Columns columns(reading::csv_cells(line));
    return columns.size != missing && columns.time != missing;
}

void read_csv(std::string_view text, Collector& collector) {
    std::optional<CsvReader> reader;
    while (!text.empty()) {
        const std::string_view line = reading::trimmed(reading::taken(text, '\n'));
        collector.begin_line();
        if (line.empty()) {
            collector.ignore(blank_line);
        } else if (!reader) {
            reader.emplace(Columns(reading::csv_cells(line)), collector);
            collector.ignore("header");
        } else {
            reader->read(line);
        }
    }
}

}  // namespace shardlab::measure
