#include "names.hpp"

#include <string>

#include <shardlab/errors.hpp>

namespace shardlab::collective {

std::size_t place_of(const char* parameter, std::string_view name, std::span<const char* const> names) {
    std::string rule = "be ";
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (name == names[index]) {
            return index;
        }
        rule += (index == 0 ? "" : index + 1 == names.size() ? " or " : ", ") + std::string(names[index]);
    }
    throw invalid_argument(parameter, std::string(name), rule);
}

}  // namespace shardlab::collective
