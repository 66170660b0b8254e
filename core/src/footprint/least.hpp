#pragma once

namespace shardlab {

/// The least number from `first` to `last` for which `holds`, by bisection: what holds for a number holds for every
/// larger one.
/// @return 0 where it holds for none; `first` is at least 1
template <typename Holds>
int least(int first, int last, Holds holds) {
    if (first > last || !holds(last)) {
        return 0;
    }
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (holds(middle)) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return last;
}

}  // namespace shardlab
