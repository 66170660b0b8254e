import { options, type Kind, type Option, type Routine } from "./defaults.js";
import { ShardlabError, wrongKind } from "./error.js";
import { listParts, matrixParts, type MatrixParts } from "./matrix.js";

type Scalar = number | string | boolean;

/**
 * The fields of a config.json. Those of an object stand beside it, with its name and a dot before theirs; null stands
 * for an object, for a list of anything but numbers, and for what is nested deeper.
 */
export type ConfigFields = Record<string, Scalar | readonly number[] | null>;

/** Options as C++ reads them: every key is there, and each holds its kind. */
export type CompleteOptions = Readonly<Record<string, Scalar | null | MatrixParts | ConfigFields>>;

/**
 * Reads each option of a routine once, checks its kind and fills in what was left out.
 *
 * The result holds plain data only: nothing in it can throw when it is read, and a worker can be sent it.
 */
export function complete(routine: Routine, given: unknown): CompleteOptions {
  if (given === undefined && Object.keys(options[routine]).length === 0) {
    return {};
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrongKind("options", given, `be an object: ${routine} takes ${namesOf(routine)}`);
  }
  refuseUnknown(routine, given);
  const filled: Record<string, CompleteOptions[string]> = {};
  for (const [key, option] of Object.entries<Option>(options[routine])) {
    filled[key] = readable(key, () => read(key, option, (given as Record<string, unknown>)[key]));
  }
  return filled;
}

/** A misspelt option would be ignored without a word, and its default used in its place. */
function refuseUnknown(routine: Routine, given: object): void {
  for (const key of readable("options", () => Object.keys(given))) {
    if (!Object.keys(options[routine]).includes(key)) {
      throw new ShardlabError(key, "no option", `be one of the options of ${routine}: ${namesOf(routine)}`);
    }
  }
}

function namesOf(routine: Routine): string {
  return Object.keys(options[routine]).join(", ") || "none";
}

/** Getters and proxies may throw whatever they like. */
function readable<Value>(key: string, reading: () => Value): Value {
  try {
    return reading();
  } catch (error) {
    if (error instanceof ShardlabError) {
      throw error;
    }
    throw new ShardlabError(key, "a value that throws when it is read", "be plain data");
  }
}

function read(key: string, option: Option, value: unknown): CompleteOptions[string] {
  if (value === undefined && "fallback" in option) {
    return option.fallback;
  }
  return readers[option.kind](key, value);
}

const readers: { readonly [K in Kind]: (key: string, value: unknown) => CompleteOptions[string] } = {
  number(key, value) {
    if (typeof value !== "number") {
      throw wrongKind(key, value, "be a number");
    }
    return value;
  },
  text(key, value) {
    if (typeof value !== "string") {
      throw wrongKind(key, value, "be a text");
    }
    return value;
  },
  flag(key, value) {
    if (typeof value !== "boolean") {
      throw wrongKind(key, value, "be true or false");
    }
    return value;
  },
  numbers: listParts,
  matrix: matrixParts,
  config(key, value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw wrongKind(key, value, "be an object, the top level of a model's config.json");
    }
    const fields = configFields("", value);
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === "object" && field !== null && !Array.isArray(field)) {
        Object.assign(fields, configFields(`${name}.`, field));
      }
    }
    return fields;
  },
};

function configFields(prefix: string, object: object): ConfigFields {
  const given = Object.entries(object).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(given.map(([name, field]) => [`${prefix}${name}`, configField(field)]));
}

function configField(value: unknown): ConfigFields[string] {
  if (isScalar(value)) {
    return value;
  }
  const items: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [null];
  return items.every((item) => typeof item === "number") ? items : null;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean";
}
