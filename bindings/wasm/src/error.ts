/** What an option held: a primitive as it was given, else a few words about it. */
export type ErrorValue = number | string | boolean | bigint | null | undefined;

/** An option that breaks a rule, or a module that cannot be loaded. The message is a sentence made of the fields. */
export class ShardlabError extends RangeError {
  /** The option, as JavaScript writes it (`microBatches`), or the field of a configuration (`hidden_size`). */
  readonly parameter: string;
  /** The value that was given. */
  readonly value: ErrorValue;
  /** What the value must be; reads on from the word "must". */
  readonly rule: string;

  /** @param words the value as the message shows it */
  constructor(parameter: string, value: ErrorValue, rule: string, words = String(value)) {
    super(`${parameter} is ${words}; it must ${rule}`);
    this.name = "ShardlabError";
    this.parameter = parameter;
    this.value = value;
    this.rule = rule;
  }
}

/** What C++ gives for bad input in place of a result; the names are its own, in snake_case. */
export interface Failure {
  readonly error: { readonly parameter: string; readonly value: string; readonly rule: string };
}

/** Whether what C++ gave is no result. */
export function isFailure(answer: unknown): answer is Failure {
  return typeof answer === "object" && answer !== null && "error" in answer;
}

/** The refusal of a value that is of the wrong kind: primitives are kept, of anything else a few words. */
export function wrongKind(parameter: string, value: unknown, rule: string): ShardlabError {
  const words = inWords(value);
  return new ShardlabError(parameter, isPrimitive(value) ? value : words, rule, words);
}

/** A few words about any value: `"4"`, `4n`, `an array of 3`, `a function`. */
export function inWords(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
    case "function":
      return `a ${typeof value}`;
    case "object":
      return value === null ? "null" : Array.isArray(value) ? `an array of ${value.length}` : "an object";
    default:
      return String(value);
  }
}

function isPrimitive(value: unknown): value is ErrorValue {
  return value === null || !["object", "function", "symbol"].includes(typeof value);
}
