// Routines on arrays: the ring all-reduce, the gradient average, the tensor-parallel layers.

#include <algorithm>
#include <cmath>

#include <shardlab/collective.hpp>
#include <shardlab/data_parallel.hpp>
#include <shardlab/matmul.hpp>
#include <shardlab/tensor_parallel.hpp>

#include "functions.hpp"

namespace fuzz {
namespace {

using shardlab::Matrix;

bool all_whole(const Matrix& matrix) {
    return std::all_of(matrix.begin(), matrix.end(),
                       [](double element) { return std::abs(element) <= 1000 && element == std::floor(element); });
}

/// The sum of each column, from the first row to the last.
std::vector<double> column_sums(const Matrix& matrix) {
    std::vector<double> sums(matrix.shape(1));
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            sums[j] += matrix(i, j);
        }
    }
    return sums;
}

void ring(Arguments& arguments) {
    const Matrix buffers = arguments.matrix(9);
    const auto reduced = attempt({"ranks", "buffers"}, [&] { return shardlab::ring_all_reduce(buffers); });
    const int stop_after = arguments.whole();
    const auto partial =
        attempt({"ranks", "buffers", "stop_after"}, [&] { return shardlab::ring_all_reduce(buffers, stop_after); });
    require(reduced.has_value() || !partial.has_value(), "the first steps are refused where all are");
    if (partial) {
        require_finite(shardlab::elements(partial->buffers));
    }
    if (!reduced) {
        return;
    }
    const shardlab::CollectiveSchedule& schedule = reduced->schedule;
    require(accepts({}, [&] { check(schedule); }), "the ring is a sound schedule");
    require(ledger(schedule) == reduced->ledger, "what was booked is what the schedule sends");
    require(schedule.steps() == 2 * (schedule.ranks() - 1), "a ring has 2(N-1) steps");
    require(reduced->ledger.elements_moved() == 2.0 * (schedule.ranks() - 1) * static_cast<double>(buffers.shape(1)),
            "a ring moves every element 2(N-1) times");
    require_finite(shardlab::elements(reduced->buffers));
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        require_same_bits(shardlab::row(reduced->buffers, rank), shardlab::row(reduced->buffers, 0));
    }
    if (all_whole(buffers)) {
        const std::vector<double> sums = column_sums(buffers);
        const auto first = shardlab::row(reduced->buffers, 0);
        require(std::equal(sums.begin(), sums.end(), first.begin(), first.end()), "whole numbers are summed exactly");
    }
}

/// Builders with any arguments; only one step of a long schedule is made.
void builders(Arguments& arguments) {
    const int ranks = arguments.whole();
    const double elements = arguments.number();
    const int index = arguments.whole();
    shardlab::ScheduleOptions options;
    options.slices = arguments.flag() ? arguments.within(1, 9) : arguments.whole();
    options.per_node = arguments.flag() ? arguments.within(1, 9) : arguments.whole();
    for (const shardlab::Algorithm algorithm : shardlab::algorithms) {
        const auto schedule = attempt({"ranks", "elements", "slices", "per_node"},
                                      [&] { return all_reduce_schedule(algorithm, ranks, elements, options); });
        if (!schedule) {
            continue;
        }
        shardlab::Step step;
        const bool generated = accepts({"index"}, [&] { schedule->generate(index, step); });
        require(generated == (index >= 0 && index < schedule->steps()), "a schedule makes the steps that it has");
        for (const shardlab::Transfer& transfer : step.transfers) {
            require(transfer.count <= schedule->elements() &&
                        transfer.source_offset <= schedule->elements() - transfer.count,
                    "a transfer stays inside the buffers");
        }
        constexpr int few = 12;
        if (ranks <= few && schedule->steps() <= few * few) {
            require(accepts({}, [&] { check(*schedule); }), "a builder's schedule is sound");
            require_finite(ledger(*schedule).bytes_sent_per_rank());
        }
    }
}

void chunks(Arguments& arguments) {
    const std::uint64_t elements = arguments.offset();
    const int parts = arguments.whole();
    const int index = arguments.whole();
    const auto part = attempt({"chunks", "index"}, [&] { return shardlab::chunk(elements, parts, index); });
    if (!part) {
        return;
    }
    require(part->offset <= elements && part->count <= elements - part->offset, "a chunk is inside its tensor");
    const bool last = index == parts - 1;
    const std::uint64_t next = last ? elements : shardlab::chunk(elements, parts, index + 1).offset;
    require(part->offset + part->count == next, "a chunk ends where the next begins");
}

void ledgers(Arguments& arguments) {
    const int steps = arguments.whole();
    const int ranks = arguments.whole();
    const double element_bytes = arguments.number();
    if (costly(static_cast<double>(steps) * ranks, shardlab::largest_array)) {
        return;
    }
    auto booked =
        attempt({"steps", "ranks", "element_bytes"}, [&] { return shardlab::Ledger(steps, ranks, element_bytes); });
    if (!booked) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        const int step = arguments.whole();
        const shardlab::Transfer transfer{
            .source = arguments.whole(), .destination = arguments.whole(), .count = arguments.offset()};
        if (accepts({"step", "rank"}, [&] { booked->record(step, {{transfer}}); })) {
            require_finite({booked->link_bytes(transfer.source, transfer.destination)});
        }
        attempt({"rank"}, [&] { return booked->link_bytes(transfer.source, arguments.whole()); });
    }
    require_finite(booked->bytes_sent_per_rank());
    require_finite({booked->elements_moved(), booked->busiest_rank_bytes()});
}

