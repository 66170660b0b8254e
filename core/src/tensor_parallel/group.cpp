#include "group.hpp"

#include <algorithm>
#include <utility>

#include <shardlab/collective/ledger.hpp>
#include <shardlab/errors.hpp>
#include <shardlab/matmul.hpp>

namespace shardlab::tensor_parallel {
namespace {

/// A row a rank, to be reduced or gathered in place.
Matrix buffers_of(const PerRank& parts) {
    Matrix buffers = zeros("ranks", static_cast<double>(parts.size()), static_cast<double>(parts.front().size()));
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        std::copy(parts[rank].begin(), parts[rank].end(), row(buffers, rank).begin());
    }
    return buffers;
}

Matrix matrix_of(std::span<const double> elements, std::size_t rows, std::size_t columns) {
    Matrix matrix(Matrix::shape_type{rows, columns});
    std::copy(elements.begin(), elements.end(), matrix.begin());
    return matrix;
}

/// A call whose ledger is there.
CollectiveCall booked_call(Kind kind, Pass pass, const std::string& tensor, double elements, const Ledger& booked) {
    return {.kind = kind,
            .pass = pass,
            .tensor = tensor,
            .ranks = booked.ranks(),
            .bytes = elements * booked.element_bytes(),
            .bytes_sent_per_rank = booked.busiest_rank_bytes()};
}

}  // namespace

CollectiveCall ring_call(Kind kind, Pass pass, const std::string& tensor, int ranks, double elements,
                         double element_bytes) {
    return booked_call(kind, pass, tensor, elements, ledger(collective_schedule(kind, ranks, elements), element_bytes));
}

void Group::run(Kind kind, Matrix& buffers, Pass pass, const std::string& tensor, Reduction reduction) {
    const auto elements = static_cast<double>(buffers.shape(1));
    const Ledger booked = execute(collective_schedule(kind, ranks_, elements), buffers, std::nullopt, reduction);
    calls_.push_back(booked_call(kind, pass, tensor, elements, booked));
}

PerRank Group::all_reduce(PerRank parts, Pass pass, const std::string& tensor, Reduction reduction) {
    if (ranks_ == 1) {
        return parts;
    }
    Matrix buffers = buffers_of(parts);
    run(Kind::all_reduce, buffers, pass, tensor, reduction);
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const std::span<const double> reduced = row(std::as_const(buffers), rank);
        std::copy(reduced.begin(), reduced.end(), parts[rank].begin());
    }
    return parts;
}

PerRank Group::reduce_scatter(const PerRank& parts, Pass pass, const std::string& tensor) {
    if (ranks_ == 1) {
        return parts;
    }
    Matrix buffers = buffers_of(parts);
    run(Kind::reduce_scatter, buffers, pass, tensor, Reduction::sum);
    const std::size_t columns = parts.front().shape(1);
    const std::size_t rows = parts.front().shape(0) / parts.size();
    PerRank shards;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const std::span<const double> summed = row(std::as_const(buffers), rank);
        shards.push_back(matrix_of(summed.subspan(rank * rows * columns, rows * columns), rows, columns));
    }
    return shards;
}

PerRank Group::all_gather(const PerRank& parts, Pass pass, const std::string& tensor) {
    if (ranks_ == 1) {
        return parts;
    }
    const std::size_t part = parts.front().size();
    Matrix buffers = zeros("ranks", static_cast<double>(parts.size()), static_cast<double>(parts.size() * part));
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        std::copy(parts[rank].begin(), parts[rank].end(), row(buffers, rank).subspan(rank * part).begin());
    }
    run(Kind::all_gather, buffers, pass, tensor, Reduction::sum);
    const std::size_t rows = parts.front().shape(0) * parts.size();
    PerRank whole;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        whole.push_back(matrix_of(row(std::as_const(buffers), rank), rows, parts.front().shape(1)));
    }
    return whole;
}

}  // namespace shardlab::tensor_parallel
