/**
 * What an all-reduce takes that is no plain ring: other algorithms, other reductions, and what is made to go wrong. Loaded
 * with the first of them.
 */

export { breakageOf } from "../breakage.js";
export { breakageCaption } from "../breakage-caption.js";
export { followCaption, stepCaption } from "../collective-caption.js";
export { chords } from "../figures/chords.js";
export { claims } from "../outlines.js";
