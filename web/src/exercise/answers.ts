/** What a function has to give, and the first thing in an answer that is something else. */

/** A list of lists of numbers is `rows`; `operations` are a pipeline's, a list for each stage. */
export type Kind = "number" | "whole" | "numbers" | "wholes" | "rows" | "operations";

/** One value, or an object of them. */
export type Shape = Kind | Readonly<Record<string, Kind>>;

/** A value that is no number, text or list, in words: `a function`. */
export class Odd {
  constructor(readonly words: string) {}
}

/** A place in an answer, what stands there and what must: as the cases' own sentences have it. */
type Misfit = string | undefined;

/** C++ counts in 32 bits. */
const mostWhole = 2 ** 31 - 1;

/**
 * What is wrong with an answer's shape, in a sentence; nothing where it can be tested. A number may be any: what it must
 * be is for the cases to say.
 */
export function misfit(name: string, answer: unknown, shape: Shape): Misfit {
  if (typeof shape === "string") return checks[shape](name, answer);
  const members = Object.entries(shape);
  if (!isObject(answer)) return wrong(name, answer, `an object { ${Object.keys(shape).join(", ")} }`);
  return first(members, ([member, kind]) => checks[kind](member, answer[member]));
}

/** Where a function has left a list that it was given as another, in a sentence. */
export function changed(name: string, given: Readonly<Record<string, unknown>>, left: unknown): Misfit {
  const lists = Object.keys(given).filter((option) => Array.isArray(given[option]));
  const found = isObject(left) ? first(lists, (option) => other(option, given[option], left[option])) : wrong("it", left, "as it was");
  return found === undefined ? undefined : `${name} changed what it was given: ${found} (work on a copy)`;
}

function other(place: string, given: unknown, left: unknown): Misfit {
  if (!Array.isArray(given)) return left === given ? undefined : wrong(place, left, `${inWords(given)} as before`);
  if (!Array.isArray(left) || left.length !== given.length) return wrong(place, left, `${inWords(given)} as before`);
  return first([...given.keys()], (index) => other(`${place}[${index}]`, given[index], left[index]));
}

const checks: Readonly<Record<Kind, (place: string, value: unknown) => Misfit>> = {
  number: (place, value) => (typeof value === "number" ? undefined : wrong(place, value, "a number")),
  whole: (place, value) => (isWhole(value) ? undefined : wrong(place, value, "a whole number")),
  numbers: (place, value) => list(place, value, "numbers", checks.number),
  wholes: (place, value) => list(place, value, "whole numbers", checks.whole),
  rows: (place, value) => list(place, value, "lists of numbers", checks.numbers),
  operations: (place, value) =>
    list(place, value, "lists, one for each stage", (stage, operations) => list(stage, operations, "operations", operation)),
};

function operation(place: string, value: unknown): Misfit {
  if (!isObject(value)) return wrong(place, value, "an object { backward, microBatch }");
  const { backward, microBatch } = value;
  if (typeof backward !== "boolean") return wrong(`${place}.backward`, backward, "true or false");
  return checks.whole(`${place}.microBatch`, microBatch);
}

function list(place: string, value: unknown, of: string, check: (place: string, value: unknown) => Misfit): Misfit {
  if (!Array.isArray(value)) return wrong(place, value, `a list of ${of}`);
  return first([...value.keys()], (index) => check(`${place}[${index}]`, value[index]));
}

function first<Item>(items: readonly Item[], check: (item: Item) => Misfit): Misfit {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrong(place: string, value: unknown, must: string): string {
  return `${place} is ${inWords(value)}, must be ${must}`;
}

function inWords(value: unknown): string {
  if (value instanceof Odd) return value.words;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return inBraces(Object.keys(value));
  return String(value);
}

/** More names than any answer has are not all said, nor is what comes after their beginnings. */
const [mostNames, longestName] = [6, 40];

function inBraces(names: readonly string[]): string {
  if (names.length === 0) return "an empty object";
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, longestName));
  return `an object { ${[...shown, ...(names.length > mostNames ? ["…"] : [])].join(", ")} }`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Odd);
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= mostWhole;
}
