#include <string>

#include <shardlab/data_parallel.hpp>
#include <shardlab/errors.hpp>

#include "sections.hpp"
#include "text.hpp"

namespace shardlab::cli {

void demonstrate_data_parallel(std::ostream& out) {
    const Matrix gradients = {{4}, {8}, {12}, {16}};
    const GradientAverage averaged = data_parallel_gradient_average(gradients);
    const std::string ranks = number_text(static_cast<double>(gradients.shape(0)));

    write_heading(out, "2. Data parallel: every rank has the whole model and a part of the batch");
    write_paragraph(out, "Each rank has computed a gradient from its own samples: " + listed(elements(gradients)) +
                             ". An all-reduce adds them, and each rank divides by " + ranks + ".");
    constexpr std::size_t name_width = 34;
    constexpr std::size_t number_width = 6;
    out << "  " << left("average, the same on every rank", name_width) << right(averaged.average(0), number_width)
        << '\n'
        << "  " << left("mean computed in one place", name_width) << right(averaged.serial_mean(0), number_width)
        << '\n'
        << "  " << left("difference", name_width) << right(averaged.max_abs_difference, number_width) << "\n\n";
    write_paragraph(out,
                    "So the step is the one that a single device would take on the whole batch, as long as all "
                    "ranks have equally many samples.");
}

}  // namespace shardlab::cli
