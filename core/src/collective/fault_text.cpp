#include <string>

#include <shardlab/collective/fault.hpp>
#include <shardlab/errors.hpp>

#include "fault_words.hpp"
#include "names.hpp"

namespace shardlab {
namespace {

// In the order of the enumeration.
constexpr const char* fault_names[] = {"drop", "double", "miss-hop", "stale", "slow"};

invalid_argument unreadable(std::string_view text) {
    return {
        "fault", std::string(text),
        "be drop:R, double:R, miss-hop:R:STEP, stale:R:STEP, slow:R or slow:R:FACTOR, with whole numbers R and STEP "
        "and a factor from 1 to 1000000"};
}

/// A factor such as 2 or 1.25: whole digits, and perhaps a point and more digits; or -1.
double factor_from(std::string_view text) {
    const std::size_t point = text.find('.');
    const int whole = collective::whole_from(text.substr(0, point));
    if (point == std::string_view::npos || whole < 0) {
        return whole;
    }
    const std::string_view digits = text.substr(point + 1);
    const int part = collective::whole_from(digits);
    double scale = 1;
    for (std::size_t digit = 0; digit < digits.size() && part >= 0; ++digit) {
        scale *= 10;
    }
    return part < 0 ? -1 : (whole * scale + part) / scale;
}

/// Whether a fault of a kind may have so many words; none may whose kind has no name.
bool has_words(FaultKind kind, std::size_t words) {
    switch (kind) {
        case FaultKind::drop:
        case FaultKind::duplicated:
            return words == 2;
        case FaultKind::miss_hop:
        case FaultKind::stale:
            return words == 3;
        case FaultKind::slow:
            return words == 2 || words == 3;
    }
    return false;
}

}  // namespace

const char* name(FaultKind kind) {
    return collective::name_of(kind, fault_names);
}

Fault fault_from_text(std::string_view text) {
    constexpr double slowest = 1e6;
    const collective::FaultWords words = collective::fault_words(text, fault_names);
    Fault fault{.kind = static_cast<FaultKind>(words.kind)};
    if (!has_words(fault.kind, words.count)) {
        throw unreadable(text);
    }
    fault.rank = collective::whole_from(words.second);
    if (words.count > 2 && fault.kind == FaultKind::slow) {
        fault.factor = factor_from(words.third);
    } else if (words.count > 2) {
        fault.step = collective::whole_from(words.third);
    }
    if (fault.rank < 0 || fault.step < 0 || fault.factor < 1 || fault.factor > slowest) {
        throw unreadable(text);
    }
    return fault;
}

const char* consequence(FaultKind kind) {
    switch (kind) {
        case FaultKind::drop:
            return "NCCL does not go on without a rank: the others wait in the collective until a timeout ends the "
                   "job.";
        case FaultKind::duplicated:
            return "NCCL adds each contribution once: a rank that calls the collective twice waits for the others to "
                   "call it again, until a timeout ends the job.";
        case FaultKind::miss_hop:
            return "NCCL does not skip a message: its receiver waits for it, and all ranks after it, until a timeout "
                   "ends the job.";
        case FaultKind::stale:
            return "NCCL sends from a buffer only after its flag says that it is filled; an old value comes from a "
                   "program that writes to the tensor on another stream, and is never noticed.";
        case FaultKind::slow:
            return "NCCL waits: all ranks go at the pace of the slowest link, and no error is raised.";
    }
    return "unknown";
}

std::optional<SlowRank> slow_rank(const Fault& fault) {
    if (fault.kind != FaultKind::slow) {
        return std::nullopt;
    }
    return SlowRank{.rank = fault.rank, .factor = fault.factor};
}

}  // namespace shardlab
