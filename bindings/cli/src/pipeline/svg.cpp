#include "svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <shardlab/errors.hpp>

namespace shardlab::cli {
namespace {

constexpr std::size_t kinds = 4;
constexpr std::array<const char*, kinds> words{"forward", "backward", "input gradient", "weight gradient"};
constexpr std::array<const char*, kinds> colours{"#9ecbff", "#7fd18b", "#f2cf66", "#d7a6f0"};

constexpr double margin = 16;
constexpr double label_width = 88;
constexpr double chart_width = 1200;
constexpr double head_height = 64;
constexpr double foot_height = 40;
constexpr double narrowest_cell = 2;  // in pixels; narrower ones are put together
constexpr std::size_t most_cells = 20000;
constexpr std::size_t most_rows = 128;
constexpr std::size_t slices = 240;  // of the time, where cells are put together

using Shares = std::array<double, kinds>;

/// To a hundredth of a pixel.
std::string pixels(double value) {
    constexpr double precision = 100;
    return number_text(std::round(value * precision) / precision);
}

class Chart {
public:
    Chart(const Simulated& simulated, const std::string& title)
        : simulated_(simulated), title_(title), scale_(chart_width / simulated.timeline.makespan) {
        const std::size_t devices = simulated.schedule.operations.size();
        every_ = (devices + most_rows - 1) / most_rows;
        rows_ = (devices + every_ - 1) / every_;
        constexpr double tall = 28;
        constexpr double all_rows = 1024;
        constexpr double gaps = 1.2;
        row_height_ = std::min(tall, all_rows / static_cast<double>(rows_));
        cell_height_ = row_height_ / gaps;
        one_by_one_ = is_roomy();
    }

    std::string drawn() {
        open();
        for (std::size_t row = 0; row < rows_; ++row) {
            draw_row(row);
        }
        draw_axis();
        return text_ + "</svg>\n";
    }

private:
    bool is_roomy() const {
        std::size_t cells = 0;
        for (std::size_t row = 0; row < rows_; ++row) {
            cells += simulated_.schedule.operations[row * every_].size();
        }
        if (cells > most_cells) {
            return false;
        }
        for (std::size_t row = 0; row < rows_; ++row) {
            const std::vector<Span>& spans = simulated_.timeline.spans[row * every_];
            const bool narrow = std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
                return (span.end - span.start) * scale_ < narrowest_cell;
            });
            if (narrow) {
                return false;
            }
        }
        return true;
    }

    double x(double time) const { return margin + label_width + time * scale_; }
    double y(std::size_t row) const { return head_height + static_cast<double>(row) * row_height_; }
    double bottom() const { return head_height + static_cast<double>(rows_) * row_height_; }

    void open() {
        const std::string width = pixels(2 * margin + label_width + chart_width);
        const std::string height = pixels(bottom() + foot_height);
        text_ = R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" + width + R"(" height=")" + height +
                R"(" viewBox="0 0 )" + width + " " + height +
                "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" + title_ +
                "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        constexpr double title_line = 22;
        write_text(margin, title_line, "",
                   title_ + (every_ > 1 ? "; shown is one of every " + std::to_string(every_) + " devices" : ""));
        draw_legend();
    }

