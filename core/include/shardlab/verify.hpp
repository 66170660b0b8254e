#pragma once

/// @file
/// Published tables, recomputed cell by cell.
///
/// A table is carried as its source prints it, and beside every number stands what this library computes in its place.
/// No printed number enters the computation of its own cell. Tables and recomputation are the library
/// shardlab::published, so that whoever does not verify carries neither.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace shardlab {

/// Where a table was published.
struct PublishedSource {
    std::string_view title;    ///< authors and title, or the repository
    std::string_view address;  ///< its page on the web
    std::string_view place;    ///< table, section or file
};

/// A column of a table.
struct PublishedColumn {
    std::string name;       ///< as the source heads it
    std::string_view unit;  ///< of its numbers: `GB`, `%`; empty where they are counts, and for words
};

/// How some cells of a table are recomputed, and what they may differ by.
struct Derivation {
    std::string_view formula;          ///< what is computed, and by which part of this library
    std::string_view assumption = {};  ///< what has to be assumed that the table does not say; empty where nothing
    std::string_view tolerance;        ///< why a number may differ by its cell's tolerance
    std::string_view known_difference = {};  ///< why the source has other numbers; empty where the cells must agree

    bool operator==(const Derivation&) const = default;
};

/// A number; or words where the source prints an operation.
using PublishedValue = std::variant<double, std::string>;

/// How a cell compares.
enum class Verdict {
    agrees,            ///< within the tolerance; words are the same
    known_difference,  ///< differs, for the reason that its derivation names
    differs,           ///< differs, and must not
};

/// `agrees`, `known-difference` or `differs`.
const char* name(Verdict verdict);

/// Compares two values, by numbers if both are numbers: they agree where they differ by the tolerance or less. Where a
/// number is printed as halfway between two, rounding of the difference does not decide.
/// @param derivation tells whether a difference is known
Verdict compared(const PublishedValue& expected, const PublishedValue& got, double tolerance,
                 const Derivation& derivation);

/// One cell.
struct VerifiedCell {
    std::string id;                     ///< of the cell in its table: `64-ranks.p-os-g`. Stays the same for ever
    std::size_t row = 0;                ///< index into the table's rows
    std::size_t column = 0;             ///< index into its columns
    PublishedValue expected;            ///< as printed, in the column's unit
    std::string printed;                ///< the same to the letter: `29.0`
    PublishedValue got;                 ///< as computed, in the same
    double tolerance = 0;               ///< largest difference that the print explains; 0 where the numbers are exact
    std::size_t derivation = 0;         ///< index into the table's derivations
    Verdict verdict = Verdict::agrees;  ///< how the two compare

    /// got - expected; nothing where they are words.
    std::optional<double> difference() const;
    /// The same over |expected|; nothing where that is 0.
    std::optional<double> relative_difference() const;
};

/// How many cells compare how.
struct VerifiedCounts {
    std::size_t cells = 0;                   ///< all of them
    std::size_t agree = 0;                   ///< with or without an assumption
    std::size_t agree_under_assumption = 0;  ///< of these, those whose derivation has one
    std::size_t known_differences = 0;       ///< with the reason in the derivation
    std::size_t differ = 0;                  ///< and must not

    VerifiedCounts& operator+=(const VerifiedCounts& other);  ///< adds those of another table
};

/// A table, recomputed.
struct VerifiedTable {
    std::string id;                 ///< `zero_table1`
    std::string_view title;         ///< what it tells
    PublishedSource source;         ///< where it stands
    std::string_view row_header;    ///< what its rows are
    std::vector<std::string> rows;  ///< their names
    std::vector<PublishedColumn>
        columns;                          ///< those whose numbers are computed; what is given stands in the rows' names
    std::vector<Derivation> derivations;  ///< of its cells
    std::vector<VerifiedCell> cells;      ///< by rows; a row need not have a cell in every column

    /// Of its cells.
    VerifiedCounts counts() const;
};

/// The tables that are carried, by their ids, in the order in which they are shown.
const std::vector<std::string_view>& published_tables();

/// A table's text as it is carried: comma-separated, with a header. The last column is the
/// source, of that row and of those below it whose own is empty; a schedule has neither.
/// @throws invalid_argument naming table
std::string_view published_csv(std::string_view table);

/// Recomputes a table.
/// @throws invalid_argument naming table
VerifiedTable verify(std::string_view table);

}  // namespace shardlab
