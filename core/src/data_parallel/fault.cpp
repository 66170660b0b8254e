#include <string>

#include <shardlab/collective/fault.hpp>
#include <shardlab/data_parallel/fault.hpp>
#include <shardlab/errors.hpp>

#include "../collective/fault_words.hpp"
#include "../collective/names.hpp"

namespace shardlab {
namespace {

// In the order of the enumeration.
constexpr const char* fault_names[] = {"drop", "double", "miss-gather"};

invalid_argument unreadable(std::string_view text) {
    return {"fault", std::string(text), "be drop:R, double:R or miss-gather:R:STEP, with whole numbers R and STEP"};
}

TrainingFaultKind kind_of(std::string_view name, std::string_view text) {
    for (const TrainingFaultKind kind :
         {TrainingFaultKind::drop, TrainingFaultKind::duplicated, TrainingFaultKind::miss_gather}) {
        if (name == shardlab::name(kind)) {
            return kind;
        }
    }
    throw unreadable(text);
}

}  // namespace

const char* name(TrainingFaultKind kind) {
    return collective::name_of(kind, fault_names);
}

TrainingFault training_fault_from_text(std::string_view text) {
    const std::vector<std::string_view> words = collective::fault_words(text);
    TrainingFault fault{.kind = kind_of(words[0], text)};
    const bool has_step = fault.kind == TrainingFaultKind::miss_gather;
    if (words.size() != (has_step ? 3 : 2)) {
        throw unreadable(text);
    }
    fault.rank = collective::whole_from(words[1]);
    fault.step = has_step ? collective::whole_from(words[2]) : 0;
    if (fault.rank < 0 || fault.step < 0) {
        throw unreadable(text);
    }
    return fault;
}

const char* consequence(TrainingFaultKind kind) {
    switch (kind) {
        case TrainingFaultKind::drop:
            return consequence(FaultKind::drop);
        case TrainingFaultKind::duplicated:
            return consequence(FaultKind::duplicated);
        case TrainingFaultKind::miss_gather:
            return consequence(FaultKind::miss_hop);
    }
    return "unknown";
}

}  // namespace shardlab
