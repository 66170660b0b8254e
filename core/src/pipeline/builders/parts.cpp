#include "parts.hpp"

#include <cstddef>
#include <utility>

#include <shardlab/errors.hpp>

#include "../../refuse.hpp"

namespace shardlab::pipeline {

void require_size(int stages, int micro_batches, int chunks, int each) {
    require_int("stages", stages, 1, most_stages);
    require_int("chunks", chunks, 1, most_stages);
    require_int("micro_batches", micro_batches, 1);
    if (static_cast<double>(each) * stages * micro_batches * chunks > most_operations) {
        refuse("micro_batches", "#",
               "give at most # operations, which are # x stages x chunks x micro_batches; stages is #, chunks is #",
               {static_cast<double>(micro_batches), most_operations, static_cast<double>(each),
                static_cast<double>(stages), static_cast<double>(chunks)});
    }
}

PipelineSchedule empty_schedule(int stages, int micro_batches, std::vector<int> placement) {
    PipelineSchedule schedule;
    schedule.stages = stages;
    schedule.micro_batches = micro_batches;
    schedule.placement = std::move(placement);
    schedule.operations.resize(static_cast<std::size_t>(stages));
    return schedule;
}

std::vector<int> looped(int stages, int chunks) {
    std::vector<int> placement;
    placement.reserve(static_cast<std::size_t>(stages) * static_cast<std::size_t>(chunks));
    for (int chunk = 0; chunk < chunks; ++chunk) {
        for (int device = 0; device < stages; ++device) {
            placement.push_back(device);
        }
    }
    return placement;
}

std::vector<int> down_and_up(int stages) {
    std::vector<int> placement = looped(stages, 1);
    placement.insert(placement.end(), placement.rbegin(), placement.rend());
    return placement;
}

}  // namespace shardlab::pipeline
