#pragma once

// What the fuzzer `arguments` calls: for each subject of the core one function, which takes one of the subject's public
// functions, gives it arguments made of bytes and holds its result to what the header promises.

#include "../fuzz.hpp"

namespace fuzz {

void activations(Arguments& arguments);
void array(Arguments& arguments);
void bubble(Arguments& arguments);
void collective(Arguments& arguments);
void collective_cost(Arguments& arguments);
void collective_runs(Arguments& arguments);
void crossover(Arguments& arguments);
void data_parallel(Arguments& arguments);
void data_parallel_train(Arguments& arguments);
void errors(Arguments& arguments);
void footprint(Arguments& arguments);
void gradient_buckets(Arguments& arguments);
void hardware(Arguments& arguments);
void lab(Arguments& arguments);
void measure(Arguments& arguments);
void nccl_tuning(Arguments& arguments);
void pipeline(Arguments& arguments);
void pipeline_lists(Arguments& arguments);
void tensor_parallel(Arguments& arguments);
void transformer(Arguments& arguments);
void zero(Arguments& arguments);

}  // namespace fuzz