/// A schedule of any size that moves nothing.
void idle_schedules(Arguments& arguments) {
    const int ranks = arguments.whole();
    const int steps = arguments.whole();
    const std::uint64_t elements = arguments.offset();
    const auto nothing = arguments.flag() ? shardlab::CollectiveSchedule::Generator([](int, shardlab::Step&) {})
                                          : shardlab::CollectiveSchedule::Generator();
    const auto schedule = attempt({"ranks", "elements", "steps", "generator"},
                                  [&] { return shardlab::CollectiveSchedule(ranks, elements, steps, nothing); });
    if (!schedule || costly(static_cast<double>(steps) * ranks, shardlab::largest_array)) {
        return;
    }
    shardlab::Step step;
    accepts({"index"}, [&] { schedule->generate(0, step); });
    attempt({"steps"}, [&] { return ledger(*schedule); });
    Matrix buffers = arguments.matrix(3);
    attempt({"steps", "buffers"}, [&] { return execute(*schedule, buffers, 0); });
}

void matmul(Arguments& arguments) {
    const Matrix w = arguments.matrix(7);
    const Matrix x = arguments.matrix(7);
    const int ranks = arguments.whole();
    if (costly(static_cast<double>(w.shape(0)) * static_cast<double>(x.shape(1)) * ranks, shardlab::largest_array)) {
        return;
    }
    const auto split = arguments.flag() ? shardlab::Split::column : shardlab::Split::row;
    const auto sharded =
        attempt({"ranks", "w", "x"}, [&] { return shardlab::tensor_parallel_matmul(w, x, ranks, split); });
    if (!sharded) {
        return;
    }
    const Matrix whole = shardlab::matmul(w, x);
    require(sharded->result.shape() == whole.shape(), "the result is (out, batch)");
    require(sharded->weight_shards.size() == static_cast<std::size_t>(ranks), "every rank has a shard");
    require_finite(shardlab::elements(sharded->result));
    require_finite({sharded->max_abs_error, sharded->max_rel_error, sharded->communication_bytes_per_rank});
    if (split == shardlab::Split::column) {
        require_same_bits(shardlab::elements(sharded->result), shardlab::elements(whole));
        require(sharded->communication_bytes_per_rank == 0, "columns need no communication");
    }
    require(sharded->max_abs_error == 0 || !all_whole(w) || !all_whole(x), "whole numbers are multiplied exactly");
}

void mlp(Arguments& arguments) {
    // Mostly sizes that meet; else most inputs would end at the first check.
    const int in = arguments.within(1, 4);
    const int ffn = arguments.within(1, 4);
    const int out = arguments.within(1, 4);
    const int batch = arguments.within(1, 3);
    const auto matrix = [&](int rows, int columns) {
        switch (arguments.within(0, 7)) {
            case 0:
                return arguments.matrix(4);
            case 1:
                return arguments.any_matrix(rows, columns);
            default:
                return arguments.whole_matrix(rows, columns);
        }
    };
    const Matrix w1 = matrix(ffn, in);
    const Matrix w2 = matrix(out, ffn);
    const Matrix x = matrix(in, batch);
    const Matrix gradient = matrix(out, batch);
    const int ranks = arguments.flag() ? arguments.within(1, 6) : arguments.whole();
    if (costly(16.0 * ranks, 16.0 * shardlab::most_ranks)) {
        return;
    }
    const auto sharded = attempt({"ranks", "w1", "w2", "x", "output_gradient"},
                                 [&] { return shardlab::tensor_parallel_mlp(w1, w2, x, gradient, ranks); });
    if (sharded) {
        require_finite(shardlab::elements(sharded->output));
        require_finite(shardlab::elements(sharded->input_gradient));
        require_finite({sharded->output_max_rel_error, sharded->input_gradient_max_rel_error,
                        sharded->communication_bytes_per_rank});
        require(sharded->forward_all_reduces == 1 && sharded->backward_all_reduces == 1, "one all-reduce each way");
    }
}

void activation_function(Arguments& arguments) {
    const double x = arguments.number();
    if (std::isfinite(x)) {
        require_finite({shardlab::gelu(x), shardlab::gelu_derivative(x)});
    }
}

}  // namespace

void collective(Arguments& arguments) {
    switch (arguments.within(0, 5)) {
        case 0:
            return builders(arguments);
        case 1:
            return chunks(arguments);
        case 2:
            return ledgers(arguments);
        case 3:
            return idle_schedules(arguments);
        default:
            return ring(arguments);
    }
}

void data_parallel(Arguments& arguments) {
    const Matrix gradients = arguments.matrix(9);
    const auto average =
        attempt({"ranks", "gradients"}, [&] { return shardlab::data_parallel_gradient_average(gradients); });
    if (average) {
        require(average->average.size() == gradients.shape(1), "an average has the gradients' elements");
        require_finite(shardlab::elements(average->average));
        require_finite(shardlab::elements(average->serial_mean));
        require_finite({average->max_abs_difference});
        require(average->max_abs_difference == 0 || !all_whole(gradients), "whole gradients are averaged exactly");
    }
}

void tensor_parallel(Arguments& arguments) {
    switch (arguments.within(0, 4)) {
        case 0:
            attempt({"split"}, [name = arguments.text({"column", "row"})] { return shardlab::split_from_name(name); });
            return activation_function(arguments);
        case 1:
        case 2:
            return mlp(arguments);
        default:
            return matmul(arguments);
    }
}

}  // namespace fuzz
