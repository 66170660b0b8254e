#include "recipe.hpp"

#include <optional>

#include "convert.hpp"
#include "model.hpp"
#include "routines.hpp"

namespace shardlab::wasm {
namespace {

val plain_recipe(const PrecisionRecipe& recipe) {
    val object = val::object();
    object.set("name", recipe.name);
    object.set("weightBytes", recipe.weight_bytes);
    object.set("gradientBytes", recipe.gradient_bytes);
    object.set("masterBytes", recipe.master_bytes);
    object.set("momentBytes", recipe.moment_bytes);
    object.set("matrixMomentBytes", recipe.matrix_moment_bytes);
    object.set("source", recipe.source);
    return object;
}

}  // namespace

PrecisionRecipe recipe_asked_for(const val& options) {
    PrecisionRecipe recipe = precision_recipe(text(options, "recipe"));
    recipe.weight_bytes = optional_number(options, "weightBytes").value_or(recipe.weight_bytes);
    recipe.gradient_bytes = optional_number(options, "gradientBytes").value_or(recipe.gradient_bytes);
    recipe.master_bytes = optional_number(options, "masterBytes").value_or(recipe.master_bytes);
    const std::optional<double> moment = optional_number(options, "momentBytes");
    recipe.moment_bytes = moment.value_or(recipe.moment_bytes);
    recipe.matrix_moment_bytes = moment.value_or(recipe.matrix_moment_bytes);
    return recipe;
}

val precision_recipes(const val&) {
    return listed(shardlab::precision_recipes(), plain_recipe);
}

}  // namespace shardlab::wasm
