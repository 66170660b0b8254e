/** The names of the native tests' cases, in no order. */

import { spawnSync } from "node:child_process";

/** @param which in Catch2's words; all cases where it is left out */
export function nativeNames(...which) {
  const { SHARDLAB_NATIVE_TESTS: binary, SHARDLAB_LIST_NAMES: options } = process.env;
  // The exit status says nothing: Catch2 2 returns the number of cases.
  const { error, stdout } = spawnSync(binary, [...which, ...options.split(" ")], { encoding: "utf8" });
  if (error) throw error;
  return stdout.split("\n").filter((line) => line.trim() !== "");
}
