#include "benchmark.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "median.hpp"
#include "reference.hpp"
#include "run.hpp"
#include "values.hpp"

namespace shardlab::mpi {
namespace {

/// MPI counts in an `int`, so a large tensor takes several calls.
template <typename T>
void mpi_all_reduce(std::span<T> buffer) {
    constexpr std::size_t largest_call = std::size_t{1} << 30U;
    do {
        const std::span<T> part = buffer.first(std::min(buffer.size(), largest_call));
        MPI_Allreduce(MPI_IN_PLACE, part.data(), static_cast<int>(part.size()), datatype<T>(), MPI_SUM, MPI_COMM_WORLD);
        buffer = buffer.subspan(part.size());
    } while (!buffer.empty());
}

/// Seconds from when all ranks are ready until this one is through.
template <typename Work>
double seconds_of(Work&& work) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    work();
    return MPI_Wtime() - start;
}

/// Of each iteration the slowest rank, and of these the median.
double median_of_slowest(std::vector<double> seconds) {
    MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return median(std::move(seconds));
}

/// The two, on one rank's tensors.
template <typename T>
class Contest {
public:
    Contest(const CollectiveSchedule& schedule, const Group& group)
        : schedule_(schedule),
          group_(group),
          runner_(schedule, MPI_COMM_WORLD),
          input_(schedule.elements()),
          ours_(schedule.elements()),
          mpi_(schedule.elements()) {}

    void fill_with(Values values) {
        values_ = values;
        fill(values, group_.rank(), 0, std::span<T>(input_));
    }

    double run_ours() {
        ours_ = input_;
        return seconds_of([&] { runner_.run(ours_); });
    }

    double run_mpi() {
        mpi_ = input_;
        return seconds_of([&] { mpi_all_reduce<T>(mpi_); });
    }

    std::uint64_t ours_off() const { return elements_off<T>(schedule_, values_, ours_, group_); }
    std::uint64_t mpi_off() const { return elements_off<T>(schedule_, values_, mpi_, group_); }

private:
    const CollectiveSchedule& schedule_;
    const Group& group_;
    Runner<T> runner_;
    Values values_ = Values::whole;
    std::vector<T> input_;
    std::vector<T> ours_;
    std::vector<T> mpi_;
};

template <typename T>
void measure_as(Contest<T> contest, const Request& request, Row& row) {
    contest.fill_with(Values::whole);
    contest.run_ours();
    contest.run_mpi();
    row.ours.wrong = contest.ours_off();
    row.mpi.wrong = contest.mpi_off();

    contest.fill_with(Values::spread);
    std::vector<double> ours;
    std::vector<double> mpi;
    for (int iteration = -request.warmup; iteration < request.iterations; ++iteration) {
        const double our_seconds = contest.run_ours();
        const double mpi_seconds = contest.run_mpi();
        if (iteration >= 0) {
            ours.push_back(our_seconds);
            mpi.push_back(mpi_seconds);
        }
    }
    // What the last iteration left.
    row.ours.wrong += contest.ours_off();
    row.other_bits = contest.mpi_off();
    row.ours.seconds = median_of_slowest(std::move(ours));
    row.mpi.seconds = median_of_slowest(std::move(mpi));
}

}  // namespace

Row measure(Algorithm algorithm, std::uint64_t elements, const Request& request, const Group& group) {
    const auto count = static_cast<double>(elements);
    const CollectiveSchedule schedule = all_reduce_schedule(algorithm, group.ranks(), count, request.shape);
    Row row{.algorithm = algorithm, .elements = elements, .bytes = count * width(request.dtype)};
    request.dtype == Dtype::float32 ? measure_as(Contest<float>(schedule, group), request, row)
                                    : measure_as(Contest<double>(schedule, group), request, row);
    return row;
}

}  // namespace shardlab::mpi
