#include "calls.hpp"

#include <string>

namespace shardlab::wasm {

val plain_call(const CollectiveCall& call) {
    val object = val::object();
    object.set("kind", val(name(call.kind)));
    object.set("phase", val(name(call.pass)));
    object.set("tensor", val(call.tensor));
    object.set("ranks", call.ranks);
    object.set("bytes", call.bytes);
    object.set("bytesSentPerRank", call.bytes_sent_per_rank);
    return object;
}

void set_calls(val& result, const std::vector<CollectiveCall>& calls) {
    val list = val::array();
    for (const CollectiveCall& call : calls) {
        list.call<void>("push", plain_call(call));
    }
    result.set("collectives", list);
}

void set_errors(val& result, const ArrayError& output, const std::vector<ArrayError>& gradients) {
    val list = val::array();
    for (const ArrayError& error : gradients) {
        val object = val::object();
        object.set("name", val(error.name));
        object.set("maxAbsError", error.max_abs);
        object.set("maxRelError", error.max_rel);
        list.call<void>("push", object);
    }
    result.set("maxAbsError", output.max_abs);
    result.set("maxRelError", output.max_rel);
    result.set("gradients", list);
}

std::optional<Mistake> optional_mistake(const val& options) {
    const std::optional<std::string> forget = optional_text(options, "forget");
    return forget ? std::optional(mistake_from_name(*forget)) : std::nullopt;
}

}  // namespace shardlab::wasm
