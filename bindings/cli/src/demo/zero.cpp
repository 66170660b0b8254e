#include <array>
#include <string>

#include <shardlab/errors.hpp>
#include <shardlab/zero.hpp>

#include "sections.hpp"
#include "text.hpp"

namespace shardlab::cli {
namespace {

constexpr double params = 7.5e9;
constexpr int ranks = 64;
constexpr double card_bytes = 80e9;
constexpr double giga = 1e9;

/// What a stage shards, and its total as the paper writes it.
struct Rung {
    const char* sharded;
    const char* formula;
};

constexpr std::array ladder = {Rung{"nothing", "16 N"}, Rung{"optimizer", "(4 + 12/R) N"},
                               Rung{"+ gradients", "(2 + 14/R) N"}, Rung{"+ parameters", "16 N/R"}};

std::string gigabytes(double bytes) {
    return number_text(bytes / giga);
}

bool fits(const ZeroMemory& memory) {
    return memory.total_bytes <= card_bytes;
}

void write_row(std::ostream& out, const std::array<std::string, 7>& cells) {
    constexpr std::array<std::size_t, 5> number_widths = {12, 12, 12, 12, 15};
    out << "  " << left(cells[0], 17);
    for (std::size_t index = 0; index < number_widths.size(); ++index) {
        out << right(cells[index + 1], number_widths[index]);
    }
    out << "  " << cells[6] << '\n';
}

void write_ladder(std::ostream& out) {
    write_row(out, {"stage shards", "parameters", "gradients", "optimizer", "total", "formula",
                    gigabytes(card_bytes) + " GB card"});
    for (int stage = 0; stage < static_cast<int>(ladder.size()); ++stage) {
        const ZeroMemory memory = zero_memory_per_gpu(params, ranks, stage);
        const Rung& rung = ladder[static_cast<std::size_t>(stage)];
        write_row(out, {std::to_string(stage) + "     " + rung.sharded, gigabytes(memory.parameter_bytes),
                        gigabytes(memory.gradient_bytes), gigabytes(memory.optimizer_bytes),
                        gigabytes(memory.total_bytes), rung.formula, fits(memory) ? "fits" : "does not fit"});
    }
    out << '\n';
}

/// The lowest stage whose states fit the card, in a sentence.
std::string first_that_fits() {
    const std::string card = "a card of " + gigabytes(card_bytes) + " GB";
    for (int stage = 0; stage < static_cast<int>(ladder.size()); ++stage) {
        const ZeroMemory memory = zero_memory_per_gpu(params, ranks, stage);
        if (fits(memory)) {
            return "The first stage that fits " + card + " is " + std::to_string(stage) + ", with " +
                   gigabytes(card_bytes - memory.total_bytes) + " GB to spare.";
        }
    }
    return "No stage fits " + card + ".";
}

}  // namespace

void demonstrate_zero(std::ostream& out) {
    const ZeroMemory whole = zero_memory_per_gpu(params, ranks, 0);
    const auto per_parameter = [](double bytes) { return number_text(bytes / params); };

    write_heading(out, "5. ZeRO: the training states sharded over the data-parallel ranks");
    write_paragraph(
        out, "Mixed-precision Adam keeps " + per_parameter(whole.total_bytes) +
                 " bytes for each parameter: " + per_parameter(whole.parameter_bytes) + " of weights, " +
                 per_parameter(whole.gradient_bytes) + " of gradients and " + per_parameter(whole.optimizer_bytes) +
                 " of optimizer states. N = " + number_text(params / giga) +
                 " billion parameters on R = " + std::to_string(ranks) + " ranks, in GB (10^9 bytes) on each:");
    write_ladder(out);
    write_paragraph(out, first_that_fits() +
                             " Activations, buffers and the layer that stage 3 has gathered come on top: what is to "
                             "spare is for them.");
}

}  // namespace shardlab::cli
