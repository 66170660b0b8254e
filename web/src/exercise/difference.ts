/** Where an answer first differs from the right one, as texts to be put beside each other. */

import type { Kind, Shape } from "./answers.js";
import type { Call } from "./run.js";

/** A row of values, one of which is to be marked. */
export interface Row {
  /** before these others are left out */
  before: boolean;
  texts: readonly string[];
  after: boolean;
  /** nothing where the row ends too early */
  marked: number | undefined;
}

export interface Difference {
  /** `operations[0]`; the whole answer where that is a number */
  place: string;
  yours: Row;
  right: Row;
}

interface Place {
  path: string;
  /** of the value in its row */
  at: number;
  yours: readonly unknown[];
  right: readonly unknown[];
}

/** Sums of more than a few numbers differ by their order, and so does what follows from them. */
const rounding = 1e-10;
/** Values shown before and behind the one that differs. */
const around = 5;

/** Nothing where there is no answer, or where it differs by no more than rounding. */
export function difference({ answer, right }: Call, shape: Shape): Difference | undefined {
  const found = answer === undefined ? undefined : placeIn(answer, right, shape);
  if (found === undefined) return undefined;
  const { path, at, yours, right: must } = found;
  return { place: path, yours: row(yours, at), right: row(must, at) };
}

function placeIn(answer: unknown, right: unknown, shape: Shape): Place | undefined {
  if (typeof shape === "string") return within(shape, "", answer, right);
  for (const [member, kind] of Object.entries(shape)) {
    const found = within(kind, member, (answer as Record<string, unknown>)[member], (right as Record<string, unknown>)[member]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function within(kind: Kind, path: string, yours: unknown, right: unknown): Place | undefined {
  if (kind === "number" || kind === "whole") return first(path, [yours], [right], largest([right]));
  const [mine, must] = [yours as unknown[], right as unknown[]];
  if (kind === "numbers" || kind === "wholes") return first(path, mine, must, largest(must));
  const most = largest((must as unknown[][]).flat());
  for (let index = 0; index < Math.max(mine.length, must.length); index += 1) {
    const found = first(`${path}[${index}]`, (mine[index] ?? []) as unknown[], (must[index] ?? []) as unknown[], most);
    if (found !== undefined) return found;
  }
  return undefined;
}

function first(path: string, yours: readonly unknown[], right: readonly unknown[], most: number): Place | undefined {
  for (let at = 0; at < Math.max(yours.length, right.length); at += 1) {
    if (!isEqual(yours[at], right[at], most)) return { path, at, yours, right };
  }
  return undefined;
}

function isEqual(yours: unknown, right: unknown, most: number): boolean {
  if (typeof yours === "number" && typeof right === "number") return Math.abs(yours - right) <= rounding * most;
  return text(yours) === text(right);
}

function largest(values: readonly unknown[]): number {
  return values.reduce<number>((most, value) => (typeof value === "number" ? Math.max(most, Math.abs(value)) : most), 0);
}

function row(values: readonly unknown[], at: number): Row {
  const start = Math.max(0, at - around);
  const texts = values.slice(start, at + around + 1).map(text);
  return {
    before: start > 0,
    texts,
    after: values.length > at + around + 1,
    marked: at < values.length ? at - start : undefined,
  };
}

/** A value on a line; an operation as its letter and micro-batch. */
export function text(value: unknown): string {
  if (Array.isArray(value)) return list(value);
  if (typeof value === "object" && value !== null && "microBatch" in value) {
    const { backward, microBatch } = value as { backward?: unknown; microBatch: unknown };
    return `${backward === true ? "B" : "F"}${String(microBatch)}`;
  }
  return typeof value === "string" ? `"${value}"` : String(value);
}

/** Longer lists are cut. */
const mostListed = 6;

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, mostListed).map(text);
  const more = values.length > mostListed ? [`… ${values.length} in all`] : [];
  return `[${[...shown, ...more].join(", ")}]`;
}
