#include "words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace shardlab::measure {
namespace {

/// Small letters and digits only, so that `_allgather_base`, `all_gather` and `AllGather` are one word.
std::string bare(std::string_view name) {
    std::string letters;
    for (const char character : name) {
        if (character >= 'A' && character <= 'Z') {
            letters += static_cast<char>(character - 'A' + 'a');
        } else if ((character >= 'a' && character <= 'z') || (character >= '0' && character <= '9')) {
            letters += character;
        }
    }
    return letters;
}

struct KindWord {
    std::string_view name;
    CommunicationKind kind;
};

/// A word goes before those that it contains.
constexpr std::array<KindWord, 9> kind_words = {{
    {"reducescatter", CommunicationKind::reduce_scatter},
    {"allreduce", CommunicationKind::all_reduce},
    {"allgather", CommunicationKind::all_gather},
    {"alltoall", CommunicationKind::all_to_all},
    {"broadcast", CommunicationKind::broadcast},
    {"barrier", CommunicationKind::barrier},
    {"send", CommunicationKind::send_receive},
    {"recv", CommunicationKind::send_receive},
    {"reduce", CommunicationKind::reduce},
}};

struct TypeWord {
    std::string_view name;
    double bytes;
};

constexpr std::array<TypeWord, 20> type_words = {{
    {"float", 4},        {"double", 8},       {"half", 2},           {"bfloat16", 2}, {"float8e5m2", 1},
    {"float8e4m3fn", 1}, {"complexfloat", 8}, {"complexdouble", 16}, {"bool", 1},     {"byte", 1},
    {"char", 1},         {"unsignedchar", 1}, {"signedchar", 1},     {"short", 2},    {"shortint", 2},
    {"int", 4},          {"unsignedint", 4},  {"long", 8},           {"longint", 8},  {"unsignedlong", 8},
}};

}  // namespace

CommunicationKind kind_in(std::string_view name) {
    const std::string letters = bare(name);
    const auto* const known = std::find_if(kind_words.begin(), kind_words.end(), [&](const KindWord& word) {
        return letters.find(word.name) != std::string::npos;
    });
    return known == kind_words.end() ? CommunicationKind::other : known->kind;
}

bool is_communication_kernel(std::string_view name) {
    constexpr std::array<std::string_view, 4> libraries = {"nccl", "NCCL", "rccl", "oneccl"};
    // The name begins with it, also behind a return type, a namespace or the length of a mangled name: an argument of
    // another kernel may have the word too.
    const auto begins = [&](std::size_t at) {
        return at == 0 || name[at - 1] == ' ' || name[at - 1] == ':' || (name[at - 1] >= '0' && name[at - 1] <= '9');
    };
    return std::any_of(libraries.begin(), libraries.end(), [&](std::string_view library) {
        const std::size_t at = name.find(library);
        return at != std::string_view::npos && begins(at);
    });
}

std::optional<double> element_bytes(std::string_view type) {
    constexpr std::string_view of_c10 = "c10";
    const std::string letters = bare(type);
    const std::string_view word = std::string_view(letters).substr(letters.starts_with(of_c10) ? of_c10.size() : 0);
    const auto* const known =
        std::find_if(type_words.begin(), type_words.end(), [&](const TypeWord& one) { return one.name == word; });
    return known == type_words.end() ? std::nullopt : std::optional(known->bytes);
}

}  // namespace shardlab::measure
