// A project of somebody else: the library's arrays, a routine and an error.
#include <iostream>

#include <shardlab/bubble.hpp>
#include <shardlab/collective.hpp>
#include <shardlab/errors.hpp>

int main() {
    const auto summed = shardlab::ring_all_reduce(shardlab::Matrix{{1.0, 2.0, 3.0}, {10.0, 20.0, 30.0}});
    const double bubble = shardlab::pipeline_bubble_fraction(8, 4);
    try {
        shardlab::pipeline_bubble_fraction(0, 4);
    } catch (const shardlab::invalid_argument& error) {
        std::cout << error.what() << '\n';
        return summed.buffers(1, 2) == 33.0 && bubble == 7.0 / 11.0 ? 0 : 1;
    }
    return 1;
}
