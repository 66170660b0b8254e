#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>

#include "../check.hpp"
#include "action.hpp"

namespace shardlab::notation {
namespace {

constexpr const char* once = "have every operation once, and a backward whole or in its two gradients";

std::string words_of(OperationKind kind, int stage, int micro_batch) {
    // The core's word for a stage of the notation is a model part.
    const std::string words = text(Operation{kind, stage, micro_batch});
    return words.substr(0, words.rfind(" on ")) + " on stage " + std::to_string(stage);
}

/// Walks through actions that are ordered by stage, micro-batch and kind, so that what is missing shows as a gap: no
/// table is made whose size a number in the text decides.
class Walk {
public:
    Walk(const std::vector<Action>& actions, OperationKind (*kind)(Letters))
        : actions_(actions), kind_(kind), last_(*std::max_element(actions.begin(), actions.end(), by_micro_batch)) {}

    void run() {
        for (int stage = 0; next_ < actions_.size(); ++stage) {
            walk_stage(stage);
        }
    }

private:
    static bool by_micro_batch(const Action& a, const Action& b) { return a.micro_batch < b.micro_batch; }

    bool is_at(int stage, int micro_batch) const {
        return next_ < actions_.size() && actions_[next_].stage == stage && actions_[next_].micro_batch == micro_batch;
    }

    void walk_stage(int stage) {
        const Action& first = actions_[next_];
        if (first.stage != stage) {
            pipeline::refuse("without stage " + std::to_string(stage) + ", but with stage " +
                                 std::to_string(first.stage) + place(first.row, first.cell),
                             "number the stages from 0 without a gap");
        }
        for (int micro_batch = 0; micro_batch <= last_.micro_batch; ++micro_batch) {
            walk_micro_batch(stage, micro_batch, first);
        }
    }

    void walk_micro_batch(int stage, int micro_batch, const Action& first) {
        unsigned found = 0;
        const Action* before = nullptr;
        for (; is_at(stage, micro_batch); ++next_) {
            const Action& action = actions_[next_];
            require_row(action, first);
            require_new(action, before);
            found |= 1U << static_cast<unsigned>(kind_(action.letters));
            before = &action;
        }
        require_found(found, stage, micro_batch, first.row);
    }

    static void require_row(const Action& action, const Action& first) {
        if (action.row != first.row) {
            pipeline::refuse("stage " + std::to_string(action.stage) + place(first.row, first.cell) + " and" +
                                 place(action.row, action.cell),
                             "have each stage on one row");
        }
    }

    /// A whole backward stands before the gradients in the order of kinds, so that only neighbours exclude each other.
    void require_new(const Action& action, const Action* before) const {
        if (before == nullptr) {
            return;
        }
        const OperationKind kind = kind_(action.letters);
        const OperationKind kind_before = kind_(before->letters);
        if (kind == kind_before || kind_before == OperationKind::backward) {
            pipeline::refuse("the " + words_of(kind_before, before->stage, before->micro_batch) +
                                 place(before->row, before->cell) + " and the " +
                                 words_of(kind, action.stage, action.micro_batch) + place(action.row, action.cell),
                             once);
        }
    }

    void require_found(unsigned found, int stage, int micro_batch, int row) const {
        const auto has = [&](OperationKind kind) { return (found >> static_cast<unsigned>(kind) & 1U) != 0; };
        const auto require = [&](OperationKind kind) {
            if (!has(kind)) {
                pipeline::refuse("without the " + words_of(kind, stage, micro_batch) + " in row " +
                                     std::to_string(row + 1) + " (micro-batch " + std::to_string(last_.micro_batch) +
                                     " is" + place(last_.row, last_.cell) + ")",
                                 "have a forward and a backward, whole or in its two gradients, of every stage and "
                                 "micro-batch");
            }
        };
        require(OperationKind::forward);
        if (has(OperationKind::input_gradient) || has(OperationKind::weight_gradient)) {
            require(OperationKind::input_gradient);
            require(OperationKind::weight_gradient);
        } else {
            require(OperationKind::backward);
        }
    }

    const std::vector<Action>& actions_;
    OperationKind (*kind_)(Letters);
    Action last_;  // with the largest micro-batch
    std::size_t next_ = 0;
};

}  // namespace

void require_all(std::vector<Action>& actions, OperationKind (*kind)(Letters letters)) {
    if (actions.empty()) {
        pipeline::refuse("empty", "have a forward and a backward in a cell each");
    }
    std::sort(actions.begin(), actions.end(), [&](const Action& a, const Action& b) {
        return std::make_tuple(a.stage, a.micro_batch, kind(a.letters), a.row, a.cell) <
               std::make_tuple(b.stage, b.micro_batch, kind(b.letters), b.row, b.cell);
    });
    Walk(actions, kind).run();
}

}  // namespace shardlab::notation
