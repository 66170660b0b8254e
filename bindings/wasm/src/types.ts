/** The public types of the package: one options object in, one plain result out, for every routine. */

export type * from "./types/collectives.js";
export type * from "./types/data-parallel.js";
export type * from "./types/lab.js";
export type * from "./types/memory.js";
export type * from "./types/numbers.js";
export type * from "./types/pipelines.js";
export type * from "./types/tensor-parallel.js";
export type * from "./types/traces.js";
export type * from "./types/verify.js";
