// Prints, as JSON, what the native build was made from and the bits that it computes. The page's Tests view compares
// its own with them.

#include <iostream>

#include <nlohmann/json.hpp>

#include "exact_bits.hpp"
#include "identity.hpp"

int main() {
    nlohmann::ordered_json bits = nlohmann::ordered_json::array();
    for (const exact_bits::Result& result : exact_bits::results()) {
        bits.push_back({{"name", result.name}, {"hash", identity::hex(result.hash())}});
    }
    const nlohmann::ordered_json report = {
        {"sources", identity::sources()}, {"compiler", identity::compiler()}, {"bits", bits}};
    std::cout << report.dump(2) << '\n';
}
