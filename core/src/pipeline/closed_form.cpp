#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <shardlab/pipeline/closed_form.hpp>

namespace shardlab {
namespace {

/// What the formulas are made of.
struct Terms {
    double stages = 0;
    double micro_batches = 0;
    double chunks = 1;
    double group_size = 0;
    double forward = 0;
    double backward = 0;
    double input_gradient = 0;
    double weight_gradient = 0;
    double overlapped = 0;
    double communication = 0;
};

/// A published formula and its condition, beside that of equal parts that all have.
struct Form {
    std::string_view schedule;
    double (*makespan)(const Terms& terms);
    bool (*applies)(const Terms& terms);
    const char* formula;
    const char* condition;
};

double work_of_all(const Terms& t) {
    return t.micro_batches * (t.forward + t.input_gradient + t.weight_gradient);
}

double flushed(const Terms& t) {
    return (t.chunks * t.micro_batches + t.stages - 1) * (t.forward + t.backward);
}

bool instant(const Terms& t) {
    return t.communication == 0 || t.stages == 1;
}

bool short_weight_gradient(const Terms& t) {
    return t.weight_gradient <= std::min(t.forward, t.input_gradient);
}

bool equal_thirds(const Terms& t) {
    return t.forward == t.input_gradient && t.forward == t.weight_gradient;
}

/// DualPipe's table has (P/2-1)(F&B+B-3W) for the largest idle time; the rest is that device's work, which has
/// M - P - 1 overlapped pairs. P and M are those of both directions.
double dual(const Terms& t, double stages, double micro_batches) {
    const double pair = t.forward + t.backward;
    const double idle = (stages / 2 - 1) * (t.overlapped + t.backward - 3 * t.weight_gradient);
    return micro_batches * pair - (micro_batches - stages - 1) * (pair - t.overlapped) + idle;
}

/// Where a pair takes less than a backward alone, its device waits for its neighbours' backwards, which the table does
/// not count.
bool dual_applies(const Terms& t) {
    return instant(t) && t.forward == t.weight_gradient && t.backward == 2 * t.weight_gradient &&
           t.overlapped >= t.backward;
}

constexpr std::array<Form, 9> forms{{
    {"gpipe", [](const Terms& t) { return flushed(t) + 2 * (t.stages - 1) * t.communication; },
     [](const Terms&) { return true; }, "(M+P-1)(F+B) + 2(P-1) communication", "equal stages, no blocking sends"},
    {"1f1b", flushed, instant, "(M+P-1)(F+B)", "equal stages, no communication time"},
    {"interleaved", flushed,
     [](const Terms& t) {
         const double group = std::min(t.group_size, t.micro_batches);
         const double left = t.micro_batches - group * static_cast<int>(t.micro_batches / group);
         return instant(t) && (t.chunks == 1 || (group >= t.stages && (left == 0 || left >= t.stages)));
     },
     "(V M+P-1)(F+B)", "equal stages, no communication time, and at least P micro-batches in every group"},
    {"looped-bfs", flushed, [](const Terms& t) { return instant(t) && (t.chunks == 1 || t.micro_batches >= t.stages); },
     "(V M+P-1)(F+B)", "equal stages, no communication time, and M at least P"},
    {"zb-h1",
     [](const Terms& t) {
         return work_of_all(t) + (t.stages - 1) * (t.forward + t.input_gradient - t.weight_gradient);
     },
     [](const Terms& t) { return instant(t) && short_weight_gradient(t) && t.micro_batches >= t.stages; },
     "M(F+I+W) + (P-1)(F+I-W)", "equal stages, no communication time, W at most F and I, and M at least P"},
    {"zb-h2",
     [](const Terms& t) {
         const double late = std::max(t.input_gradient - 2 * t.weight_gradient, 0.0);
         return work_of_all(t) + (t.stages - 1) * (t.forward + late);
     },
     [](const Terms& t) { return instant(t) && short_weight_gradient(t) && t.micro_batches >= 2 * t.stages - 1; },
     "M(F+I+W) + (P-1)(F + max(I-2W, 0))",
     "equal stages, no communication time, W at most F and I, and M at least 2P-1"},
    {"zb-v", [](const Terms& t) { return 2 * work_of_all(t) + (t.stages - 1) * t.forward; },
     [](const Terms& t) { return instant(t) && equal_thirds(t) && t.micro_batches >= 2 * t.stages - 1; },
     "2M(F+I+W) + (P-1)F", "equal stages, no communication time, F = I = W, and M at least 2P-1"},
    {"dualpipe", [](const Terms& t) { return dual(t, t.stages, t.micro_batches); }, dual_applies,
     "M(F+B) - (M-P-1)(F+B-F&B) + (P/2-1)(F&B+B-3W)",
     "equal stages, no communication time, F = W, B = 2W, and F&B at least B"},
    {"dualpipe-v", [](const Terms& t) { return dual(t, 2 * t.stages, 2 * t.micro_batches); }, dual_applies,
     "2M(F+B) - (2M-2P-1)(F+B-F&B) + (P-1)(F&B+B-3W)",
     "equal stages, no communication time, F = W, B = 2W, and F&B at least B"},
}};

bool has_equal_parts(const PipelineCosts& costs) {
    const std::vector<OperationTimes>& parts = costs.part_times;
    return std::all_of(parts.begin(), parts.end(), [&](const OperationTimes& times) { return times == parts.front(); });
}

double overlapped_of(const OperationTimes& times) {
    return times.overlapped.value_or(times.forward + times.backward);
}

/// The times of every part, or the mean where they differ.
OperationTimes mean_times(const PipelineCosts& costs) {
    if (costs.part_times.empty()) {
        return costs.times;
    }
    if (has_equal_parts(costs)) {
        return costs.part_times.front();
    }
    OperationTimes mean{.forward = 0, .backward = 0, .input_gradient = 0, .weight_gradient = 0, .overlapped = 0};
    const auto share = 1 / static_cast<double>(costs.part_times.size());
    for (const OperationTimes& times : costs.part_times) {
        mean.forward += share * times.forward;
        mean.backward += share * times.backward;
        mean.input_gradient += share * times.input_gradient;
        mean.weight_gradient += share * times.weight_gradient;
        *mean.overlapped += share * overlapped_of(times);
    }
    return mean;
}

Terms terms_of(const PipelineRequest& request, int chunks, const PipelineCosts& costs) {
    const OperationTimes times = mean_times(costs);
    const double again = costs.recompute ? times.forward : 0;
    Terms terms;
    terms.stages = request.stages;
    terms.micro_batches = request.micro_batches;
    terms.chunks = chunks;
    terms.group_size = request.group_size.value_or(request.stages);
    terms.forward = times.forward;
    terms.backward = times.backward + again;
    terms.input_gradient = times.input_gradient + again;
    terms.weight_gradient = times.weight_gradient;
    terms.overlapped = overlapped_of(times) + again;
    terms.communication = costs.communication;
    return terms;
}

}  // namespace

std::optional<PipelineClosedForm> pipeline_closed_form(const PipelineRequest& request, const PipelineCosts& costs) {
    const PipelineRequest settled = settled_request(request);
    const auto form =
        std::find_if(forms.begin(), forms.end(), [&](const Form& one) { return one.schedule == settled.schedule; });
    if (form == forms.end()) {
        return std::nullopt;
    }
    const Terms terms = terms_of(settled, *settled.chunks, costs);
    const bool delayed = costs.blocking_sends && costs.communication > 0;
    const bool ordinary = has_equal_parts(costs) && !delayed && !costs.relaxed_wrap;
    return PipelineClosedForm{form->makespan(terms) + costs.gradient_sync, ordinary && form->applies(terms),
                              form->formula, form->condition};
}

}  // namespace shardlab
