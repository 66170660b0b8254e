#include <array>
#include <cstdio>
#include <string>

#include <shardlab/measure/fit.hpp>
#include <shardlab/version.hpp>

#include "report.hpp"

namespace shardlab::mpi {
namespace {

template <typename... Parts>
std::string formatted(const char* format, Parts... parts) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, parts...);
    return text.data();
}

/// Four digits of a time at least, so that the bandwidth beside it can be had from it.
std::string microseconds(double seconds) {
    const double time = seconds * 1e6;
    return formatted("%.*f", time < 1 ? 4 : time < 100 ? 2 : time < 10000 ? 1 : 0, time);
}

std::string gigabytes(double bytes_per_second) {
    return formatted("%.2f", bytes_per_second / 1e9);
}

std::string cells(const Row& row, const Measured& measured, double bus_factor) {
    const double bandwidth = algorithm_bandwidth(row, measured);
    return formatted("%9s %7s %7s %7s", microseconds(measured.seconds).c_str(), gigabytes(bandwidth).c_str(),
                     gigabytes(bandwidth * bus_factor).c_str(), std::to_string(measured.wrong).c_str());
}

void print_fit(std::ostream& out, const char* who, const std::vector<Measurement>& measurements) {
    out << "# fit of " << who;
    // A table has each size once.
    if (measurements.size() < static_cast<std::size_t>(fewest_points_of_regime)) {
        out << ": none, of fewer than " << fewest_points_of_regime << " sizes\n";
        return;
    }
    const Fit fit = fit_regimes(measurements);
    out << formatted(": off by %.1f %% in the median\n", fit.error.median * 100);
    for (const Regime& regime : fit.regimes) {
        const std::string bandwidth =
            regime.bytes_per_second ? gigabytes(*regime.bytes_per_second) + " GB/s" : "does not grow with the size";
        out << formatted("#   %.0f to %.0f B: latency %s us, %s\n", regime.from_bytes, regime.to_bytes,
                         microseconds(regime.latency_seconds).c_str(), bandwidth.c_str());
    }
}

}  // namespace

Table::Table(const Setting& setting, std::ostream& out) : setting_(setting), out_(out) {
    const Request& request = setting.request;
    out_ << "# shardlab-mpi " SHARDLAB_VERSION ", " << setting.library << '\n';
    for (int rank = 0; rank < setting.ranks(); ++rank) {
        out_ << formatted("#  Rank %2d on ", rank) << setting.hosts[static_cast<std::size_t>(rank)] << '\n';
    }
    out_ << "# Of " << request.iterations << " iterations, after " << request.warmup
         << " to warm up, the median of the slowest rank's microseconds\n";
    out_ << "# #wrong: elements that are not the exact sum of whole numbers; on the left, those with other bits than "
            "the\n"
            "# core's own execution too\n";
}

void Table::begin(Algorithm algorithm) {
    const std::string title = std::string("shardlab ") + name(algorithm);
    out_ << "#\n#" << formatted("%50s%-35sMPI_Allreduce\n", "", title.c_str());
    for (const auto& [size, count, type, redop, time, rates, wrong, ratio] :
         {std::array{"size", "count", "type", "redop", "time", "algbw   busbw", "#wrong", "time"},
          std::array{"(B)", "(elements)", "", "", "(us)", "(GB/s)  (GB/s)", "", "ratio"}}) {
        const std::string half = formatted("%9s %15s %7s", time, rates, wrong);
        out_ << formatted("# %12s %13s %7s %7s  %s  %s %7s\n", size, count, type, redop, half.c_str(), half.c_str(),
                          ratio);
    }
    out_.flush();
}

void Table::add(const Row& row) {
    const std::optional<double> ratio = time_ratio(row);
    out_ << formatted("  %12.0f %13.0f %7s %7s  ", row.bytes, static_cast<double>(row.elements),
                      nccl_name(setting_.request.dtype), "sum")
         << cells(row, row.ours, setting_.bus_factor) << "  " << cells(row, row.mpi, setting_.bus_factor)
         << formatted(" %7s\n", ratio ? formatted("%.2f", *ratio).c_str() : "-");
    out_.flush();
}

void Table::end(const std::vector<Row>& rows) {
    const char* const ours = name(rows.front().algorithm);
    if (const std::optional<double> ratio = median_time_ratio(rows)) {
        out_ << "# " << ours << formatted(" takes %.2f times as long as MPI_Allreduce in the median\n", *ratio);
    }
    print_fit(out_, ours, measurements_of(rows, &Row::ours));
    print_fit(out_, "MPI_Allreduce", measurements_of(rows, &Row::mpi));
    out_.flush();
}

}  // namespace shardlab::mpi
