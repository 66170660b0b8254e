// Any arguments for every public function of the core: nothing but invalid_argument comes out, and results are finite
// and keep their promises.

#include <array>

#include "functions.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::array subjects = {fuzz::activations,
                                     fuzz::array,
                                     fuzz::bubble,
                                     fuzz::collective,
                                     fuzz::collective_cost,
                                     fuzz::data_parallel,
                                     fuzz::errors,
                                     fuzz::hardware,
                                     fuzz::lab,
                                     fuzz::pipeline,
                                     fuzz::pipeline_lists,
                                     fuzz::tensor_parallel,
                                     fuzz::transformer,
                                     fuzz::zero,
                                     fuzz::crossover,
                                     fuzz::measure,
                                     fuzz::nccl_tuning,
                                     fuzz::collective_runs,
                                     fuzz::data_parallel_train,
                                     fuzz::gradient_buckets,
                                     fuzz::footprint};
    if (size == 0) {
        return 0;
    }
    fuzz::Arguments arguments(data + 1, size - 1);
    subjects[data[0] % subjects.size()](arguments);
    return 0;
}
