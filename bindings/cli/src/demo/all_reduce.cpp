#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <shardlab/collective.hpp>
#include <shardlab/collective_cost.hpp>
#include <shardlab/errors.hpp>

#include "sections.hpp"
#include "text.hpp"

namespace shardlab::cli {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t panel_width = 50;

/// Powers of ten: the digits of a sum show which ranks have arrived, and that none has arrived twice.
Matrix start_buffers() {
    Matrix buffers = zeros("elements", 4, 4);
    double value = 1;
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        const std::span<double> elements = row(buffers, rank);
        std::fill(elements.begin(), elements.end(), value);
        value *= 10;
    }
    return buffers;
}

/// The sign before an element that a step has just written: + added, = replaced, none if it was left alone.
std::string mark(const Step& step, std::size_t rank, std::uint64_t element) {
    for (const Transfer& transfer : step.transfers) {
        const bool is_written = static_cast<std::size_t>(transfer.destination) == rank &&
                                element >= transfer.destination_offset &&
                                element - transfer.destination_offset < transfer.count;
        if (is_written) {
            return transfer.reduce ? "+" : "=";
        }
    }
    return "";
}

/// The buffers of all ranks, a line a rank, as a step leaves them.
Lines panel(const std::string& title, const Matrix& buffers, const Step& step) {
    constexpr std::size_t label_width = 10;
    constexpr std::size_t cell_width = 8;
    Lines lines = {left(title, label_width)};
    for (std::size_t element = 0; element < buffers.shape(1); ++element) {
        lines[0] += right(std::to_string(element), cell_width);
    }
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        lines.push_back(left("rank " + std::to_string(rank), label_width));
        for (std::size_t element = 0; element < buffers.shape(1); ++element) {
            lines.back() += right(mark(step, rank, element) + number_text(buffers(rank, element)), cell_width);
        }
    }
    return lines;
}

Lines panel_after(int index, const CollectiveSchedule& schedule) {
    Step step;
    schedule.generate(index, step);
    const Matrix buffers = ring_all_reduce(start_buffers(), index + 1).buffers;
    return panel("step " + std::to_string(index), buffers, step);
}

/// The two phases side by side: step s of the reduce-scatter beside step s of the all-gather.
void write_steps(std::ostream& out, const CollectiveSchedule& schedule) {
    const int steps_per_phase = schedule.steps() / 2;
    out << "  " << left("reduce-scatter: + has been added", panel_width) << "all-gather: = has been replaced\n\n";
    for (int index = 0; index < steps_per_phase; ++index) {
        const Lines reducing = panel_after(index, schedule);
        const Lines gathering = panel_after(steps_per_phase + index, schedule);
        for (std::size_t line = 0; line < reducing.size(); ++line) {
            out << "  " << left(reducing[line], panel_width) << gathering[line] << '\n';
        }
        out << '\n';
    }
}

void write_costs(std::ostream& out, const AllReduce& reduced, double bytes) {
    constexpr std::size_t name_width = 24;
    constexpr std::size_t number_width = 14;
    const AllReduceCost cost = all_reduce_cost(reduced.schedule.ranks(), bytes);
    const std::vector<double> sent = reduced.ledger.bytes_sent_per_rank();
    out << "  " << left("", name_width) << right("executed", number_width) << right("formula", number_width) << '\n';
    out << "  " << left("steps", name_width) << right(reduced.schedule.steps(), number_width)
        << right(cost.steps, number_width) << "   2(N-1)\n";
    for (std::size_t rank = 0; rank < sent.size(); ++rank) {
        out << "  " << left("bytes sent by rank " + std::to_string(rank), name_width) << right(sent[rank], number_width)
            << right(cost.bytes_sent_per_rank, number_width) << "   2 S (N-1)/N\n";
    }
    out << '\n';
}

}  // namespace

void demonstrate_all_reduce(std::ostream& out) {
    const Matrix buffers = start_buffers();
    const AllReduce reduced = ring_all_reduce(buffers);
    const std::string ranks = number_text(static_cast<double>(buffers.shape(0)));
    const std::string elements = number_text(static_cast<double>(buffers.shape(1)));
    const double bytes = static_cast<double>(buffers.shape(1)) * reduced.ledger.element_bytes();

    write_heading(out, "1. All-reduce: every rank gets the sum of all ranks' tensors");
    Lines lines = panel("start", buffers, {});
    for (const std::string& line : lines) {
        out << "  " << line << '\n';
    }
    out << '\n';
    write_paragraph(out, ranks + " ranks stand in a ring, each with a tensor of " + elements + " elements, cut into " +
                             ranks +
                             " chunks. In every step each rank sends one chunk to the next rank, the last to "
                             "the first. In step s of the reduce-scatter rank r sends chunk r - s, and the receiver "
                             "adds it: in the end each rank has the whole sum of one chunk. In the all-gather these "
                             "finished chunks go round once more and are copied.");
    write_steps(out, reduced.schedule);
    write_paragraph(out, "In " + number_text(reduced.buffers(0, 0)) +
                             " each rank has left its digit once. No rank ever sent its whole tensor to anyone, and "
                             "all links were busy in every step. With N = " +
                             ranks + " ranks and tensors of S = " + number_text(bytes) + " bytes:");
    write_costs(out, reduced, bytes);
    write_paragraph(out, "The bytes hardly depend on N, the steps do: large rings are slow for small tensors.");
}

}  // namespace shardlab::cli
