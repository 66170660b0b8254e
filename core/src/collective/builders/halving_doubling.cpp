#include "parts.hpp"

namespace shardlab {

using namespace collective;

namespace {

/// The ranks of the halving: a power of two, into which the others are folded.
class Folded {
public:
    explicit Folded(int ranks)
        : active_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))), pairs_(ranks - active_) {}

    int active() const { return active_; }
    int pairs() const { return pairs_; }
    /// The rank that is number `index` among the active ones: the odd one of each pair, and all after the pairs.
    int rank(int index) const { return index < pairs_ ? 2 * index + 1 : index + pairs_; }

private:
    int active_;
    int pairs_;
};

/// The even rank of each pair hands its whole tensor to the odd one, or gets the result back.
void add_pairs(Step& step, const Folded& folded, Chunk whole, bool reducing) {
    for (int pair = 0; pair < folded.pairs(); ++pair) {
        const int even = 2 * pair;
        const int odd = even + 1;
        step.transfers.push_back(in_place_transfer(reducing ? even : odd, reducing ? odd : even, whole, reducing,
                                                   reducing ? Phase::reduce : Phase::broadcast));
    }
}

/// The bits of `index` in the other order: the chunk that it owns, since its lowest bit chooses the first half.
int owned_chunk(int index, int active) {
    int chunk = 0;
    for (int bit = 1; bit < active; bit *= 2) {
        chunk = 2 * chunk + ((index & bit) != 0 ? 1 : 0);
    }
    return chunk;
}

/// Partners `distance` apart exchange the chunks that lie on the partner's side (halving) or on their own (doubling).
void add_exchange(Step& step, const Folded& folded, const Chunks& chunks, int distance, bool reducing) {
    const int active = folded.active();
    const int width = active / (2 * distance);
    for (int index = 0; index < active; ++index) {
        const int partner = index ^ distance;
        const int side = owned_chunk(reducing ? partner : index, active) & ~(width - 1);
        step.transfers.push_back(in_place_transfer(folded.rank(index), folded.rank(partner), chunks.range(side, width),
                                                   reducing, reducing ? Phase::reduce_scatter : Phase::all_gather));
    }
}

}  // namespace

CollectiveSchedule halving_doubling_all_reduce_schedule(int ranks, double elements) {
    const Folded folded(require_ranks(ranks));
    const Chunk whole{.offset = 0, .count = require_elements(elements)};
    const Chunks chunks(whole, folded.active());
    const int folds = folded.pairs() > 0 ? 1 : 0;
    const int levels = levels_of(folded.active());
    const int steps = 2 * (levels + folds);

    const auto generate = [=](int index, Step& step) {
        const bool reducing = index < steps / 2;
        // The second half is the way of the first one back.
        const int stage = reducing ? index : steps - 1 - index;
        if (stage < folds) {
            add_pairs(step, folded, whole, reducing);
        } else {
            add_exchange(step, folded, chunks, 1 << (stage - folds), reducing);
        }
    };
    return {ranks, whole.count, steps, generate};
}

}  // namespace shardlab
