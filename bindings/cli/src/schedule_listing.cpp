#include "schedule_listing.hpp"

#include <nlohmann/json.hpp>

namespace shardlab::cli {
namespace {

std::size_t transfers_of(const CollectiveSchedule& schedule) {
    std::size_t transfers = 0;
    Step step;
    for (int index = 0; index < schedule.steps(); ++index) {
        schedule.generate(index, step);
        transfers += step.transfers.size();
    }
    return transfers;
}

/// Walks the transfers of a schedule in their order.
class Walk {
public:
    explicit Walk(const CollectiveSchedule& schedule) : schedule_(schedule) {}

    /// The next transfer; there must be one.
    const Transfer& next() {
        while (place_ == step_.transfers.size()) {
            schedule_.generate(++index_, step_);
            place_ = 0;
        }
        return step_.transfers[place_++];
    }

    /// The step of the transfer that was given last.
    int step() const { return index_; }

private:
    const CollectiveSchedule& schedule_;
    Step step_;
    int index_ = -1;
    std::size_t place_ = 0;
};

}  // namespace

void require_listable_schedule(const CollectiveSchedule& schedule) {
    require_listable("schedule", static_cast<double>(transfers_of(schedule)));
}

void add_schedule_if_asked(const Options& options, Answer& answer, const CollectiveSchedule& schedule) {
    if (!options.given("schedule")) {
        return;
    }
    Walk walk(schedule);
    answer.add_records("schedule", transfers_of(schedule), [&](std::size_t) {
        const Transfer& transfer = walk.next();
        return nlohmann::ordered_json{{"step", walk.step()},
                                      {"phase", name(transfer.phase)},
                                      {"source", transfer.source},
                                      {"destination", transfer.destination},
                                      {"source_offset", transfer.source_offset},
                                      {"destination_offset", transfer.destination_offset},
                                      {"count", transfer.count},
                                      {"combine", transfer.reduce ? "reduce" : "copy"}};
    });
}

}  // namespace shardlab::cli
