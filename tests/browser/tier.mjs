/**
 * How much is tried. `./lab test --full` sets SHARDLAB_TIER to `full`: then whatever a test repeats (widths, colours,
 * values) is repeated. Otherwise each repetition is there once or twice, for the others.
 */

const tiers = ["quick", "full"];
const tier = process.env.SHARDLAB_TIER ?? "quick";
if (!tiers.includes(tier)) throw new Error(`SHARDLAB_TIER is '${tier}'; it must be one of ${tiers.join(", ")}`);

/**
 * What a test repeats.
 *
 * @param always what the quick tier has too
 * @param more what the full tier has besides
 */
export function repeated(always, more) {
  return tier === "full" ? [...always, ...more] : always;
}
