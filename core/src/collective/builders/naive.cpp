#include "parts.hpp"

namespace shardlab {

using namespace collective;

CollectiveSchedule naive_all_reduce_schedule(int ranks, double elements) {
    const int others = require_ranks(ranks) - 1;
    const std::uint64_t size = require_elements(elements);

    const auto generate = [=](int index, Step& step) {
        const bool reducing = index < others;
        const int other = 1 + (reducing ? index : index - others);
        step.transfers.push_back(in_place_transfer(reducing ? other : 0, reducing ? 0 : other,
                                                   {.offset = 0, .count = size}, reducing,
                                                   reducing ? Phase::reduce : Phase::broadcast));
    };
    return {ranks, size, 2 * others, generate};
}

}  // namespace shardlab
