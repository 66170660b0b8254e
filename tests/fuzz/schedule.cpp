// Any transfers as a schedule: check() says what a count of each element says, execute() does what a step that reads
// everything before it writes does, and nothing is touched outside of the buffers.

#include <optional>
#include <vector>

#include <shardlab/collective.hpp>

#include "fuzz.hpp"

namespace {

using fuzz::Arguments;
using fuzz::require;
using shardlab::CollectiveSchedule;
using shardlab::Ledger;
using shardlab::Matrix;
using shardlab::Step;
using shardlab::Transfer;

/// A schedule and its steps, which are made before it so that it is the same each time it is walked.
struct Made {
    std::vector<Step> steps;
    CollectiveSchedule schedule;
};

/// A rank that exists, one just outside, or any number.
int some_rank(Arguments& arguments, int ranks) {
    switch (arguments.within(0, 15)) {
        case 0:
            return arguments.whole();
        case 1:
            return arguments.within(-1, ranks);
        default:
            return arguments.within(0, ranks - 1);
    }
}

/// Offsets and a count that mostly fit.
void place(Arguments& arguments, int elements, Transfer& transfer) {
    if (arguments.within(0, 15) == 0) {
        transfer.source_offset = arguments.offset();
        transfer.destination_offset = arguments.offset();
        transfer.count = arguments.offset();
        return;
    }
    const int count = arguments.within(0, elements);
    transfer.count = static_cast<std::uint64_t>(count);
    transfer.source_offset = static_cast<std::uint64_t>(arguments.within(0, elements - count));
    transfer.destination_offset = static_cast<std::uint64_t>(arguments.within(0, elements - count));
}

Made made_of(Arguments& arguments) {
    constexpr int most_transfers = 6;
    const int ranks = arguments.within(1, 6);
    const int elements = arguments.within(0, 12);
    std::vector<Step> steps(static_cast<std::size_t>(arguments.within(0, 4)));
    for (Step& step : steps) {
        step.transfers.resize(static_cast<std::size_t>(arguments.within(0, most_transfers)));
        for (Transfer& transfer : step.transfers) {
            transfer.source = some_rank(arguments, ranks);
            transfer.destination = some_rank(arguments, ranks);
            place(arguments, elements, transfer);
            transfer.reduce = arguments.flag();
            transfer.phase = static_cast<shardlab::Phase>(arguments.within(0, 4));
        }
    }
    const auto copy = [steps](int index, Step& step) { step = steps[static_cast<std::size_t>(index)]; };
    CollectiveSchedule schedule(ranks, static_cast<std::uint64_t>(elements), static_cast<int>(steps.size()), copy);
    return {std::move(steps), std::move(schedule)};
}

/// How often a step reads and writes one element.
struct Uses {
    int reads = 0;
    int writes = 0;
    int additions = 0;
};

bool is_inside(const Transfer& transfer, const Matrix& buffers) {
    const auto is_rank = [&](int rank) { return rank >= 0 && static_cast<std::size_t>(rank) < buffers.shape(0); };
    // Each term is at most 2^64, where a long double still tells whole numbers apart up to the buffer's size.
    const auto ends = [&](std::uint64_t offset) {
        return static_cast<long double>(offset) + static_cast<long double>(transfer.count);
    };
    const auto size = static_cast<long double>(buffers.shape(1));
    return is_rank(transfer.source) && is_rank(transfer.destination) && transfer.source != transfer.destination &&
           ends(transfer.source_offset) <= size && ends(transfer.destination_offset) <= size;
}

bool all_inside(const Made& made, const Matrix& buffers) {
    for (const Step& step : made.steps) {
        for (const Transfer& transfer : step.transfers) {
            if (!is_inside(transfer, buffers)) {
                return false;
            }
        }
    }
    return true;
}

/// Counts the uses of every element: in one step it may be replaced once or added to by several, and then not be read.
bool is_simultaneous(const Step& step, const Matrix& buffers) {
    std::vector<Uses> uses(buffers.size());
    for (const Transfer& transfer : step.transfers) {
        for (std::uint64_t i = 0; i < transfer.count; ++i) {
            ++uses[static_cast<std::size_t>(transfer.source) * buffers.shape(1) + transfer.source_offset + i].reads;
            Uses& written = uses[static_cast<std::size_t>(transfer.destination) * buffers.shape(1) +
                                 transfer.destination_offset + i];
            ++written.writes;
            written.additions += transfer.reduce ? 1 : 0;
        }
    }
    for (const Uses& element : uses) {
        const bool is_written_once = element.writes <= 1 || element.additions == element.writes;
        if (!is_written_once || (element.writes > 0 && element.reads > 0)) {
            return false;
        }
    }
    return true;
}

bool is_sound(const Made& made, const Matrix& buffers) {
    if (!all_inside(made, buffers)) {
        return false;
    }
    for (const Step& step : made.steps) {
        if (!is_simultaneous(step, buffers)) {
            return false;
        }
    }
    return true;
}

/// The buffers after a step that reads all it sends before it writes.
Matrix after(const Step& step, const Matrix& before) {
    Matrix buffers = before;
    for (const Transfer& transfer : step.transfers) {
        for (std::uint64_t i = 0; i < transfer.count; ++i) {
            const double arrived = before(transfer.source, transfer.source_offset + i);
            double& held = buffers(transfer.destination, transfer.destination_offset + i);
            held = transfer.reduce ? held + arrived : arrived;
        }
    }
    return buffers;
}

void require_ledger(const Made& made, const Ledger& booked) {
    require(booked.steps() == made.schedule.steps() && booked.ranks() == made.schedule.ranks(),
            "a ledger has the schedule's steps and ranks");
    std::vector<double> sent(static_cast<std::size_t>(booked.ranks()));
    double moved = 0;
    for (const Step& step : made.steps) {
        for (const Transfer& transfer : step.transfers) {
            sent[static_cast<std::size_t>(transfer.source)] += static_cast<double>(transfer.count) * sizeof(double);
            moved += static_cast<double>(transfer.count);
        }
    }
    fuzz::require_same_bits(booked.bytes_sent_per_rank(), sent);
    require(booked.elements_moved() == moved, "a ledger counts the elements that moved");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Arguments arguments(data, size);
    const shardlab::Link link{.latency_seconds = arguments.number(), .bytes_per_second = arguments.number()};
    const double element_bytes = arguments.number();
    const Made made = made_of(arguments);
    const CollectiveSchedule& schedule = made.schedule;
    const Matrix initial = arguments.whole_matrix(schedule.ranks(), static_cast<int>(schedule.elements()));

    const bool sound = fuzz::accepts({"schedule"}, [&] { check(schedule); });
    require(sound == is_sound(made, initial), "check() accepts exactly the sound schedules");

    Matrix buffers = initial;
    const std::optional<Ledger> executed = fuzz::attempt({"schedule"}, [&] { return execute(schedule, buffers); });
    const std::optional<Ledger> booked = fuzz::attempt({"schedule"}, [&] { return ledger(schedule); });
    require(executed == booked, "execute() and ledger() book the same bytes, or refuse alike");
    require(executed.has_value() == all_inside(made, initial), "execute() refuses exactly what leaves the buffers");
    if (executed) {
        require_ledger(made, *executed);
    }
    if (sound) {
        Matrix expected = initial;
        for (const Step& step : made.steps) {
            expected = after(step, expected);
        }
        fuzz::require_same_bits(shardlab::elements(buffers), shardlab::elements(expected));
    }

    const std::optional<double> seconds =
        fuzz::attempt({"latency_seconds", "bytes_per_second", "element_bytes", "bytes", "schedule"},
                      [&] { return price_seconds(schedule, link, element_bytes); });
    if (seconds) {
        fuzz::require_finite({*seconds});
        require(*seconds >= 0, "a price is no less than nothing");
    }
    return 0;
}
