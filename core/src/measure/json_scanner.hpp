#pragma once

// JSON read piece by piece, and told to whoever wants it.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace shardlab::measure {

/// What a byte is to JSON.
enum class ByteClass : std::uint8_t {
    other,
    blank,
    quote,
    open_object,
    open_array,
    close_object,
    close_array,
    comma,
    colon
};

inline constexpr std::array<ByteClass, 256> byte_classes = [] {
    std::array<ByteClass, 256> classes{};
    classes[' '] = classes['\t'] = classes['\n'] = classes['\r'] = ByteClass::blank;
    // The mark that some editors put before the first line; outside of text nothing else has these bytes.
    classes[0xEF] = classes[0xBB] = classes[0xBF] = ByteClass::blank;
    classes['"'] = ByteClass::quote;
    classes['{'] = ByteClass::open_object;
    classes['['] = ByteClass::open_array;
    classes['}'] = ByteClass::close_object;
    classes[']'] = ByteClass::close_array;
    classes[','] = ByteClass::comma;
    classes[':'] = ByteClass::colon;
    return classes;
}();

inline ByteClass class_of(char byte) {
    return byte_classes[static_cast<unsigned char>(byte)];
}

/// Longest text that is kept whole; of a longer one the rest is passed over.
inline constexpr std::size_t longest_text = 4096;

/// Reads JSON piece by piece, in memory that does not depend on its size or depth, and calls a listener with what it
/// finds:
///
///     bool begin_object();  bool begin_array();     whether to look inside; else it is passed over
///     void end_object();    void end_array();       of those that were looked into
///     void key(std::string_view);                   between its quotes, escapes as they stand
///     void text(std::string_view);                  likewise
///     void scalar(std::string_view);                a number, a word such as true or NaN: whatever has no quotes
///
/// Forgives what profilers are known to write: raw control characters in text, a comma before the end of a list or an
/// object, words that JSON does not have.
template <typename Listener>
class JsonScanner {
public:
    explicit JsonScanner(Listener& listener) : listener_(listener) {}

    /// Reads the next piece.
    /// @return false once the text has broken JSON's rules; then nothing more is read
    bool feed(std::string_view piece) {
        const char* at = piece.data();
        const char* const end = at + piece.size();
        while (at != end && !broken_) {
            at = continue_in(at, end);
        }
        consumed_ += static_cast<std::uint64_t>(at - piece.data());
        return !broken_;
    }

    /// The text is at its end: a number may be, too.
    void finish() {
        if (inside_ == Inside::scalar && !broken_) {
            tell_scalar();
        }
    }

    /// Whether the outermost value is complete.
    bool complete() const { return expected_ == Expected::nothing && !broken_; }

    /// Bytes read, up to where the rules were broken.
    std::uint64_t consumed() const { return consumed_; }

private:
    enum class Inside : std::uint8_t { nothing, text, scalar, passed_over, text_passed_over };
    enum class Expected : std::uint8_t { value, value_or_end, key_or_end, colon, comma_or_end, nothing };

    static constexpr std::uint64_t deepest_inside = 64;

    const char* continue_in(const char* at, const char* end) {
        switch (inside_) {
            case Inside::text:
                return read_text(at, end);
            case Inside::scalar:
                return read_scalar(at, end);
            case Inside::passed_over:
                return pass_over(at, end);
            case Inside::text_passed_over:
                return pass_over_text(at, end);
            case Inside::nothing:
                break;
        }
        return read_between(at, end);
    }

    const char* read_between(const char* at, const char* end) {
        while (at != end) {
            const ByteClass found = class_of(*at);
            if (found == ByteClass::blank) {
                ++at;
                continue;
            }
            if (!takes(found)) {
                broken_ = true;
                return at;
            }
            return begin(found, at);
        }
        return at;
    }

    /// Whether what begins with such a byte may stand here.
    bool takes(ByteClass found) const {
        switch (found) {
            case ByteClass::quote:
                return takes_value() || expected_ == Expected::key_or_end;
            case ByteClass::open_object:
            case ByteClass::open_array:
            case ByteClass::other:
                return takes_value();
            case ByteClass::colon:
                return expected_ == Expected::colon;
            case ByteClass::comma:
                return expected_ == Expected::comma_or_end;
            case ByteClass::close_object:
                return depth_ > 0 && in_object() &&
                       (expected_ == Expected::comma_or_end || expected_ == Expected::key_or_end);
            case ByteClass::close_array:
                return depth_ > 0 && !in_object() &&
                       (expected_ == Expected::comma_or_end || expected_ == Expected::value_or_end);
            case ByteClass::blank:
                break;
        }
        return true;
    }

    bool takes_value() const { return expected_ == Expected::value || expected_ == Expected::value_or_end; }

