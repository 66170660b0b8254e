#pragma once

// Buffers of a group of ranks, and what a collective must make of them, element by element in one place.

#include <algorithm>
#include <span>

#include <shardlab/collective.hpp>

#include "random.hpp"

/// Rank r holds 10^r in each of its elements.
inline shardlab::Matrix powers_of_ten(int ranks, int elements) {
    shardlab::Matrix buffers = shardlab::zeros("buffers", ranks, elements);
    double power = 1;
    for (std::size_t rank = 0; rank < buffers.shape(0); ++rank) {
        for (double& element : shardlab::row(buffers, rank)) {
            element = power;
        }
        power *= 10;
    }
    return buffers;
}

/// Two values that meet.
template <typename T>
T met(shardlab::Reduction reduction, T a, T b) {
    switch (reduction) {
        case shardlab::Reduction::max:
            return std::max(a, b);
        case shardlab::Reduction::min:
            return std::min(a, b);
        default:
            return a + b;
    }
}

/// All rows reduced, in every row.
template <typename T>
shardlab::MatrixOf<T> reduced(const shardlab::MatrixOf<T>& buffers, shardlab::Reduction reduction) {
    shardlab::MatrixOf<T> result(buffers.shape());
    for (std::size_t j = 0; j < buffers.shape(1); ++j) {
        T value = buffers(0, j);
        for (std::size_t i = 1; i < buffers.shape(0); ++i) {
            value = met(reduction, value, buffers(i, j));
        }
        if (reduction == shardlab::Reduction::average) {
            value /= static_cast<T>(buffers.shape(0));
        }
        for (std::size_t i = 0; i < buffers.shape(0); ++i) {
            result(i, j) = value;
        }
    }
    return result;
}

/// A group for an algorithm: its ranks fill nodes where it needs them to.
struct Group {
    int ranks = 1;
    shardlab::ScheduleOptions options;
};

/// Any group of up to about `most` ranks, with a few slices and nodes.
inline Group some_group(Random& random, shardlab::Algorithm algorithm, int most) {
    Group group{.ranks = random.whole(1, most), .options = {}};
    group.options.slices = random.whole(1, 9);
    group.options.per_node = random.whole(1, 8);
    if (algorithm == shardlab::Algorithm::hierarchical) {
        group.ranks = group.options.per_node * random.whole(1, std::max(1, most / group.options.per_node));
    }
    return group;
}

/// The schedule of a group's all-reduce.
inline shardlab::CollectiveSchedule schedule_of(shardlab::Algorithm algorithm, const Group& group, double elements) {
    return shardlab::all_reduce_schedule(algorithm, group.ranks, elements, group.options);
}
