#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "../text.hpp"
#include "collector.hpp"
#include "json_scanner.hpp"

namespace shardlab::measure {
namespace {

/// A row as either writer has it: nccl-tests in microseconds under `out_of_place`, shardlab-mpi in seconds.
struct Row {
    std::string algorithm;
    std::optional<double> bytes;
    std::optional<double> microseconds;
    std::optional<double> bandwidth;  // 1e9 bytes per second
    double wrong = 0;
    bool reduces = true;
    bool has_processor_time = false;

    const char* reason_against() const {
        if (!bytes) {
            return "a row without a size";
        }
        if (!reduces) {
            return "a row without a reduction, which is no all-reduce";
        }
        if (!microseconds) {
            return has_processor_time ? of_processor_time : without_time;
        }
        if (bandwidth && *bytes > 0 && *microseconds > 0 && !agrees(*bytes, *microseconds, *bandwidth)) {
            return disagreeing;
        }
        return wrong > 0 ? with_wrong_results : nullptr;
    }
};

/// Listens to the scanner.
class JsonRuns {
public:
    explicit JsonRuns(std::string_view parameter, Collector& collector)
        : parameter_(parameter), collector_(collector) {}

    bool begin_object() {
        switch (place_) {
            case Place::outside:
                return enter(Place::top);
            case Place::top:
                return key_ == "config" && enter(Place::config);
            case Place::rows:
                row_ = {};
                return enter(Place::row);
            case Place::row:
                return key_ == "out_of_place" && enter(Place::times);
            case Place::devices:
                return enter(Place::device);
            default:
                return false;
        }
    }

    void end_object() {
        switch (place_) {
            case Place::row:
                end_row();
                break;
            case Place::times:
                place_ = Place::row;
                break;
            case Place::config:
                place_ = Place::top;
                break;
            case Place::device:
                place_ = Place::devices;
                break;
            default:
                place_ = Place::outside;
                break;
        }
    }

    bool begin_array() {
        if (place_ == Place::top && (key_ == "results" || key_ == "rows")) {
            return enter(Place::rows);
        }
        if (place_ == Place::top && key_ == "args") {
            return enter(Place::arguments);
        }
        return place_ == Place::config && key_ == "devices" && enter(Place::devices);
    }

    void end_array() { place_ = place_ == Place::devices ? Place::config : Place::top; }

    void key(std::string_view name) {
        key_.assign(name);
        has_events_ = has_events_ || (place_ == Place::top && name == "traceEvents");
    }

    void text(std::string_view value) {
        if (place_ == Place::top && key_ == "format") {
            is_ours_ = value == "shardlab-mpi";
        } else if (place_ == Place::arguments && program_.empty()) {
            program_.assign(value);
        } else if (place_ == Place::row && key_ == "algorithm") {
            row_.algorithm.assign(value);
        } else if (place_ == Place::row && key_ == "redop") {
            row_.reduces = value != "none";
        }
    }

    void scalar(std::string_view value) {
        const std::optional<double> number = reading::number(value);
        if (place_ == Place::top && key_ == "version") {
            version_ = number.value_or(0);
        } else if (place_ == Place::top && key_ == "ranks") {
            ranks_ = number.value_or(0);
        } else if (place_ == Place::device && key_ == "rank") {
            ranks_ = std::max(ranks_, number.value_or(-1) + 1);
        } else if (number) {
            tell_row(*number);
        }
    }

    /// The text is at its end.
    void finish(bool complete) {
        if (!complete) {
            collector_.begin_line();
            collector_.ignore("the end of the JSON, which is missing or breaks its rules");
        }
        require_runs();
        if (complete && !has_rows_) {
            collector_.refuse("JSON without a row");
        }
        const bool known = ranks_ >= 1 && ranks_ <= most_priced_ranks && ranks_ == std::floor(ranks_);
        for (const auto& [id, run] : runs_) {
            collector_.run(run).ranks = known ? std::optional(static_cast<int>(ranks_)) : std::nullopt;
        }
    }

private:
    enum class Place : std::uint8_t { outside, top, arguments, config, devices, device, rows, row, times };

    /// Refuses what is another program's, another collective's or of another version.
    void require_runs() const {
        if (has_events_ && !has_rows_) {
            collector_.refuse("a trace of torch.profiler");
        }
        if (is_ours_ && version_ != 1) {
            throw invalid_argument(parameter_, "JSON of shardlab-mpi of version " + number_text(version_),
                                   "be of version 1");
        }
        const bool is_other =
            program_.find("_perf") != std::string::npos && program_.find("all_reduce_perf") == std::string::npos;
        if (is_other) {
            throw invalid_argument(parameter_, "a run of " + reading::quoted(program_), "be one of all_reduce_perf");
        }
    }

    bool enter(Place place) {
        place_ = place;
        return true;
    }

    void tell_row(double number) {
        constexpr double microseconds_in_second = 1e6;
        if (place_ == Place::row) {
            if (key_ == "size" || key_ == "bytes") {
                row_.bytes = number;
            } else if (key_ == "seconds") {
                row_.microseconds = number * microseconds_in_second;
            } else if (key_ == "wrong") {
                row_.wrong = number;
            }
        } else if (place_ == Place::times) {
            if (key_ == "time") {
                row_.microseconds = number;
            } else if (key_ == "cpu_time") {
                row_.has_processor_time = true;
            } else if (key_ == "alg_bw") {
                row_.bandwidth = number;
            } else if (key_ == "nwrong") {
                row_.wrong = number;
            }
        }
    }

    void end_row() {
        place_ = Place::rows;
        has_rows_ = true;
        collector_.begin_line();
        if (const char* const reason = row_.reason_against()) {
            collector_.ignore(reason);
            return;
        }
        const std::string id = row_.algorithm.empty() ? "1" : row_.algorithm;
        const auto known = runs_.find(id);
        const std::size_t run = known == runs_.end() ? runs_[id] = collector_.add_run(id) : known->second;
        collector_.use(run, *row_.bytes, *row_.microseconds);
    }

    std::string parameter_;
    Collector& collector_;
    std::string key_;
    std::string program_;
    Row row_;
    std::map<std::string, std::size_t> runs_;
    double ranks_ = 0;
    double version_ = 0;
    Place place_ = Place::outside;
    bool is_ours_ = false;
    bool has_rows_ = false;
    bool has_events_ = false;
};

}  // namespace

void read_json(std::string_view text, std::string_view parameter, Collector& collector) {
    JsonRuns runs(parameter, collector);
    JsonScanner<JsonRuns> scanner(runs);
    scanner.feed(text);
    scanner.finish();
    runs.finish(scanner.complete());
}

}  // namespace shardlab::measure