    const char* begin(ByteClass found, const char* at) {
        switch (found) {
            case ByteClass::quote:
                inside_ = Inside::text;
                text_.clear();
                escaped_ = false;
                return at + 1;
            case ByteClass::other:
                inside_ = Inside::scalar;
                text_.clear();
                return at;
            case ByteClass::open_object:
                enter(true);
                break;
            case ByteClass::open_array:
                enter(false);
                break;
            case ByteClass::close_object:
            case ByteClass::close_array:
                leave();
                break;
            case ByteClass::colon:
                expected_ = Expected::value;
                break;
            case ByteClass::comma:
                expected_ = in_object() ? Expected::key_or_end : Expected::value_or_end;
                break;
            case ByteClass::blank:
                break;
        }
        return at + 1;
    }

    bool in_object() const { return (kinds_ & 1U) != 0; }

    void enter(bool object) {
        const bool looks = depth_ < deepest_inside && (object ? listener_.begin_object() : listener_.begin_array());
        if (!looks) {
            inside_ = Inside::passed_over;
            passed_depth_ = 1;
            return;
        }
        ++depth_;
        kinds_ = kinds_ << 1U | (object ? 1U : 0U);
        expected_ = object ? Expected::key_or_end : Expected::value_or_end;
    }

    void leave() {
        const bool object = in_object();
        --depth_;
        kinds_ >>= 1U;
        end_value();
        object ? listener_.end_object() : listener_.end_array();
    }

    void end_value() {
        inside_ = Inside::nothing;
        expected_ = depth_ == 0 ? Expected::nothing : Expected::comma_or_end;
    }

    /// The quote that ends a text, or the end of the piece. Whether the byte after that is escaped is in escaped_.
    const char* end_of_text(const char* at, const char* end) {
        if (escaped_ && at != end) {
            ++at;
            escaped_ = false;
        }
        const char* const begin = at;
        while (at != end) {
            const auto* const quote =
                static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
            const char* const stop = quote == nullptr ? end : quote;
            const char* first = stop;
            while (first != begin && first[-1] == '\\') {
                --first;
            }
            const bool odd = (stop - first) % 2 == 1;
            if (quote == nullptr) {
                escaped_ = odd;
                return end;
            }
            if (!odd) {
                return quote;
            }
            at = quote + 1;
        }
        return end;
    }

    const char* read_text(const char* at, const char* end) {
        const char* const quote = end_of_text(at, end);
        const std::string_view read(at, static_cast<std::size_t>(quote - at));
        if (quote == end) {
            keep(read);
            return end;
        }
        if (text_.empty()) {
            tell_text(read.substr(0, longest_text));
        } else {
            keep(read);
            tell_text(text_);
        }
        return quote + 1;
    }

    void keep(std::string_view more) { text_.append(more.substr(0, longest_text - text_.size())); }

    void tell_text(std::string_view text) {
        if (expected_ == Expected::key_or_end) {
            inside_ = Inside::nothing;
            expected_ = Expected::colon;
            listener_.key(text);
        } else {
            end_value();
            listener_.text(text);
        }
    }

    const char* read_scalar(const char* at, const char* end) {
        const char* stop = at;
        while (stop != end && class_of(*stop) == ByteClass::other) {
            ++stop;
        }
        const std::string_view read(at, static_cast<std::size_t>(stop - at));
        if (stop == end || !text_.empty()) {
            keep(read);
        }
        if (stop == end) {
            return end;
        }
        end_value();
        listener_.scalar(text_.empty() ? read.substr(0, longest_text) : std::string_view(text_));
        return stop;
    }

    void tell_scalar() {
        end_value();
        listener_.scalar(text_);
    }

    const char* pass_over(const char* at, const char* end) {
        for (; at != end; ++at) {
            const ByteClass found = class_of(*at);
            if (found == ByteClass::quote) {
                inside_ = Inside::text_passed_over;
                escaped_ = false;
                return at + 1;
            }
            if (found == ByteClass::open_object || found == ByteClass::open_array) {
                ++passed_depth_;
            } else if (found == ByteClass::close_object || found == ByteClass::close_array) {
                if (--passed_depth_ == 0) {
                    end_value();
                    return at + 1;
                }
            }
        }
        return at;
    }

    const char* pass_over_text(const char* at, const char* end) {
        const char* const quote = end_of_text(at, end);
        if (quote == end) {
            return end;
        }
        inside_ = Inside::passed_over;
        return quote + 1;
    }

    Listener& listener_;
    std::string text_;         // of a text or a scalar that began in an earlier piece
    std::uint64_t kinds_ = 0;  // a bit for each level, 1 for an object, the innermost last
    std::uint64_t depth_ = 0;
    std::uint64_t passed_depth_ = 0;
    std::uint64_t consumed_ = 0;
    Inside inside_ = Inside::nothing;
    Expected expected_ = Expected::value;
    bool escaped_ = false;
    bool broken_ = false;
};

}  // namespace shardlab::measure
