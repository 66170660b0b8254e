#pragma once

// Holds a call to the error that it must throw: by parameter, value and a part of the rule.

#include <string>

#include <shardlab/errors.hpp>

#include "catch.hpp"

/// What a call was refused for; all empty if it was not refused.
struct Refusal {
    std::string parameter;
    std::string value;
    std::string rule;
};

template <typename Call>
Refusal refusal_of(Call call) {
    try {
        call();
    } catch (const shardlab::invalid_argument& error) {
        return {error.parameter(), error.value(), error.rule()};
    }
    return {};
}

template <typename Call>
void require_refused(const std::string& parameter, const std::string& value, Call call) {
    const Refusal refusal = refusal_of(call);
    CHECK(refusal.parameter == parameter);
    CHECK(refusal.value == value);
    CHECK_FALSE(refusal.rule.empty());
}
