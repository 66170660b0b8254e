#include <algorithm>
#include <vector>

#include <shardlab/collective_cost.hpp>

#include "../text.hpp"
#include "collector.hpp"

namespace shardlab::measure {
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
    Words words;
    while (true) {
        const std::size_t start = line.find_first_not_of(reading::blanks);
        if (start == std::string_view::npos) {
            return words;
        }
        line.remove_prefix(start);
        const std::size_t end = std::min(line.find_first_of(reading::blanks), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

bool is_count(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool begins_with_letter(std::string_view word) {
    const char first = word.empty() ? ' ' : word.front();
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

/// Where a table's columns stand, counted from its size.
struct Layout {
    std::size_t time = 0;
    bool counts_wrong = false;       ///< the column after the bandwidths counts wrong results
    bool of_processor_time = false;  ///< the time is the processor's, for what it takes to start the collective

    std::size_t bandwidth() const { return time + 1; }
    std::size_t wrong() const { return time + 3; }
};

/// The header of a table: its words from `size` on name the columns.
std::optional<Layout> layout_of_header(const Words& words) {
    const auto size = std::find(words.begin(), words.end(), "size");
    const auto time =
        std::find_if(size, words.end(), [](std::string_view word) { return word == "time" || word == "cputime"; });
    const auto comment = std::find_if(words.begin(), size,
                                      [](std::string_view word) { return word.find('#') != std::string_view::npos; });
    if (time == words.end() || comment == size) {
        return std::nullopt;
    }
    Layout layout{.time = static_cast<std::size_t>(time - size)};
    layout.counts_wrong = words.end() - time > 3 && time[3] == "#wrong";
    layout.of_processor_time = *time == "cputime";
    return layout;
}

/// Each version's rows have a length of their own: with root and redop, with redop, with neither. The newest have more
/// on demand: bits that differ (1 in each half), statistics of the iterations (-I, 4 in each), a date and time (-S).
std::optional<Layout> layout_of_length(std::size_t length) {
    constexpr std::size_t in_both_halves = 8;
    constexpr std::size_t fewest_before = 3;
    constexpr std::size_t most_before = 5;
    for (const std::size_t on_demand : {2U, 4U, 8U, 10U, 12U}) {
        if (length == most_before + in_both_halves + on_demand) {
            return Layout{.time = most_before};
        }
    }
    if (length < fewest_before + in_both_halves || length > most_before + in_both_halves) {
        return std::nullopt;
    }
    return Layout{.time = length - in_both_halves};
}

/// The words of a row from its size on, whatever a launcher put before it: a size, a count and a type.
Words row_in(const Words& words) {
    for (std::size_t first = 0; first + 2 < words.size(); ++first) {
        if (is_count(words[first]) && is_count(words[first + 1]) && begins_with_letter(words[first + 2])) {
            return {words.begin() + static_cast<Words::difference_type>(first), words.end()};
        }
    }
    return {};
}

bool is_comment(std::string_view line, const Words& row) {
    return line.find('#') < static_cast<std::size_t>(row.front().data() - line.data());
}

class TableReader {
public:
    explicit TableReader(Collector& collector) : collector_(collector) {}

    void read(std::string_view line) {
        const Words words = words_of(line);
        const Words row = row_in(words);
        if (words.empty()) {
            collector_.ignore(blank_line);
        } else if (const std::optional<Layout> header = layout_of_header(words)) {
            begin_table(*header);
        } else if (row.empty() || is_comment(line, row)) {
            note_ranks(words);
            collector_.ignore(line.find('#') == std::string_view::npos ? "no row of a table" : "comment");
        } else {
            read_row(row);
        }
    }

private:
    void begin_table(const Layout& layout) {
        layout_ = layout;
        begin_run();
        if (ranks_ > 0) {
            collector_.run(run_).ranks = ranks_;
        }
        ranks_ = 0;
        collector_.ignore("header");
    }

    void begin_run() { run_ = collector_.add_run(std::to_string(++tables_)); }

    /// `#  Rank  3 Group  0 Pid ...`, a line for each rank before its table.
    void note_ranks(const Words& words) {
        for (std::size_t index = 0; index + 1 < words.size(); ++index) {
            const double rank = is_count(words[index + 1]) ? reading::number(words[index + 1]).value_or(-1) : -1;
            if (words[index] == "Rank" && rank >= 0 && rank < most_priced_ranks) {
                ranks_ = std::max(ranks_, static_cast<int>(rank) + 1);
            }
        }
    }

    void read_row(const Words& row) {
        const std::optional<Layout> layout = layout_ ? layout_ : layout_of_length(row.size());
        if (!layout || row.size() <= layout->bandwidth()) {
            collector_.ignore(cut_short);
            return;
        }
        const double bytes = reading::number(row[0]).value_or(-1);
        const std::optional<double> microseconds = reading::number(row[layout->time]);
        if (const char* const reason = reason_against(row, *layout, bytes, microseconds)) {
            collector_.ignore(reason);
            return;
        }
        if (tables_ == 0) {
            begin_run();
        }
        collector_.use(run_, bytes, *microseconds);
    }

    static const char* reason_against(const Words& row, const Layout& layout, double bytes,
                                      const std::optional<double>& microseconds) {
        if (layout.time > 3 && row[3] == "none") {
            return "a row without a reduction, which is no all-reduce";
        }
        if (!microseconds || *microseconds <= 0) {
            return without_time;
        }
        if (layout.of_processor_time) {
            return measure::of_processor_time;
        }
        const std::optional<double> bandwidth = reading::number(row[layout.bandwidth()]);
        if (bytes > 0 && !(bandwidth && agrees(bytes, *microseconds, *bandwidth))) {
            return disagreeing;
        }
        const bool has_wrong = layout.counts_wrong && row.size() > layout.wrong() && is_count(row[layout.wrong()]);
        if (has_wrong && row[layout.wrong()].find_first_not_of('0') != std::string_view::npos) {
            return with_wrong_results;
        }
        return nullptr;
    }

    Collector& collector_;
    std::optional<Layout> layout_;
    std::size_t run_ = 0;  // of the last table, if there has been one
    int tables_ = 0;
    int ranks_ = 0;
};

}  // namespace

void read_printed_tables(std::string_view text, Collector& collector) {
    TableReader reader(collector);
    while (!text.empty()) {
        const std::string_view line = reading::taken(text, '\n');
        collector.begin_line();
        reader.read(line);
    }
}

}  // namespace shardlab::measure
