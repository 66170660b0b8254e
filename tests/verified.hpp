#pragma once

// Cells of published tables, as tests of the subjects that compute them pick them.

#include <cstddef>
#include <string>
#include <string_view>

#include <shardlab/verify.hpp>

#include "catch.hpp"

/// Checks that the cells agree that `picked` takes by row and column, and gives how many they are.
template <typename Picked>
std::size_t agreeing_cells(std::string_view table, Picked picked) {
    const shardlab::VerifiedTable verified = shardlab::verify(table);
    std::size_t cells = 0;
    for (const shardlab::VerifiedCell& cell : verified.cells) {
        if (picked(verified.rows[cell.row], verified.columns[cell.column].name)) {
            CAPTURE(table, cell.id);
            CHECK(cell.verdict == shardlab::Verdict::agrees);
            ++cells;
        }
    }
    return cells;
}

/// The same of all cells.
inline std::size_t agreeing_cells(std::string_view table) {
    return agreeing_cells(table, [](const std::string&, const std::string&) { return true; });
}
