#pragma once

/// @file
/// The options of one subcommand.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <shardlab/errors.hpp>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace shardlab::cli {

/// Options that are declared before the command line is parsed and read after it.
///
/// They are named as the core names its parameters, in snake_case (`micro_batches`); the command line spells them with
/// dashes (`--micro-batches`). Every value arrives as text and is read here.
class Options {
public:
    /// Declares options on a subcommand of the parser, which must outlive them.
    explicit Options(CLI::App& subcommand);

    /// An option without a default.
    /// @param placeholder what stands for the value in the help text: N, BYTES, FILE
    void add(const std::string& parameter, const std::string& placeholder, const std::string& meaning);

    /// An option that may be left out.
    void add_with_default(const std::string& parameter, const std::string& placeholder, const std::string& standard,
                          const std::string& meaning);

    /// An option of two words, which may be given several times.
    void add_pair(const std::string& parameter, const std::string& placeholder, const std::string& meaning);

    /// A switch that takes no value.
    void add_flag(const std::string& parameter, const std::string& meaning);

    /// Words that stand after the subcommand without an option's name.
    void add_words(const std::string& placeholder, const std::string& meaning);

    /// Refuses what the parser lets pass: arguments that are no option of the subcommand, an option that is given twice
    /// or without its value.
    void check() const;

    /// Whether the command line has the option.
    bool given(const std::string& parameter) const;

    /// The value as text, or the default.
    /// @throws invalid_argument if there is neither; so do the following
    std::string text(const std::string& parameter) const;

    /// The words of an option that add_pair() declared, pair after pair; empty if it is not given.
    std::vector<std::pair<std::string, std::string>> pairs(const std::string& parameter) const;

    /// The words that add_words() declared, in their order.
    std::vector<std::string> words() const;

    /// The value as a number; NaN, which every check of the core refuses, if the text spells none.
    double number(const std::string& parameter) const;

    /// The value as a count (bytes, elements); NaN if the text spells no number or only rounds to the one that it
    /// gives.
    double count(const std::string& parameter) const;

    /// The value as numbers with commas between them, each as number() reads it.
    std::vector<double> numbers(const std::string& parameter) const;

    /// The value as counts with commas between them, each as count() reads it.
    std::vector<double> counts(const std::string& parameter) const;

    /// The value as a small whole number, by the core's require_int().
    int whole(const std::string& parameter, int least, int most = 2147483647) const;

    /// One sentence: the option with its dashes if the parameter is one of this subcommand, the value as it was typed,
    /// and the rule.
    std::string sentence(const invalid_argument& error) const;

private:
    void check_values(const std::string& parameter) const;
    bool is_flag(const std::string& parameter) const;
    bool is_pair(const std::string& parameter) const;
    std::string names() const;
    std::string as_typed(const invalid_argument& error) const;

    CLI::App* subcommand_;
    CLI::Option* words_ = nullptr;
    std::vector<std::string> order_;
    std::map<std::string, CLI::Option*> options_;
    std::map<std::string, std::string> defaults_;
};

/// `--micro-batches` for `micro_batches`.
std::string dashed(const std::string& parameter);

/// Runs `work` and lets its errors name `parameter`, which is what the user gave in place of the core's own argument.
template <typename Work>
auto blaming(const std::string& parameter, Work&& work) {
    try {
        return work();
    } catch (const invalid_argument& error) {
        throw invalid_argument(parameter, error.value(), error.rule());
    }
}

}  // namespace shardlab::cli
