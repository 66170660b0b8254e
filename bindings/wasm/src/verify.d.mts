export type { Core } from "./shardlab.mjs";
export { default } from "./shardlab.mjs";
