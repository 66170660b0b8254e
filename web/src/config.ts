/** A model's config.json, as it is pasted. */

import type { ModelConfig } from "shardlab";
import { InputError } from "./parameter.js";

/** The object in a text; its fields are for the core to judge. */
export function readConfig(text: string): ModelConfig {
  const shown = text.trim() === "" ? "empty" : text.trim().slice(0, 24);
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new InputError("config", shown, `be JSON (${(error as Error).message})`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new InputError("config", shown, "be a JSON object, as in a model's config.json");
  }
  return config as ModelConfig;
}
