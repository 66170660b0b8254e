#include <emscripten/bind.h>

#include "exported.hpp"
#include "routines.hpp"

// The routines of the module `pipelines`, which is loaded when the first of them is called.

EMSCRIPTEN_BINDINGS(shardlab_pipelines) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("pipelineSchedule", &exported<pipeline_schedule>);
    function("pipelineSchedule1f1b", &exported<pipeline_schedule_1f1b>);
    function("pipelineImport", &exported<pipeline_import>);
    function("pipelineExport", &exported<pipeline_export>);
}