    void draw_legend() {
        constexpr double top = 34;
        constexpr double box = 12;
        constexpr double step = 130;
        double left = margin + label_width;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            if (has(static_cast<OperationKind>(kind))) {
                draw_box(left, top, box, box, kind);
                write_text(left + box + 4, top + box - 2, "", words.at(kind));
                left += step;
            }
        }
    }

    bool has(OperationKind kind) const {
        const auto& lists = simulated_.schedule.operations;
        return std::any_of(lists.begin(), lists.end(), [&](const std::vector<Operation>& list) {
            return std::any_of(list.begin(), list.end(), [&](const Operation& one) { return one.kind == kind; });
        });
    }

    void draw_box(double left, double top, double width, double height, std::size_t kind) {
        text_ += R"(<rect x=")" + pixels(left) + R"(" y=")" + pixels(top) + R"(" width=")" + pixels(width) +
                 R"(" height=")" + pixels(height) + R"(" fill=")" + colours.at(kind) + "\"/>\n";
    }

    void write_text(double left, double base, const std::string& attributes, const std::string& words_shown) {
        text_ += R"(<text x=")" + pixels(left) + R"(" y=")" + pixels(base) + "\"" + attributes + ">" + words_shown +
                 "</text>\n";
    }

    void draw_row(std::size_t row) {
        constexpr double of_base = 0.75;
        constexpr double legible = 8;
        const std::size_t device = row * every_;
        // Labels of neighbouring rows must not meet.
        const auto label_every = static_cast<std::size_t>(std::ceil(2 * legible / row_height_));
        if (row % label_every == 0) {
            write_text(margin, y(row) + std::max(cell_height_ * of_base, legible), "",
                       "device " + std::to_string(device));
        }
        if (one_by_one_) {
            draw_cells(row, device);
        } else {
            draw_shares(row, device);
        }
    }

    void draw_cells(std::size_t row, std::size_t device) {
        const std::vector<Operation>& operations = simulated_.schedule.operations[device];
        bool is_second = false;
        for (std::size_t position = 0; position < operations.size(); ++position) {
            const bool in_pair = is_second || operations[position].overlaps_next;
            const double height = in_pair ? cell_height_ / 2 : cell_height_;
            draw_cell(operations[position], simulated_.timeline.spans[device][position],
                      y(row) + (is_second ? height : 0), height);
            is_second = operations[position].overlaps_next;
        }
    }

    void draw_cell(const Operation& operation, const Span& span, double top, double height) {
        constexpr double gap = 0.5;
        constexpr double digit_width = 7;
        constexpr double text_height = 11;
        const double width = (span.end - span.start) * scale_;
        draw_box(x(span.start), top, width - gap, height - gap, static_cast<std::size_t>(operation.kind));
        const std::string number = std::to_string(operation.micro_batch);
        if (static_cast<double>(number.size()) * digit_width < width && text_height < height) {
            write_text(x(span.start) + width / 2, top + height / 2 + 4, R"( text-anchor="middle")", number);
        }
    }

    /// The share of each kind in each slice of time.
    std::vector<Shares> shares(std::size_t device) const {
        std::vector<Shares> result(slices, Shares{});
        const double slice = simulated_.timeline.makespan / static_cast<double>(slices);
        const std::vector<Operation>& operations = simulated_.schedule.operations[device];
        for (std::size_t position = 0; position < operations.size(); ++position) {
            const bool in_pair =
                operations[position].overlaps_next || (position > 0 && operations[position - 1].overlaps_next);
            const double start = simulated_.timeline.spans[device][position].start / slice;
            const double end = simulated_.timeline.spans[device][position].end / slice;
            for (auto index = static_cast<std::size_t>(start); index < slices; ++index) {
                const double left = std::max(start, static_cast<double>(index));
                const double right = std::min(end, static_cast<double>(index + 1));
                if (right <= left) {
                    break;
                }
                result[index].at(static_cast<std::size_t>(operations[position].kind)) +=
                    (right - left) / (in_pair ? 2 : 1);
            }
        }
        return result;
    }

    /// In every slice the kinds stand on each other, as high as their share of the time.
    void draw_shares(std::size_t row, std::size_t device) {
        const std::vector<Shares> of_slices = shares(device);
        std::array<std::string, kinds> paths;
        std::size_t first = 0;
        for (std::size_t next = 1; next <= slices; ++next) {
            if (next == slices || of_slices[next] != of_slices[first]) {
                add_stack(paths, of_slices[first], first, next, y(row) + cell_height_);
                first = next;
            }
        }
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            if (!paths.at(kind).empty()) {
                text_ += R"(<path fill=")" + std::string(colours.at(kind)) + R"(" d=")" + paths.at(kind) + "\"/>\n";
            }
        }
    }

    void add_stack(std::array<std::string, kinds>& paths, const Shares& share, std::size_t first, std::size_t end,
                   double base) const {
        constexpr double width = chart_width / slices;
        double bottom_of_kind = base;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const double height = share.at(kind) * cell_height_;
            if (height > 0) {
                paths.at(kind) += "M" + pixels(margin + label_width + static_cast<double>(first) * width) + " " +
                                  pixels(bottom_of_kind) + "v" + pixels(-height) + "h" +
                                  pixels(static_cast<double>(end - first) * width) + "v" + pixels(height) + "z";
            }
            bottom_of_kind -= height;
        }
    }

    /// 1, 2 or 5 times a power of ten, so that there are at most ten of them.
    double tick_distance() const {
        constexpr double ticks = 10;
        constexpr double ten = 10;
        const double least = simulated_.timeline.makespan / ticks;
        const double power = std::pow(ten, std::floor(std::log10(least)));
        for (const double step : {1.0, 2.0, 5.0}) {
            if (step * power >= least) {
                return step * power;
            }
        }
        return ten * power;
    }

    void draw_axis() {
        constexpr double tick = 5;
        constexpr double below = 18;
        const double top = bottom();
        const double distance = tick_distance();
        for (int index = 0; index * distance <= simulated_.timeline.makespan; ++index) {
            const double left = x(index * distance);
            text_ += R"(<path d="M)" + pixels(left) + " " + pixels(top) + "v" + pixels(tick) +
                     R"(" stroke="#444444"/>)" + "\n";
            write_text(left, top + below, R"( text-anchor="middle")", rounded(index * distance));
        }
        write_text(margin, top + below, "", "time");
        text_ += R"(<path d="M)" + pixels(x(0)) + " " + pixels(top) + "h" + pixels(chart_width) +
                 R"(" stroke="#444444"/>)" + "\n";
    }

    /// Without what multiplying a distance adds behind its digits.
    static std::string rounded(double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.4g", value);
        return number_text(std::strtod(text, nullptr));
    }

    const Simulated& simulated_;
    const std::string& title_;
    double scale_;  // pixels in a unit of time
    std::size_t every_ = 1;
    std::size_t rows_ = 1;
    double row_height_ = 0;
    double cell_height_ = 0;
    bool one_by_one_ = true;
    std::string text_;
};

}  // namespace

std::string gantt_svg(const Simulated& simulated, const std::string& title) {
    return Chart(simulated, title).drawn();
}

}  // namespace shardlab::cli
