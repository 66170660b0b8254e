#include "request.hpp"

#include <algorithm>
#include <string>

#include <shardlab/errors.hpp>

namespace shardlab::mpi {
namespace {

constexpr double largest_tensor = 17179869184.0;  // 16 GiB, the largest that nccl-tests' own examples take
constexpr int most_iterations = 1000000;
constexpr int largest_factor = 1 << 20;

// In the order of the enumeration.
constexpr const char* dtype_names[] = {"float32", "float64"};
constexpr int widths[] = {4, 8};
constexpr const char* nccl_names[] = {"float", "double"};

Dtype dtype_asked_for(const cli::Options& options) {
    const std::string text = options.text("dtype");
    const auto* const found = std::find(std::begin(dtype_names), std::end(dtype_names), text);
    if (found == std::end(dtype_names)) {
        throw invalid_argument("dtype", text, "be float32 or float64");
    }
    return static_cast<Dtype>(found - std::begin(dtype_names));
}

Algorithm algorithm_named(const std::string& text) {
    try {
        return algorithm_from_name(text);
    } catch (const invalid_argument& error) {
        throw invalid_argument(error.parameter(), error.value(), "be all, or " + error.rule().substr(3));
    }
}

std::vector<Algorithm> algorithms_asked_for(const cli::Options& options) {
    const std::string text = options.text("algorithm");
    if (text == "all") {
        return {std::begin(algorithms), std::end(algorithms)};
    }
    std::vector<Algorithm> list;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const Algorithm algorithm = algorithm_named(text.substr(begin, end - begin));
        if (std::find(list.begin(), list.end(), algorithm) != list.end()) {
            throw invalid_argument("algorithm", name(algorithm), "be named once");
        }
        list.push_back(algorithm);
        begin = end + 1;
    }
    return list;
}

/// Sizes from the smallest on, each `factor` times the one before; after none at all comes one element.
std::vector<std::uint64_t> elements_asked_for(const cli::Options& options, int width) {
    const double least = require_count("min_bytes", options.count("min_bytes"), 0, largest_tensor);
    const double most = require_count("max_bytes", options.count("max_bytes"), 0, largest_tensor);
    const int factor = options.whole("factor", 2, largest_factor);
    if (least > most) {
        throw invalid_argument("min_bytes", number_text(least),
                               "be at most --max-bytes, which is " + number_text(most));
    }
    const double first = least / width;
    if (first != static_cast<double>(static_cast<std::uint64_t>(first))) {
        throw invalid_argument("min_bytes", number_text(least),
                               "be a multiple of the element's " + std::to_string(width) + " bytes");
    }
    std::vector<std::uint64_t> sizes;
    for (double elements = first; elements * width <= most; elements = std::max(elements * factor, 1.0)) {
        sizes.push_back(static_cast<std::uint64_t>(elements));
    }
    return sizes;
}

ScheduleOptions shape_asked_for(const cli::Options& options, const Group& group) {
    return {.slices = options.whole("slices", 1, most_slices),
            .per_node = options.given("per_node") ? options.whole("per_node", 1, most_ranks)
                                                  : std::min(group.ranks_of_first_node(), most_ranks)};
}

/// An option that the builders alone know to be wrong is found here, and not when the first sizes are measured.
void require_schedules(const Request& request, int ranks) {
    for (const Algorithm algorithm : request.algorithms) {
        all_reduce_schedule(algorithm, ranks, 0, request.shape);
    }
}

}  // namespace

int width(Dtype dtype) {
    return widths[static_cast<int>(dtype)];
}

const char* nccl_name(Dtype dtype) {
    return nccl_names[static_cast<int>(dtype)];
}

void declare(cli::Options& options) {
    options.add_with_default("algorithm", "NAME,NAME...", "ring",
                             "ring, naive, tree, double-tree, halving-doubling, hierarchical, or all");
    options.add_with_default("slices", "S", "1", "parts of the tensor that follow each other through a tree");
    options.add("per_node", "G", "ranks in a node, for hierarchical; as many as the first machine has by default");
    options.add_with_default("min_bytes", "BYTES", "1024", "smallest size of each rank's tensor");
    options.add_with_default("max_bytes", "BYTES", "16777216", "largest size of each rank's tensor");
    options.add_with_default("factor", "F", "4", "from size to size");
    options.add_with_default("dtype", "float32|float64", "float32", "numbers that are sent and added");
    options.add_with_default("warmup", "N", "5", "runs of each size that are not counted");
    options.add_with_default("iterations", "N", "20", "runs of each size that are");
    options.add_flag("json", "answer in JSON");
}

Request request_asked_for(const cli::Options& options, const Group& group) {
    const Dtype dtype = dtype_asked_for(options);
    Request request{.algorithms = algorithms_asked_for(options),
                    .shape = shape_asked_for(options, group),
                    .elements = elements_asked_for(options, width(dtype)),
                    .dtype = dtype,
                    .warmup = options.whole("warmup", 0, most_iterations),
                    .iterations = options.whole("iterations", 1, most_iterations),
                    .json = options.given("json")};
    require_schedules(request, group.ranks());
    return request;
}

}  // namespace shardlab::mpi
