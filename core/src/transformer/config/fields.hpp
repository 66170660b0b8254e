#pragma once

// A reader of configurations, whose errors name what stands in the file.

#include <set>
#include <string>
#include <vector>

#include <shardlab/errors.hpp>
#include <shardlab/transformer/config.hpp>

namespace shardlab::transformer {

/// The fields of a configuration, or of an object in it. It remembers what was asked for.
class Fields {
public:
    /// @param asked where the names of what is asked for are put
    Fields(const ModelConfig& config, std::set<std::string>& asked) : config_(config), asked_(asked) {}

    /// The fields of an object in this one, which need not be there.
    Fields inside(const std::string& object) const;

    bool has(const std::string& field) const { return find(field) != nullptr; }

    /// Counts a field as asked for that the family writes and does not read.
    void pass_over(const std::string& field) const { find(field); }

    /// A size of at least 1, which must be there.
    int size(const std::string& field, int most = 2147483647) const;

    /// A size of at least 1, or the default where there is none; without a default of at least 1 it must be there.
    int size_or(const std::string& field, int otherwise) const;

    /// A whole number of at least 0.
    int count_or(const std::string& field, int otherwise) const;

    /// Whether a probability of dropout is more than 0; it may be as much as 1, as PyTorch's may.
    bool drops(const std::string& field, double otherwise) const;

    bool flag_or(const std::string& field, bool otherwise) const;

    /// Whether a field is there and is an object.
    bool is_object(const std::string& field) const;

    std::string word(const std::string& field) const;

    /// Layers, from 0; ascending, each once; none where the field is not there.
    std::vector<int> layer_list(const std::string& field, int layers) const;

    /// Refuses a field's value unless it divides another's.
    void require_divides(const std::string& field, int value, const std::string& of, int whole) const;

    /// An error about a field.
    invalid_argument refusal(const std::string& field, std::string value, std::string rule) const;

private:
    using Value = ModelConfig::mapped_type;

    Fields(const Fields& whole, const std::string& object)
        : config_(whole.config_), asked_(whole.asked_), prefix_(whole.prefix_ + object + ".") {}

    const Value* find(const std::string& field) const;
    const Value& must_find(const std::string& field) const;
    double number(const std::string& field, const char* rule) const;
    int whole(const std::string& field, int least, int most) const;

    const ModelConfig& config_;
    std::set<std::string>& asked_;
    std::string prefix_;
};

}  // namespace shardlab::transformer
