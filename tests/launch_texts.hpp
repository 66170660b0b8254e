#pragma once

/// @file
/// The texts of launches, read as their frameworks do.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "launch_cases.hpp"

namespace shardlab {

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Arguments as a shell reads them: all lines but comments go on in the next, but for the last.
inline Values read_arguments(const std::string& text) {
    Values values;
    bool open = true;
    for (const std::string& whole : lines_of(text)) {
        if (whole.front() == '#') {
            continue;
        }
        CHECK(open);
        open = whole.back() == '\\';
        const std::string line = open ? whole.substr(0, whole.rfind(' ')) : whole;
        const std::size_t blank = line.find(' ');
        std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
        if (!value.empty() && value.front() == '\'') {
            CHECK(value.back() == '\'');
            value = value.substr(1, value.size() - 2);
        } else {
            CHECK(value.find_first_of(" |*()[],'\"") == std::string::npos);
        }
        CHECK(values.emplace(line.substr(0, blank), value).second);
    }
    CHECK_FALSE(open);
    return values;
}

/// A TOML file of tables, each of which stands once, and of values on one line.
inline Values read_toml(const std::string& text) {
    Values values;
    std::vector<std::string> tables;
    for (const std::string& line : lines_of(text)) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        if (line.front() == '[') {
            REQUIRE(line.back() == ']');
            const std::string table = line.substr(1, line.size() - 2);
            CHECK(std::find(tables.begin(), tables.end(), table) == tables.end());
            tables.push_back(table);
            continue;
        }
        const std::size_t equals = line.find(" = ");
        REQUIRE(equals != std::string::npos);
        REQUIRE_FALSE(tables.empty());
        CHECK(values.emplace(tables.back() + "." + line.substr(0, equals), line.substr(equals + 3)).second);
    }
    return values;
}

}  // namespace shardlab
