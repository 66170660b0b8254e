// Ends a run of the lab with one line a function: how many of its cases pass.

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace {

#if __has_include(<catch2/catch_all.hpp>)
using Listener = Catch::EventListenerBase;
const std::string& name_of(const Catch::TestCaseStats& stats) {
    return stats.testInfo->name;
}
#else
using Listener = Catch::TestEventListenerBase;
const std::string& name_of(const Catch::TestCaseStats& stats) {
    return stats.testInfo.name;
}
#endif

struct Function {
    std::string name;
    int passed = 0;
    int cases = 0;
};

/// Cases are named `lab FUNCTION: what holds`.
std::string function_of(const std::string& name) {
    constexpr std::size_t start = 4;
    return name.substr(start, name.find(':') - start);
}

class Progress : public Listener {
public:
    using Listener::Listener;

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        Function& function = of(function_of(name_of(stats)));
        function.cases += 1;
        function.passed += stats.totals.assertions.allPassed() ? 1 : 0;
    }

    void testRunEnded(const Catch::TestRunStats&) override {
        std::size_t width = 0;
        for (const Function& function : functions_) {
            width = std::max(width, function.name.size());
        }
        for (const auto& [name, passed, cases] : functions_) {
            std::cout << name << std::string(width + 2 - name.size(), ' ') << passed << " of " << cases
                      << (passed == cases ? " pass\n" : " pass, not yet all\n");
        }
        std::cout << std::flush;
    }

private:
    Function& of(const std::string& name) {
        const auto known = std::find_if(functions_.begin(), functions_.end(),
                                        [&](const Function& function) { return function.name == name; });
        return known != functions_.end() ? *known : functions_.emplace_back(Function{.name = name});
    }

    std::vector<Function> functions_;
};

CATCH_REGISTER_LISTENER(Progress)

}  // namespace
