#include <emscripten/bind.h>

#include "exported.hpp"
#include "routines.hpp"

// The routines of the module `memory`, which is loaded when the first of them is called.

EMSCRIPTEN_BINDINGS(shardlab_memory) {
    using namespace shardlab::wasm;
    using emscripten::function;

    function("transformer", &exported<transformer>);
    function("transformerPresets", &exported<transformer_presets>);
    function("accelerators", &exported<accelerators>);
    function("precisionRecipes", &exported<precision_recipes>);
    function("layerActivations", &exported<layer_activations>);
    function("zeroStates", &exported<zero_states>);
    function("footprint", &exported<footprint>);
    function("smallestCluster", &exported<smallest_cluster>);
    function("launchSettings", &exported<launch_settings>);
}
