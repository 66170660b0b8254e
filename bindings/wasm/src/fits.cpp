#include "fits.hpp"

#include <algorithm>
#include <iterator>

namespace shardlab::wasm {
namespace {

val plain_regimes(const std::vector<Regime>& regimes) {
    val list = val::array();
    for (const Regime& regime : regimes) {
        val object = val::object();
        object.set("fromBytes", regime.from_bytes);
        object.set("toBytes", regime.to_bytes);
        object.set("latencySeconds", regime.latency_seconds);
        object.set("bytesPerSecond", or_null(regime.bytes_per_second));
        object.set("points", regime.points);
        list.call<void>("push", object);
    }
    return list;
}

val plain_error(const FitError& error) {
    val object = val::object();
    object.set("mean", error.mean);
    object.set("median", error.median);
    object.set("p90", error.p90);
    return object;
}

template <typename Field>
val column(const std::vector<FittedPoint>& points, Field field) {
    std::vector<double> values;
    std::transform(points.begin(), points.end(), std::back_inserter(values), field);
    return copied(values);
}

val plain_points(const std::vector<FittedPoint>& points, bool left_out) {
    val object = val::object();
    object.set("bytes", column(points, [](const FittedPoint& point) { return point.bytes; }));
    object.set("measuredSeconds", column(points, [](const FittedPoint& point) { return point.measured_seconds; }));
    object.set("fittedSeconds", column(points, [](const FittedPoint& point) { return point.fitted_seconds; }));
    object.set("relativeError", column(points, [](const FittedPoint& point) { return point.relative_error; }));
    object.set("leftOutRelativeError",
               left_out
                   ? column(points, [](const FittedPoint& point) { return point.left_out_relative_error.value_or(0); })
                   : val::null());
    return object;
}

}  // namespace

void set_fit(val& result, const Fit& fit) {
    result.set("regimes", plain_regimes(fit.regimes));
    result.set("points", plain_points(fit.points, fit.left_out.has_value()));
    result.set("relativeError", plain_error(fit.error));
    result.set("leftOutRelativeError", fit.left_out ? plain_error(*fit.left_out) : val::null());
}

val plain_held_out(const std::vector<Measurement>& measurements, std::size_t sizes) {
    if (sizes < static_cast<std::size_t>(fewest_halved_sizes)) {
        return val::null();
    }
    const HeldOut held_out = predict_held_out(measurements, 1);
    val object = val::object();
    object.set("regimes", plain_regimes(held_out.regimes));
    object.set("points", plain_points(held_out.points, false));
    object.set("relativeError", plain_error(held_out.error));
    return object;
}

}  // namespace shardlab::wasm
