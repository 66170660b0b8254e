// Any text as the file of `pipeline --import`, JSON above all: a complete schedule, or an error in one line.

#include "../../bindings/cli/src/pipeline/import.hpp"

#include <string>

#include <shardlab/pipeline.hpp>

#include "../../bindings/cli/src/numbers.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const shardlab::ReadSchedule read = shardlab::cli::schedule_in_text(text, std::nullopt);
        shardlab::require_complete(read.schedule);
    } catch (const shardlab::invalid_argument& error) {
        fuzz::require_explained(error, {"schedule", "notation"});
        fuzz::require_printable_line(shardlab::cli::shown(error.value()));
        fuzz::require_printable_line(shardlab::cli::shown(error.rule()));
    }
    return 0;
}
