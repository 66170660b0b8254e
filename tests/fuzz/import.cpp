// Any text as the file of `pipeline --import`, JSON above all: a complete schedule, or an error in one line.

#include "../../bindings/cli/src/pipeline/import.hpp"

#include <string>

#include <shardlab/pipeline.hpp>

#include "../../bindings/cli/src/numbers.hpp"
#include "fuzz.hpp"

namespace {

/// The line may hold letters of any script, as the file does.
void require_line(const std::string& text) {
    for (const char character : shardlab::cli::shown(text)) {
        const auto byte = static_cast<unsigned char>(character);
        fuzz::require(byte >= 0x20 && byte != 0x7f, "a refusal is one line");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const shardlab::ReadSchedule read = shardlab::cli::schedule_in_text(text, std::nullopt);
        shardlab::require_complete(read.schedule);
    } catch (const shardlab::invalid_argument& error) {
        fuzz::require_explained(error, {"schedule", "notation"});
        require_line(error.value());
        require_line(error.rule());
    }
    return 0;
}
