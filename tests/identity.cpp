#include "identity.hpp"

#include "source_hash.hpp"

namespace identity {

std::string sources() {
    return SHARDLAB_SOURCE_HASH;
}

std::string compiler() {
    std::string name;
#if defined(__EMSCRIPTEN__)
    name = "Emscripten " + std::to_string(__EMSCRIPTEN_major__) + "." + std::to_string(__EMSCRIPTEN_minor__) + "." +
           std::to_string(__EMSCRIPTEN_tiny__) + ", ";
#endif
#if defined(__clang__)
    return name + "Clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return name + "GCC " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
           std::to_string(__GNUC_PATCHLEVEL__);
#else
    return name + "another compiler";
#endif
}

std::string hex(std::uint64_t hash) {
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4) {
        *digit = "0123456789abcdef"[hash & 0xF];
    }
    return digits;
}

}  // namespace identity
