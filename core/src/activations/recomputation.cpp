#include <string>

#include <shardlab/activations/recomputation.hpp>
#include <shardlab/errors.hpp>

namespace shardlab {

Recomputation recomputation_from_name(std::string_view name) {
    if (name == "none") {
        return Recomputation::none;
    }
    if (name == "selective") {
        return Recomputation::selective;
    }
    if (name == "full") {
        return Recomputation::full;
    }
    throw invalid_argument("recompute", std::string(name), "be none, selective or full");
}

std::string_view name_of(Recomputation recompute) {
    switch (recompute) {
        case Recomputation::selective:
            return "selective";
        case Recomputation::full:
            return "full";
        default:
            return "none";
    }
}

}  // namespace shardlab
