// Cases on a page: a list of them, and a reporter that hands every one to JavaScript as it ends. The module's main is
// Catch2's own, called with `--reporter page`.

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <chrono>
#include <string>

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "catch.hpp"

using emscripten::val;

namespace {

// What Catch2 2 and 3 call differently.
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
using CaseReporter = Catch::StreamingReporterBase;
using Handled = void;

const Catch::TestCaseInfo& info_of(const Catch::TestCaseHandle& test) {
    return test.getTestCaseInfo();
}
#else
class Reporter;
using CaseReporter = Catch::StreamingReporterBase<Reporter>;
using Handled = bool;

const Catch::TestCaseInfo& info_of(const Catch::TestCase& test) {
    return test;
}
#endif

/// More failed assertions of one case are counted only.
constexpr int failures_shown = 50;

/// The function that receives the events.
val& listener() {
    static val function = val::undefined();
    return function;
}

/// A path from the project's folder on, wherever that was when the tests were compiled.
std::string relative(const char* file) {
    const std::string path = file;
    const auto tests = path.rfind("/tests/");
    return tests == std::string::npos ? path : path.substr(tests + 1);
}

val messages_of(const Catch::AssertionStats& stats) {
    val messages = val::array();
    int count = 0;
    for (const Catch::MessageInfo& info : stats.infoMessages) messages.set(count++, std::string(info.message));
    return messages;
}

val failure_of(const Catch::AssertionStats& stats) {
    const Catch::AssertionResult& result = stats.assertionResult;
    val failure = val::object();
    failure.set("expression", result.hasExpression() ? std::string(result.getExpressionInMacro())
                                                     : std::string(Catch::StringRef(result.getTestMacroName())));
    failure.set("expanded", result.hasExpandedExpression() ? std::string(result.getExpandedExpression()) : "");
    failure.set("messages", messages_of(stats));
    failure.set("file", relative(result.getSourceInfo().file));
    failure.set("line", static_cast<double>(result.getSourceInfo().line));
    return failure;
}

class Reporter : public CaseReporter {
public:
    using CaseReporter::CaseReporter;

    static std::string getDescription() { return "hands each case to the page"; }

    void testCaseStarting(const Catch::TestCaseInfo& test) override {
        CaseReporter::testCaseStarting(test);
        name_ = test.name;
        failures_ = val::array();
        failure_count_ = 0;
        started_ = std::chrono::steady_clock::now();
        val event = val::object();
        event.set("kind", "start");
        event.set("name", name_);
        listener()(event);
    }

    void assertionStarting(const Catch::AssertionInfo&) override {}

    Handled assertionEnded(const Catch::AssertionStats& stats) override {
        if (!stats.assertionResult.isOk() && failure_count_ < failures_shown) {
            const val failure = failure_of(stats);
            failures_.set(failure_count_++, failure);
            val event = val::object();
            event.set("kind", "failure");
            event.set("failure", failure);
            listener()(event);
        }
        return Handled(true);
    }

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started_;
        val result = val::object();
        result.set("name", name_);
        result.set("ok", stats.totals.testCases.failed == 0);
        result.set("passed", static_cast<double>(stats.totals.assertions.passed));
        result.set("failed", static_cast<double>(stats.totals.assertions.failed));
        result.set("seconds", taken.count());
        result.set("failures", failures_);
        val event = val::object();
        event.set("kind", "end");
        event.set("result", result);
        listener()(event);
        CaseReporter::testCaseEnded(stats);
    }

private:
    std::string name_;
    val failures_ = val::array();
    int failure_count_ = 0;
    std::chrono::steady_clock::time_point started_;
};

/// All cases that run when none is named.
val cases() {
    val list = val::array();
    int count = 0;
    for (const auto& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
        const Catch::TestCaseInfo& info = info_of(test);
        if (info.isHidden()) continue;
        val entry = val::object();
        entry.set("name", std::string(info.name));
        entry.set("tags", info.tagsAsString());
        entry.set("file", relative(info.lineInfo.file));
        entry.set("line", static_cast<double>(info.lineInfo.line));
        list.set(count++, entry);
    }
    return list;
}

void listen(val function) {
    listener() = function;
}

}  // namespace

CATCH_REGISTER_REPORTER("page", Reporter)

EMSCRIPTEN_BINDINGS(shardlab_reporter) {
    emscripten::function("cases", &cases);
    emscripten::function("listen", &listen);
}
