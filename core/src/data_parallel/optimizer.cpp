#include <cmath>

#include <shardlab/data_parallel/optimizer.hpp>
#include <shardlab/errors.hpp>

#include "../collective/names.hpp"
#include "../refuse.hpp"

namespace shardlab {
namespace {

// In the order of the enumeration.
constexpr const char* optimizer_names[] = {"sgd", "adam"};

constexpr double first_decay = 0.9;
constexpr double second_decay = 0.999;
constexpr double epsilon = 1e-8;

void require_elements(const char* parameter, std::span<const double> values, std::size_t elements) {
    constexpr double largest = 1e150;  // whose square is finite
    if (values.size() != elements) {
        refuse(parameter, "# elements", "have as many elements as the optimizer, which is #",
               {static_cast<double>(values.size()), static_cast<double>(elements)});
    }
    for (const double value : values) {
        require_between(parameter, value, -largest, largest);
    }
}

}  // namespace

const char* name(OptimizerKind kind) {
    return collective::name_of(kind, optimizer_names);
}

OptimizerKind optimizer_from_name(std::string_view name) {
    return collective::from_name<OptimizerKind>("optimizer", name, optimizer_names);
}

Optimizer::Optimizer(const OptimizerOptions& options, std::size_t elements) : options_(options), elements_(elements) {
    constexpr double largest_rate = 1000;
    require_between("learning_rate", options.learning_rate, 0, largest_rate);
    require_between("momentum", options.momentum, 0, 1);
    optimizer_from_name(name(options.kind));
    const bool is_adam = options.kind == OptimizerKind::adam;
    first_moment_.resize(is_adam || options.momentum > 0 ? elements : 0);
    second_moment_.resize(is_adam ? elements : 0);
}

void Optimizer::step(std::span<double> parameters, std::span<const double> gradients) {
    require_elements("parameters", parameters, elements_);
    require_elements("gradients", gradients, elements_);
    options_.kind == OptimizerKind::adam ? step_adam(parameters, gradients) : step_sgd(parameters, gradients);
}

void Optimizer::step_sgd(std::span<double> parameters, std::span<const double> gradients) {
    for (std::size_t i = 0; i < elements_; ++i) {
        double velocity = gradients[i];
        if (!first_moment_.empty()) {
            velocity += options_.momentum * first_moment_[i];
            first_moment_[i] = velocity;
        }
        parameters[i] -= options_.learning_rate * velocity;
    }
}

void Optimizer::step_adam(std::span<double> parameters, std::span<const double> gradients) {
    first_power_ *= first_decay;
    second_power_ *= second_decay;
    for (std::size_t i = 0; i < elements_; ++i) {
        const double gradient = gradients[i];
        first_moment_[i] = first_decay * first_moment_[i] + (1 - first_decay) * gradient;
        second_moment_[i] = second_decay * second_moment_[i] + (1 - second_decay) * gradient * gradient;
        const double mean = first_moment_[i] / (1 - first_power_);
        const double square = second_moment_[i] / (1 - second_power_);
        parameters[i] -= options_.learning_rate * mean / (std::sqrt(square) + epsilon);
    }
}

}  // namespace shardlab
