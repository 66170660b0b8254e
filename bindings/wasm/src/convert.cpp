#include "convert.hpp"

#include <algorithm>
#include <cctype>
#include <exception>
#include <new>

#include <shardlab/errors.hpp>

namespace shardlab::wasm {
namespace {

/// `microBatches` is `micro_batches` in the core.
std::string snake_case(const std::string& key) {
    std::string words;
    for (const char letter : key) {
        if (std::isupper(static_cast<unsigned char>(letter)) != 0) {
            words += '_';
        }
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return words;
}

/// `new Float64Array(view)` copies the view's elements into memory of its own.
template <typename Element>
val copied_into(const char* constructor, std::span<const Element> values) {
    return val::global(constructor).new_(emscripten::typed_memory_view(values.size(), values.data()));
}

val shaped(double rows, double columns, std::span<const double> data) {
    val object = val::object();
    object.set("rows", rows);
    object.set("columns", columns);
    object.set("data", copied(data));
    return object;
}

ModelConfig::mapped_type config_field(const val& value) {
    if (value.isNumber()) {
        return value.as<double>();
    }
    if (value.isString()) {
        return value.as<std::string>();
    }
    if (value.isNull()) {
        return NestedField{};
    }
    if (value.isArray()) {
        return emscripten::convertJSArrayToNumberVector<double>(value);
    }
    return value.as<bool>();
}

}  // namespace

double number(const val& options, const char* key) {
    return options[key].as<double>();
}

std::optional<double> optional_number(const val& options, const char* key) {
    const val option = options[key];
    return option.isNull() ? std::nullopt : std::optional(option.as<double>());
}

int integer(const val& options, const char* key, int least, int most) {
    return require_int(snake_case(key), number(options, key), least, most);
}

std::optional<int> optional_integer(const val& options, const char* key) {
    return optional_number(options, key) ? std::optional(integer(options, key, 1)) : std::nullopt;
}

bool flag(const val& options, const char* key) {
    return options[key].as<bool>();
}

std::string text(const val& options, const char* key) {
    return options[key].as<std::string>();
}

std::optional<std::string> optional_text(const val& options, const char* key) {
    const val option = options[key];
    return option.isNull() ? std::nullopt : std::optional(option.as<std::string>());
}

Matrix matrix(const val& options, const char* key) {
    const val rows = options[key];
    Matrix result = zeros(snake_case(key), number(rows, "rows"), number(rows, "columns"));
    const val parts = rows["parts"];
    const auto count = parts["length"].as<unsigned>();
    std::size_t filled = 0;
    for (unsigned index = 0; index < count; ++index) {
        const val part = parts[index];
        const auto length = part["length"].as<unsigned>();
        val(emscripten::typed_memory_view(length, result.data() + filled)).call<void>("set", part);
        filled += length;
    }
    return result;
}

std::vector<double> optional_numbers(const val& options, const char* key) {
    if (options[key].isNull()) {
        return {};
    }
    const Matrix list = matrix(options, key);
    return {list.begin(), list.end()};
}

std::optional<ModelConfig> optional_config(const val& options, const char* key) {
    const val fields = options[key];
    if (fields.isNull()) {
        return std::nullopt;
    }
    ModelConfig config;
    for (const std::string& field :
         emscripten::vecFromJSArray<std::string>(val::global("Object").call<val>("keys", fields))) {
        config.insert_or_assign(field, config_field(fields[field]));
    }
    return config;
}

val copied(std::span<const double> values) {
    return copied_into("Float64Array", values);
}

val copied(std::span<const std::int32_t> values) {
    return copied_into("Int32Array", values);
}

val copied(std::span<const std::uint8_t> values) {
    return copied_into("Uint8Array", values);
}

val plain(const Matrix& matrix) {
    return shaped(static_cast<double>(matrix.shape(0)), static_cast<double>(matrix.shape(1)), elements(matrix));
}

val plain(const std::vector<Matrix>& matrices) {
    val list = val::array();
    for (const Matrix& matrix : matrices) {
        list.call<void>("push", plain(matrix));
    }
    return list;
}

val plain_texts(const std::vector<std::string>& texts) {
    return listed(texts, [](const std::string& sentence) { return val(sentence); });
}

val failure(const std::string& parameter, const std::string& value, const std::string& rule) {
    val error = val::object();
    error.set("parameter", parameter);
    error.set("value", value);
    error.set("rule", rule);
    val object = val::object();
    object.set("error", error);
    return object;
}

val guarded(val (*routine)(const val& options), const val& options) {
    try {
        return routine(options);
    } catch (const invalid_argument& error) {
        return failure(error.parameter(), error.value(), error.rule());
    } catch (const std::bad_alloc&) {
        return failure("options", "a request that runs out of memory", "fit into the memory of WebAssembly, 2 GiB");
    } catch (const std::exception& error) {
        return failure("options", error.what(), "ask for something that can be computed");
    } catch (...) {
        return failure("options", "a request that fails without a reason", "ask for something that can be computed");
    }
}

}  // namespace shardlab::wasm
