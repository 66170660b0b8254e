#include <nlohmann/json.hpp>

#include <shardlab/measure.hpp>

#include "../answer.hpp"
#include "../files.hpp"
#include "../numbers.hpp"
#include "kinds.hpp"
#include "records.hpp"

namespace shardlab::cli {
namespace {

using Json = nlohmann::ordered_json;

Trace read_trace(const std::string& path) {
    TraceReader reader(path);
    read_in_pieces("trace", path, [&](std::string_view piece) { reader.feed(piece); });
    return reader.finish();
}

void set_where_known(Json& record, const char* key, const std::optional<double>& value) {
    if (value) {
        record[key] = json_number(*value);
    }
}

Json collective_record(const Communication& communication) {
    Json record{{"kind", name_of(communication.kind)}, {"start_seconds", json_number(communication.start_seconds)}};
    set_where_known(record, "elements", communication.elements);
    set_where_known(record, "bytes", communication.bytes);
    record["seconds"] = json_number(communication.seconds);
    if (communication.ranks) {
        record["ranks"] = *communication.ranks;
    }
    set_where_known(record, "bus_bandwidth", bus_bytes_per_second(communication));
    record["overlapped_seconds"] = json_number(communication.overlapped_seconds);
    return record;
}

Json kind_record(const CommunicationSum& sum) {
    Json record{{"kind", name_of(sum.kind)},           {"count", sum.count},
                {"bytes", json_number(sum.bytes)},     {"without_bytes", sum.without_bytes},
                {"seconds", json_number(sum.seconds)}, {"overlapped_seconds", json_number(sum.overlapped_seconds)}};
    set_where_known(record, "bus_bandwidth", sum.bus_bytes_per_second);
    return record;
}

template <typename Items, typename Record>
Json records_of(const Items& items, Record record) {
    Json records = Json::array();
    for (const auto& item : items) {
        records.push_back(record(item));
    }
    return records;
}

Json count_record(const CountedEvents& counted) {
    return {{"reason", counted.reason}, {"events", json_number(counted.events)}};
}

/// Everything but the collectives one by one.
Json trace_record(const Trace& trace) {
    Json record = Json::object();
    if (trace.rank) {
        record["rank"] = *trace.rank;
    }
    if (trace.world_size) {
        record["world_size"] = *trace.world_size;
    }
    if (!trace.backend.empty()) {
        record["backend"] = shown(trace.backend);
    }
    record["devices"] = trace.devices;
    record["events"] = json_number(trace.events);
    record["events_used"] = json_number(trace.events_used);
    record["nccl_kernels"] = trace.nccl_kernels;
    record["nccl_seconds"] = json_number(trace.nccl_seconds);
    const TraceTimes& times = trace.times;
    record["span_seconds"] = json_number(times.span_seconds);
    record["compute_seconds"] = json_number(times.compute_seconds);
    record["communication_seconds"] = json_number(times.communication_seconds);
    record["overlap_seconds"] = json_number(times.overlap_seconds);
    record["overlap_fraction"] = json_number(times.overlap_fraction());
    record["exposed_seconds"] = json_number(times.exposed_seconds);
    record["other_seconds"] = json_number(times.other_seconds);
    record["idle_seconds"] = json_number(times.idle_seconds);
    record["kinds"] = records_of(sums_by_kind(trace.communications), kind_record);
    record["ignored"] = records_of(trace.ignored, count_record);
    record["amended"] = records_of(trace.amended, count_record);
    set_where_known(record, "broken_at_byte", trace.broken_at_byte);
    return record;
}

void add_collectives(Answer& answer, const char* key, const std::vector<Communication>& communications) {
    answer.add_records(key, communications.size(),
                       [&](std::size_t index) { return collective_record(communications[index]); });
}

void add_matched(Answer& answer, const MatchedCommunications& matched) {
    add_collectives(answer, "matched", matched.communications);
    answer.add("waited_seconds", matched.waited_seconds);
    answer.add("unmatched", matched.unmatched);
}

void add_fit(Answer& answer, const std::vector<Communication>& communications, std::optional<int> regimes) {
    const std::optional<int> ranks = usual_all_reduce_ranks(communications);
    if (!ranks) {
        answer.add_json("fit", {{"refused", "no all-reduce of known size and ranks"}});
        return;
    }
    Json record{{"ranks", *ranks}};
    record.update(fit_record(all_reduce_measurements(communications, *ranks), ranks, regimes));
    answer.add_json("fit", record);
}

}  // namespace

void measure_traces(const std::vector<std::string>& paths, std::optional<int> regimes, std::ostream& out) {
    std::vector<Trace> traces;
    traces.reserve(paths.size());
    for (const std::string& path : paths) {
        traces.push_back(read_trace(path));
    }
    const Trace sum = sum_of_traces(traces, "trace");
    Answer answer(out);
    const Json whole = trace_record(sum);
    for (const auto& [key, value] : whole.items()) {
        answer.add_json(key, value);
    }
    add_collectives(answer, "collectives", sum.communications);
    if (traces.size() == 1) {
        add_fit(answer, sum.communications, regimes);
    } else {
        answer.add_records("traces", traces.size(), [&](std::size_t index) {
            Json record{{"file", shown(paths[index])}};
            record.update(trace_record(traces[index]));
            return record;
        });
        const MatchedCommunications matched = matched_communications(traces, "trace");
        add_matched(answer, matched);
        add_fit(answer, matched.communications, regimes);
    }
    answer.close();
}

}  // namespace shardlab::cli
