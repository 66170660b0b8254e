#include <iterator>
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

}  // namespace

const char* name(TrainingFaultKind kind) {
    return collective::name_of(kind, fault_names);
}

TrainingFault training_fault_from_text(std::string_view text) {
    const collective::FaultWords words = collective::fault_words(text, fault_names);
    TrainingFault fault{.kind = static_cast<TrainingFaultKind>(words.kind)};
    const bool has_step = fault.kind == TrainingFaultKind::miss_gather;
    if (words.kind >= std::size(fault_names) || words.count != (has_step ? 3 : 2)) {
        throw unreadable(text);
    }
    fault.rank = collective::whole_from(words.second);
    fault.step = has_step ? collective::whole_from(words.third) : 0;
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
